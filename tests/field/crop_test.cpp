#include "field/crop.h"

#include <gtest/gtest.h>

#include <limits>

#include "base/parallel.h"
#include "base/random.h"

namespace phlo::field {
namespace {

const Domain room{.cells = {61, 40, 77}, .origin = {-1, 2, 0.5}, .h = 0.125};

TEST(crop, part_holds_all_that_is_not_empty_and_one_leaf_around) {
    const Vec3i corners[][2] = {
        {{20, 17, 30}, {33, 18, 41}}, {{0, 0, 0}, {0, 0, 0}}, {{60, 39, 76}, {60, 39, 76}}, {{0, 0, 0}, {60, 39, 76}}};
    for (const auto& [first, last] : corners) {
        Grid a(Layout(room.cells)), b(Layout(room.cells), 300);
        a(first.x, first.y, first.z) = 0.2f, b(last.x, last.y, last.z) = 299;
        const Content contents[] = {{&a, 0, 0.1f}, {&b, 300, 0.5f}};
        const Domain part = occupied_part(room, contents);
        const Vec3d from = (part.origin - room.origin) / room.h;
        for (int axis = 0; axis < 3; ++axis) {
            const int low = std::max(0, (first[axis] / 8 - 1) * 8), high = std::min(room.cells[axis], (last[axis] / 8 + 2) * 8);
            EXPECT_EQ(from[axis], low);
            EXPECT_EQ(part.cells[axis], high - low);
        }
        EXPECT_EQ(part.h, room.h);
    }
}

TEST(crop, what_is_negligible_is_nothing_and_what_is_no_number_is_something) {
    Grid a(Layout(room.cells));
    a(5, 5, 5) = 0.1f, a(44, 30, 60) = -0.1f;
    const Content contents[] = {{&a, 0, 0.1f}};
    EXPECT_EQ(occupied_part(room, contents).cells, Vec3i(8, 8, 8));
    a(44, 30, 60) = std::numeric_limits<float>::quiet_NaN();
    EXPECT_EQ(occupied_part(room, contents).cells, Vec3i(24, 24, 24));
}

TEST(crop, random_specks_are_all_inside_for_any_thread_count) {
    for (std::uint32_t trial = 0; trial < 20; ++trial) {
        Grid grids[2] = {Grid(Layout(room.cells)), Grid(Layout(room.cells))};
        std::vector<Vec3i> specks;
        for (std::uint32_t n = 0; n < 6; ++n) {
            const auto u = uniform4({.seed = 9, .step = trial}, n);
            specks.push_back({10 + int(u[0] * 30), int(u[1] * 40), 20 + int(u[2] * 50)});
            grids[n % 2](specks.back().x, specks.back().y, specks.back().z) = 1;
        }
        const Content contents[] = {{&grids[0], 0, 0.5f}, {&grids[1], 0, 0.5f}};
        Vec3i low = specks[0], high = specks[0];
        for (const Vec3i& s : specks) low = min(low, s), high = max(high, s);
        EXPECT_EQ(occupied_part(room, contents), part_around(room, low, high));
        const ThreadLimit one(1);
        EXPECT_EQ(occupied_part(room, contents), part_around(room, low, high));
    }
}

TEST(crop, copies_hold_the_values_of_the_part_to_the_last_face) {
    const Layout layout(room.cells);
    Grid q(layout);
    MacGrid u(layout);
    for (int k = 0; k <= room.cells.z; ++k)
        for (int j = 0; j <= room.cells.y; ++j)
            for (int i = 0; i <= room.cells.x; ++i) {
                q(i, j, k) = float(i + 100 * j + 10000 * k);
                for (int axis = 0; axis < 3; ++axis) u[axis](i, j, k) = -q(i, j, k) + 0.25f * float(axis);
            }
    u.x(30, 20, 40) = -0.f;
    const Domain part = part_around(room, {30, 20, 40}, {60, 25, 44});
    const Vec3i first(16, 8, 32);
    Copies copies(room, part);
    const auto small = copies.add(q), warm = copies.add(q, 0.5f);
    const auto faces = copies.add(u);
    copies.make();
    ASSERT_EQ(part.cells, Vec3i(45, 32, 24));
    for (int k = 0; k < 24; ++k)
        for (int j = 0; j < 32; ++j)
            for (int i = 0; i < 45; ++i) {
                ASSERT_EQ((*small)(i, j, k), q(first.x + i, first.y + j, first.z + k));
                ASSERT_EQ((*warm)(i, j, k), q(first.x + i, first.y + j, first.z + k) + 0.5f);
            }
    for (int axis = 0; axis < 3; ++axis) {
        const Vec3i extent = face_extent(Layout(part.cells), axis);
        for (int k = 0; k < extent.z; ++k)
            for (int j = 0; j < extent.y; ++j)
                for (int i = 0; i < extent.x; ++i) ASSERT_EQ((*faces)[axis](i, j, k), u[axis](first.x + i, first.y + j, first.z + k));
    }
    EXPECT_TRUE(std::signbit(faces->x(14, 12, 8)));
}

}  // namespace
}  // namespace phlo::field
