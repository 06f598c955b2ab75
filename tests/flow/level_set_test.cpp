#include "flow/level_set.h"

#include <gtest/gtest.h>

#include <cstring>
#include <numbers>

#include "advect_cases.h"
#include "base/parallel.h"
#include "flow/redistance.h"

namespace phlo::flow {
namespace {

using cases::set_cells;
using field::Grid;
using field::Layout;
using field::MacGrid;

constexpr double pi = std::numbers::pi;

double ball(double x, double y, double z) { return std::hypot(x - 0.51, y - 0.48, z - 0.507) - 0.31; }

/// Ghosts too hold the function.
Grid filled(int n, const cases::Function& f) {
    Grid phi((Layout(Vec3i(n))));
    for (int k = -1; k <= n; ++k)
        for (int j = -1; j <= n; ++j)
            for (int i = -1; i <= n; ++i) phi(i, j, k) = float(f((i + 0.5) / n, (j + 0.5) / n, (k + 0.5) / n));
    return phi;
}

TEST(level_set, volume_below_a_plane_is_exact) {
    const int n = 16;
    for (const Vec3d normal :
         {Vec3d(0, 0, 1), Vec3d(1, 0, 0), Vec3d(0.6, 0, 0.8), normalized(Vec3d(0.2, 0.3, 0.9)), normalized(Vec3d(-0.3, 0.25, 0.9))}) {
        // The plane halves the box; moved by a little along the z axis it adds the box's base times that.
        const auto volume = [&](double lift) {
            return inside_volume(
                1.0 / n, filled(n, [&](double x, double y, double z) { return dot(normal, Vec3d(x - 0.5, y - 0.5, z - 0.5 - lift)); }));
        };
        EXPECT_NEAR(volume(0), 0.5, 1e-6);
        const double added = normal.z > 0.79 ? 0.0137 : 0;  // a plane along z stays where it is
        EXPECT_NEAR(volume(0.0137) - volume(0), added, 1e-6) << normal.x;
    }
}

TEST(level_set, volume_of_a_ball_converges_at_second_order) {
    double error[3];
    for (int r = 0; r < 3; ++r)
        error[r] = std::fabs(inside_volume(1.0 / (16 << r), filled(16 << r, ball)) / (4 * pi / 3 * std::pow(0.31, 3)) - 1);
    EXPECT_GT(std::log2(error[0] / error[2]) / 2, 1.8) << error[0] << " " << error[1] << " " << error[2];
    EXPECT_LT(error[2], 1e-3);
}

TEST(level_set, a_film_thinner_than_a_cell_has_its_volume) {
    const int n = 20;
    const auto film = [&](double, double, double z) { return std::fabs(z - 10.5 / n) - 0.3 / n; };
    EXPECT_NEAR(inside_volume(1.0 / n, filled(n, film)), 0.6 / n, 1e-6);
}

TEST(level_set, open_parts_and_fractions_agree_with_the_volume) {
    const int n = 24;
    const Grid phi = filled(n, ball);
    Grid fraction(phi.layout()), open(phi.layout(), 0.25f);
    inside_fractions(phi, 1.0 / n, fraction);
    EXPECT_NEAR(field::sum(fraction) / (n * n * n), inside_volume(1.0 / n, phi), 1e-7);
    EXPECT_NEAR(inside_volume(1.0 / n, phi, &open), 0.25 * inside_volume(1.0 / n, phi), 1e-9);
}

TEST(level_set, liquid_in_cut_cells_counts_where_they_are_open) {
    const int n = 20;
    const double h = 1.0 / n, floor = 6.7 * h;   // a body up to here covers a cell in part
    const Grid distance = filled(n, [&](double, double, double z) { return z - floor; });
    Grid open(distance.layout());
    for (int k = 0; k < n; ++k)
        for (int j = 0; j < n; ++j)
            for (int i = 0; i < n; ++i) open(i, j, k) = float(std::clamp(k + 1 - floor / h, 0.0, 1.0));
    for (const double depth : {0.1, 0.25, 0.6, 3.2}) {   // cells of liquid on it
        const Grid film = filled(n, [&](double, double, double z) { return z - floor - depth * h; });
        EXPECT_NEAR(inside_volume(h, film, &open, &distance), depth * h, 1e-5) << depth;
    }
    for (const double gap : {0.1, 0.2, 0.5}) {   // cells of air below what falls onto it
        const Grid above = filled(n, [&](double, double, double z) { return floor + gap * h - z; });
        EXPECT_NEAR(inside_volume(h, above, &open, &distance), 1 - floor - gap * h, 1e-5) << gap;
    }
    const Grid across = filled(n, [&](double x, double, double) { return x - 8.4 * h; });
    EXPECT_NEAR(inside_volume(h, across, &open, &distance), 8.4 * h * (1 - floor), 1e-5);
}

TEST(level_set, tiles_of_a_band_and_of_the_inside_hold_all_of_their_cells) {
    const int n = 48;
    const double h = 1.0 / n;
    const Grid phi = filled(n, ball);
    const TileSet band = band_tiles(phi, 2 * h), inside = inside_tiles(phi);
    EXPECT_LT(inside.active_count(), inside.tile_count());
    for (int tk = 0; tk < inside.tiles().z; ++tk)
        for (int tj = 0; tj < inside.tiles().y; ++tj)
            for (int ti = 0; ti < inside.tiles().x; ++ti) {
                const CellBox box = inside.box(ti, tj, tk);
                bool near = false, deep = false;
                for (int k = box.lower.z; k < box.upper.z; ++k)
                    for (int j = box.lower.y; j < box.upper.y; ++j)
                        for (int i = box.lower.x; i < box.upper.x; ++i) near |= std::fabs(phi(i, j, k)) < float(2 * h), deep |= phi(i, j, k) < 0;
                EXPECT_EQ(band.active(ti, tj, tk), near);
                EXPECT_EQ(inside.active(ti, tj, tk), deep);
            }
}

TEST(level_set, curvature_of_a_ball_is_two_over_its_radius_at_second_order) {
    double error[3];
    for (int r = 0; r < 3; ++r) {
        const int n = 24 << r;
        const double h = 1.0 / n;
        const Grid phi = filled(n, ball);
        Grid kappa(phi.layout());
        const TileSet tiles = band_tiles(phi, 1.5 * h);
        curvature(h, phi, tiles, kappa);
        double sum = 0;
        int count = 0;
        for (int k = 0; k < n; ++k)
            for (int j = 0; j < n; ++j)
                for (int i = 0; i < n; ++i)
                    if (const double d = ball((i + 0.5) * h, (j + 0.5) * h, (k + 0.5) * h); std::fabs(d) < h)
                        sum += std::fabs(double(kappa(i, j, k)) - 2 / (d + 0.31)), ++count;
        error[r] = sum / count;
    }
    EXPECT_GT(std::log2(error[0] / error[2]) / 2, 1.8) << error[0] << " " << error[1] << " " << error[2];
}

TEST(level_set, a_ball_carried_through_the_box_stays_a_ball_and_only_the_band_is_touched) {
    const int n = 32;
    const double h = 1.0 / n;
    Grid phi = filled(n, [](double x, double y, double z) { return std::hypot(x - 0.3, y - 0.5, z - 0.5) - 0.2; }), to(phi.layout());
    MacGrid u(phi.layout());
    u.x.fill(1);
    MarchScratch scratch;
    Workspace work;
    redistance({.h = h}, phi, scratch);
    const double start = inside_volume(h, phi);
    for (int step = 0; step < 20; ++step) {
        const TileSet band = band_tiles(phi, 4 * h);
        EXPECT_LT(band.active_count(), band.tile_count());
        advect_level_set({.scheme = Scheme::cubic, .dt = 0.02, .h = h}, u, phi, to, band, work);
        std::swap(phi, to);
        redistance({.h = h}, phi, scratch);
    }
    EXPECT_NEAR(inside_volume(h, phi) / start, 1, 0.01);
    double worst = 0;
    for (int i = 0; i < n; ++i)
        worst = std::max(
            worst, std::fabs(double(phi(i, 16, 15)) - std::clamp(std::hypot((i + 0.5) * h - 0.7, 0.5 * h, 0.5 * h) - 0.2, -5 * h, 5 * h)));
    EXPECT_LT(worst, 0.3 * h);
}

TEST(level_set, a_tilted_surface_goes_on_straight_to_the_walls) {
    const int n = 12;
    const auto tilted = [](double x, double y, double z) { return 0.9 * (z - 0.5) + 0.3 * x - 0.25 * y; };
    Grid phi = filled(n, tilted);
    phi(-1, 4, 4) = phi(4, n, 4) = phi(-1, -1, -1) = 77;
    slope_into_ghosts(1.0 / n, phi);
    for (const Vec3i& c : {Vec3i(-1, 4, 4), Vec3i(4, n, 4), Vec3i(n, 3, 7), Vec3i(-1, n, 5)})
        EXPECT_NEAR(phi(c.x, c.y, c.z), tilted((c.x + 0.5) / n, (c.y + 0.5) / n, (c.z + 0.5) / n), 1e-6);
    // The surface runs along the floor and the ceiling: no gap opens there.
    EXPECT_EQ(phi(4, 4, -1), phi(4, 4, 0));
    EXPECT_EQ(phi(4, 4, n), phi(4, 4, n - 1));
}

TEST(level_set, velocities_of_points_are_those_of_the_flow) {
    const field::Domain domain{{9, 8, 7}, {1, 2, 3}, 0.25};
    MacGrid u((Layout(domain.cells)));
    const auto flow = [](const Vec3d& p) { return Vec3d(1 + 2 * p.x - p.y, p.z - 0.5 * p.x, 3 - p.y + 0.25 * p.z); };
    for (int axis = 0; axis < 3; ++axis)
        for (int k = 0; k < 8; ++k)
            for (int j = 0; j < 9; ++j)
                for (int i = 0; i < 10; ++i) u[axis](i, j, k) = float(flow(domain.face_center(axis, i, j, k))[axis]);
    std::vector<Vec3f> points;
    for (unsigned n = 0; n < 53; ++n) {
        const auto r = uniform4({.seed = 3}, n);
        points.push_back(Vec3f(1.2f + 1.8f * r[0], 2.2f + 1.5f * r[1], 3.2f + 1.3f * r[2]));
    }
    const std::vector<Vec3f> found = velocities_at(domain, u, points);
    ASSERT_EQ(found.size(), points.size());
    for (std::size_t n = 0; n < points.size(); ++n) EXPECT_LT(length(Vec3d(found[n]) - flow(Vec3d(points[n]))), 1e-5);
}

}  // namespace
}  // namespace phlo::flow
