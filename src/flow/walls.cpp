#include "flow/walls.h"

namespace phlo::flow {

void enforce_walls(const Walls& walls, field::MacGrid& u) {
    const Vec3i n = u.layout().cells();
    for (int w = 0; w < 6; ++w) {
        const Wall& wall = walls[std::size_t(w)];
        if (wall.kind == WallKind::open) continue;
        const int axis = w / 2;
        const bool upper = w % 2 == 1;
        const float speed = wall.kind == WallKind::inflow ? float(upper ? -wall.speed : wall.speed) : 0.0f;
        Vec3i first, last = n;
        first[axis] = upper ? n[axis] : 0;
        last[axis] = first[axis] + 1;
        for (int k = first.z; k < last.z; ++k)
            for (int j = first.y; j < last.y; ++j)
                for (int i = first.x; i < last.x; ++i) u[axis](i, j, k) = speed;
    }
}

}  // namespace phlo::flow
