#include "flow/pieces.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "geom/shape.h"

namespace phlo::flow {
namespace {

/// Two balls of radii 0.2 and 0.1, `gap` apart.
geom::SampledSolid two_balls(double gap) {
    const field::Domain lattice{.cells = {60, 40, 40}, .origin = {-0.3, -0.3, -0.3}, .h = 0.015};
    field::Grid distance{field::Layout(lattice.cells)};
    for (int k = 0; k < 40; ++k)
        for (int j = 0; j < 40; ++j)
            for (int i = 0; i < 60; ++i) {
                const Vec3d p = lattice.cell_center(i, j, k);
                distance(i, j, k) = float(std::min(length(p) - 0.2, length(p - Vec3d(0.3 + gap, 0, 0)) - 0.1));
            }
    return {lattice, std::move(distance)};
}

TEST(pieces, what_touches_is_one_piece_and_what_does_not_is_two) {
    EXPECT_EQ(find_pieces(two_balls(-0.04).distance).count(), 1);
    const Pieces two = find_pieces(two_balls(0.04).distance);
    ASSERT_EQ(two.count(), 2);
    EXPECT_NEAR(double(std::max(two.samples[0], two.samples[1])) / double(std::min(two.samples[0], two.samples[1])), 8, 0.6);
    EXPECT_EQ(two.samples[std::size_t(two.largest())], std::max(two.samples[0], two.samples[1]));
}

TEST(pieces, a_hook_that_comes_back_is_one_piece) {
    field::Grid distance{field::Layout({8, 8, 8}), 1};
    for (int i = 1; i < 7; ++i) distance(i, 1, 1) = distance(i, 1, 6) = -1;
    for (int k = 1; k < 7; ++k) distance(6, 1, k) = -1;
    EXPECT_EQ(find_pieces(distance).count(), 1);
    distance(6, 1, 3) = 1;
    EXPECT_EQ(find_pieces(distance).count(), 2);
}

TEST(pieces, cutting_out_leaves_the_other_and_keeps_both_volumes) {
    geom::SampledSolid rest = two_balls(0.04);
    const double volume = rest.volume();
    const Pieces pieces = find_pieces(rest.distance);
    const int small = 1 - pieces.largest();
    const geom::SampledSolid loose = cut_out(pieces, small, 8, rest);
    EXPECT_NEAR(loose.volume() / rest.volume(), 1.0 / 8, 0.01);
    EXPECT_NEAR((loose.volume() + rest.volume()) / volume, 1, 0.005);
    EXPECT_EQ(find_pieces(rest.distance).count(), 1);
    EXPECT_EQ(find_pieces(loose.distance).count(), 1);
    EXPECT_GT(loose.bounds().lower.x, rest.bounds().upper.x);
    EXPECT_NEAR(loose.signed_distance({0.34, 0, 0}), -0.1, 0.02);   // its centre lies between samples
}

}  // namespace
}  // namespace phlo::flow
