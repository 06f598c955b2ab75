#include "models/liquid/drops.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <numbers>

#include "base/random.h"
#include "flow/solids.h"
#include "particles/columns.h"

namespace phlo::models {
namespace {

const field::Domain domain{.cells = {24, 24, 24}, .origin = {0, 0, 0}, .h = 0.02};
constexpr double sphere = 4.0 / 3 * std::numbers::pi;

struct Pool {
    field::Grid phi{field::Layout(domain.cells)};
    field::MacGrid u{field::Layout(domain.cells)};
    field::Grid divergence{field::Layout(domain.cells)};
    Mixture mixture, warmth;   // one liquid, without heat
    LiquidAround around{.domain = domain, .phi = &phi, .u = &u, .dt = 0.004};

    explicit Pool(double height) {
        for (int k = -2; k < 26; ++k)
            for (int j = -2; j < 26; ++j)
                for (int i = -2; i < 26; ++i) phi(i, j, k) = float(domain.cell_center(i, j, k).z - height);
    }
    Pool(const Pool&) = delete;
};

TEST(drops, markers_that_the_water_has_lost_fly_with_their_share_of_a_cell) {
    Pool pool(0.2);
    pool.u.z.fill(2);
    flow::Markers markers;
    const auto put = [&](float z) {   // [cells]
        markers.inside.x.push_back(12.3f), markers.inside.y.push_back(12.4f), markers.inside.z.push_back(z), markers.inside.radius.push_back(0.1f);
    };
    put(5), put(9.8f), put(14.2f);   // the surface is at 9.5: in it, beside it, far out
    Drops drops;
    const double volume = throw_drops({.h = domain.h, .per_cell = 16}, pool.around, {}, {}, markers, drops);
    ASSERT_EQ(particles::count(drops), 1u);
    EXPECT_NEAR(volume, std::pow(domain.h, 3) / 16, 1e-6 * std::pow(domain.h, 3));
    EXPECT_NEAR(sphere * std::pow(double(drops.radius[0]), 3), volume, 1e-12);
    EXPECT_NEAR(double(drops.position[0].z), (14.2 + 0.5) * domain.h, 1e-6);
    EXPECT_EQ(drops.velocity[0], Vec3f(0, 0, 2));
    ASSERT_EQ(particles::count(markers.inside), 2u);
    EXPECT_NEAR(markers.inside.z[1], 9.8f, 1e-5f) << "still a marker, where it was";
    EXPECT_NEAR(markers.inside.radius[1], 0.1f, 1e-6f);
}

/// At 2 m/s in cells of 2 cm honey is held together by its friction, water is not.
TEST(drops, a_thick_liquid_throws_none) {
    for (const bool thick : {false, true}) {
        LiquidSetup setup;
        setup.liquid.viscosity = thick ? 0.05 : 1e-6;
        const ViscosityLaw law(setup, {});
        Pool pool(0.2);
        pool.around.law = &law;
        pool.u.z.fill(2);
        flow::Markers markers;
        markers.inside = {.x = {12.3f}, .y = {12.4f}, .z = {14.2f}, .radius = {0.1f}};
        Drops drops;
        throw_drops({.h = domain.h, .per_cell = 16}, pool.around, {}, {}, markers, drops);
        EXPECT_EQ(particles::count(drops), thick ? 0u : 1u);
        EXPECT_EQ(particles::count(markers.inside), 0u);
    }
}

TEST(drops, a_drop_without_drag_flies_on_the_exact_parabola) {
    Pool pool(-1);
    Drops drops{.position = {{0.1f, 0.2f, 0.1f}}, .velocity = {{0.5f, 0.2f, 2}}, .radius = {0.003f}, .shares = {only(0)}, .warmth = {only(0)}};
    for (int s = 0; s < 50; ++s) fly_drops({.air_drag = 0}, pool.around, drops);
    const double t = 0.2;
    EXPECT_NEAR(double(drops.position[0].x), 0.1 + 0.5 * t, 1e-5);
    EXPECT_NEAR(double(drops.position[0].z), 0.1 + 2 * t - 0.5 * 9.81 * t * t, 1e-5);
}

TEST(drops, a_drop_gives_its_volume_and_momentum_to_the_water_it_meets) {
    Pool pool(0.2);
    const double r = 0.0045, volume = sphere * r * r * r, cell = std::pow(domain.h, 3);
    for (const float z : {0.203f, 0.19f}) {   // just touching, and under water already
        Pool p(0.2);
        Drops drops{.position = {{0.233f, 0.251f, z}, {0.1f, 0.1f, 0.3f}}, .velocity = {{1, 2, -3}, {}}, .radius = {float(r), 0.004f}, .shares = {only(0), only(0)}, .warmth = {only(0), only(0)}};
        const double back = return_drops(p.around, drops, p.u, p.divergence, p.mixture, p.warmth);
        EXPECT_NEAR(back, volume, 1e-6 * volume);
        EXPECT_EQ(particles::count(drops), 1u) << "the other one is still in the air";
        EXPECT_NEAR(field::sum(p.divergence) * cell * p.around.dt, volume, 1e-5 * volume);
        for (int k = 0; k < 24; ++k)
            for (int j = 0; j < 24; ++j)
                for (int i = 0; i < 24; ++i) ASSERT_TRUE(p.phi(i, j, k) < 0 || p.divergence(i, j, k) == 0) << "only liquid cells have a pressure";
        // A face was at rest and has w = V / (h^3 + V) of the drop's velocity: its momentum, with the volume that came, is V v.
        for (int a = 0; a < 3; ++a) {
            const double v = double(Vec3f(1, 2, -3)[a]);
            double momentum = 0;
            for (int k = 0; k <= 24; ++k)
                for (int j = 0; j <= 24; ++j)
                    for (int i = 0; i <= 24; ++i) {
                        const double w = double(p.u[a](i, j, k)) / v;
                        momentum += w / (1 - w) * cell * v;
                    }
            EXPECT_NEAR(momentum, volume * v, 1e-5 * volume * std::fabs(v)) << "axis " << a << " z " << z;
        }
    }
}

TEST(drops, a_large_drop_is_poured_over_several_steps) {
    Pool pool(0.2);
    Drops drops{.position = {{0.23f, 0.25f, 0.195f}}, .velocity = {{0, 0, -3}}, .radius = {0.014f}, .shares = {only(0)}, .warmth = {only(0)}};   // 1.4 cells
    const double volume = volume_of(drops), cell = std::pow(domain.h, 3);
    double back = 0;
    int steps = 0;
    for (; steps < 50 && particles::count(drops) > 0; ++steps) {
        pool.divergence.fill(0);
        fly_drops({}, pool.around, drops);
        back += return_drops(pool.around, drops, pool.u, pool.divergence, pool.mixture, pool.warmth);
        ASSERT_LE(field::max_abs(pool.divergence, domain.cells) * pool.around.dt, 0.1001);
        ASSERT_NEAR(back + volume_of(drops), volume, 1e-5 * volume);
    }
    EXPECT_GE(steps, int(volume / (8 * 0.1 * cell)));
    EXPECT_LT(steps, 50);
}

TEST(drops, nothing_is_poured_into_slits_beside_bodies) {
    Pool pool(0.2);
    const std::vector<geom::Body> bodies = {{.name = "ball", .shape = geom::Sphere{.radius = 0.1}, .motion = {.position = Curve<Vec3d>{Vec3d(0.24, 0.24, 0.2)}}}};
    flow::Solids solids;
    rasterize(domain, bodies, 0, solids);
    pool.around.solids = &solids;
    Drops drops{.position = {{0.345f, 0.24f, 0.198f}}, .velocity = {{}}, .radius = {0.004f}, .shares = {only(0)}, .warmth = {only(0)}};
    EXPECT_EQ(return_drops(pool.around, drops, pool.u, pool.divergence, pool.mixture, pool.warmth), 0);
    EXPECT_EQ(particles::count(drops), 1u) << "it waits";
    drops.position[0].x = 0.4f;
    EXPECT_GT(return_drops(pool.around, drops, pool.u, pool.divergence, pool.mixture, pool.warmth), 0);
}

TEST(drops, their_volume_is_in_the_air_or_back_or_gone) {
    Pool pool(0.1);
    pool.around.walls[0].kind = flow::WallKind::open;
    flow::Markers markers;
    for (std::uint32_t n = 0; n < 400; ++n) {
        const auto r = uniform4({.seed = 3}, n);
        markers.inside.x.push_back(3 + 17 * r[0]), markers.inside.y.push_back(1 + 21 * r[1]), markers.inside.z.push_back(9 + 12 * r[2]);
        markers.inside.radius.push_back(0.1f);
    }
    pool.u.x.fill(-0.8f), pool.u.z.fill(0.5f);
    Drops drops;
    const double thrown = throw_drops({.h = domain.h, .per_cell = 16}, pool.around, {}, {}, markers, drops);
    EXPECT_NEAR(thrown, 400 * std::pow(domain.h, 3) / 16, 1e-5 * thrown);
    double back = 0, gone = 0;
    std::size_t before = 400;
    bool merged = false;
    for (int s = 0; s < 200; ++s) {
        gone += fly_drops({}, pool.around, drops);
        merged = merged || particles::count(drops) < before;
        before = particles::count(drops);
        pool.divergence.fill(0);
        const double now = return_drops(pool.around, drops, pool.u, pool.divergence, pool.mixture, pool.warmth);
        back += now;
        ASSERT_NEAR(volume_of(drops) + back + gone, thrown, 1e-5 * thrown) << "step " << s;
        ASSERT_NEAR(field::sum(pool.divergence) * std::pow(domain.h, 3) * pool.around.dt, now, 1e-4 * thrown);
    }
    EXPECT_TRUE(merged);
    EXPECT_GT(gone, 0.02 * thrown);
    EXPECT_GT(back, 0.5 * thrown);
    EXPECT_EQ(particles::count(drops), 0u) << "all have come down";
}

TEST(drops, drops_that_touch_become_one_with_their_volume_and_momentum) {
    Pool pool(-1);
    pool.around.gravity = {};
    Drops drops{.position = {{0.2f, 0.2f, 0.2f}, {0.206f, 0.2f, 0.2f}, {0.3f, 0.2f, 0.2f}}, .velocity = {{0.1f, 0, 0}, {0, 0.2f, 0}, {}}, .radius = {0.004f, 0.003f, 0.003f}, .shares = {only(0), only(0), only(0)}, .warmth = {only(0), only(0), only(0)}};
    const double volume = volume_of(drops);
    fly_drops({.air_drag = 0}, pool.around, drops);
    ASSERT_EQ(particles::count(drops), 2u);
    EXPECT_NEAR(volume_of(drops), volume, 1e-6 * volume);
    EXPECT_NEAR(double(drops.velocity[0].x), 0.1 * 64 / (64 + 27), 1e-6);
    EXPECT_NEAR(double(drops.velocity[0].y), 0.2 * 27 / (64 + 27), 1e-6);
}

TEST(drops, drops_come_to_rest_on_a_dry_floor) {
    Pool pool(-1);
    Drops drops{.position = {{0.2f, 0.2f, 0.05f}}, .velocity = {{0.3f, 0, 0}}, .radius = {0.003f}, .shares = {only(0)}, .warmth = {only(0)}};
    for (int s = 0; s < 200; ++s) EXPECT_EQ(fly_drops({}, pool.around, drops), 0);
    EXPECT_LT(length(drops.velocity[0]), 1e-6f);
    EXPECT_NEAR(drops.position[0].z, 0, 1e-4);
}

TEST(drops, their_mesh_is_closed_and_has_their_volume) {
    const Drops drops{.position = {{0.2f, 0.1f, 0.3f}, {0, 0, 0}}, .velocity = {{1, 2, 3}, {4, 5, 6}}, .radius = {0.1f, 0.05f}, .shares = {only(0), only(0)}, .warmth = {only(0), only(0)}};
    field::TriangleMesh mesh;
    std::vector<Vec3f> velocity;
    field::Grid air(field::Layout(domain.cells), 1.0f);
    add_drops(drops, domain, air, mesh, velocity);
    ASSERT_EQ(velocity.size(), mesh.points.size());
    EXPECT_EQ(velocity.front(), Vec3f(1, 2, 3));
    EXPECT_EQ(velocity.back(), Vec3f(4, 5, 6));
    std::map<std::pair<int, int>, int> sides;
    double volume = 0;
    for (const Vec3i& t : mesh.triangles) {
        for (int e = 0; e < 3; ++e) ++sides[{t[e], t[(e + 1) % 3]}];
        volume += dot(Vec3d(mesh.points[std::size_t(t.x)]), cross(Vec3d(mesh.points[std::size_t(t.y)]), Vec3d(mesh.points[std::size_t(t.z)]))) / 6;
    }
    for (const auto& [side, times] : sides) {
        ASSERT_EQ(times, 1);
        ASSERT_EQ((sides[{side.second, side.first}]), 1) << "each side is shared with one other triangle";
    }
    EXPECT_NEAR(volume, volume_of(drops), 1e-5 * volume) << "outward";
    air.fill(-1);
    const std::size_t before = mesh.points.size();
    add_drops(drops, domain, air, mesh, velocity);
    EXPECT_EQ(mesh.points.size(), before) << "under water they are the water";
}

TEST(drops, at_a_wall_they_are_seen_against_it_and_not_through_it) {
    const field::Grid air(field::Layout(domain.cells), 1.0f);
    const Drops drops{.position = {{0.001f, 0.2f, 0.3f}, {0.48f, 0.48f, 0.01f}}, .velocity = {{}, {}}, .radius = {0.012f, 0.008f}, .shares = {only(0), only(0)}, .warmth = {only(0), only(0)}};
    field::TriangleMesh mesh;
    std::vector<Vec3f> velocity;
    add_drops(drops, domain, air, mesh, velocity);
    Vec3f lower = mesh.points.front(), upper = lower;
    for (const Vec3f& p : mesh.points) lower = min(lower, p), upper = max(upper, p);
    EXPECT_NEAR(lower.x, 0, 1e-7f) << "it touches the wall";
    EXPECT_NEAR(upper.x, 0.48f, 1e-7f);
    EXPECT_NEAR(upper.y, 0.48f, 1e-7f);
    EXPECT_NEAR(lower.z, 0.01f - 0.008f, 0.05f * 0.008f) << "and keeps its height";
}

}  // namespace
}  // namespace phlo::models
