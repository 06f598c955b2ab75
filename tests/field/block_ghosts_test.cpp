#include "field/block_ghosts.h"

#include <gtest/gtest.h>

#include <cmath>

namespace phlo::field {
namespace {

/// Levels 1 to 3 side by side.
Blocks mixed() {
    std::vector<std::int8_t> levels(4 * 4 * 4, 1);
    levels[0] = levels[21] = levels[63] = 3;
    balance({4, 4, 4}, levels);
    return {{4, 4, 4}, 3, levels};
}

Vec3d place_of(const Blocks& blocks, int block, int axis, const Vec3i& entry) {
    Vec3d at = Vec3d(entry) + Vec3d(0.5);
    if (axis >= 0) at[axis] -= 0.5;
    return Vec3d(blocks.place(block) * (1 << blocks.depth())) + at * double(blocks.size(blocks.level(block)));
}

double linear(const Vec3d& p) { return 1 + 0.5 * p.x - 0.25 * p.y + 2 * p.z; }

template <class Each>
void each_own(const Blocks& blocks, int axis, int block, const Each& each) {
    Vec3i c, last(Blocks::side(blocks.level(block)));
    if (axis >= 0) ++last[axis];
    for (c.z = 0; c.z < last.z; ++c.z)
        for (c.y = 0; c.y < last.y; ++c.y)
            for (c.x = 0; c.x < last.x; ++c.x) each(c);
}

BlockField<float> linear_field(const Blocks& blocks, int axis) {
    BlockField<float> x(blocks);
    for (const int block : blocks.all())
        each_own(blocks, axis, block, [&](const Vec3i& c) { x.block(blocks, block)[Blocks::offset(blocks.level(block), c.x, c.y, c.z)] = float(linear(place_of(blocks, block, axis, c))); });
    return x;
}

bool in_box(const Blocks& blocks, const Vec3d& p) {
    const Vec3i all = blocks.base() * (1 << blocks.depth());
    return p.x >= 0 && p.y >= 0 && p.z >= 0 && p.x <= all.x && p.y <= all.y && p.z <= all.z;
}

/// How far from the walls, in cells of this level: those beyond them go on as they are, and what is linear between bends there.
bool away_from_walls(const Blocks& blocks, const Vec3d& p, double margin) { return in_box(blocks, p - Vec3d(margin)) && in_box(blocks, p + Vec3d(margin)); }

TEST(block_ghosts, linear_fields_stay_linear_around_every_block) {
    const Blocks blocks = mixed();
    ASSERT_GT(blocks.of_level(1).size(), 0u);
    ASSERT_GT(blocks.of_level(2).size(), 0u);
    for (const int axis : {centres, 0, 1, 2}) {
        BlockField<float> x = linear_field(blocks, axis);
        fill_ghosts_around(blocks, axis, Seams::linear, x);
        PaddedField padded;
        padded.copy(blocks, axis, linear_field(blocks, axis));
        long ghosts = 0;
        for (const int block : blocks.all()) {
            const int level = blocks.level(block), n = Blocks::side(level);
            Vec3i c;
            for (c.z = -2; c.z < n + 2; ++c.z)
                for (c.y = -2; c.y < n + 2; ++c.y)
                    for (c.x = -2; c.x < n + 2; ++c.x) {
                        const Vec3d p = place_of(blocks, block, axis, c);
                        if (!away_from_walls(blocks, p, 4)) continue;
                        const int wide = PaddedField::pitch(level);
                        EXPECT_NEAR(double(padded.origin(block)[c.x + wide * (c.y + wide * c.z)]), linear(p), 1e-4) << axis << " level " << level << ": " << c.x << " " << c.y << " " << c.z;
                        if (c.x < -1 || c.y < -1 || c.z < -1 || c.x > n || c.y > n || c.z > n) continue;
                        EXPECT_NEAR(double(x.block(blocks, block)[Blocks::offset(level, c.x, c.y, c.z)]), linear(p), 1e-4) << axis << " level " << level;
                        ++ghosts;
                    }
        }
        EXPECT_GT(ghosts, 1000);
    }
}

TEST(block_ghosts, a_coarse_face_has_one_velocity_for_the_fine_faces_on_it) {
    const Blocks blocks = mixed();
    for (int axis = 0; axis < 3; ++axis) {
        BlockField<float> u = linear_field(blocks, axis);
        fill_ghosts_around(blocks, axis, Seams::one_value, u);
        long seams = 0;
        for (const int block : blocks.all())
            for (const int side : {0, 1}) {
                const int level = blocks.level(block), other = blocks.neighbour(block, 2 * axis + side), n = Blocks::side(level);
                if (other < 0 || blocks.level(other) >= level) continue;
                each_own(blocks, axis, block, [&](const Vec3i& c) {
                    if (c[axis] != (side == 0 ? 0 : n)) return;
                    Vec3i coarse(c.x / 2, c.y / 2, c.z / 2);
                    coarse[axis] = side == 0 ? n / 2 : 0;
                    EXPECT_EQ(u.block(blocks, block)[Blocks::offset(level, c.x, c.y, c.z)], u.block(blocks, other)[Blocks::offset(level - 1, coarse.x, coarse.y, coarse.z)]);
                    ++seams;
                });
            }
        EXPECT_GT(seams, 0);
    }
}

}  // namespace
}  // namespace phlo::field
