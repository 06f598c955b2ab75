// Laws of the vortex fire on its lattice: rings, invariants, bodies, combustion, and that neither threads nor an interruption change a bit.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <numbers>

#include "models/vortex_fire/lattice_velocity.h"
#include "models/vortex_fire/vortex_fire.h"
#include "models/vortex_fire/vortex_invariants.h"
#include "models/vortex_fire/vortex_splat.h"
#include "scratch_dir.h"
#include "sim/checkpoint.h"
#include "threads.h"

namespace phlo::models {
namespace {

constexpr double pi = std::numbers::pi;

struct Scene : Shot, VortexSetup {};

/// No fire, no friction: vorticity alone.
Scene still_air(double spacing) {
    Scene scene;
    VortexFireParams& vortex = scene.vortex;
    vortex.spacing = spacing, vortex.max_vortons = 1'000'000, vortex.max_cells = 4e6, vortex.quiet = 1e-5, vortex.tolerance = 1e-4;
    vortex.lift = 0, vortex.viscosity = 0, vortex.eddies = 0, vortex.cleaning = 0;
    vortex.tracers.count = 0;
    return scene;
}

/// omega_phi = Gamma/(pi delta^2) exp(-rho^2/delta^2) around a circle about the z axis; vortons at nodes of the lattice.
struct Ring {
    double radius = 1, core = 0.1, height = 0, circulation = 1;
};

void add_ring(const Ring& ring, double h, const FireMatter& air, Vortons& vortons) {
    const double reach = 3.2 * ring.core;
    const auto first = [&](double x) { return int(std::floor(x / h)); };
    for (int k = first(ring.height - reach); k <= first(ring.height + reach); ++k)
        for (int j = first(-ring.radius - reach); j <= first(ring.radius + reach); ++j)
            for (int i = first(-ring.radius - reach); i <= first(ring.radius + reach); ++i) {
                const Vec3d p(h * (i + 0.5), h * (j + 0.5), h * (k + 0.5));
                const double r = std::hypot(p.x, p.y), rho2 = (r - ring.radius) * (r - ring.radius) + (p.z - ring.height) * (p.z - ring.height);
                if (rho2 > reach * reach || r == 0) continue;
                const double omega = ring.circulation / (pi * ring.core * ring.core) * std::exp(-rho2 / (ring.core * ring.core));
                append_vorton(vortons, {.position = Vec3f(p), .strength = Vec3f(Vec3d(-p.y / r, p.x / r, 0) * (omega * h * h * h)), .volume = float(h * h * h), .matter = air});
            }
}

FireMatter air_of(const Scene& scene) {
    return {.temperature = float(scene.vortex.combustion.ambient_temperature), .oxygen = float(scene.vortex.combustion.ambient_oxygen)};
}

/// Height of a ring, weighted by its impulse.
double height_of(const Vortons& vortons) {
    double sum = 0, weight = 0;
    for (std::size_t p = 0; p < vortons.size(); ++p) {
        const Vec3d x(vortons.position[p]);
        const double moment = cross(x, Vec3d(vortons.strength[p])).z;
        sum += x.z * moment, weight += moment;
    }
    return sum / weight;
}

TEST(vortex_laws, a_gaussian_ring_moves_at_saffmans_speed_on_the_lattice) {
    // U = Gamma/(4 pi R) (ln(8R/delta) - 0.558) [saffman1992, sec. 10.3], with R/delta = 10
    const double expected = 1 / (4 * pi) * (std::log(8 / 0.1) - 0.558), h = 0.025, dt = 0.02;
    const Scene scene = still_air(h);
    VortexFire fire(scene, scene);
    add_ring({}, h, air_of(scene), fire.edit_vortons());
    for (int step = 0; step < 2; ++step) fire.step(dt);
    const double then = height_of(fire.vortons());
    for (int step = 0; step < 8; ++step) fire.step(dt);
    EXPECT_NEAR((height_of(fire.vortons()) - then) / (8 * dt), expected, 0.01 * expected);
}

TEST(vortex_laws, a_ring_keeps_its_strength_and_its_impulses_while_its_core_turns) {
    const double h = 0.05, dt = 0.04;
    Scene scene = still_air(h);
    VortexFire fire(scene, scene);
    Vortons& vortons = fire.edit_vortons();
    add_ring({.core = 0.2}, h, air_of(scene), vortons);
    const VortexInvariants start = vortex_invariants(vortons);
    const int steps = int(4 * pi * pi * 0.2 * 0.2 / dt) + 1;   // a turn of the core takes 4 pi^2 delta^2/Gamma
    for (int step = 0; step < steps; ++step) fire.step(dt);
    const VortexInvariants now = vortex_invariants(fire.vortons());
    EXPECT_LE(length(now.strength), 1e-6 * now.strength_sum);
    EXPECT_LE(length(now.impulse - start.impulse), 1e-3 * length(start.impulse));
    const double scale = length(start.impulse) * 1.0;   // of the ring's radius
    EXPECT_LE(length(now.angular_impulse - start.angular_impulse), 1e-3 * scale);
}

/// Tracers in the cores tell which ring is which: vortons are made anew all the time.
TEST(vortex_laws, two_rings_leapfrog_twice) {
    const double h = 0.075, dt = 0.06, core = 0.15;
    Scene scene = still_air(h);
    VortexFire fire(scene, scene);
    add_ring({.core = core, .height = 0}, h, air_of(scene), fire.edit_vortons());
    add_ring({.core = core, .height = 0.5}, h, air_of(scene), fire.edit_vortons());
    for (std::size_t t = 0; t < 128; ++t) {
        const double angle = 2 * pi * double(t % 64) / 64;
        append_tracer(fire.edit_tracers(), {.position = Vec3f(Vec3d(std::cos(angle), std::sin(angle), t < 64 ? 0.0 : 0.5)), .life = 1e9f, .id = t}, air_of(scene));
    }
    int passes = 0;
    bool behind = true;   // the first ring
    for (int step = 0; step < 160 && passes < 2; ++step) {
        fire.step(dt);
        double first = 0, second = 0;
        for (std::size_t t = 0; t < 128; ++t) (fire.tracers().id[t] < 64 ? first : second) += double(fire.tracers().position[t].z) / 64;
        if ((first < second) != behind) behind = !behind, ++passes;
    }
    EXPECT_GE(passes, 2);
}

TEST(vortex_laws, the_velocity_on_the_lattice_is_of_second_order) {
    // psi = exp(-r^2) z, u = curl psi = 2 exp(-r^2) (-y, x, 0), omega = curl u
    const auto velocity_error = [](double h) {
        const int n = int(std::lround(6.4 / h));
        const VortexLattice lattice{.first = Vec3i(-n / 2), .cells = Vec3i(n), .h = h};
        NodeValues<4> vorticity;
        vorticity.fit(lattice);
        for (int k = 0; k < n; ++k)
            for (int j = 0; j < n; ++j)
                for (int i = 0; i < n; ++i) {
                    const Vec3d p = lattice.domain().cell_center(i, j, k);
                    const double e = std::exp(-dot(p, p)), r2 = p.x * p.x + p.y * p.y;
                    float* w = vorticity.node(i, j, k);
                    w[0] = float(4 * e * p.x * p.z), w[1] = float(4 * e * p.y * p.z), w[2] = float(4 * e * (1 - r2));
                }
        LatticeVelocity solver;
        solver.fit(lattice, LatticeVelocity::Edge::far);
        NodeRows everywhere;
        everywhere.fit(lattice), everywhere.fill();
        solver.solve(vorticity, everywhere, 1e-5);
        double error = 0;
        for (int k = 0; k < n; ++k)
            for (int j = 0; j < n; ++j)
                for (int i = 0; i < n; ++i) {
                    const Vec3d p = lattice.domain().cell_center(i, j, k);
                    const Vec3d exact = Vec3d(-p.y, p.x, 0) * (2 * std::exp(-dot(p, p)));
                    for (int c = 0; c < 3; ++c) error = std::max(error, std::fabs(double(solver.component(c)(i, j, k)) - exact[c]));
                }
        return error;
    };
    const double coarse = velocity_error(0.4), middle = velocity_error(0.2), fine = velocity_error(0.1);
    EXPECT_GE(std::log2(coarse / middle), 1.8);
    EXPECT_GE(std::log2(middle / fine), 1.9);
}

geom::Body free_ball(double radius, double density) {
    geom::Body ball;
    ball.name = "ball";
    ball.shape = geom::Sphere{.radius = radius};
    ball.free.emplace().density = density;
    return ball;
}

TEST(vortex_laws, a_free_ball_starts_with_the_acceleration_of_its_mass_and_half_the_gas_it_displaces) {
    for (const double density : {0.2, 4.0}) {
        Scene scene = still_air(0.025);
        scene.vortex.quiet = 1e-3;
        scene.bodies = {free_ball(0.2, density)};
        VortexFire fire(scene, scene);
        const double dt = 0.002, rho = scene.vortex.air_density, expected = 9.81 * (rho - density) / (density + 0.5 * rho);
        for (int step = 0; step < 15; ++step) fire.step(dt);
        const double mean = fire.bodies().free().free()[0].rigid.state.velocity.z / (15 * dt);
        EXPECT_NEAR(mean, expected, 0.05 * std::fabs(expected)) << density << " kg/m^3";
    }
}

TEST(vortex_laws, a_ball_as_heavy_as_the_air_stays_where_it_is_until_it_is_warm) {
    Scene scene = still_air(0.04);
    scene.vortex.quiet = 1e-3;
    geom::Body ball = free_ball(0.2, scene.vortex.air_density);
    ball.free->expansion = 1 / 293.15, ball.temperature = Curve<double>(293.15), ball.heat_capacity = 1000;
    scene.bodies = {ball};
    VortexFire cold(scene, scene);
    for (int step = 0; step < 10; ++step) cold.step(0.02);
    EXPECT_NEAR(cold.bodies().free().free()[0].rigid.state.position.z, 0, 1e-6);

    VortexFire warm(scene, scene);
    warm.edit_bodies().free().free()[0].temperature = 393.15;
    for (int step = 0; step < 10; ++step) warm.step(0.02);
    EXPECT_NEAR(warm.bodies().density(0), 1.2 / (1 + (warm.bodies().temperature(0, 0) - 293.15) / 293.15), 1e-9);
    EXPECT_GT(warm.bodies().free().free()[0].rigid.state.velocity.z, 0.2);
    EXPECT_LT(warm.bodies().temperature(0, 0), 393.15);   // it warms the air around it
}

/// A burning ball under a free one: everything that the model has.
Scene busy_scene() {
    Scene scene;
    scene.vortex.spacing = 0.05;
    scene.vortex.tracers = {.count = 3000, .life = 1};
    scene.vortex.lift = 0.01;
    scene.vortex.combustion.radiation = 1e-10;
    FireEmitter burner;
    burner.name = "burner", burner.on = "lower", burner.has_shape = false, burner.thickness = 0.08;
    burner.noise.amplitude = 0.5;
    burner.stir = 3.0;
    scene.emitters = {burner};
    geom::Body lower;
    lower.name = "lower", lower.shape = geom::Sphere{.radius = 0.2};
    geom::Body upper = free_ball(0.15, 1.2);
    upper.name = "upper", upper.motion.position = Curve<Vec3d>(Vec3d(0, 0, 0.6));
    upper.free->expansion = 0.003, upper.temperature = Curve<double>(293.15), upper.heat_capacity = 1000;
    scene.bodies = {lower, upper};
    return scene;
}

TEST(vortex_laws, every_quantity_of_the_ledger_closes_and_fuel_burnt_is_heat_released) {
    const Scene scene = busy_scene();
    VortexFire fire(scene, scene);
    double burnt = 0, released = 0;
    for (int frame = 0; frame < 20; ++frame) {
        const FrameStats stats = fire.advance(1.0 / 30);
        for (const auto& [quantity, entries] : stats.ledger) {
            double sum = 0, size = 0;
            for (const auto& [entry, value] : entries)
                if (entry != "now") sum += value, size += std::fabs(value);
            EXPECT_NEAR(entries.at("now"), sum, 1e-5 * size) << quantity << " in frame " << frame;
        }
        burnt -= stats.ledger.at("fuel").at("burnt"), released += stats.ledger.at("heat").at("released");
    }
    EXPECT_GT(burnt, 0);
    EXPECT_NEAR(released, burnt * scene.vortex.combustion.heat_of_combustion, 1e-6 * released);
}

TEST(vortex_laws, fractions_stay_within_zero_and_one_and_tracers_outside_bodies) {
    const Scene scene = busy_scene();
    VortexFire fire(scene, scene);
    for (int frame = 0; frame < 20; ++frame) fire.advance(1.0 / 30);
    const Vortons& v = fire.vortons();
    ASSERT_GT(v.size(), 100u);
    for (std::size_t p = 0; p < v.size(); ++p) {
        for (const float y : {v.fuel[p], v.flame[p], v.smoke[p]}) ASSERT_TRUE(y >= 0 && y <= 1) << y;
        ASSERT_LE(v.fuel[p] + v.flame[p] + v.smoke[p], 1 + 1e-5f);
    }
    const auto placed = fire.bodies().placements(fire.time());
    for (std::size_t t = 0; t < fire.tracers().size(); ++t) {
        const FireMatter& m = fire.tracers().matter[t];
        for (const float y : {m.fuel, m.flame, m.smoke}) ASSERT_TRUE(y >= 0 && y <= 1) << y;
        if (!fire.tracers().alive(t)) continue;
        for (const geom::Placement& body : placed) ASSERT_GE(body.signed_distance(Vec3d(fire.tracers().position[t])), -1e-4);
    }
    for (std::size_t p = 0; p < v.size(); ++p)
        for (const geom::Placement& body : placed) ASSERT_GE(body.signed_distance(Vec3d(v.position[p])), -2 * scene.vortex.spacing);
}

TEST(vortex_laws, a_fire_in_a_sealed_box_dies_for_want_of_oxygen) {
    Scene scene;
    scene.vortex.spacing = 0.1;
    scene.vortex.box = {.lower = Vec3d(-0.6, -0.6, 0), .upper = Vec3d(0.6, 0.6, 1.2), .closed = true};
    scene.vortex.finite_oxygen = true;
    scene.vortex.tracers.count = 0;
    scene.vortex.combustion.oxygen_per_fuel = 3;
    scene.vortex.combustion.rate = 500;
    FireEmitter burner;
    burner.shape = geom::Sphere{.radius = 0.3}, burner.motion.position = Curve<Vec3d>(Vec3d(0, 0, 0.4));
    burner.fuel = 0.5;
    scene.emitters = {burner};
    const auto burnt_by_second = [](const Scene& of) {
        VortexFire fire(of, of);
        std::vector<double> burnt;
        for (int second = 0; second < 8; ++second) {
            burnt.push_back(0);
            for (int frame = 0; frame < 10; ++frame) burnt.back() -= fire.advance(0.1).ledger.at("fuel").at("burnt");
        }
        return burnt;
    };
    const std::vector<double> sealed = burnt_by_second(scene);
    scene.vortex.finite_oxygen = false;
    const std::vector<double> aired = burnt_by_second(scene);
    const double most = std::ranges::max(sealed);
    double sum = 0;
    for (const double one : sealed) sum += one;
    const double oxygen = 1.2 * 1.2 * 1.2 * scene.vortex.air_density * scene.vortex.combustion.ambient_oxygen;
    EXPECT_LE(sum, 1.01 * oxygen / scene.vortex.combustion.oxygen_per_fuel);
    EXPECT_GT(sum, 0.5 * oxygen / scene.vortex.combustion.oxygen_per_fuel);
    EXPECT_LT(sealed.back(), 0.1 * most);
    EXPECT_GT(aired.back(), 5 * sealed.back());
}

bool same_bits(VortexFire& a, VortexFire& b) {
    const StateView left = a.state(), right = b.state();
    for (std::size_t n = 0; n < left.numbers.size(); ++n)
        if (*left.numbers[n].value != *right.numbers[n].value) return false;
    for (std::size_t n = 0; n < left.blocks.size(); ++n)
        if (left.blocks[n].save() != right.blocks[n].save()) return false;
    return true;
}

TEST(vortex_laws, thread_count_is_bitwise_neutral) {
    for (const VortexVelocity velocity : {VortexVelocity::grid, VortexVelocity::tree}) {
        Scene scene = busy_scene();
        scene.vortex.velocity = velocity;
        VortexFire one(scene, scene), seven(scene, scene);
        const auto six_frames = [](VortexFire& fire) {
            for (int frame = 0; frame < 6; ++frame) fire.advance(1.0 / 30);
        };
        test::with_threads(1, [&] { six_frames(one); });
        test::with_threads(7, [&] { six_frames(seven); });
        EXPECT_TRUE(same_bits(one, seven));
    }
}

TEST(vortex_laws, restart_is_bitwise_identical) {
    for (const VortexVelocity velocity : {VortexVelocity::grid, VortexVelocity::tree}) {
        Scene scene = busy_scene();
        scene.vortex.velocity = velocity;
        const test::ScratchDir dir;
        const auto path = dir.path / "state.bin";
        VortexFire whole(scene, scene), resumed(scene, scene);
        for (int frame = 0; frame < 4; ++frame) whole.advance(1.0 / 30);
        sim::save_checkpoint(path, {.frame = 4, .scene_hash = "a", .build = "b"}, whole.state());
        for (int frame = 0; frame < 4; ++frame) whole.advance(1.0 / 30);
        EXPECT_EQ(sim::load_checkpoint(path, resumed.state()).frame, 4);
        for (int frame = 0; frame < 4; ++frame) resumed.advance(1.0 / 30);
        EXPECT_TRUE(same_bits(whole, resumed));
    }
}

TEST(vortex_laws, a_warm_ball_of_air_rises_alike_by_the_tree_and_by_the_lattice) {
    const auto height = [](VortexVelocity velocity) {
        Scene scene = still_air(0.06);
        scene.vortex.velocity = velocity;
        scene.vortex.lift = 0.0335, scene.vortex.quiet = 1e-3, scene.vortex.remesh = 3;
        FireEmitter warm;
        warm.shape = geom::Sphere{.radius = 0.3}, warm.mode = EmitMode::start, warm.softness = 4;
        warm.fuel = 0.0, warm.temperature = 343.0;
        scene.emitters = {warm};
        VortexFire fire(scene, scene);
        for (int step = 0; step < 30; ++step) fire.step(0.02);
        double sum = 0, weight = 0;
        for (std::size_t p = 0; p < fire.vortons().size(); ++p) {
            const double w = double((fire.vortons().temperature[p] - 293.15f) * fire.vortons().volume[p]);
            sum += w * double(fire.vortons().position[p].z), weight += w;
        }
        return sum / weight;
    };
    const double grid = height(VortexVelocity::grid), tree = height(VortexVelocity::tree);
    EXPECT_GT(grid, 0.08);   // about b t^2 / 2 / (1 + 1/2), with the gas that it pushes away
    EXPECT_LT(grid, 0.25);
    EXPECT_NEAR(tree, grid, 0.2 * grid);
}

}  // namespace
}  // namespace phlo::models
