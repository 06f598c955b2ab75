// The points of a frame as clouds and streaks: a part of frame_message.h.
#pragma once
#include <string>
#include <vector>

#include "render/light/lights.h"
#include "render/live/cast.h"
#include "serve/payload.h"

namespace phlo::serve {

/// A point that hides and shines.
struct CloudRecord {
    std::uint16_t position[3];   ///< in the box of the set, 0 to 65535
    std::uint8_t radius;         ///< root of its share of the largest
    std::uint8_t opacity;        ///< of its middle
    std::uint8_t light[3];       ///< roots of shares of the brightest
    std::uint8_t id;             ///< the last bits of the point's number: turns its clouds
};
/// A point on its way, whose light is an amount that adds up before it becomes a colour.
struct StreakRecord {
    std::uint16_t position[3];
    std::uint8_t radius;
    std::uint8_t amount;         ///< root of its share of the largest
    std::int8_t streak[3];       ///< back to where it was, in shares of the longest one / 127
    std::uint8_t unused;
};
static_assert(sizeof(CloudRecord) == 12 && sizeof(StreakRecord) == 12);

/// The header's members for all sets, an array; their bytes are added to the payload. `lamps`: the light of the fire.
std::string add_points(const render::RenderParams& look, render::Cast& cast, const render::Lights& lights, const std::vector<render::FireLamp>& lamps, std::size_t max_points, Payload& payload);

}  // namespace phlo::serve
