#include "field/grid.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <set>

#include "base/error.h"
#include "base/parallel.h"
#include "base/random.h"
#include "field/domain.h"
#include "field/mac.h"

namespace phlo::field {
namespace {

const Vec3i shapes[] = {{1, 1, 1}, {16, 16, 16}, {11, 7, 5}, {13, 1, 9}, {250, 3, 2}, {251, 2, 3}, {256, 4, 4}};
constexpr int g = Layout::ghost;

TEST(layout, rows_start_on_64_bytes) {
    for (const Vec3i& cells : shapes) {
        const Grid grid{Layout(cells)};
        for (int k = -g; k <= cells.z + g; ++k)
            for (int j = -g; j <= cells.y + g; ++j) EXPECT_EQ(reinterpret_cast<std::uintptr_t>(grid.row(j, k)) % 64, 0u);
    }
}

// Ghosts of a row share their padding with the next row's: no two entries that both can be addressed may be the same float.
TEST(layout, every_entry_and_ghost_has_its_own_place_inside_the_storage) {
    for (const Vec3i& cells : shapes) {
        const Layout layout(cells);
        std::set<std::ptrdiff_t> places;
        std::size_t entries = 0;
        for (int k = -g; k <= cells.z + g; ++k)
            for (int j = -g; j <= cells.y + g; ++j)
                for (int i = -g; i <= cells.x + g; ++i) {
                    places.insert(layout.offset(i, j, k));
                    ++entries;
                }
        EXPECT_EQ(places.size(), entries) << cells.x << "x" << cells.y << "x" << cells.z;
        EXPECT_GE(*places.begin(), Layout::lane);  // a vector load before the first
        EXPECT_LT(*places.rbegin() + Layout::lane, std::ptrdiff_t(layout.size()));  // and after the last stays inside
    }
}

TEST(layout, rows_do_not_compete_for_one_cache_set) {
    for (int nx = 200; nx <= 1030; ++nx) EXPECT_NE(Layout({nx, 2, 2}).stride_y() % 256, 0) << nx;
}

TEST(layout, an_empty_box_is_a_broken_promise) { EXPECT_THROW(Layout({4, 0, 4}), std::logic_error); }

/// A field that gives every entry another value.
void number_all(Grid& grid, Vec3i extent) {
    for (int k = 0; k < extent.z; ++k)
        for (int j = 0; j < extent.y; ++j)
            for (int i = 0; i < extent.x; ++i) grid(i, j, k) = float(1 + i + 300 * (j + 20 * k));
}

TEST(grid, ghosts_continue_the_field_with_zero_slope_on_every_side_and_corner) {
    for (const Vec3i& cells : {Vec3i(16, 16, 16), Vec3i(11, 7, 5), Vec3i(1, 1, 1)}) {
        const Layout layout(cells);
        for (int axis = -1; axis < 3; ++axis) {  // -1: cell centres
            const Vec3i extent = axis < 0 ? cells : face_extent(layout, axis);
            Grid grid(layout, -7);
            number_all(grid, extent);
            const Grid before = grid;
            extend_into_ghosts(grid, extent);
            for (int k = -g; k < extent.z + g; ++k)
                for (int j = -g; j < extent.y + g; ++j)
                    for (int i = -g; i < extent.x + g; ++i) {
                        const auto clamp = [](int v, int n) { return std::clamp(v, 0, n - 1); };
                        ASSERT_EQ(grid(i, j, k), before(clamp(i, extent.x), clamp(j, extent.y), clamp(k, extent.z)))
                            << i << ' ' << j << ' ' << k << " axis " << axis;
                    }
        }
    }
}

TEST(grid, padding_behind_the_ghosts_does_not_depend_on_what_was_there) {
    const Vec3i cells(13, 5, 4);
    Grid one(Layout(cells), -7), other(Layout(cells), 1e6f);
    for (Grid* grid : {&one, &other}) number_all(*grid, cells), extend_into_ghosts(*grid, cells);
    const int end = int(one.layout().stride_y()) - g;
    for (int k = -g; k < cells.z + g; ++k)
        for (int j = -g; j < cells.y + g; ++j)
            for (int i = -g; i < end; ++i) ASSERT_EQ(one(i, j, k), other(i, j, k)) << i << ' ' << j << ' ' << k;
}

TEST(grid, writing_ghosts_leaves_the_cells_alone) {
    const Vec3i cells(13, 5, 4);
    Grid grid{Layout(cells)};
    number_all(grid, cells);
    const Grid before = grid;
    for (int k = -g; k <= cells.z + g; ++k)
        for (int j = -g; j <= cells.y + g; ++j)
            for (int i = -g; i <= cells.x + g; ++i)
                if (i < 0 || j < 0 || k < 0 || i >= cells.x || j >= cells.y || k >= cells.z) grid(i, j, k) = -1;
    for (int k = 0; k < cells.z; ++k)
        for (int j = 0; j < cells.y; ++j)
            for (int i = 0; i < cells.x; ++i) ASSERT_EQ(grid(i, j, k), before(i, j, k));
}

TEST(grid, sum_and_maximum_see_the_cells_and_nothing_else) {
    const Vec3i cells(37, 6, 5);
    Grid grid(Layout(cells), 1000);  // ghosts hold 1000
    for (int k = 0; k < cells.z; ++k)
        for (int j = 0; j < cells.y; ++j)
            for (int i = 0; i < cells.x; ++i) grid(i, j, k) = -0.5f;
    EXPECT_EQ(sum(grid), -0.5 * 37 * 6 * 5);
    EXPECT_EQ(max_abs(grid, cells), 0.5);
    grid(36, 5, 4) = -3;
    EXPECT_EQ(max_abs(grid, cells), 3);
}

TEST(grid, sum_has_the_same_bits_for_any_thread_count) {
    const Vec3i cells(61, 40, 50);
    Grid grid{Layout(cells)};
    for (int k = 0; k < cells.z; ++k)
        for (int j = 0; j < cells.y; ++j)
            for (int i = 0; i < cells.x; ++i) grid(i, j, k) = uniform4({}, std::uint32_t(i + 100 * (j + 100 * k)))[0] * 1e3f - 500;
    double one = 0;
    {
        const ThreadLimit limit(1);
        one = sum(grid);
    }
    const ThreadLimit limit(2);
    for (int repeat = 0; repeat < 10; ++repeat) EXPECT_EQ(sum(grid), one);
}

TEST(mac, faces_have_one_entry_more_along_their_axis) {
    const Layout layout({4, 5, 6});
    EXPECT_EQ(face_extent(layout, 0), Vec3i(5, 5, 6));
    EXPECT_EQ(face_extent(layout, 1), Vec3i(4, 6, 6));
    EXPECT_EQ(face_extent(layout, 2), Vec3i(4, 5, 7));
    MacGrid mac(layout, 2);
    mac[1](0, 5, 0) = 9;
    EXPECT_EQ(mac.y(0, 5, 0), 9);
    EXPECT_EQ(mac.x(4, 0, 0), 2);
    EXPECT_EQ(mac.bytes(), 3 * layout.size() * sizeof(float));
}

TEST(domain, centres_and_faces_lie_half_a_cell_apart) {
    const Domain domain{.cells = {4, 5, 6}, .origin = {-1, 2, 3}, .h = 0.5};
    EXPECT_EQ(domain.cell_center(0, 0, 0), Vec3d(-0.75, 2.25, 3.25));
    for (int axis = 0; axis < 3; ++axis) {
        Vec3d expected = domain.cell_center(1, 2, 3);
        expected[axis] -= 0.25;
        EXPECT_EQ(domain.face_center(axis, 1, 2, 3), expected);
    }
    EXPECT_EQ(domain.grid_from_world(domain.cell_center(1, 2, 3)), Vec3d(1, 2, 3));
    EXPECT_EQ(domain.upper(), Vec3d(1, 4.5, 6));
}

}  // namespace
}  // namespace phlo::field
