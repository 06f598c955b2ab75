#include "flow/free_surface.h"

#include <gtest/gtest.h>

#include "base/parallel.h"
#include "liquid_cases.h"

namespace phlo::flow {
namespace {

using field::Grid;
using field::MacGrid;

template <class Visit>
void each_cell(const field::Layout& layout, const Visit& visit) {
    for (int k = 0; k < layout.nz(); ++k)
        for (int j = 0; j < layout.ny(); ++j)
            for (int i = 0; i < layout.nx(); ++i) visit(i, j, k);
}

void add_everywhere(const Vec3d& change, MacGrid& u) {
    for (int a = 0; a < 3; ++a)
        for (float& v : u[a].storage()) v += float(change[a]);
}

/// The largest speed on open faces that touch liquid.
double largest_speed(const LiquidCells& cells, const MacGrid& u) {
    double most = 0;
    const Vec3i n = cells.layout().cells();
    each_cell(cells.layout(), [&](int i, int j, int k) {
        if (!cells.liquid(i, j, k)) return;
        for (int a = 0; a < 3; ++a)
            for (int side : {0, 1}) {
                Vec3i f(i, j, k);
                f[a] += side;
                if (f[a] == 0 || f[a] == n[a] || (cells.solids().present() && cells.solids().aperture[a](f.x, f.y, f.z) == 0)) continue;
                most = std::max(most, std::fabs(double(u[a](f.x, f.y, f.z))));
            }
    });
    return most;
}

/// Water under the plane through `point` across gravity's direction, at rest for so many projections. Returns the largest speed in units of
/// that of long waves.
double speed_of_still_water(int n, const Vec3d& down, const Vec3d& point, int projections, bool with_ball = false) {
    LiquidCase c("still", n);
    c.set_phi([&](double x, double y, double z) { return dot(point - Vec3d(x, y, z), down); });
    if (with_ball) c.add_ball({0.52, 0.45, 0.4}, 0.23);
    const double gravity = 9.81, waves = std::sqrt(gravity * 1.0), dt = c.domain.h / waves;
    FreeSurfaceProjector projector(c.layout);
    MacGrid u(c.layout);
    Grid last(c.layout);
    double speed = 0;
    for (int step = 0; step < projections; ++step) {
        add_everywhere(down * (gravity * dt), u);
        enforce_walls(c.walls, u);
        constrain_velocity(c.solids, u);
        projector.set_up(c.walls, c.solids, c.phi);
        const FreeSurfaceReport report = projector.project({.h = c.domain.h, .tolerance = 1e-6, .guess = step > 0 ? &last : nullptr}, u);
        EXPECT_TRUE(report.converged);
        EXPECT_EQ(report.released, 0);
        last = projector.pressure();
        speed = std::max(speed, largest_speed(projector.cells(), u));
    }
    return speed / waves;
}

TEST(free_surface, still_water_stays_still_at_any_fill_height) {
    for (const double height : {0.03, 0.25, 0.4999999, 0.5, 0.51, 0.987}) EXPECT_LE(speed_of_still_water(24, {0, 0, -1}, {0.5, 0.5, height}, 1), 1e-6) << height;
}

TEST(free_surface, still_water_stays_still_at_any_tilt_of_gravity) {
    for (const Vec3d down : {Vec3d(0.3, 0.1, -1), Vec3d(1, 0, 0), Vec3d(0.5, -0.7, 0.2), Vec3d(-1, -1, -1)})
        EXPECT_LE(speed_of_still_water(24, normalized(down), {0.48, 0.52, 0.43}, 1), 1e-6);
}

TEST(free_surface, still_water_stays_still_around_a_body) {
    EXPECT_LE(speed_of_still_water(32, {0, 0, -1}, {0.5, 0.5, 0.47}, 1, true), 1e-6);
    EXPECT_LE(speed_of_still_water(32, normalized(Vec3d(0.3, 0.1, -1)), {0.5, 0.5, 0.47}, 1, true), 1e-6);
}

TEST(free_surface, still_water_stays_still_for_a_hundred_projections) {
    EXPECT_LE(speed_of_still_water(32, normalized(Vec3d(0.3, 0.1, -1)), {0.48, 0.52, 0.43}, 100), 1e-6);
}

TEST(free_surface, deep_water_is_solved_beyond_what_one_float_pressure_holds) {
    LiquidCase c("deep", 128);
    c.domain.cells = {8, 8, 128};
    c.layout = field::Layout(c.domain.cells);
    c.phi = Grid(c.layout);
    c.set_phi([&](double, double, double z) { return z - 0.97; });
    FreeSurfaceProjector projector(c.layout);
    MacGrid u(c.layout);
    add_everywhere({0, 0, -1}, u);
    enforce_walls(c.walls, u);
    projector.set_up(c.walls, c.solids, c.phi);
    const FreeSurfaceReport report = projector.project({.h = c.domain.h, .tolerance = 1e-6}, u);
    EXPECT_TRUE(report.converged);
    EXPECT_LE(largest_speed(projector.cells(), u), 1e-5);
    EXPECT_NEAR(double(projector.pressure()(3, 3, 0)), 0.97 * 128 - 0.5, 1e-3);
}

TEST(free_surface, what_falls_freely_is_not_touched) {
    LiquidCase c("fall", 40);
    const RandomBalls drops(c, 40, 0.4, 6, 8);
    c.set_phi([&](double x, double y, double z) { return std::max(drops(c, x, y, z), std::max(std::max(std::fabs(x - 0.5), std::fabs(y - 0.5)), std::fabs(z - 0.5)) - 0.45); });
    FreeSurfaceProjector projector(c.layout);
    MacGrid u(c.layout);
    const Vec3d velocity(0.3, -0.2, -4);
    add_everywhere(velocity, u);
    enforce_walls(c.walls, u);
    projector.set_up(c.walls, c.solids, c.phi);
    projector.project({.h = c.domain.h}, u);
    add_everywhere(-velocity, u);
    EXPECT_GT(projector.cells().count(), 1000);
    EXPECT_EQ(largest_speed(projector.cells(), u), 0);
}

/// A velocity with vortices, sources and a fall in it.
void stir(const LiquidCase& c, MacGrid& u) {
    for (int a = 0; a < 3; ++a) {
        const Vec3i extent = field::face_extent(c.layout, a);
        for (int k = 0; k < extent.z; ++k)
            for (int j = 0; j < extent.y; ++j)
                for (int i = 0; i < extent.x; ++i) {
                    const Vec3d p = c.domain.face_center(a, i, j, k);
                    u[a](i, j, k) = float(std::sin(9 * p.x + 4 * p.y + a) * std::cos(7 * p.z + 2 * p.x - a) - (a == 2 ? 1.5 : 0));
                }
    }
    enforce_walls(c.walls, u);
    if (c.solids.present()) constrain_velocity(c.solids, u);
}

TEST(free_surface, projection_leaves_no_divergence_in_any_liquid) {
    for (const char* name : {"pool", "dam", "drops", "sheets", "waves", "pockets", "flat", "rough", "mist", "splash", "film"}) {
        const LiquidCase c = liquid_case(name, 33);
        FreeSurfaceProjector projector(c.layout);
        MacGrid u(c.layout);
        stir(c, u);
        projector.set_up(c.walls, c.solids, c.phi);
        const double before = liquid_divergence_error(projector.cells(), nullptr, 1, u).rms;
        const FreeSurfaceReport report = projector.project({.h = 1, .tolerance = 1e-5, .let_go = false}, u);
        EXPECT_TRUE(report.converged) << name;
        EXPECT_LE(report.divergence_rms, 2e-5 * before) << name;
    }
}

TEST(free_surface, liquid_gets_the_divergence_that_it_is_told) {
    const LiquidCase c = liquid_case("waves", 32);
    FreeSurfaceProjector projector(c.layout);
    MacGrid u(c.layout);
    stir(c, u);
    Grid wanted(c.layout);
    each_cell(c.layout, [&](int i, int j, int k) { wanted(i, j, k) = float(std::sin(0.3 * i) * std::cos(0.2 * k + j)); });
    projector.set_up(c.walls, c.solids, c.phi);
    projector.project({.h = c.domain.h, .tolerance = 1e-6, .divergence = &wanted}, u);
    EXPECT_LE(liquid_divergence_error(projector.cells(), &wanted, c.domain.h, u).rms, 1e-3);
    EXPECT_GE(liquid_divergence_error(projector.cells(), nullptr, c.domain.h, u).rms, 0.1);
}

}  // namespace
}  // namespace phlo::flow
