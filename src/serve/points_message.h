// The points of a frame as clouds and streaks: a part of frame_message.h.
#pragma once
#include <string>
#include <vector>

#include "field/frame.h"
#include "render/light/lights.h"
#include "render/live/cast.h"
#include "serve/payload.h"

namespace phlo::serve {

/// A record of 16 bytes for each point.
struct PointRecord {
    std::uint16_t position[3];   ///< in the box of the set, 0 to 65535
    std::uint8_t radius;         ///< root of its share of the largest
    std::uint8_t opacity;        ///< of its middle; of a streak 0
    std::uint8_t light[3];       ///< roots of shares of the brightest; of a streak its amount, in the first
    std::uint8_t id;             ///< the last bits of the point's number: turns its clouds
    std::int8_t streak[3];       ///< back to where it was, in shares of the longest one / 127
    std::uint8_t unused;
};
static_assert(sizeof(PointRecord) == 16);

/// The header's members for all sets, an array; their bytes are added to the payload. `lamps`: the light of the fire.
std::string add_points(const field::Frame& frame, const render::RenderParams& look, render::Cast& cast, const render::Lights& lights,
                       const std::vector<render::FireLamp>& lamps, std::size_t max_points, Payload& payload);

}  // namespace phlo::serve
