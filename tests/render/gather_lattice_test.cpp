#include "render/photons/gather_lattice.h"

#include <gtest/gtest.h>

namespace phlo::render {
namespace {

constexpr int width = 21, height = 13;

/// A floor of one pixel a metre under light(x, y), with grain of so much variance.
template <class Light>
GatherLattice floor_under(const Light& light, float variance = 0) {
    return GatherLattice(width, height, [&](float x, float y, int) {
        return GatherLattice::Node{.point = {x, y, 0}, .normal = {0, 0, 1}, .light = Vec3f(light(x, y)), .variance = variance, .footprint = 1};
    });
}

Hit at_middle(int x, int y, const Vec3f& normal = {0, 0, 1}, float height_above = 0) {
    Hit hit;
    hit.point = {float(x) + 0.5f, float(y) + 0.5f, height_above}, hit.normal = normal;
    return hit;
}

}  // namespace

TEST(gather_lattice, light_that_changes_evenly_is_carried_exactly) {
    const auto light = [](float x, float y) { return 5 + 0.1f * x - 0.05f * y; };
    const GatherLattice lattice = floor_under(light);
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) {
            const auto found = lattice.at(x, y, at_middle(x, y));
            ASSERT_TRUE(found) << x << " " << y;
            EXPECT_NEAR(found->light.x, light(float(x) + 0.5f, float(y) + 0.5f), 1e-5f);
        }
}

TEST(gather_lattice, edge_of_a_shadow_is_left_to_the_pixels_there_and_only_there) {
    const GatherLattice lattice = floor_under([](float x, float) { return x < 10 ? 1.f : 0.3f; });
    EXPECT_FALSE(lattice.at(9, 5, at_middle(9, 5)));
    EXPECT_TRUE(lattice.at(6, 5, at_middle(6, 5)));
    EXPECT_TRUE(lattice.at(13, 5, at_middle(13, 5)));
}

TEST(gather_lattice, grain_is_no_edge) {
    const auto speckled = [](float x, float) { return int(x) % 4 == 0 ? 1.f : 0.6f; };
    EXPECT_FALSE(floor_under(speckled).at(5, 4, at_middle(5, 4)));
    const auto found = floor_under(speckled, 0.16f).at(5, 4, at_middle(5, 4));
    ASSERT_TRUE(found);
    EXPECT_NEAR(found->variance, 0.16f / 2, 1e-5f);   // the mean of two
}

TEST(gather_lattice, light_is_not_carried_to_another_surface) {
    const GatherLattice lattice = floor_under([](float, float) { return 1.f; });
    EXPECT_FALSE(lattice.at(5, 5, at_middle(5, 5, {1, 0, 0})));      // a wall
    EXPECT_FALSE(lattice.at(5, 5, at_middle(5, 5, {0, 0, 1}, 3)));   // a table
    EXPECT_TRUE(lattice.at(5, 5, at_middle(5, 5)));
}

}  // namespace phlo::render
