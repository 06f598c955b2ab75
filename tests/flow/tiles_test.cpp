#include "flow/tiles.h"

#include <gtest/gtest.h>

namespace phlo::flow {
namespace {

const field::Layout layout({70, 19, 33});   // no axis is a multiple of the tile

TEST(tiles, cover_every_cell_once) {
    const TileSet all(layout, true);
    for (int axis = 0; axis < 3; ++axis) {
        field::Grid visits(layout);
        for (const CellBox& box : all.runs(axis))
            for (int k = box.lower.z; k < box.upper.z; ++k)
                for (int j = box.lower.y; j < box.upper.y; ++j)
                    for (int i = box.lower.x; i < box.upper.x; ++i) visits(i, j, k) += 1;
        for (int k = 0; k < 33; ++k)
            for (int j = 0; j < 19; ++j)
                for (int i = 0; i < 70; ++i) ASSERT_EQ(visits(i, j, k), 1) << axis << ": " << i << ' ' << j << ' ' << k;
    }
}

TEST(tiles, follow_a_field_and_its_margin) {
    field::Grid field(layout, 2.0f);
    field(17, 9, 9) = 2.5f;   // one cell inside the corner of tile (1, 1, 1)
    TileSet set(layout);
    set.activate_where(field, 2.0f, 0.4f, 1);
    EXPECT_EQ(set.active_count(), 1);
    EXPECT_TRUE(set.active(1, 1, 1));
    set.activate_where(field, 2.0f, 0.4f, 2);
    EXPECT_EQ(set.active_count(), 8);
    TileSet none(layout);
    none.activate_where(field, 2.0f, 0.6f, 2);
    EXPECT_EQ(none.active_count(), 0);
}

TEST(tiles, a_cell_at_the_edge_of_its_tile_wakes_the_next_one) {
    const Vec3i first = TileSet::tile, last = first * 2 - Vec3i(1);  // of tile (1, 1, 1)
    for (int axis = 0; axis < 3; ++axis)
        for (const bool upper : {false, true}) {
            Vec3i cell = first + Vec3i(3), neighbour(1);
            cell[axis] = upper ? last[axis] : first[axis];
            neighbour[axis] += upper ? 1 : -1;
            field::Grid field(layout);
            field(cell.x, cell.y, cell.z) = 1;
            TileSet set(layout);
            set.activate_where(field, 0, 0.5f, 1);
            EXPECT_EQ(set.active_count(), 2) << axis << upper;
            EXPECT_TRUE(set.active(neighbour.x, neighbour.y, neighbour.z)) << axis << upper;
        }
}

TEST(tiles, dilate_reaches_the_neighbours_and_no_further) {
    TileSet set(layout);
    set.set(2, 1, 2, true);
    TileSet near = set, far = set;
    near.dilate(8);
    EXPECT_EQ(near.active_count(), 27);
    far.dilate(17);
    EXPECT_EQ(far.active_count(), 5 * 3 * 5);
    EXPECT_EQ(TileSet(set) |= near, near);
    EXPECT_EQ(TileSet(near) &= set, set);
    EXPECT_EQ(set.inverse().active_count(), set.tile_count() - 1);
}

TEST(tiles, runs_join_neighbours_along_each_axis) {
    TileSet set(layout);
    for (const int t : {0, 1, 3}) set.set(t, 0, 0, true);
    const std::vector<CellBox> runs = set.runs();
    ASSERT_EQ(runs.size(), 2u);
    EXPECT_EQ(runs[0], (CellBox{{0, 0, 0}, {32, 8, 8}}));
    EXPECT_EQ(runs[1], (CellBox{{48, 0, 0}, {64, 8, 8}}));
    EXPECT_EQ(set.runs(1).size(), 3u);
}

TEST(tiles, piles_are_runs_on_top_of_runs_that_are_alike) {
    const TileSet all(layout, true);   // 5 x 3 x 5 tiles, the last ones cut
    EXPECT_EQ(all.piles(1), all.runs());
    EXPECT_EQ(all.piles(2).size(), 9u);
    EXPECT_EQ(all.piles(2).front(), (CellBox{{0, 0, 0}, {70, 8, 16}}));
    EXPECT_EQ(all.piles(4).size(), 6u);
    EXPECT_EQ(all.piles(4).back(), (CellBox{{0, 16, 32}, {70, 19, 33}}));

    TileSet set(layout);
    for (const int t : {0, 1, 3}) set.set(t, 0, 0, true);
    for (const int t : {0, 1, 2, 3}) set.set(t, 0, 1, true);   // another length: a pile of its own
    set.set(0, 0, 3, true);                                     // a gap below
    EXPECT_EQ(set.piles(4), set.runs());
    set.set(2, 0, 1, false);
    EXPECT_EQ(set.piles(4), (std::vector<CellBox>{{{0, 0, 0}, {32, 8, 16}}, {{48, 0, 0}, {64, 8, 16}}, {{0, 0, 24}, {16, 8, 32}}}));
}

TEST(tiles, where_asks_each_tile) {
    const TileSet set = TileSet::where(layout, [](const CellBox& box) { return box.upper.x == 70 && box.lower.z == 0; });
    EXPECT_EQ(set.active_count(), set.tiles().y);
}

}  // namespace
}  // namespace phlo::flow
