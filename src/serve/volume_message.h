// The gas of a frame as bricks of bytes: a part of frame_message.h.
#pragma once
#include <string>

#include "render/volumes/volume.h"
#include "serve/payload.h"

namespace phlo::serve {

constexpr int brick_cells = 16;

/// The header's member for it, its bytes added to the payload; "" if there is no gas.
std::string add_volume(const render::OpticalVolume& volume, std::size_t max_cells, Payload& payload);

}  // namespace phlo::serve
