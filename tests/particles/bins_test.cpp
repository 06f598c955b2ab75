#include "particles/bins.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/random.h"

namespace phlo::particles {
namespace {

std::vector<Vec3f> scattered(int count, float size) {
    std::vector<Vec3f> points;
    for (int i = 0; i < count; ++i) {
        const auto u = uniform4({.seed = 3}, std::uint32_t(i));
        points.push_back(Vec3f(u[0] - 0.5f, u[1] - 0.5f, u[2] - 0.5f) * size);
    }
    return points;
}

TEST(bins, every_neighbour_of_brute_force_is_found) {
    const std::vector<Vec3f> points = scattered(700, 3);
    Bins bins;
    bins.build(points, 0.31);
    for (const Vec3f& place : scattered(60, 4)) {
        std::vector<int> near, found;
        for (int i = 0; i < int(points.size()); ++i)
            if (length(points[std::size_t(i)] - place) <= 0.31f) near.push_back(i);
        bins.for_each_range(place, [&](int first, int last) {
            for (int s = first; s < last; ++s)
                if (const int i = bins.order()[std::size_t(s)]; length(points[std::size_t(i)] - place) <= 0.31f) found.push_back(i);
        });
        std::ranges::sort(found);
        EXPECT_EQ(found, near);
    }
}

TEST(bins, the_order_holds_every_point_once_and_cubes_are_fixed_in_space) {
    std::vector<Vec3f> points = scattered(300, 2);
    Bins bins;
    bins.build(points, 0.25);
    std::vector<int> order(bins.order().begin(), bins.order().end());
    const Vec3i cube = bins.cube({0.3f, -0.1f, 0.7f});
    std::ranges::sort(order);
    for (int i = 0; i < 300; ++i) EXPECT_EQ(order[std::size_t(i)], i);
    points.push_back({-40, 3, 9});
    bins.build(points, 0.25);
    EXPECT_EQ(bins.cube({0.3f, -0.1f, 0.7f}), cube) << "a point elsewhere moves no cube";
    EXPECT_EQ(cube, Vec3i(1, -1, 2));
    bins.build({}, 0.25);
    int ranges = 0;
    bins.for_each_range({0, 0, 0}, [&](int, int) { ++ranges; });
    EXPECT_EQ(ranges, 0);
}

}  // namespace
}  // namespace phlo::particles
