#include "particles/splat.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/parallel.h"
#include "base/random.h"

namespace phlo::particles {
namespace {

const field::Domain domain{.cells = {24, 20, 16}, .origin = {-1, 0, 2}, .h = 0.1};
/// Value times open part, summed over the cells.
double volume(const field::Grid& grid, const field::Grid* open) {
    double sum = 0;
    for (int k = 0; k < domain.cells.z; ++k)
        for (int j = 0; j < domain.cells.y; ++j)
            for (int i = 0; i < domain.cells.x; ++i) sum += double(grid(i, j, k)) * (open ? double((*open)(i, j, k)) : 1.0);
    return sum * domain.h * domain.h * domain.h;
}

std::vector<Vec3f> scattered(int count) {
    std::vector<Vec3f> places;
    for (int i = 0; i < count; ++i) {
        const auto u = uniform4({.seed = 11}, std::uint32_t(i));
        places.push_back(Vec3f(domain.origin + Vec3d(u[0], u[1], u[2]) * domain.size()));
    }
    return places;
}

TEST(splat, the_cells_get_the_amount_also_beside_walls_and_bodies) {
    const std::vector<Vec3f> places = scattered(200);
    std::vector<double> mol(200), heat(200);
    double all_mol = 0, all_heat = 0;
    for (std::size_t i = 0; i < 200; ++i) all_mol += mol[i] = 0.001 * double(i + 1), all_heat += heat[i] = i % 3 == 0 ? -0.5 : 1.0;
    // A ball without room, and a rim of cells that have half of it.
    field::Grid ball{field::Layout(domain.cells), 1};
    for (int k = 0; k < 16; ++k)
        for (int j = 0; j < 20; ++j)
            for (int i = 0; i < 24; ++i) {
                const double d = length(domain.cell_center(i, j, k) - Vec3d(0, 1, 2.8));
                ball(i, j, k) = d < 0.35 ? 0.0f : d < 0.45 ? 0.5f : 1.0f;
            }
    for (const field::Grid* open : {static_cast<const field::Grid*>(nullptr), static_cast<const field::Grid*>(&ball)})
        for (const double radius : {0.02, 0.15, 0.35}) {
            field::Grid a{field::Layout(domain.cells)}, b = a;
            const Spread into[] = {{&mol, &a}, {&heat, &b}};
            const std::vector<double> lost = splat({.domain = domain, .open = open, .radius = radius}, places, into);
            EXPECT_NEAR(volume(a, open) + lost[0], all_mol, 2e-6 * all_mol);
            EXPECT_NEAR(volume(b, open) + lost[1], all_heat, 1e-5 * all_heat);
            EXPECT_LT(lost[0], 0.02 * all_mol) << "only from deep inside the ball";
            if (open == nullptr) {
                EXPECT_EQ(lost[0], 0);
                continue;
            }
            for (int k = 0; k < 16; ++k)
                for (int j = 0; j < 20; ++j)
                    for (int i = 0; i < 24; ++i)
                        if (ball(i, j, k) == 0) { ASSERT_EQ(a(i, j, k), 0); }
        }
}

TEST(splat, weights_fall_to_nothing_without_a_step) {
    field::Grid grid{field::Layout(domain.cells)};
    const std::vector<double> one{1};
    const std::vector<Vec3f> place{Vec3f(domain.cell_center(10, 9, 8))};
    const Spread into[] = {{&one, &grid}};
    splat({.domain = domain, .radius = 0.35}, place, into);
    const double reach_squared = 1.3 * 1.3 * 12.25;
    const auto bell = [&](double d2) { return (1 - d2 / reach_squared) * (1 - d2 / reach_squared); };
    EXPECT_NEAR(grid(12, 9, 8) / grid(10, 9, 8), bell(4), 1e-5);
    EXPECT_NEAR(grid(11, 10, 9) / grid(10, 9, 8), bell(3), 1e-5);
    EXPECT_NEAR(grid(14, 9, 8) / grid(10, 9, 8), bell(16), 1e-5);
    EXPECT_LT(grid(14, 9, 8), 0.06f * grid(10, 9, 8));
    EXPECT_EQ(grid(15, 9, 8), 0);
    EXPECT_EQ(grid(13, 12, 11), 0);
}

TEST(splat, is_as_wide_as_the_gaussian_that_particles_gather_with) {
    const field::Domain fine{.cells = {40, 40, 40}, .origin = {-1, -1, -1}, .h = 0.05};
    field::Grid grid{field::Layout(fine.cells)};
    const std::vector<double> one{1};
    const std::vector<Vec3f> place{Vec3f(0.01f, -0.02f, 0.03f)};
    const double r = 0.6;
    const Spread into[] = {{&one, &grid}};
    splat({.domain = fine, .radius = r}, place, into);
    double spread = 0, gaussian = 0, all = 0;
    for (int k = 0; k < 40; ++k)
        for (int j = 0; j < 40; ++j)
            for (int i = 0; i < 40; ++i) {
                const Vec3d d = fine.cell_center(i, j, k) - Vec3d(place[0]);
                const double w = dot(d, d) < r * r ? std::exp(-dot(d, d) / (2 * r * r)) : 0;
                spread += grid(i, j, k) * dot(d, d) * std::pow(fine.h, 3), gaussian += w * dot(d, d), all += w;
            }
    EXPECT_NEAR(spread, gaussian / all, 0.02 * spread);
}

TEST(splat, threads_change_no_bit) {
    const std::vector<Vec3f> places = scattered(500);
    const std::vector<double> mol(500, 0.1);
    field::Grid one{field::Layout(domain.cells)}, two = one;
    for (int threads : {1, 2}) {
        const ThreadLimit limit(threads);
        const Spread into[] = {{&mol, threads == 1 ? &one : &two}};
        splat({.domain = domain, .radius = 0.3}, places, into);
    }
    EXPECT_TRUE(std::ranges::equal(one.storage(), two.storage()));
}

}  // namespace
}  // namespace phlo::particles
