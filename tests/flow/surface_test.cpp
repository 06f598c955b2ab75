#include "flow/surface.h"

#include <gtest/gtest.h>

#include <numbers>

#include "geom/surface_samples.h"
#include "solids_cases.h"
#include "tank.h"

namespace phlo::flow {
namespace {

double area_of(const std::vector<SurfaceCell>& surface, int body = 0) {
    double area = 0;
    for (const SurfaceCell& s : surface) area += s.body == body ? s.area : 0;
    return area;
}

TEST(surface, areas_add_up_to_the_bodys_on_every_grid) {
    for (const int n : {24, 48})
        for (const geom::Shape& shape : {geom::Shape(geom::Sphere{.radius = 0.2}), geom::Shape(geom::Box{.size = {0.3, 0.25, 0.2}}),
                                         geom::Shape(geom::Capsule{.radius = 0.12, .height = 0.3})}) {
            const geom::Body body{.name = "body", .shape = shape, .motion = {.position = Curve<Vec3d>(Vec3d(0.51, 0.48, 0.5)), .rotation = Curve<Vec3d>(Vec3d(0.4, 0.2, 0.9))}};
            const Solids solids = at_rest(unit_domain(n), {body});
            EXPECT_NEAR(area_of(surface_cells(unit_domain(n), solids)) / surface_area(shape), 1, n == 24 ? 0.08 : 0.04) << n;   // edges are cut flat
        }
}

TEST(surface, normals_point_into_the_body_and_cells_know_whose_they_are) {
    const field::Domain domain = unit_domain(32);
    const Vec3d centers[] = {{0.3, 0.5, 0.5}, {0.7, 0.5, 0.5}};
    const std::vector<geom::Body> bodies = {ball(centers[0], 0.15), ball(centers[1], 0.18)};
    const Solids solids = at_rest(domain, bodies);
    const auto surface = surface_cells(domain, solids);
    for (const SurfaceCell& s : surface) {
        const Vec3d inward = normalized(centers[s.body] - domain.cell_center(s.cell.x, s.cell.y, s.cell.z));
        if (s.area > 0.2 * domain.h * domain.h) {
            EXPECT_GT(dot(inward, s.normal), 0.8);
        }
    }
    for (int b = 0; b < 2; ++b) {
        const double r = b == 0 ? 0.15 : 0.18;
        EXPECT_NEAR(area_of(surface, b) / (4 * std::numbers::pi * r * r), 1, 0.05);
    }
}

TEST(surface, heat_is_that_of_newtons_law_on_every_grid) {
    for (const int n : {20, 40}) {
        const field::Domain domain = unit_domain(n);
        const std::vector<geom::Body> bodies = {ball({0.5, 0.5, 0.5}, 0.2)};
        const Solids solids = at_rest(domain, bodies);
        field::Grid excess((field::Layout(domain.cells)));
        double temperature = 593.15;
        const HotBody hot{.body = 0, .transfer = 20, .capacity = 0, .temperature = &temperature};
        const HeatExchange how{.dt = 1e-3, .h = domain.h};
        const double changed = exchange_heat(how, surface_cells(domain, solids), {&hot, 1}, excess);
        const double heat = changed * how.gas_capacity * domain.h * domain.h * domain.h;
        EXPECT_NEAR(heat / (20 * 4 * std::numbers::pi * 0.04 * 300 * 1e-3), 1, 0.05) << n;
        EXPECT_EQ(temperature, 593.15);
        EXPECT_NEAR(sum(excess), changed, 1e-6 * changed);
    }
}

TEST(surface, heat_never_overshoots_and_a_finite_body_keeps_the_total) {
    const field::Domain domain = unit_domain(24);
    const std::vector<geom::Body> bodies = {ball({0.5, 0.5, 0.5}, 0.2)};
    const Solids solids = at_rest(domain, bodies);
    field::Grid excess((field::Layout(domain.cells)));
    double temperature = 800;
    const HeatExchange how{.dt = 50, .h = domain.h};   // a step far too long
    const HotBody hot{.body = 0, .transfer = 1000, .capacity = 3, .temperature = &temperature};
    const double cell = how.gas_capacity * domain.h * domain.h * domain.h;
    const double before = 3 * temperature;
    const double changed = exchange_heat(how, surface_cells(domain, solids), {&hot, 1}, excess);
    EXPECT_NEAR(3 * temperature + changed * cell, before, 1e-4 * before);
    EXPECT_GT(temperature, 293.15);
    EXPECT_LT(max_abs(excess, domain.cells), temperature - 293.15 + 1e-3);
    EXPECT_GT(max_abs(excess, domain.cells), 0.99 * (temperature - 293.15));   // all but equal after so long a time
}

TEST(surface, friction_takes_momentum_from_the_gas_and_gives_it_to_the_body) {
    Tank tank(24, WallKind::open, {free_ball({0.5, 0.5, 0.5}, 0.2, 5)});
    tank.u.x.fill(2);
    constrain_velocity(tank.solids, tank.u);
    const double gas = tank.gas_momentum().x;
    const auto surface = surface_cells(tank.around.domain, tank.solids);
    rub(tank.around, tank.solids, surface, tank.bodies, 0.01, tank.free, tank.u);
    const Vec3d gained = tank.body().state.velocity * tank.body().mass.mass;
    EXPECT_NEAR((gas - tank.gas_momentum().x) / gained.x, 1, 1e-3);
    // tau = drag rho v^2 / 2 with v = U sin(theta) along the surface: the axial force is 2 pi r^2 drag rho U^2 / 2 times int sin^4 = 3 pi / 8.
    const double drag = tank.bodies[0].free->drag, pi = std::numbers::pi;
    const double expected = 2 * pi * 0.04 * drag * 1.2 * 4 / 2 * (3 * pi / 8) * 0.01;
    EXPECT_NEAR(gained.x / expected, 1, 0.25);
    EXPECT_LT(std::hypot(gained.y, gained.z), 1e-3 * gained.x);
}

TEST(surface, friction_slows_a_spinning_ball) {
    Tank tank(24, WallKind::open, {free_ball({0.5, 0.5, 0.5}, 0.2, 5)});
    set_angular_velocity(tank.body(), {0, 0, 10});
    rasterize(tank.around.domain, tank.free.placements(0), tank.solids);
    const auto surface = surface_cells(tank.around.domain, tank.solids);
    rub(tank.around, tank.solids, surface, tank.bodies, 0.01, tank.free, tank.u);
    EXPECT_LT(angular_velocity(tank.body()).z, 10 - 1e-4);
    EXPECT_GT(angular_velocity(tank.body()).z, 9);
}

TEST(surface, a_catalyst_is_held_by_area) {
    const field::Domain domain = unit_domain(32);
    const std::vector<geom::Body> bodies = {ball({0.3, 0.5, 0.5}, 0.15), ball({0.7, 0.5, 0.5}, 0.15)};
    const Solids solids = at_rest(domain, bodies);
    field::Grid q((field::Layout(domain.cells)));
    hold_on_surface(surface_cells(domain, solids), 1, 3.0, 0.02, domain.h, q);
    EXPECT_NEAR(sum(q) * domain.h * domain.h * domain.h / (3 * 4 * std::numbers::pi * 0.0225 * 0.02), 1, 0.05);
    for_each_cell(domain, [&](int i, int j, int k) {
        if (i < 16 || solids.covered(i, j, k)) {
            EXPECT_EQ(q(i, j, k), 0);
        }
    });
}

}  // namespace
}  // namespace phlo::flow
