// The projection gives the divergence it was told to give, on every fluid cell.
#include <gtest/gtest.h>

#include "flow/projection.h"
#include "small_scenes.h"

namespace phlo::verify {
namespace {

using flow::WallKind;

struct Case {
    Vec3i cells;
    bool body, open, expanding;
};

flow::ProjectionReport project(const Case& c, flow::Solids& solids, field::MacGrid& u, field::Grid& phi) {
    const field::Domain domain{.cells = c.cells, .origin = {}, .h = 1.0 / c.cells.x};
    const field::Layout layout(c.cells);
    u = field::MacGrid(layout);
    phi = field::Grid(layout);
    std::vector<geom::Body> bodies;
    const Vec3d middle = domain.size() * 0.5;
    if (c.body) {
        bodies.push_back(ball(Curve<Vec3d>({{0, middle}, {1, middle + Vec3d(0.3, 0.1, 0)}}), 0.2));
        rasterize(domain, bodies, 0.01, solids);
    }
    fill_faces(domain, u, [](const Vec3d& p) { return Vec3d(std::sin(5 * p.y) + p.x, std::cos(7 * p.x * p.z), 2 * std::sin(9 * p.x) * p.z); });
    if (c.expanding)
        fill_cells(domain, phi, [&](const Vec3d& p) { return 3 * std::exp(-40 * dot(p - middle * 0.5, p - middle * 0.5)); });
    flow::Walls walls;
    for (flow::Wall& w : walls) w.kind = WallKind::closed;
    if (c.open) walls[1].kind = walls[5].kind = WallKind::open;
    walls[0] = {.kind = WallKind::inflow, .speed = c.open ? 0.7 : 0};
    enforce_walls(walls, u);
    if (c.body) constrain_velocity(solids, u);
    flow::Projector projector(layout);
    projector.set_up(walls, solids);
    return projector.project(solids, &phi, domain.h, {.tolerance = 1e-5, .max_iterations = 60}, u);
}

TEST(Projection, leaves_the_prescribed_divergence_on_every_fluid_cell) {
    for (const Case& c : {Case{{32, 32, 32}, false, true, false}, {{32, 32, 32}, false, true, true}, {{40, 24, 31}, true, true, false},
                          {{37, 41, 33}, true, true, true}, {{32, 32, 32}, false, false, false}, {{32, 24, 32}, true, false, false}}) {
        flow::Solids solids;
        field::MacGrid u;
        field::Grid phi;
        const flow::ProjectionReport report = project(c, solids, u, phi);
        EXPECT_TRUE(report.converged);
        // The divergence at the start is of the order of 100 1/s.
        EXPECT_LT(report.divergence_max, 0.02) << c.cells.x << " body " << c.body << " open " << c.open << " expanding " << c.expanding;
        const flow::DivergenceError again = divergence_error(solids, &phi, 1.0 / c.cells.x, u);
        EXPECT_EQ(again.max, report.divergence_max);
    }
}

TEST(Projection, total_outflow_equals_the_prescribed_expansion) {
    flow::Solids solids;
    field::MacGrid u;
    field::Grid phi;
    const Case c{{32, 32, 32}, true, true, true};
    project(c, solids, u, phi);
    const double h = 1.0 / 32;
    double outflow = 0;
    for (int a = 0; a < 32; ++a)
        for (int b = 0; b < 32; ++b)
            outflow += double(u.x(32, a, b) - u.x(0, a, b) + u.y(a, 32, b) - u.y(a, 0, b) + u.z(a, b, 32) - u.z(a, b, 0)) * h * h;
    double expansion = 0;
    for (int k = 0; k < 32; ++k)
        for (int j = 0; j < 32; ++j)
            for (int i = 0; i < 32; ++i)
                if (!solids.covered(i, j, k)) expansion += double(phi(i, j, k)) * h * h * h;
    EXPECT_NEAR(outflow, expansion, 1e-4 * expansion);
}

TEST(Projection, sealed_box_balances_its_expansion_and_says_by_how_much) {
    const Case c{{24, 24, 24}, false, false, true};
    flow::Solids solids;
    field::MacGrid u;
    field::Grid phi;
    const flow::ProjectionReport report = project(c, solids, u, phi);
    const double mean = sum(phi) / double(phi.layout().cell_count());
    EXPECT_NEAR(report.imbalance, mean, 1e-3 * mean);
    for (int k = 0; k < 24; ++k)
        for (int j = 0; j < 24; ++j)
            for (int i = 0; i < 24; ++i) phi(i, j, k) -= float(mean);
    EXPECT_LT(divergence_error(solids, &phi, 1.0 / 24, u).max, 0.02);
}

TEST(Projection, bodies_that_stand_in_open_walls_keep_them_shut) {
    const field::Domain domain{.cells = {24, 24, 24}, .origin = {}, .h = 1.0 / 24};
    for (int wall = 0; wall < 6; ++wall) {
        const int axis = wall / 2;
        Vec3d middle(0.5);
        middle[axis] = wall % 2;
        const std::vector<geom::Body> bodies = {ball(Curve<Vec3d>(middle), 0.3)};
        flow::Solids solids;
        rasterize(domain, bodies, 0, solids);
        field::MacGrid u{field::Layout(domain.cells)};
        fill_faces(domain, u, [](const Vec3d& p) { return Vec3d(std::sin(5 * p.y), p.x * p.z, std::cos(4 * p.x)) + 3.0 * p; });
        flow::Walls walls;
        for (flow::Wall& w : walls) w.kind = WallKind::open;
        constrain_velocity(solids, u);
        flow::Projector projector(u.layout());
        projector.set_up(walls, solids);
        const field::MacGrid before = u;
        projector.project(solids, nullptr, domain.h, {.tolerance = 1e-5, .max_iterations = 60}, u);
        int shut = 0, open = 0;  // the rim too: shut faces of cells that still are part of the flow
        for (int a = 0; a < 24; ++a)
            for (int b = 0; b < 24; ++b) {
                Vec3i f(a, b, b);
                f[axis] = wall % 2 ? 24 : 0, f[(axis + 1) % 3] = a, f[(axis + 2) % 3] = b;
                const bool changed = u[axis](f.x, f.y, f.z) != before[axis](f.x, f.y, f.z);
                if (solids.aperture[axis](f.x, f.y, f.z) > 0) open += changed;
                else ASSERT_FALSE(changed) << wall << ": " << f.x << ' ' << f.y << ' ' << f.z;
                shut += solids.aperture[axis](f.x, f.y, f.z) == 0;
            }
        EXPECT_GT(shut, 100) << wall;
        EXPECT_GT(open, 100) << wall;
    }
}

TEST(Projection, sphere_moving_through_gas_has_no_flux_through_its_surface) {
    flow::Solids solids;
    field::MacGrid u;
    field::Grid phi;
    const Case c{{40, 40, 40}, true, true, false};
    project(c, solids, u, phi);
    const field::Domain domain{.cells = c.cells, .origin = {}, .h = 1.0 / 40};
    const flow::BodyFlux flux = flux_through_bodies(domain, solids, u);
    const double swept = 0.32 * 3.14159 * 0.2 * 0.2;   // speed times cross-section [m^3/s]
    EXPECT_GT(flux.cells, 500);
    EXPECT_LT(std::fabs(flux.net), 1e-4 * swept);
    EXPECT_LT(flux.gross, 5e-3 * swept);
}

}  // namespace
}  // namespace phlo::verify
