// Sparks: points of light too small for the cells of a volume, drawn straight into the picture. Each is a ball of the point's radius with the radiance
// `brightness` times its colour; bodies hide it, gas before it dims it, and it lights nothing around. A spark that moves while the shutter is open
// (or for `streak` seconds) draws a line, as long as its way and as much dimmer.
//
//   add_sparks({.scene = scene, .look = look, .later = 0, .open = 0.5 / 24}, frame, image);
#pragma once
#include "field/frame.h"
#include "render/preview.h"

namespace phlo::render {

struct SparkMoment {
    const RenderScene& scene;
    const RenderParams& look;
    double later = 0;   ///< middle of the time that is seen, after the frame [s]
    double open = 0;    ///< how long it is [s]
};

/// Adds their radiance to the picture. The light of a spark that covers less than a pixel is all there, spread over about two pixels.
void add_sparks(const SparkMoment& moment, const field::Frame& frame, io::Image& image);

/// Are there any?
bool has_sparks(const field::Frame& frame, const RenderParams& look);

}  // namespace phlo::render
