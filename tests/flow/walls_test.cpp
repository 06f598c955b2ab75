#include "flow/walls.h"

#include <gtest/gtest.h>

namespace phlo::flow {
namespace {

TEST(walls, inflow_enters_closed_stops_and_open_stays_as_it_is) {
    const field::Layout layout({5, 6, 7});
    const Vec3i n = layout.cells();
    for (std::size_t w = 0; w < 6; ++w)
        for (const WallKind kind : {WallKind::open, WallKind::closed, WallKind::inflow}) {
            Walls walls;
            for (Wall& other : walls) other.kind = WallKind::open;
            walls[w] = {.kind = kind, .speed = 2};
            field::MacGrid u(layout, 0.5f);
            enforce_walls(walls, u);
            const int axis = int(w) / 2;
            Vec3i here(2), opposite(2);
            (w % 2 ? here : opposite)[axis] = n[axis], (w % 2 ? opposite : here)[axis] = 0;
            const float into_the_box = w % 2 ? -2.0f : 2.0f;
            const float expected = kind == WallKind::open ? 0.5f : kind == WallKind::closed ? 0.0f : into_the_box;
            EXPECT_EQ(u[axis](here.x, here.y, here.z), expected) << w;
            EXPECT_EQ(u[axis](opposite.x, opposite.y, opposite.z), 0.5f) << w;
            EXPECT_EQ(u[axis](2, 2, 2), 0.5f) << w;
        }
}

}  // namespace
}  // namespace phlo::flow
