#include "flow/redistance.h"

#include <gtest/gtest.h>

#include <cstring>

#include "advect_cases.h"
#include "base/parallel.h"
#include "field/trilinear.h"

namespace phlo::flow {
namespace {

using cases::set_cells;
using field::Grid;
using field::Layout;

double sphere(double x, double y, double z) { return std::hypot(x - 0.51, y - 0.48, z - 0.507) - 0.31; }
/// The same surface, steeper and flatter from place to place.
double bent_sphere(double x, double y, double z) { return sphere(x, y, z) * (1.2 + 0.5 * std::sin(5 * x + 3 * y) + 0.4 * sphere(x, y, z)); }

/// Places where the level set crosses the lines between neighbouring cells: how far the farthest has moved [cells].
double moved(const Grid& before, const Grid& after) {
    const Vec3i n = before.layout().cells();
    double most = 0;
    for (int k = 0; k < n.z; ++k)
        for (int j = 0; j < n.y; ++j)
            for (int i = 0; i < n.x; ++i)
                for (int a = 0; a < 3; ++a) {
                    const Vec3i m(i + (a == 0), j + (a == 1), k + (a == 2));
                    if (m.x == n.x || m.y == n.y || m.z == n.z) continue;
                    const auto crossing = [&](const Grid& phi) { return double(phi(i, j, k)) / (double(phi(i, j, k)) - double(phi(m.x, m.y, m.z))); };
                    const bool crossed = (before(i, j, k) < 0) != (before(m.x, m.y, m.z) < 0);
                    EXPECT_EQ(before(i, j, k) < 0, after(i, j, k) < 0);
                    if (crossed) most = std::max(most, std::fabs(crossing(before) - crossing(after)));
                }
    return most;
}

/// Volume inside, by the level set's own mesh-free measure: the part of each cell below a plane would do; here 4 x 4 x 4 samples of the trilinear function.
double volume(const Grid& phi) {
    const Vec3i n = phi.layout().cells();
    double total = 0;
    for (int k = 1; k < n.z; ++k)
        for (int j = 1; j < n.y; ++j)
            for (int i = 1; i < n.x; ++i) {
                const auto corner = [&](int a, int b, int c) { return double(phi(i - 1 + a, j - 1 + b, k - 1 + c)); };
                double least = 1e30, most = -1e30;
                for (int c = 0; c < 8; ++c) least = std::min(least, corner(c & 1, c >> 1 & 1, c >> 2)), most = std::max(most, corner(c & 1, c >> 1 & 1, c >> 2));
                if (least >= 0) continue;
                if (most < 0) { total += 1; continue; }
                for (int s = 0; s < 64; ++s) {   // a smooth step over a sample's width: the sum changes smoothly with the surface
                    const double x = ((s & 3) + 0.5) / 4, y = ((s >> 2 & 3) + 0.5) / 4, z = ((s >> 4) + 0.5) / 4;
                    const double value = field::trilinear(x, y, z, corner) * n.x;
                    total += std::clamp(0.5 - 2 * value, 0.0, 1.0) / 64;
                }
            }
    return total / (double(n.x) * n.y * n.z);
}

/// Mean error of the cells within `band` of the surface [1 = the box].
double error_in_band(const Grid& phi, double h, double band) {
    const Vec3i n = phi.layout().cells();
    double sum = 0;
    int count = 0;
    for (int k = 0; k < n.z; ++k)
        for (int j = 0; j < n.y; ++j)
            for (int i = 0; i < n.x; ++i)
                if (const double exact = sphere((i + 0.5) * h, (j + 0.5) * h, (k + 0.5) * h); std::fabs(exact) < band) sum += std::fabs(exact - double(phi(i, j, k))), ++count;
    return sum / count;
}

TEST(redistance, a_hundred_times_leave_a_sphere_where_it_is) {
    const int n = 48;
    Grid phi((Layout(Vec3i(n))));
    set_cells(phi, 1.0 / n, sphere);
    const Grid start = phi;
    MarchScratch scratch;
    for (int times = 0; times < 100; ++times) redistance({.h = 1.0 / n}, phi, scratch);
    EXPECT_LT(moved(start, phi), 1e-3);
    EXPECT_NEAR(volume(phi) / volume(start), 1, 1e-5);
    EXPECT_LT(error_in_band(phi, 1.0 / n, 4.0 / n), 0.01 / n);
}

TEST(redistance, a_bent_level_set_becomes_a_distance_once_and_then_rests) {
    const int n = 48;
    Grid phi((Layout(Vec3i(n))));
    set_cells(phi, 1.0 / n, bent_sphere);
    const Grid start = phi;
    MarchScratch scratch;
    redistance({.h = 1.0 / n}, phi, scratch);
    EXPECT_LT(moved(start, phi), 0.03);   // crossings on straight lines between cells, of a function that is not straight
    const Grid once = phi;
    for (int times = 0; times < 100; ++times) redistance({.h = 1.0 / n}, phi, scratch);
    EXPECT_LT(moved(once, phi), 0.01);
    EXPECT_NEAR(volume(phi) / volume(once), 1, 1e-4);
}

TEST(redistance, errors_shrink_at_second_order) {
    double error[3];
    for (int r = 0; r < 3; ++r) {
        const int n = 24 << r;
        Grid phi((Layout(Vec3i(n))));
        set_cells(phi, 1.0 / n, bent_sphere);
        MarchScratch scratch;
        redistance({.h = 1.0 / n}, phi, scratch);
        error[r] = error_in_band(phi, 1.0 / n, 4.0 / n);
    }
    EXPECT_GT(std::log2(error[0] / error[2]) / 2, 1.7) << error[0] << " " << error[1] << " " << error[2];
    EXPECT_LT(error[2] * 96, 0.01);
}

TEST(redistance, signs_stay_and_far_cells_hold_the_band) {
    Grid phi((Layout({40, 36, 44})));
    cases::randomize(phi, phi.layout().cells(), 3, -1, 1);   // nearly every cell beside the surface
    const Grid start = phi;
    MarchScratch scratch;
    redistance({.h = 0.1, .band = 4}, phi, scratch);
    for (int k = 0; k < 44; ++k)
        for (int j = 0; j < 36; ++j)
            for (int i = 0; i < 40; ++i) {
                ASSERT_EQ(start(i, j, k) < 0, phi(i, j, k) < 0);
                ASSERT_LE(std::fabs(phi(i, j, k)), 0.4f);
            }
    set_cells(phi, 0.1, [](double x, double, double) { return 1e-4 * (x - 0.63); });   // flat, and no distance at all
    redistance({.h = 0.1, .band = 4}, phi, scratch);
    for (int i = 0; i < 40; ++i) EXPECT_NEAR(phi(i, 7, 9), std::clamp((i + 0.5) * 0.1 - 0.63, -0.4, 0.4), 2e-3) << i;
    set_cells(phi, 0.1, [](double, double, double) { return 0.01; });
    redistance({.h = 0.1, .band = 4}, phi, scratch);
    EXPECT_EQ(cases::range(phi, phi.layout().cells()), std::pair(0.4f, 0.4f));
}

TEST(redistance, a_film_of_one_cell_keeps_its_faces) {
    Grid phi((Layout({8, 8, 20})));
    const double h = 0.05;
    set_cells(phi, h, [&](double, double, double z) { return std::fabs(z - 10.5 * h) - 0.3 * h; });
    const Grid start = phi;
    MarchScratch scratch;
    for (int times = 0; times < 20; ++times) redistance({.h = h}, phi, scratch);
    EXPECT_LT(moved(start, phi), 0.02);
}

TEST(redistance, the_number_of_threads_changes_nothing) {
    Grid one((Layout({50, 60, 40})));
    cases::randomize(one, one.layout().cells(), 4, -0.3, 1);
    Grid two = one;
    MarchScratch scratch, other;
    redistance({.h = 0.1}, one, scratch);
    const ThreadLimit limit(1);
    redistance({.h = 0.1}, two, other);
    EXPECT_EQ(std::memcmp(one.storage().data(), two.storage().data(), one.bytes()), 0);
}

}  // namespace
}  // namespace phlo::flow
