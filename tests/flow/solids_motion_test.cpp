// Bodies that move, and what the fluid's fields hold in and around them.
#include <gtest/gtest.h>

#include "base/parallel.h"
#include "flow/solids.h"
#include "solids_cases.h"

namespace phlo::flow {
namespace {

using field::Domain;
using field::Grid;
using field::Layout;
using field::MacGrid;

geom::Body sliding_ball(double radius = 0.2) {
    geom::Body body = ball({}, radius);
    body.motion.position = Curve<Vec3d>({{0.0, {0.3, 0.41, 0.5}}, {1.0, {0.7, 0.55, 0.47}}}, Interpolation::linear);
    return body;
}

TEST(moving_solids, still_bodies_report_no_change) {
    const Domain domain = unit_domain(16);
    const std::vector<geom::Body> still = {ball({0.4, 0.5, 0.6}, 0.2)}, moving = {ball({0.8, 0.8, 0.8}, 0.1), sliding_ball()};
    Solids solids;
    EXPECT_TRUE(rasterize(domain, still, 0.0, solids));
    EXPECT_FALSE(rasterize(domain, still, 0.1, solids));
    EXPECT_FALSE(rasterize(domain, still, 5.0, solids));
    EXPECT_TRUE(rasterize(domain, moving, 0.1, solids));
    EXPECT_TRUE(rasterize(domain, moving, 0.2, solids));
    EXPECT_FALSE(rasterize(domain, moving, 0.2, solids));
    EXPECT_TRUE(rasterize(domain, moving, 2.0, solids));
    EXPECT_FALSE(rasterize(domain, moving, 3.0, solids)) << "it stands still after its last key";
    EXPECT_TRUE(rasterize(domain, {}, 3.0, solids)) << "the bodies are gone";
    EXPECT_FALSE(solids.present());
}

TEST(moving_solids, moving_on_gives_the_same_grids_as_starting_there) {
    // The ball passes through a thin oblique plate and beside a second ball, and turns at the end.
    const Domain domain = unit_domain(24);
    std::vector<geom::Body> bodies = {sliding_ball(0.12), plate({0.5, 0.5, 0.5}, {0.3, 0.9, 0}, 0.01, 0.7), ball({0.62, 0.7, 0.5}, 0.1)};
    bodies[0].motion.rotation = Curve<Vec3d>({{0.0, {}}, {1.0, {0, 0, 3}}}, Interpolation::smooth);
    bodies[2].no_slip = true;
    Solids travelled;
    for (double t : {0.0, 0.05, 0.2, 0.5, 0.8, 1.0, 0.3}) {
        rasterize(domain, bodies, t, travelled);
        Solids fresh;
        rasterize(domain, bodies, t, fresh);
        EXPECT_TRUE(identical(travelled, fresh)) << "at " << t;
    }
}

TEST(moving_solids, sliding_body_keeps_its_volume) {
    const Domain domain = unit_domain(32);
    const std::vector<geom::Body> bodies = {sliding_ball(0.2)};
    Solids solids;
    double least = 1e9, most = 0;
    for (int step = 0; step <= 60; ++step) {
        rasterize(domain, bodies, step / 60.0, solids);
        const double volume = solid_volume(domain, solids) / bodies[0].shape.volume();
        least = std::min(least, volume), most = std::max(most, volume);
    }
    EXPECT_LT(most - least, 1e-3);
}

TEST(moving_solids, body_carried_by_the_flow_has_no_flux_through_it) {
    const Domain domain = unit_domain(24);
    const std::vector<geom::Body> bodies = {sliding_ball()};
    Solids solids;
    rasterize(domain, bodies, 0.5, solids);
    const Vec3d w = bodies[0].velocity_at({}, 0.5);
    MacGrid u(Layout(domain.cells));
    const BodyFlux in_still_air = flux_through_bodies(domain, solids, u);
    for (int axis = 0; axis < 3; ++axis) u[axis].fill(float(w[axis]));
    const BodyFlux carried = flux_through_bodies(domain, solids, u);
    const double section = std::numbers::pi * 0.2 * 0.2 * length(w);
    EXPECT_GT(carried.cells, 400);
    EXPECT_LT(carried.gross, 1e-5 * section);
    // In still air it pushes its section ahead and draws as much behind; no volume is made.
    EXPECT_NEAR(in_still_air.gross, 2 * section, 0.05 * section);
    EXPECT_LT(std::fabs(in_still_air.net), 1e-5 * section);
}

TEST(moving_solids, plane_spinning_about_its_normal_pushes_nothing) {
    const Domain domain = unit_domain(16);
    const double a = 0.4, b = 0.5;
    const Vec3d angles(a, b, 0), rate(std::cos(a) * std::tan(b), -std::sin(a), std::cos(a) / std::cos(b));  // spin 1 about the normal
    geom::Body spinning = half_space({0.47, 0.52, 0.49}, angles);
    spinning.motion.rotation = Curve<Vec3d>({{-1.0, angles - rate}, {1.0, angles + rate}});
    const std::vector<geom::Body> bodies = {spinning};
    Solids solids;
    rasterize(domain, bodies, 0, solids);
    const Vec3d normal = geom::Rotation::from_euler(angles)({0, 0, 1});
    EXPECT_NEAR(dot(solids.placed[0].angular, normal), 1, 1e-12);
    EXPECT_NEAR(length(solids.placed[0].angular), 1, 1e-12);
    EXPECT_GT(field::max_abs(solids.velocity.x, domain.cells), 0.3);
    const BodyFlux flux = flux_through_bodies(domain, solids, MacGrid(Layout(domain.cells)));
    EXPECT_GT(flux.cells, 256);
    EXPECT_LT(flux.largest, 1e-3 * domain.h * domain.h);
}

TEST(moving_solids, velocity_of_a_cut_face_is_the_mean_over_its_covered_part) {
    const Domain domain = unit_domain(12);
    geom::Body rocking = half_space({0.47, 0.52, 0.49}, {0.4, 0.5, 0});
    rocking.motion.rotation = Curve<Vec3d>({{-1.0, Vec3d(0.4, 0.5, 0) - Vec3d(1, -0.7, 2)}, {1.0, Vec3d(0.4, 0.5, 0) + Vec3d(1, -0.7, 2)}});
    const std::vector<geom::Body> bodies = {rocking};
    Solids solids;
    rasterize(domain, bodies, 0, solids);
    int checked = 0;
    constexpr int fine = 40;
    for (int axis = 0; axis < 3; ++axis)
        for_each_cell(domain, [&](int i, int j, int k) {
            const float open = solids.aperture[axis](i, j, k);
            if (open <= 0.02f || open >= 0.95f) return;
            double mean = 0, count = 0;
            for (int b = 0; b < fine; ++b)
                for (int a = 0; a < fine; ++a) {
                    Vec3d p = domain.face_center(axis, i, j, k);
                    p[(axis + 1) % 3] += ((a + 0.5) / fine - 0.5) * domain.h, p[(axis + 2) % 3] += ((b + 0.5) / fine - 0.5) * domain.h;
                    if (rocking.signed_distance(p, 0) < 0) mean += rocking.velocity_at(p, 0)[axis], count += 1;
                }
            EXPECT_NEAR(solids.velocity[axis](i, j, k), mean / count, 0.03 * domain.h);
            ++checked;
        });
    EXPECT_GT(checked, 100);
}

TEST(moving_solids, slippery_floor_keeps_the_flow_along_it_and_gives_its_own_across) {
    const Domain domain = unit_domain(16);
    geom::Body floor = half_space({0.5, 0.5, 0.47}, {});
    floor.motion.position = Curve<Vec3d>({{0.0, Vec3d(0.5, 0.5, -9.53)}, {1.0, Vec3d(0.5, 0.5, -9.53) + Vec3d(0, 0, 0.25)}});
    for (const bool no_slip : {false, true}) {
        floor.no_slip = no_slip;
        const std::vector<geom::Body> bodies = {floor};
        Solids solids;
        rasterize(domain, bodies, 0, solids);
        MacGrid u(Layout(domain.cells));
        u.x.fill(1), u.y.fill(2), u.z.fill(3);
        constrain_velocity(solids, u);
        for (int k = 0; k < 16; ++k)
            for (int j = 1; j < 15; ++j)
                for (int i = 1; i < 15; ++i) {
                    const bool open = solids.aperture.x(i, j, k) > 0, near_fluid = k >= 4;
                    EXPECT_NEAR(u.x(i, j, k), open || (near_fluid && !no_slip) ? 1 : 0, 1e-5) << k;
                    EXPECT_NEAR(u.y(i, j, k), open || (near_fluid && !no_slip) ? 2 : 0, 1e-5) << k;
                    EXPECT_NEAR(u.z(i, j, k), solids.aperture.z(i, j, k) > 0 ? 3 : 0.25, 1e-5) << k;
                }
        EXPECT_EQ(solids.sticky_row[7 * 16 + 8], no_slip ? 1 : 0);
    }
}

TEST(moving_solids, continued_flow_inside_a_ball_has_the_balls_normal_velocity) {
    const Domain domain = unit_domain(32);
    const std::vector<geom::Body> bodies = {sliding_ball(0.25)};
    Solids solids;
    rasterize(domain, bodies, 0.5, solids);
    const Vec3d w = bodies[0].velocity_at({}, 0.5), center = bodies[0].pose(0.5).position;
    MacGrid u(Layout(domain.cells));
    u.x.fill(1), u.y.fill(-0.5f), u.z.fill(0.25f);
    constrain_velocity(solids, u);
    int checked = 0;
    for_each_cell(domain, [&](int i, int j, int k) {
        if (!solids.covered(i, j, k) || solids.distance(i, j, k) < -2.2f / 32) return;
        const Vec3d n = normalized(domain.cell_center(i, j, k) - center);
        const Vec3d v{0.5 * double(u.x(i, j, k) + u.x(i + 1, j, k)), 0.5 * double(u.y(i, j, k) + u.y(i, j + 1, k)),
                      0.5 * double(u.z(i, j, k) + u.z(i, j, k + 1))};
        EXPECT_NEAR(dot(v - w, n), 0, 0.12);
        ++checked;
    });
    EXPECT_GT(checked, 700);
}

TEST(moving_solids, mirrored_flow_is_constrained_to_its_mirror_image) {
    const int n = 20;
    const Domain domain = unit_domain(n);
    const Solids solids = at_rest(domain, {ball({0.5, 0.5, 0.5}, 0.31)});
    const Layout layout(domain.cells);
    MacGrid u(layout);
    for (int axis = 0; axis < 3; ++axis) {
        const Vec3i extent = field::face_extent(layout, axis);
        for (int k = 0; k < extent.z; ++k)
            for (int j = 0; j < extent.y; ++j)
                for (int i = 0; i < extent.x; ++i) {  // a stagnation flow: odd along its own axis, even along the others
                    const Vec3d p = domain.face_center(axis, i, j, k) - Vec3d(0.5);
                    u[axis](i, j, k) = float(axis == 0 ? p.x * (1 + 8 * p.y * p.y) : axis == 1 ? p.y * (1 + 8 * p.z * p.z) : -2 * p.z);
                }
    }
    constrain_velocity(solids, u);
    for (int axis = 0; axis < 3; ++axis) {
        const Vec3i extent = field::face_extent(layout, axis);
        for (int k = 0; k < extent.z; ++k)
            for (int j = 0; j < extent.y; ++j)
                for (int i = 0; i < extent.x; ++i)
                    for (int mirror = 0; mirror < 3; ++mirror) {
                        Vec3i p(i, j, k);
                        p[mirror] = extent[mirror] - 1 - p[mirror];
                        ASSERT_NEAR(u[axis](p.x, p.y, p.z), (axis == mirror ? -1 : 1) * u[axis](i, j, k), 1e-5) << axis << mirror;
                    }
    }
}

TEST(moving_solids, constraint_does_not_depend_on_the_number_of_threads) {
    const Domain domain = unit_domain(24);
    const std::vector<geom::Body> bodies = {sliding_ball(0.25)};
    const auto make = [&](int threads) {
        ThreadLimit limit(threads);
        Solids solids;
        rasterize(domain, bodies, 0.5, solids);
        MacGrid u(Layout(domain.cells));
        for (int axis = 0; axis < 3; ++axis)
            for_each_cell(domain, [&](int i, int j, int k) { u[axis](i, j, k) = float((i * 7 + j * 13 + k * 29 + axis) % 17); });
        constrain_velocity(solids, u);
        return u;
    };
    const MacGrid one = make(1), two = make(2);
    EXPECT_TRUE(identical(one.x, two.x) && identical(one.y, two.y) && identical(one.z, two.z));
}

TEST(moving_solids, body_moved_through_smoke_sweeps_it_aside_and_keeps_none_inside) {
    const Domain domain = unit_domain(24);
    const std::vector<geom::Body> bodies = {sliding_ball()};
    Grid smoke(Layout(domain.cells));
    for_each_cell(domain, [&](int i, int j, int k) { smoke(i, j, k) = i < 16 ? 1.f + 0.01f * float(j) : 0.f; });
    const double before = field::sum(smoke);
    Solids solids;
    for (int step = 0; step <= 20; ++step) {
        rasterize(domain, bodies, step / 20.0, solids);
        EXPECT_EQ(push_out(solids, smoke), 0);
        double inside = 0;
        for_each_cell(domain, [&](int i, int j, int k) { inside += solids.covered(i, j, k) ? double(smoke(i, j, k)) : 0; });
        EXPECT_EQ(inside, 0);
    }
    EXPECT_NEAR(field::sum(smoke) / before, 1, 1e-6);
}

TEST(moving_solids, smoke_with_nowhere_to_go_is_reported) {
    const Domain domain = unit_domain(8);
    const Solids solids = at_rest(domain, {ball({0.5, 0.5, 0.5}, 5)});
    Grid smoke(Layout(domain.cells), 2);
    EXPECT_EQ(push_out(solids, smoke), 2 * 512);
    EXPECT_EQ(field::sum(smoke), 0);
}

TEST(moving_solids, fields_continue_into_bodies_without_an_edge) {
    const Domain domain = unit_domain(24);
    const Solids solids = at_rest(domain, {ball({0.5, 0.5, 0.5}, 0.3)});
    Grid warmth(Layout(domain.cells));
    for_each_cell(domain, [&](int i, int j, int k) { warmth(i, j, k) = solids.covered(i, j, k) ? -100.f : 300.f + float(i); });
    const Grid fluid = warmth;
    extend_inside(solids, warmth);
    int continued = 0;
    for_each_cell(domain, [&](int i, int j, int k) {
        if (!solids.covered(i, j, k)) {
            EXPECT_EQ(warmth(i, j, k), fluid(i, j, k));
        } else if (solids.distance(i, j, k) > -1.7f / 24) {
            EXPECT_NEAR(warmth(i, j, k), 300 + i, 3);
            ++continued;
        }
    });
    EXPECT_GT(continued, 300);
    clear_inside(solids, warmth, 7);
    for_each_cell(domain, [&](int i, int j, int k) { EXPECT_EQ(warmth(i, j, k), solids.covered(i, j, k) ? 7.f : fluid(i, j, k)); });
}

}  // namespace
}  // namespace phlo::flow
