// The reference: unbiased volumetric path tracing of the same scene as the other integrators [kajiya1986].
//
//   RenderScene scene(frame, params);
//   io::Image radiance = render_path(scene, {.samples = 256});
//
// Collisions by delta tracking, emission gathered along the way, sun, lamps and fire by shadow rays with ratio tracking, light of the sky
// where a path leaves the scene. Noise falls with the square root of the samples; nothing else is approximated.
#pragma once
#include "render/preview.h"

namespace phlo::render {

struct PathSettings {
    int samples = 64;  ///< paths a pixel
    std::uint64_t seed = 1;
    SamplePart part = {};  ///< which of the samples, for pictures made in parts
    const PictureWatch* watch = nullptr;
};

/// The same picture for any number of threads.
io::Image render_path(const RenderScene& scene, const PathSettings& settings);

}  // namespace phlo::render
