#include "flow/averaged_surface.h"

#include <gtest/gtest.h>

#include <cstring>

#include "advect_cases.h"
#include "base/parallel.h"
#include "flow/level_set.h"
#include "flow/liquid_particles.h"
#include "flow/markers.h"
#include "flow/redistance.h"

namespace phlo::flow {
namespace {

using field::Grid;
using field::Layout;

LiquidParticles filled(int n, const cases::Function& level, std::uint64_t seed = 1) {
    Grid phi((Layout(Vec3i(n))));
    cases::set_cells(phi, 1.0 / n, level);
    LiquidParticles set;
    seed_particles({.domain = {.cells = Vec3i(n), .origin = {0, 0, 0}, .h = 1.0 / n}, .band = no_band, .seed = seed}, phi, Solids(), set);
    return set;
}

/// The height of the surface over a column of cells [cells], by the crossing between two centres.
double height(const Grid& phi, int i, int j) {
    for (int k = phi.layout().nz() - 2; k >= 0; --k)
        if (phi(i, j, k) < 0) return k + 0.5 + double(phi(i, j, k) / (phi(i, j, k) - phi(i, j, k + 1)));
    return 0;
}

struct Roughness {
    double mean = 0, rms = 0, most = 0;  ///< off the true height [cells]
};
Roughness roughness(const Grid& phi, double right) {
    Roughness r;
    const int n = phi.layout().nx();
    for (int j = 0; j < n; ++j)
        for (int i = 0; i < n; ++i) {
            const double off = height(phi, i, j) - right;
            r.mean += off / (n * n), r.rms += off * off / (n * n), r.most = std::max(r.most, std::fabs(off));
        }
    r.rms = std::sqrt(r.rms - r.mean * r.mean);
    return r;
}

TEST(averaged_surface, water_at_rest_is_flat_to_a_fraction_of_a_cell_and_as_high_as_it_is) {
    const int n = 24;
    for (const double right : {10.0, 10.3, 10.5, 10.8}) {
        const LiquidParticles set = filled(n, [&](double, double, double z) { return z - right / n; });
        Grid phi((Layout(Vec3i(n)))), spheres(phi.layout());
        averaged_level_set({.h = 1.0 / n}, set.x, set.y, set.z, phi);
        spheres_level_set(set.x, set.y, set.z, 0.9, 1.0 / n, spheres);
        const Roughness smooth = roughness(phi, right), rough = roughness(spheres, right);
        EXPECT_NEAR(smooth.mean, 0, 0.08) << right;
        EXPECT_LT(smooth.rms, 0.06) << right;
        EXPECT_LT(smooth.most, 0.25) << right;
        std::printf("at %.1f: mean %+.3f rms %.3f most %.3f cells; spheres: mean %+.3f rms %.3f most %.3f\n", right, smooth.mean,
                    smooth.rms, smooth.most, rough.mean, rough.rms, rough.most);
    }
}

TEST(averaged_surface, a_ball_keeps_its_volume) {
    const int n = 32;
    const auto ball = [](double x, double y, double z) { return std::hypot(x - 0.51, y - 0.48, z - 0.507) - 0.31; };
    const LiquidParticles set = filled(n, ball);
    Grid phi((Layout(Vec3i(n))));
    MarchScratch scratch;
    averaged_level_set({.h = 1.0 / n}, set.x, set.y, set.z, phi);
    redistance({.h = 1.0 / n}, phi, scratch);
    EXPECT_NEAR(inside_volume(1.0 / n, phi) / (4.0 / 3 * std::acos(-1.0) * std::pow(0.31, 3)), 1, 0.02);
}

TEST(averaged_surface, a_single_particle_is_a_sphere_and_two_sheets_stay_apart) {
    const int n = 16;
    Grid phi((Layout(Vec3i(n)))), spheres(phi.layout());
    const std::vector<float> x{7.3f}, y{8.1f}, z{7.6f};
    averaged_level_set({}, x, y, z, phi);
    spheres_level_set(x, y, z, 0.9, 1, spheres);
    EXPECT_LT(phi(7, 8, 8), 0);
    EXPECT_NEAR(phi(7, 8, 8), spheres(7, 8, 8), 1e-3);

    const LiquidParticles set =
        filled(n, [&](double, double, double z_) { return std::fabs(z_ * n - 8) < 1.2 ? 0.1 : -0.1; });  // a gap of 2.4 cells
    averaged_level_set({.h = 1.0 / n}, set.x, set.y, set.z, phi);
    for (int i = 3; i < 13; ++i) EXPECT_GT(std::max(phi(i, 8, 7), phi(i, 8, 8)), 0);
    for (int i = 3; i < 13; ++i) EXPECT_LT(phi(i, 8, 5), 0);
}

TEST(averaged_surface, it_does_not_depend_on_the_threads) {
    const int n = 24;
    const LiquidParticles set = filled(n, [](double x, double, double z) { return z - 0.4 - 0.2 * std::sin(9 * x); });
    Grid one((Layout(Vec3i(n)))), all(one.layout());
    {
        const ThreadLimit limit(1);
        averaged_level_set({.h = 1.0 / n}, set.x, set.y, set.z, one);
    }
    averaged_level_set({.h = 1.0 / n}, set.x, set.y, set.z, all);
    EXPECT_EQ(std::memcmp(one.storage().data(), all.storage().data(), one.bytes()), 0);
}

}  // namespace
}  // namespace phlo::flow
