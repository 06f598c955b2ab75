// The six walls of the box: what the flow may do there.
//
//            +z ceiling                     open    pressure is zero one cell outside: gas leaves and enters freely
//               |   +y back                 closed  no flow through, free slip along it
//   -x left ----+---- +x right              inflow  a prescribed velocity into the box
//     -y front  |
//            -z floor
#pragma once
#include <array>

#include "field/mac.h"

namespace phlo::flow {

enum class WallKind { open, closed, inflow };

struct Wall {
    WallKind kind = WallKind::closed;
    double speed = 0;  ///< into the box [m/s], inflow only
};

/// -x, +x, -y, +y, -z, +z
using Walls = std::array<Wall, 6>;

inline std::array<bool, 6> open_walls(const Walls& walls) {
    std::array<bool, 6> open{};
    for (std::size_t w = 0; w < 6; ++w) open[w] = walls[w].kind == WallKind::open;
    return open;
}

/// Sets the normal velocity on closed and inflow walls.
void enforce_walls(const Walls& walls, field::MacGrid& u);

}  // namespace phlo::flow
