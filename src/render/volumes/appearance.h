// What a frame looks like in a few numbers, which do not depend on a camera: how much light its gas sends out, where it is and how large.
//
//   Appearance seen = appearance(frame, look);
//   seen.luminous_power;                                       // by the renderer's own law
//   seen.box.upper.z - seen.box.lower.z;                       // height of the visible gas [m]
#pragma once
#include "field/bounds.h"
#include "render/volumes/volume.h"

namespace phlo::render {

struct Appearance {
    double luminous_power = 0;   ///< of all glowing gas, without what it swallows itself: 4 pi times the integral of its luminance per metre [m^2]
    double opacity = 0;          ///< integral of the extinction over the volume [m^2]
    Vec3d centre;                ///< of the extinction [m]
    field::Bounds box;           ///< along each axis the middle 98 % of the extinction [m]: single wisps do not count; empty if nothing is seen
};

Appearance appearance(const OpticalVolume& volume);
Appearance appearance(const field::Frame& frame, const RenderParams& look);

}  // namespace phlo::render
