// The halo of a fire of streaks: what hot gas above a flame scatters of its light. Composition is carried upwards, row by row, and wavers to the sides:
// each row keeps a part of what comes from below and hands the rest on.
//
//   blur_upwards(amount, {.height = 40, .jitter = 0.6f, .wavelength = 30, .phase = 3 * time});
//
// A feedback of the last picture into the next does the same over several frames [adabala2004]; here all of it happens in one picture, so that
// any frame can be drawn alone. What leaves a pixel arrives in others: the sum is kept, but for what leaves the picture.
#pragma once
#include "render/live/tiles.h"

namespace phlo::render {

struct Halo {
    float height = 0;       ///< mean way upwards [pixels]
    float up_x = 0, up_y = -1;  ///< the world's up on the picture: length one, y runs down
    float jitter = 0;       ///< slope of the way to the sides, at most
    float wavelength = 30;  ///< of that wavering [pixels]
    float phase = 0;        ///< how far its pattern has risen [wavelengths]
    float x = 0, y = 0;     ///< where the pattern is anchored [pixels]
};

void blur_upwards(Plane& amount, const Halo& halo);

}  // namespace phlo::render
