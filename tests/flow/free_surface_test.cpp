#include "flow/free_surface.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/parallel.h"
#include "flow/level_set.h"
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

struct PressureError {
    double max = 0, squares = 0, cells = 0;
    double rms() const { return std::sqrt(squares / cells); }
};

/// Adds the errors of the pressure for q = (R^2 - r^2) exp(x) in a ball around `center`, in a cube of n cells a side.
void add_errors_in_a_ball(int n, const Vec3d& center, double radius, PressureError& error) {
    LiquidCase c("ball", n);
    const double h = c.domain.h;
    const auto squared = [&](const Vec3d& p) { return dot(p - center, p - center); };
    c.set_phi([&](double x, double y, double z) { return std::sqrt(squared({x, y, z})) - radius; });
    Grid wanted(c.layout);
    each_cell(c.layout, [&](int i, int j, int k) {
        const Vec3d p = c.domain.cell_center(i, j, k);
        const double x = p.x - center.x, laplacian = std::exp(x) * (-6 - 4 * x + radius * radius - squared(p));
        wanted(i, j, k) = float(-h * laplacian);
    });
    FreeSurfaceProjector projector(c.layout);
    MacGrid u(c.layout);
    projector.set_up(c.walls, c.solids, c.phi);
    projector.project({.h = h, .tolerance = 1e-6, .divergence = &wanted}, u);
    each_cell(c.layout, [&](int i, int j, int k) {
        const Vec3d p = c.domain.cell_center(i, j, k);
        if (squared(p) >= radius * radius) return;
        const double e = double(projector.pressure()(i, j, k)) - (radius * radius - squared(p)) * std::exp(p.x - center.x);
        error.max = std::max(error.max, std::fabs(e)), error.squares += e * e, error.cells += 1;
    });
}

TEST(free_surface, pressure_under_a_curved_surface_is_second_order) {
    std::array<PressureError, 3> error{};
    for (std::uint32_t trial = 0; trial < 4; ++trial) {
        const auto r = uniform4({5, 0, 0}, trial);
        const Vec3d center(0.45 + 0.1 * double(r[0]), 0.45 + 0.1 * double(r[1]), 0.45 + 0.1 * double(r[2]));
        for (std::size_t g = 0; g < 3; ++g) add_errors_in_a_ball(20 << g, center, 0.31 + 0.02 * double(r[3]), error[g]);
    }
    for (std::size_t g = 0; g < 2; ++g) {
        EXPECT_GE(std::log2(error[g].rms() / error[g + 1].rms()), 1.9);
        EXPECT_GE(std::log2(error[g].max / error[g + 1].max), 1.8);
    }
}

/// The rows of a matrix A come one by one: the part of the pressure that a unit of divergence in one cell makes.
TEST(free_surface, the_pressure_of_one_cell_in_another_is_that_of_the_other_in_it) {
    const LiquidCase c = liquid_case("waves", 20);
    FreeSurfaceProjector projector(c.layout);
    const auto response = [&](const Vec3i& from, const Vec3i& to) {
        Grid wanted(c.layout);
        wanted(from.x, from.y, from.z) = 1;
        MacGrid u(c.layout);
        projector.set_up(c.walls, c.solids, c.phi);
        projector.project({.h = 1, .tolerance = 1e-7, .divergence = &wanted, .let_go = false}, u);
        EXPECT_GT(projector.pressure()(from.x, from.y, from.z), 0);
        return double(projector.pressure()(to.x, to.y, to.z));
    };
    const std::array<Vec3i, 4> cells{Vec3i(1, 2, 3), Vec3i(15, 10, 8), Vec3i(3, 17, 5), Vec3i(17, 17, 0)};
    for (const Vec3i& a : cells)
        for (const Vec3i& b : cells)
            EXPECT_NEAR(response(a, b), response(b, a), 1e-5 * response(a, a));
}

/// A layer `depth` cells thick under the ceiling, and the acceleration dt g that acts on it.
MacGrid film_under_the_ceiling(double depth, const Vec3d& push, bool let_go, FreeSurfaceReport& report) {
    LiquidCase c("film", 16);
    c.set_phi([&](double, double, double z) { return 1 - depth / 16 - z; });
    FreeSurfaceProjector projector(c.layout);
    MacGrid u(c.layout);
    add_everywhere(push, u);
    enforce_walls(c.walls, u);
    projector.set_up(c.walls, c.solids, c.phi);
    report = projector.project({.h = c.domain.h, .tolerance = 1e-6, .let_go = let_go}, u);
    EXPECT_TRUE(report.converged);
    return u;
}

TEST(free_surface, a_film_lets_go_of_the_ceiling) {
    FreeSurfaceReport report;
    const MacGrid u = film_under_the_ceiling(0.8, {0, 0, -0.5}, true, report);
    EXPECT_GE(report.released, 16 * 16);  // and the edges of the side walls
    for (int j = 0; j < 16; ++j)
        for (int i = 0; i < 16; ++i) {
            EXPECT_NEAR(double(u.z(i, j, 15)), -0.5, 1e-5);
            EXPECT_NEAR(double(u.z(i, j, 16)), -0.5, 1e-5);
        }
}

/// A drip at the ceiling, in free fall for two steps.
TEST(free_surface, what_was_let_go_is_not_solved_twice_again) {
    LiquidCase c("film", 16);
    c.set_phi([&](double, double, double z) { return 1 - 0.8 / 16 - z; });
    FreeSurfaceProjector projector(c.layout);
    MacGrid u(c.layout);
    for (int step = 1; step <= 2; ++step) {
        add_everywhere({0, 0, -0.5}, u);
        enforce_walls(c.walls, u);
        projector.set_up(c.walls, c.solids, c.phi);
        const FreeSurfaceReport report = projector.project({.h = c.domain.h, .tolerance = 1e-6}, u);
        EXPECT_EQ(report.solves, step == 1 ? 2 : 1);
        EXPECT_GE(report.released, 16 * 16);
        EXPECT_NEAR(double(u.z(8, 8, 16)), -0.5 * step, 1e-5);
        EXPECT_NEAR(double(u.z(8, 8, 15)), -0.5 * step, 1e-5);
    }
    // Now it is thrown back: what was let go closes again.
    add_everywhere({0, 0, 3}, u);
    enforce_walls(c.walls, u);
    projector.set_up(c.walls, c.solids, c.phi);
    const FreeSurfaceReport report = projector.project({.h = c.domain.h, .tolerance = 1e-6}, u);
    EXPECT_EQ(report.released, 0);
    for (int j = 0; j < 16; ++j)
        for (int i = 0; i < 16; ++i) EXPECT_LE(u.z(i, j, 16), 0);
}

TEST(free_surface, a_film_hangs_on_where_nothing_lets_go) {
    FreeSurfaceReport report;
    const MacGrid u = film_under_the_ceiling(0.8, {0, 0, -0.5}, false, report);
    EXPECT_EQ(report.released, 0);
    EXPECT_NEAR(double(u.z(8, 8, 15)), 0, 1e-5);
}

/// A film under a plate that fills the upper eighth of the box.
TEST(free_surface, a_film_lets_go_of_a_body_and_meets_it_again) {
    LiquidCase c("film", 16);
    c.set_phi([&](double, double, double z) { return 13.2 / 16 - z; });
    c.bodies = std::make_unique<std::vector<geom::Body>>();
    c.bodies->push_back({.name = "plate", .shape = geom::Box{.size = {3, 3, 0.25}}, .motion = {.position = Curve<Vec3d>(Vec3d(0.5, 0.5, 1))}});
    rasterize(c.domain, *c.bodies, 0, c.solids);
    FreeSurfaceProjector projector(c.layout);
    const auto fall = [&](double push) {
        MacGrid u(c.layout);
        add_everywhere({0, 0, push}, u);
        enforce_walls(c.walls, u);
        constrain_velocity(c.solids, u);
        projector.set_up(c.walls, c.solids, c.phi);
        projector.project({.h = c.domain.h, .tolerance = 1e-6, .least_pull = 0.01}, u);
        return double(u.z(8, 8, 13));   // on the film's underside
    };
    EXPECT_NEAR(fall(-0.5), 0, 1e-5);          // the plate pulls, once
    EXPECT_GE(projector.edit_freed().size(), 14u * 14u);
    EXPECT_NEAR(fall(-0.5), -0.5, 1e-5);       // it has let go
    EXPECT_GE(projector.edit_freed().size(), 14u * 14u);
    fall(0.5);                                 // thrown back against the plate,
    EXPECT_TRUE(projector.edit_freed().empty());
    EXPECT_NEAR(fall(0.5), 0, 1e-5);           // which holds it up again
}

TEST(free_surface, walls_hold_what_hardly_pulls) {
    LiquidCase c("film", 16);
    c.set_phi([&](double, double, double z) { return 1 - 0.8 / 16 - z; });
    for (const double least : {0.1, 1.0}) {   // the film pulls by 0.5 * 0.3 of a cell
        FreeSurfaceProjector projector(c.layout);
        MacGrid u(c.layout);
        add_everywhere({0, 0, -0.5}, u);
        enforce_walls(c.walls, u);
        projector.set_up(c.walls, c.solids, c.phi);
        EXPECT_EQ(projector.project({.h = c.domain.h, .tolerance = 1e-6, .least_pull = least}, u).solves, least < 0.15 ? 2 : 1);
    }
}

TEST(free_surface, water_that_presses_on_the_ceiling_stays_there) {
    FreeSurfaceReport report;
    const MacGrid u = film_under_the_ceiling(2.8, {0, 0, 0.5}, true, report);
    EXPECT_EQ(report.released, 0);
    EXPECT_NEAR(double(u.z(8, 8, 14)), 0, 1e-5);
}

TEST(free_surface, no_water_leaves_through_released_faces) {
    const LiquidCase c = liquid_case("splash", 32);
    FreeSurfaceProjector projector(c.layout);
    MacGrid u(c.layout);
    stir(c, u);
    projector.set_up(c.walls, c.solids, c.phi);
    const FreeSurfaceReport report = projector.project({.h = c.domain.h, .tolerance = 1e-5}, u);
    EXPECT_TRUE(report.converged);
    EXPECT_GT(report.released, 0);
    for (int j = 0; j < 32; ++j)
        for (int i = 0; i < 32; ++i) {
            EXPECT_GE(u.z(i, j, 0), 0);
            EXPECT_LE(u.z(i, j, 32), 0);
            EXPECT_GE(u.x(0, i, j), 0);
            EXPECT_LE(u.x(32, i, j), 0);
        }
}

TEST(free_surface, water_falls_through_an_open_floor) {
    LiquidCase c = liquid_case("flat", 16);
    c.walls[4].kind = WallKind::open;
    FreeSurfaceProjector projector(c.layout);
    MacGrid u(c.layout);
    add_everywhere({0, 0, -0.25}, u);
    enforce_walls(c.walls, u);
    projector.set_up(c.walls, c.solids, c.phi);
    projector.project({.h = c.domain.h}, u);
    EXPECT_EQ(u.z(5, 5, 0), -0.25f);
    EXPECT_EQ(u.z(5, 5, 6), -0.25f);
}

TEST(free_surface, a_drop_of_one_cell_keeps_its_volume_and_its_flight) {
    LiquidCase c("drop", 12);
    c.set_phi([&](double x, double y, double z) { return length(Vec3d(x, y, z) - c.domain.cell_center(5, 6, 4)) - 0.4 * c.domain.h; });
    FreeSurfaceProjector projector(c.layout);
    MacGrid u(c.layout);
    add_everywhere({1, 2, 3}, u);
    u.x(5, 6, 4) -= 0.5f, u.x(6, 6, 4) += 0.5f;  // it swells
    projector.set_up(c.walls, c.solids, c.phi);
    const FreeSurfaceReport report = projector.project({.h = c.domain.h, .tolerance = 1e-6}, u);
    EXPECT_EQ(report.cells, 1);
    EXPECT_NEAR(report.divergence_max * c.domain.h, 0, 1e-5);
    EXPECT_NEAR(double(u.x(5, 6, 4) + u.x(6, 6, 4)) / 2, 1, 1e-6);
    EXPECT_NEAR(double(u.y(5, 6, 4) + u.y(5, 7, 4)) / 2, 2, 1e-6);
    EXPECT_NEAR(double(u.z(5, 6, 4) + u.z(5, 6, 5)) / 2, 3, 1e-6);
}

TEST(free_surface, a_round_drop_has_the_pressure_of_its_tension) {
    LiquidCase c("drop", 32);
    const double radius = 0.3, tension = 0.07;
    c.set_phi([&](double x, double y, double z) { return length(Vec3d(x, y, z) - Vec3d(0.51, 0.48, 0.5)) - radius; });
    FreeSurfaceProjector projector(c.layout);
    MacGrid u(c.layout);
    projector.set_up(c.walls, c.solids, c.phi);
    Grid kappa(c.layout);
    curvature(c.domain.h, c.phi, TileSet(c.layout, true), kappa);
    const FreeSurfaceReport report = projector.project({.h = c.domain.h, .tolerance = 1e-6, .tension = tension, .curvature = &kappa}, u);
    EXPECT_TRUE(report.converged);
    const double expected = tension / c.domain.h * 2 / radius;
    EXPECT_NEAR(double(projector.pressure()(16, 15, 16)), expected, 0.01 * expected);
    EXPECT_LE(largest_speed(projector.cells(), u), 0.02 * expected);
}

TEST(free_surface, incompressible_air_keeps_the_volume_of_bubbles) {
    LiquidCase c("bubbles", 32);
    const Vec3d first(0.3, 0.4, 0.35), second(0.7, 0.6, 0.3);
    c.set_phi([&](double x, double y, double z) {
        const Vec3d p(x, y, z);
        return std::max({z - 0.8, 0.13 - length(p - first), 0.04 - length(p - second)});
    });
    FreeSurfaceProjector projector(c.layout);
    for (const SealedAir air : {SealedAir::empty, SealedAir::incompressible}) {
        MacGrid u(c.layout);
        stir(c, u);
        projector.set_up(c.walls, c.solids, c.phi);
        const std::vector<AirPocket> pockets = find_air_pockets(projector.cells());
        ASSERT_EQ(pockets.size(), 2u);
        EXPECT_NEAR(double(pockets[0].cells + pockets[1].cells) / (32 * 32 * 32), 4.0 / 3 * 3.14159 * (0.13 * 0.13 * 0.13 + 0.04 * 0.04 * 0.04), 0.001);
        projector.set_up(c.walls, c.solids, c.phi, air);
        EXPECT_EQ(projector.pockets().size(), air == SealedAir::empty ? 0u : 2u);
        const FreeSurfaceReport report = projector.project({.h = c.domain.h, .tolerance = 1e-6}, u);
        EXPECT_TRUE(report.converged);
        for (const AirPocket& pocket : pockets) {
            double gross = 0;
            for (const AirPocket::Face& f : pocket.faces) gross += std::fabs(double(u[f.axis](f.face.x, f.face.y, f.face.z)));
            const double net = std::fabs(flux_into(pocket, u)) / gross;
            EXPECT_TRUE(air == SealedAir::empty ? net >= 0.1 : net <= 1e-4) << net;
        }
    }
}

TEST(free_surface, the_largest_part_of_the_air_in_a_closed_box_is_outside) {
    LiquidCase c("layers", 16);
    c.set_phi([](double, double, double z) { return std::fabs(z - 0.4) - 0.1; });  // a slab: air below and above
    LiquidCells cells(c.layout);
    cells.set_up(c.walls, c.solids, c.phi);
    const std::vector<AirPocket> closed = find_air_pockets(cells);
    ASSERT_EQ(closed.size(), 1u);
    EXPECT_EQ(closed[0].faces.size(), 16u * 16u);
    EXPECT_EQ(closed[0].faces[0].sign, -1);  // the part below
    c.walls[4].kind = WallKind::open;
    cells.set_up(c.walls, c.solids, c.phi);
    const std::vector<AirPocket> open = find_air_pockets(cells);
    ASSERT_EQ(open.size(), 1u);
    EXPECT_EQ(open[0].faces[0].sign, 1);
}

TEST(free_surface, threads_change_no_bit) {
    const LiquidCase c = liquid_case("waves", 48);
    Grid kappa(c.layout);
    curvature(c.domain.h, c.phi, TileSet(c.layout, true), kappa);
    const auto result = [&](int threads) {
        const ThreadLimit limit(threads);
        FreeSurfaceProjector projector(c.layout);
        MacGrid u(c.layout);
        stir(c, u);
        projector.set_up(c.walls, c.solids, c.phi);
        projector.project({.h = c.domain.h, .tension = 1e-4, .curvature = &kappa}, u);
        return u;
    };
    const MacGrid one = result(1), two = result(2), three = result(3);
    for (int a = 0; a < 3; ++a) {
        EXPECT_TRUE(std::ranges::equal(one[a].storage(), two[a].storage()));
        EXPECT_TRUE(std::ranges::equal(one[a].storage(), three[a].storage()));
    }
}

TEST(free_surface, few_cycles_are_enough_for_all_kinds_of_liquid) {
    const auto cycles = [](const char* name, int n) {
        const LiquidCase c = liquid_case(name, n);
        FreeSurfaceProjector projector(c.layout);
        MacGrid u(c.layout);
        stir(c, u);
        projector.set_up(c.walls, c.solids, c.phi);
        const FreeSurfaceReport report = projector.project({.h = c.domain.h, .tolerance = 1e-4, .let_go = false}, u);
        EXPECT_TRUE(report.converged) << name;
        return report.iterations;
    };
    for (const char* name : {"pool", "dam", "drops", "sheets", "waves"}) EXPECT_LE(cycles(name, 64), 6) << name;
    for (const char* name : {"splash", "rough"}) EXPECT_LE(cycles(name, 64), 8) << name;
    for (const char* name : {"pool", "dam"}) EXPECT_LE(cycles(name, 128), 6) << name;  // the bench has all of them
}

TEST(free_surface, a_good_guess_saves_cycles) {
    const LiquidCase c = liquid_case("dam", 48);
    FreeSurfaceProjector projector(c.layout);
    MacGrid u(c.layout);
    stir(c, u);
    MacGrid again = u;
    projector.set_up(c.walls, c.solids, c.phi);
    const int cold = projector.project({.h = c.domain.h, .tolerance = 1e-5, .let_go = false}, u).iterations;
    const Grid guess = projector.pressure();
    projector.set_up(c.walls, c.solids, c.phi);
    const FreeSurfaceReport warm = projector.project({.h = c.domain.h, .tolerance = 1e-5, .guess = &guess, .let_go = false}, again);
    EXPECT_TRUE(warm.converged);
    EXPECT_LE(2 * warm.iterations, cold);
}

}  // namespace
}  // namespace phlo::flow
