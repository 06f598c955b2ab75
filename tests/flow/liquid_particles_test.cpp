#include "flow/liquid_particles.h"

#include <gtest/gtest.h>

#include <cstring>

#include "advect_cases.h"
#include "base/parallel.h"
#include "complaint.h"
#include "flow/body_contacts.h"
#include "flow/level_set.h"
#include "flow/projection.h"
#include "flow/redistance.h"
#include "particles/sample.h"

namespace phlo::flow {
namespace {

using cases::set_cells;
using field::Domain;
using field::Grid;
using field::Layout;
using field::MacGrid;

const Solids no_solids;

Domain unit_box(int n) { return {.cells = Vec3i(n), .origin = {0, 0, 0}, .h = 1.0 / n}; }

Grid distances(int n, const cases::Function& f) {
    Grid phi((Layout(Vec3i(n))));
    set_cells(phi, 1.0 / n, f);
    MarchScratch scratch;
    redistance({.h = 1.0 / n}, phi, scratch);
    return phi;
}

double ball(double x, double y, double z) { return std::hypot(x - 0.51, y - 0.48, z - 0.507) - 0.31; }

Vec3d place(const LiquidParticles& set, std::size_t n) { return {double(set.x[n]), double(set.y[n]), double(set.z[n])}; }
Vec3d velocity(const LiquidParticles& set, std::size_t n) { return {double(set.u[n]), double(set.v[n]), double(set.w[n])}; }

/// Random particles with random velocities and gradients, at least two cells from the walls.
LiquidParticles random_particles(int n, int count) {
    LiquidParticles set;
    for (int p = 0; p < count; ++p) {
        std::vector<float> random;
        for (std::uint32_t d = 0; d < 4; ++d)
            for (const float r : uniform4({.seed = 3, .step = 0, .stream = 1}, std::uint32_t(p), d)) random.push_back(r);
        std::size_t c = 0;
        for (auto* column : {&set.x, &set.y, &set.z}) column->push_back(2 + random[c++] * float(n - 5));
        for (auto* column : {&set.u, &set.v, &set.w, &set.ux, &set.uy, &set.uz, &set.vx, &set.vy, &set.vz, &set.wx, &set.wy, &set.wz})
            column->push_back(2 * random[c++] - 1);
        set.flying.push_back(0);
    }
    return set;
}

struct Momentum {
    Vec3d linear, angular;
};

/// A particle's own spin: the first moments that its affine velocity has over the faces around it, Sum w (x_f - x_p) u_f. With trilinear
/// weights that is t (1 - t) du/dx along each axis, t being its place between two faces.
Momentum momentum_of(const LiquidParticles& set) {
    Momentum sum;
    for (std::size_t p = 0; p < set.count(); ++p) {
        const Vec3d at = place(set, p), v = velocity(set, p);
        sum.linear += v;
        sum.angular += cross(at, v);
        double moment[3][3];  // [component][along]
        for (int component = 0; component < 3; ++component)
            for (int along = 0; along < 3; ++along) {
                const double q = at[along] + (component == along ? 0.5 : 0), t = q - std::floor(q);
                moment[component][along] = t * (1 - t) * double(set.component(component)[std::size_t(along) + 1][p]);
            }
        sum.angular += {moment[2][1] - moment[1][2], moment[0][2] - moment[2][0], moment[1][0] - moment[0][1]};
    }
    return sum;
}

/// Of the faces, weighted by how much of the particles each of them stands for; by hand.
Momentum momentum_of(const LiquidParticles& set, const MacGrid& u) {
    Momentum sum;
    for (int axis = 0; axis < 3; ++axis) {
        Grid weights(u.layout());
        for (std::size_t p = 0; p < set.count(); ++p) {
            Vec3d at = place(set, p);
            at[axis] += 0.5;
            const Vec3i low{int(at.x), int(at.y), int(at.z)};
            for (int corner = 0; corner < 8; ++corner) {
                const Vec3i c = low + Vec3i(corner & 1, corner >> 1 & 1, corner >> 2);
                weights(c.x, c.y, c.z) += float((1 - std::fabs(at.x - c.x)) * (1 - std::fabs(at.y - c.y)) * (1 - std::fabs(at.z - c.z)));
            }
        }
        const Vec3i n = face_extent(u.layout(), axis);
        for (int k = 0; k < n.z; ++k)
            for (int j = 0; j < n.y; ++j)
                for (int i = 0; i < n.x; ++i) {
                    Vec3d at(i, j, k), v;
                    at[axis] -= 0.5;
                    v[axis] = double(weights(i, j, k)) * double(u[axis](i, j, k));
                    sum.linear += v, sum.angular += cross(at, v);
                }
    }
    return sum;
}

void expect_near(const Vec3d& a, const Vec3d& b, double tolerance) {
    for (int axis = 0; axis < 3; ++axis) EXPECT_NEAR(a[axis], b[axis], tolerance) << "along " << axis;
}

// ---- transfers --------------------------------------------------------------------------------------------------------
TEST(liquid_particles, both_transfers_keep_linear_and_angular_momentum) {
    const int n = 12, count = 3000;
    LiquidParticles set = random_particles(n, count);
    MacGrid u((Layout(Vec3i(n))));
    TransferScratch scratch;
    const Momentum before = momentum_of(set);
    to_grid({.full_weight = 1e-9}, set, u, scratch);
    const Momentum on_grid = momentum_of(set, u);
    expect_near(on_grid.linear, before.linear, 1e-6 * count);
    expect_near(on_grid.angular, before.angular, 1e-5 * count);
    from_grid({}, u, set);
    const Momentum after = momentum_of(set);
    expect_near(after.linear, before.linear, 1e-6 * count);
    expect_near(after.angular, before.angular, 1e-5 * count);
}

TEST(liquid_particles, without_gradients_angular_momentum_would_be_lost) {
    const int n = 12;
    LiquidParticles set = random_particles(n, 3000);
    MacGrid u((Layout(Vec3i(n))));
    TransferScratch scratch;
    const auto spin = [&](int p, double s) { return s * (p == 0 ? 1.0 : -1.0); };
    for (std::size_t p = 0; p < set.count(); ++p) {
        set.u[p] = float(spin(1, set.y[p] - 5.5)), set.v[p] = float(spin(0, set.x[p] - 5.5)), set.w[p] = 0;
        for (auto* c : {&set.ux, &set.uy, &set.uz, &set.vx, &set.vy, &set.vz, &set.wx, &set.wy, &set.wz}) (*c)[p] = 0;
    }
    const double before = momentum_of(set).angular.z;
    to_grid({.full_weight = 1e-9}, set, u, scratch);
    from_grid({}, u, set);
    double moved = 0;
    for (std::size_t p = 0; p < set.count(); ++p) moved += cross(place(set, p), velocity(set, p)).z;
    EXPECT_LT(moved, 0.99 * before);
}

MacGrid affine_field(const Layout& layout) {
    MacGrid u(layout);
    cases::set_faces(
        u, 1, [](double x, double y, double z) { return 1 + 0.3 * x - 0.2 * y + 0.15 * z; },
        [](double x, double y, double z) { return -2 + 0.1 * x + 0.4 * y - 0.25 * z; },
        [](double x, double y, double z) { return 0.5 - 0.35 * x + 0.05 * y + 0.2 * z; });
    return u;
}

TEST(liquid_particles, an_affine_field_is_reproduced_exactly) {
    const int n = 12;
    LiquidParticles set = random_particles(n, 4000);
    const MacGrid exact = affine_field(Layout(Vec3i(n)));
    MacGrid u((Layout(Vec3i(n))), 77);
    TransferScratch scratch;
    from_grid({}, exact, set);
    for (std::size_t p = 0; p < set.count(); ++p) {
        ASSERT_NEAR(set.vx[p], 0.1, 1e-5);
        ASSERT_NEAR(set.vy[p], 0.4, 1e-5);
        ASSERT_NEAR(set.vz[p], -0.25, 1e-5);
    }
    to_grid({.full_weight = 1e-9}, set, u, scratch);
    long reached = 0;
    for (int axis = 0; axis < 3; ++axis)
        for (int k = 0; k < n; ++k)
            for (int j = 0; j < n; ++j)
                for (int i = 0; i < n; ++i) {
                    if (u[axis](i, j, k) == 77) continue;
                    ASSERT_NEAR(u[axis](i, j, k), exact[axis](i, j, k), 2e-5) << axis << " " << i << " " << j << " " << k;
                    ++reached;
                }
    EXPECT_GT(reached, 3 * 512);
    EXPECT_EQ(u.x(0, 6, 6), 77) << "faces without particles keep what they have";
}

TEST(liquid_particles, a_rigid_rotation_survives_a_hundred_transfers) {
    const int n = 16;
    const Domain domain = unit_box(n);
    const Grid phi = distances(n, ball);
    LiquidParticles set;
    seed_particles({.domain = domain, .band = no_band}, phi, no_solids, set);
    MacGrid u((Layout(Vec3i(n))));
    cases::set_faces(
        u, domain.h, [](double, double y, double) { return 0.48 - y; }, [](double x, double, double) { return x - 0.51; },
        [](double, double, double) { return 0.0; });
    const MacGrid exact = u;
    TransferScratch scratch;
    from_grid({}, u, set);
    const Momentum before = momentum_of(set);
    for (int round = 0; round < 100; ++round) to_grid({}, set, u, scratch), from_grid({}, u, set);
    const Momentum after = momentum_of(set);
    EXPECT_NEAR(after.angular.z / before.angular.z, 1, 1e-5);
    EXPECT_LT(cases::largest_difference(u.x, exact.x, {n, n, n}), 1e-5);
}

TEST(liquid_particles, transfers_do_not_depend_on_the_threads) {
    const int n = 24;
    const LiquidParticles given = random_particles(n, 20000);
    const auto run = [&](int threads) {
        const ThreadLimit limit(threads);
        LiquidParticles set = given;
        MacGrid u((Layout(Vec3i(n))));
        TransferScratch scratch;
        for (int round = 0; round < 3; ++round) {
            to_grid({}, set, u, scratch);
            from_grid({}, u, set);
            move_particles({.domain = unit_box(n), .dt = 0.05}, u, set);
        }
        return save(set);
    };
    EXPECT_EQ(run(1), run(0));
}

// ---- seeding ----------------------------------------------------------------------------------------------------------
TEST(liquid_particles, seeding_is_uniform_and_stays_in_the_liquid) {
    const int n = 32;
    const Grid phi = distances(n, ball);
    LiquidParticles set;
    seed_particles({.domain = unit_box(n), .band = no_band}, phi, no_solids, set);
    const double cells = 4.0 / 3 * std::acos(-1.0) * std::pow(0.31 * n, 3);
    EXPECT_NEAR(double(set.count()) / (8 * cells), 1, 0.01);
    std::vector<int> in_cell(std::size_t(n * n * n), 0);
    for (std::size_t p = 0; p < set.count(); ++p) {
        ASSERT_LT(particles::sample(phi, Vec3f(place(set, p))), 0);
        ++in_cell[std::size_t(std::lround(set.x[p]) + n * (std::lround(set.y[p]) + n * std::lround(set.z[p])))];
    }
    for (int k = 0; k < n; ++k)
        for (int j = 0; j < n; ++j)
            for (int i = 0; i < n; ++i) ASSERT_TRUE(phi(i, j, k) * float(n) > -1 || in_cell[std::size_t(i + n * (j + n * k))] == 8);
}

TEST(liquid_particles, a_band_holds_the_cells_near_the_surface_alone) {
    const int n = 32;
    const Grid phi = distances(n, ball);
    LiquidParticles set;
    const LiquidParticleParams params{.domain = unit_box(n), .band = 3};
    seed_particles(params, phi, no_solids, set);
    const double shell = 4.0 / 3 * std::acos(-1.0) * (std::pow(0.31 * n, 3) - std::pow(0.31 * n - 3, 3));
    EXPECT_NEAR(double(set.count()) / (8 * shell), 1, 0.05);
    for (std::size_t p = 0; p < set.count(); ++p) ASSERT_GT(particles::sample(phi, Vec3f(place(set, p))) * float(n), -4);

    // The surface moves inward by two cells: what is now outside goes, and the cells that the band came to are filled.
    const Grid smaller = distances(n, [&](double x, double y, double z) { return ball(x, y, z) + 2.0 / n; });
    const MacGrid u = affine_field(phi.layout());
    const ParticleChanges changes = reseed(params, smaller, u, no_solids, set);
    EXPECT_GT(changes.outside, 1000);
    EXPECT_GT(changes.added, 1000);
    const double inner = 4.0 / 3 * std::acos(-1.0) * (std::pow(0.31 * n - 1, 3) - std::pow(0.31 * n - 5, 3));  // a cell of air included
    EXPECT_NEAR(double(set.count()) / (8 * inner), 1, 0.05);
    // New ones carry the field.
    long carrying = 0;
    for (std::size_t p = 0; p < set.count(); ++p) carrying += std::fabs(set.vy[p] - 0.4f) < 1e-4f;
    EXPECT_EQ(carrying, changes.added);

    // Back again: those that the band left behind go.
    const ParticleChanges back = reseed(params, phi, u, no_solids, set);
    EXPECT_GT(back.deep, 500);
    EXPECT_EQ(back.outside, 0);
}

TEST(liquid_particles, pouring_fills_what_is_empty_and_leaves_the_rest_alone) {
    const int n = 16;
    const Layout layout((Vec3i(n)));
    LiquidParticles set;
    const LiquidParticleParams params{.domain = unit_box(n), .band = no_band};
    Grid left(layout), all(layout, -1.0f);
    set_cells(left, 1.0 / n, [](double x, double, double) { return x - 0.5; });
    EXPECT_EQ(seed_particles(params, left, no_solids, set).added, 8 * n * n * n / 2);
    set.u.assign(set.count(), 1.0f);
    const ParticleChanges changes = seed_particles(params, all, no_solids, set);
    EXPECT_EQ(changes.added, 8 * n * n * n / 2);
    EXPECT_EQ(changes.removed(), 0);
    for (std::size_t p = 0; p < set.count(); ++p) ASSERT_EQ(set.u[p] == 1, set.x[p] < 7.5f);
}

TEST(liquid_particles, reseeding_fills_empty_parts_thins_out_full_cells_and_is_the_same_for_any_threads) {
    const int n = 16;
    const Grid phi = distances(n, ball);
    const MacGrid u((Layout(Vec3i(n))));
    const LiquidParticleParams params{.domain = unit_box(n), .band = no_band};
    const auto run = [&](int threads) {
        const ThreadLimit limit(threads);
        LiquidParticles set;
        seed_particles(params, phi, no_solids, set);
        for (std::size_t p = 0; p < set.count(); ++p)  // all of one half into the other, and a crowd
            if (set.x[p] > 8) set.x[p] = p % 2 == 0 ? 8.2f : set.x[p] - 5;
        const long before = long(set.count());
        const ParticleChanges changes = reseed(params, phi, u, no_solids, set);
        EXPECT_EQ(long(set.count()), before + changes.added - changes.removed());
        EXPECT_GT(changes.added, 100);
        EXPECT_GT(changes.surplus, 100);
        std::vector<int> in_cell(std::size_t(n * n * n), 0);
        for (std::size_t p = 0; p < set.count(); ++p)
            ++in_cell[std::size_t(std::lround(set.x[p]) + n * (std::lround(set.y[p]) + n * std::lround(set.z[p])))];
        EXPECT_LE(*std::max_element(in_cell.begin(), in_cell.end()), 16);
        for (int k = 0; k < n; ++k)
            for (int j = 0; j < n; ++j)
                for (int i = 0; i < n; ++i) EXPECT_TRUE(phi(i, j, k) * float(n) > -1 || in_cell[std::size_t(i + n * (j + n * k))] >= 4);
        return save(set);
    };
    EXPECT_EQ(run(1), run(0));
}

TEST(liquid_particles, a_steady_state_is_left_alone) {
    const int n = 24;
    const Grid phi = distances(n, ball);
    const MacGrid u((Layout(Vec3i(n))));
    const LiquidParticleParams params{.domain = unit_box(n), .band = 3};
    LiquidParticles set;
    seed_particles(params, phi, no_solids, set);
    const ParticleChanges changes = reseed(params, phi, u, no_solids, set);
    EXPECT_LT(changes.added, 0.01 * double(set.count())) << "a few by the chance of where the first ones fell";
    EXPECT_EQ(changes.removed(), 0);
    EXPECT_EQ(changes.flying, 0);
    for (int more = 0; more < 3; ++more) EXPECT_LT(reseed(params, phi, u, no_solids, set).added, 0.002 * double(set.count()));
}

TEST(liquid_particles, saved_and_loaded_they_are_the_same) {
    LiquidParticles set = random_particles(12, 100), other;
    set.steps = 7, set.flying[3] = 1;
    load(save(set), other);
    EXPECT_EQ(save(other), save(set));
    EXPECT_EQ(other.steps, 7u);
    std::vector<char> bytes = save(set);
    bytes.resize(bytes.size() - 5);
    EXPECT_THROW(load(bytes, other), RunError);
}

// ---- motion -----------------------------------------------------------------------------------------------------------
TEST(liquid_particles, spray_flies_by_gravity_alone_and_comes_back) {
    const int n = 32;
    const Domain domain{.cells = Vec3i(n), .origin = {0, 0, 0}, .h = 0.1};
    const Grid phi((Layout(Vec3i(n))), 1.0f);
    MacGrid u((Layout(Vec3i(n))), 3.0f);  // wind that spray does not feel
    LiquidParticles set = random_particles(n, 1);
    const LiquidParticleParams params{.domain = domain, .band = no_band, .max_height = no_band};
    set.x = {10}, set.y = {16}, set.z = {5}, set.u = {2}, set.v = {0}, set.w = {4};
    const double dt = 0.01;
    for (int step = 0; step < 20; ++step) {
        EXPECT_EQ(reseed(params, phi, u, no_solids, set).flying, 1);
        from_grid({.gain = Vec3d(0, 0, -9.81) * dt}, u, set);
        move_particles({.domain = domain, .dt = dt}, u, set);
    }
    EXPECT_NEAR(set.x[0], 10 + 2 * 0.2 / 0.1, 1e-4);
    EXPECT_NEAR(set.w[0], 4 - 9.81 * 0.2, 1e-4);
    EXPECT_NEAR(set.z[0], 5 + (4 * 0.2 - 0.5 * 9.81 * 0.2 * 0.21) / 0.1, 1e-3);
    for (int more = 0; more < 4; ++more)
        for (auto* c : {&set.x, &set.y, &set.z, &set.u, &set.v, &set.w, &set.ux, &set.uy, &set.uz, &set.vx, &set.vy, &set.vz, &set.wx,
                        &set.wy, &set.wz})
            c->push_back(c->front());
    set.flying.resize(5, 0);
    EXPECT_EQ(reseed(params, phi, u, no_solids, set).flying, 0) << "five of them are water";
}

TEST(liquid_particles, they_stay_in_the_box_and_leave_through_open_walls) {
    const int n = 16;
    MacGrid u((Layout(Vec3i(n))));
    u.x.fill(5), u.z.fill(-9);
    LiquidParticles set = random_particles(n, 3);
    set.x = {14, 3, 8}, set.z = {1, 12, 12};
    const Domain domain{.cells = Vec3i(n), .origin = {0, 0, 0}, .h = 1};
    PassedParticles passed = move_particles({.domain = domain, .dt = 1}, u, set);
    EXPECT_EQ(passed.held, 1);
    EXPECT_NEAR(set.x[0], 15.5, 2e-3);
    EXPECT_NEAR(set.z[0], -0.5, 2e-3);
    Walls walls{};
    walls[1].kind = WallKind::open;
    passed = move_particles({.domain = domain, .dt = 0.4, .walls = &walls}, u, set);
    EXPECT_EQ(passed.left, 1);
    EXPECT_EQ(set.count(), 2u);
}

geom::Body plate(double thickness, const Vec3d& position, const Vec3d& tilt = {}) {
    return {.name = "plate",
            .shape = geom::Box{.size = {3, 3, thickness}},
            .motion = {.position = Curve<Vec3d>(position), .rotation = Curve<Vec3d>(tilt)}};
}

TEST(liquid_particles, a_plate_half_a_cell_thick_is_never_crossed) {
    const int n = 12;
    const Domain domain = unit_box(n);
    for (const double tilt : {0.0, 0.37}) {
        for (const double shift : {0.0, 0.2, 0.4}) {  // of a cell: centres may lie in the plate, or beside it
            const std::vector<geom::Body> bodies{plate(0.5 * domain.h, {0.5, 0.5, 0.5 + shift * domain.h}, {tilt, 0, 0})};
            const auto placed = geom::place(bodies, 0);
            Solids solids;
            rasterize(domain, bodies, 0, solids);
            const auto side = [&](const LiquidParticles& set, std::size_t p) {
                return placed[0].pose.local_from_world((place(set, p) + Vec3d(0.5)) * domain.h).z;
            };
            Grid phi((Layout(Vec3i(n))));
            const Vec3d up = placed[0].pose.rotation({0, 0, 1});
            set_cells(phi, domain.h, [&](double x, double y, double z) {
                const double s = dot(Vec3d(x, y, z) - placed[0].pose.position, up);
                return s > 0 ? -3 * domain.h : 3 * domain.h;  // water above it
            });
            LiquidParticles set;
            const LiquidParticleParams params{.domain = domain, .band = no_band, .max_height = no_band};
            seed_particles(params, phi, solids, set);
            ASSERT_GT(set.count(), 3000u);
            MacGrid u((Layout(Vec3i(n))));
            cases::randomize(u, 3);
            for (float& w : u.z.storage()) w -= 2;  // up to five cells a step downwards
            for (int step = 0; step < 10; ++step) {
                reseed(params, phi, u, solids, set);
                move_particles({.domain = domain, .dt = domain.h, .before = placed, .after = placed, .solid_distance = &solids.distance}, u,
                               set);
                for (std::size_t p = 0; p < set.count(); ++p)
                    ASSERT_GT(side(set, p), 0.25 * domain.h) << "tilt " << tilt << " shift " << shift << " step " << step;
            }
        }
    }
}

TEST(liquid_particles, a_body_that_moves_five_cells_a_step_sweeps_all) {
    const int n = 24;
    const Domain domain = unit_box(n);
    std::vector<geom::Body> bodies{plate(0.5 * domain.h, {0.1, 0.5, 0.5}, {0, std::acos(-1.0) / 2, 0})};  // stands across x
    bodies[0].motion.position = Curve<Vec3d>({{0.0, Vec3d(0.1, 0.5, 0.5)}, {1.0, Vec3d(0.9, 0.5, 0.5)}});
    const Grid phi((Layout(Vec3i(n))), -1.0f);
    Solids solids;
    rasterize(domain, bodies, 0, solids);
    LiquidParticles set;
    seed_particles({.domain = domain, .band = no_band}, phi, solids, set);
    std::vector<std::uint8_t> ahead;
    for (const float x : set.x) ahead.push_back((x + 0.5f) / float(n) > 0.1f);
    const MacGrid u((Layout(Vec3i(n))));
    const int steps = 4;  // of 4.8 cells
    for (int s = 0; s < steps; ++s) {
        const auto before = geom::place(bodies, double(s) / steps), after = geom::place(bodies, double(s + 1) / steps);
        rasterize(domain, after, solids);
        move_particles({.domain = domain, .dt = 1.0 / steps, .before = before, .after = after, .solid_distance = &solids.distance}, u, set);
        const double front = after[0].pose.position.x;
        for (std::size_t p = 0; p < set.count(); ++p) {
            const double off = (double(set.x[p]) + 0.5) * domain.h - front;
            ASSERT_GT(ahead[p] ? off : -off, 0.25 * domain.h) << p;
        }
    }
    // Pushed particles move with the plate.
    long pushed = 0;
    for (std::size_t p = 0; p < set.count(); ++p) pushed += std::fabs(set.u[p] - 0.8f) < 1e-3f;
    EXPECT_GT(pushed, 5000);
}

// ---- the band ---------------------------------------------------------------------------------------------------------
/// Steps without a moving surface, in a full box: particles in a band below phi = 0 or in all that is below it, the rest by the grid alone.
struct Carrying {
    Domain domain;
    LiquidParticleParams params;
    Grid phi;
    MacGrid u, next;
    LiquidParticles set;
    TransferScratch scratch;
    Workspace work;
    Projector projector;
    bool continued = false;  ///< particles near phi = 0 take their velocity from below it

    Carrying(int n, double band, const cases::Function& level)
        : domain(unit_box(n)),
          params{.domain = domain, .band = band},
          phi(distances(n, level)),
          u(phi.layout()),
          next(phi.layout()),
          projector(phi.layout()) {
        projector.set_up(Walls{}, no_solids);
        seed_particles(params, phi, no_solids, set);
    }
    void step(double dt) {
        reseed(params, phi, u, no_solids, set);
        if (continued) from_grid({.phi = &phi, .h = domain.h}, u, set);
        else from_grid({}, u, set);
        move_particles({.domain = domain, .dt = dt}, u, set);
        advect_velocity({.scheme = Scheme::maccormack, .dt = dt, .h = domain.h}, u, next, TileSet(phi.layout(), true), work);
        std::swap(u, next);
        to_grid({.h = domain.h, .band = params.band, .phi = &phi}, set, u, scratch);
    }
    void project() {
        enforce_walls(Walls{}, u);
        projector.project(no_solids, nullptr, domain.h, {.tolerance = 1e-4}, u);
    }
    double energy() const {
        double sum = 0;
        for (int axis = 0; axis < 3; ++axis)
            for (int k = 0; k < domain.cells.z; ++k)
                for (int j = 0; j < domain.cells.y; ++j)
                    for (int i = 0; i < domain.cells.x; ++i) sum += std::pow(double(u[axis](i, j, k)), 2);
        return sum;
    }
};

double pool(double, double, double z) { return z - 0.71; }

TEST(liquid_particles, in_a_uniform_flow_a_band_gives_what_all_particles_give) {
    const int n = 20;
    MacGrid result[2];
    for (const int all : {0, 1}) {
        Carrying flow(n, all ? no_band : 3, ball);
        flow.u.x.fill(0.3f), flow.u.y.fill(-0.2f), flow.u.z.fill(0.1f);
        for (int s = 0; s < 10; ++s) flow.step(0.4 / n);
        result[all] = flow.u;
    }
    for (int axis = 0; axis < 3; ++axis) EXPECT_LT(cases::largest_difference(result[0][axis], result[1][axis], Vec3i(n)), 1e-6);
    EXPECT_NEAR(result[0].x(10, 10, 10), 0.3, 1e-6);
}

/// Energies after each of 200 steps.
std::vector<double> energies(bool turning, double band, bool continued) {
    const int n = 12;
    Carrying flow(n, band, pool);
    flow.continued = continued;
    if (turning) cases::set_swirl(flow.u, flow.domain.h, 1);
    else
        cases::set_faces(
            flow.u, flow.domain.h, [](double, double, double z) { return std::sin(9 * z); }, [](double, double, double) { return 0.0; },
            [](double, double, double) { return 0.0; });
    flow.project();
    std::vector<double> all{flow.energy()};
    for (int s = 0; s < 200; ++s) {
        flow.step(0.9 / n);
        flow.project();
        all.push_back(flow.energy());
    }
    return all;
}

void expect_no_pumping(bool turning, double band) {
    const std::vector<double> all = energies(turning, band, false);
    for (std::size_t s = 1; s < all.size(); ++s) EXPECT_LT(all[s], 1.0005 * all[s - 1]) << "step " << s;
}

TEST(liquid_particles, a_band_pumps_no_energy_into_a_turning_flow) { expect_no_pumping(true, 3); }
TEST(liquid_particles, a_band_pumps_no_energy_into_a_shearing_flow) { expect_no_pumping(false, 3); }
TEST(liquid_particles, neither_does_the_edge_of_what_particles_fill) { expect_no_pumping(false, no_band); }

// It does let energy rise for a while, here where the flow goes on beyond phi = 0 and would not need it: the price of keeping spin at a surface.
TEST(liquid_particles, velocities_continued_to_the_surface_gain_little_energy) {
    for (const bool turning : {true, false}) {
        const std::vector<double> all = energies(turning, 3, true);
        double least = all[0], rise = 1;
        for (const double e : all) rise = std::max(rise, e / least), least = std::min(least, e);
        std::printf("%s: energy rises by %.2f %% of its least, and ends at %.3f of the first\n", turning ? "turning" : "shearing", 100 * (rise - 1), all.back() / all[0]);
        EXPECT_LT(rise, 1.06);
        EXPECT_LT(all.back(), 0.5 * all[0]);
    }
}

}  // namespace
}  // namespace phlo::flow
