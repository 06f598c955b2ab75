#include "models/gas/particle_kinetics.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <map>
#include <numbers>

#include "base/parallel.h"
#include "chem/integration/reactor.h"
#include "chem/mechanism/read.h"
#include "source_dir.h"

namespace phlo::models {
namespace {

using chem::Mechanism;

Mechanism from(const std::string& text) { return chem::read_mechanism(config::parse_yaml(text, "m.yaml"), ""); }

const Mechanism& shipped(const std::string& name) {
    static std::map<std::string, Mechanism> known;
    if (!known.contains(name)) known[name] = chem::read_mechanism(phlo::test::source_dir() + "/mechanisms/" + name + ".yaml");
    return known[name];
}

/// `side`³ particles of a species, jittered over the unit box, that carry `total` together.
void fill_box(MaterialParticles& particles, int side, int species, double total, std::uint32_t seed) {
    for (int c = 0; c < side * side * side; ++c) {
        const auto u = uniform4({.seed = seed}, std::uint32_t(c), std::uint32_t(species));
        const Vec3f corner(float(c % side), float(c / side % side), float(c / side / side));
        particles.add({.position = (corner + Vec3f(u[0], u[1], u[2])) / float(side), .amount = total / (side * side * side), .species = std::uint8_t(species)});
    }
}

/// A closed unit box of gas.
struct Box {
    const Mechanism& mechanism;
    std::vector<double> start;      ///< concentrations
    std::vector<bool> eulerian;
    Controls controls;
    int side = 8, sweeps = 1;
    MaterialParticles particles = {};
    std::vector<double> deposited = {};
    long born = 0, removed = 0;
    CarrierParams params = {};
    Surroundings gas = {.domain = {.cells = {20, 20, 20}, .origin = {}, .h = 0.05}, .closed = {true, true, true, true, true, true}};
    Effects effects = {};
    double heat = 0, expansion = 0;

    Box(const Mechanism& m, std::vector<double> amounts, std::vector<bool> is_field, const ControlTexts& texts = {})
        : mechanism(m), start(std::move(amounts)), eulerian(std::move(is_field)), controls(m, texts) {}

    Box& seed(int per_side) {
        side = per_side;
        for (std::size_t s = 0; s < start.size(); ++s)
            if (start[s] > 0) fill_box(particles, side, int(s), start[s], 1);
        const double each = 1.0 / (side * side * side);
        params.radius = 0.2, params.max_amount = 1.5 * each, params.min_amount = 1e-3 * each;
        deposited.assign(start.size(), 0);
        return *this;
    }
    Box& run(double time, int steps) {
        ParticleKinetics kinetics(controls, params, eulerian);
        for (int n = 0; n < steps * sweeps; ++n) {
            const double dt = time / steps / sweeps;
            const SweepReport report = kinetics.sweep(gas, n * dt, dt, {.seed = 7, .step = std::uint32_t(n)}, particles, effects);
            EXPECT_EQ(report.failed, 0);
            born += report.born;
            for (std::size_t e = 0; e < kinetics.eulerian_species().size(); ++e)
                for (const double mol : effects.products[e]) deposited[std::size_t(kinetics.eulerian_species()[e])] += mol;
            for (const double k : effects.heat) heat += k;
            for (const double v : effects.expansion) expansion += v;
            if ((n + 1) % sweeps == 0) removed += kinetics.remove_small(particles);
        }
        return *this;
    }
    double amount(int species) const { return particles.total(species) + deposited[std::size_t(species)]; }
    /// Largest departure from the zero-dimensional reactor, as a share of all there is.
    double error(double time) const {
        const chem::Network network(mechanism);
        chem::CellState state{.temperature = 293.15, .volume = 1, .amounts = start};
        react_along(network, state, time, {.relative = 1e-7}, [](const chem::CellState&, const chem::Rates&) {});
        double worst = 0, total = 0;
        for (const double n : start) total += n;
        for (std::size_t s = 0; s < start.size(); ++s) worst = std::max(worst, std::abs(amount(int(s)) - state.amounts[s]));
        return worst / total;
    }
};

Box fire() { return Box(shipped("campfire"), {1, 1.5, 0}, {false, false, true}); }
Box chain(const ControlTexts& texts = {}) { return Box(shipped("chain"), {1, 1, 0, 0, 0, 0}, {false, false, true, false, false, false}, texts); }

TEST(particle_kinetics, a_well_mixed_box_follows_the_reactor_and_converges_to_it) {
    const double few = fire().seed(5).run(1, 4).error(1), many = fire().seed(12).run(1, 4).error(1);
    EXPECT_LT(few, 0.02);
    EXPECT_LT(many, 0.006);
    EXPECT_LT(many, 0.5 * few);
}

TEST(particle_kinetics, a_chain_explosion_follows_the_reactor_and_converges_to_it) {
    const double few = chain().seed(5).run(1, 8).error(1), many = chain().seed(10).run(1, 8).error(1);
    EXPECT_LT(few, 0.025);
    EXPECT_LT(many, 0.01);
    EXPECT_LT(many, 0.6 * few);
}

TEST(particle_kinetics, one_sweep_is_as_good_as_ten) {
    Box one = fire().seed(8), ten = fire().seed(8);
    ten.sweeps = 10;
    one.run(1, 4), ten.run(1, 4);
    for (int s = 0; s < 3; ++s) EXPECT_NEAR(one.amount(s), ten.amount(s), 0.005);
}

TEST(particle_kinetics, a_fast_reaction_ends_within_one_sweep) {
    const Mechanism burst = from("species: [A, B]\nreactions:\n- {equation: A => B, rate: 1000}\n");
    Box box(burst, {1, 0}, {false, true});
    box.seed(8).run(0.1, 1);
    EXPECT_LT(box.amount(0), 1e-6) << "exp(-100) is left by the reactor";
}

TEST(particle_kinetics, every_total_stays_to_round_off_with_birth_and_removal) {
    Box box = chain();
    box.seed(6);
    box.params.min_amount = 0.2 / 216;
    const chem::Network network(box.mechanism);
    const auto totals = [&] {
        std::vector<double> sums;
        for (const auto& w : network.invariants()) {
            double sum = 0;
            for (std::size_t k = 0; k < w.size(); ++k) sum += w[k] * box.amount(network.states()[k]);
            sums.push_back(sum);
        }
        return sums;
    };
    ASSERT_FALSE(network.invariants().empty());
    const std::vector<double> before = totals();
    box.run(2, 10);
    EXPECT_GT(box.born, 100);
    EXPECT_GT(box.removed, 50);
    for (std::size_t t = 0; t < before.size(); ++t) EXPECT_NEAR(totals()[t], before[t], 1e-12 * std::max(1.0, std::abs(before[t])));
    for (const double n : box.particles.amount) EXPECT_GE(n, 0);
}

TEST(particle_kinetics, carriers_are_neither_overloaded_nor_missing) {
    Box box = chain();
    box.seed(6).run(1, 8);
    std::vector<double> sum(6, 0), number(6, 0);
    for (int i = 0; i < box.particles.count(); ++i) sum[box.particles.species[std::size_t(i)]] += box.particles.amount[std::size_t(i)], ++number[box.particles.species[std::size_t(i)]];
    for (int s : {3, 4, 5}) {
        EXPECT_GT(number[std::size_t(s)], 60);
        EXPECT_LT(sum[std::size_t(s)] / number[std::size_t(s)], 1.2 * box.params.max_amount);
    }
    EXPECT_EQ(number[2], 0) << "a field has no carriers";
}

TEST(particle_kinetics, newborn_stay_in_the_box) {
    Box box = chain();
    box.seed(5).run(0.5, 2);
    for (const Vec3f& p : box.particles.position)
        for (int axis = 0; axis < 3; ++axis) EXPECT_TRUE(p[axis] > 0 && p[axis] < 1);
}

TEST(particle_kinetics, a_small_particle_without_fellows_keeps_what_it_has) {
    Box box = fire();
    box.seed(3);
    box.particles = {};
    box.particles.add({.position = {0.5f, 0.5f, 0.5f}, .amount = 1e-9, .species = 0});
    ParticleKinetics kinetics(box.controls, box.params, box.eulerian);
    EXPECT_EQ(kinetics.remove_small(box.particles), 0);
    for (int i = 0; i < 5; ++i) box.particles.add({.position = {0.5f, 0.52f + 0.02f * float(i), 0.5f}, .amount = 1, .species = 0});
    EXPECT_EQ(kinetics.remove_small(box.particles), 1);
    EXPECT_EQ(box.particles.count(), 5);
    EXPECT_EQ(box.particles.amount[0], 1 + 1e-9) << "the nearest has it";
}

TEST(particle_kinetics, threads_and_lanes_change_no_bit) {
    const auto run = [](int threads, int lanes) {
        const ThreadLimit limit(threads);
        Box box = chain({.heat = {"100*r5", {}}});
        box.seed(6);
        box.params.lanes = lanes;
        box.run(0.6, 3);
        return std::pair(box.particles.save(), box.effects.heat);
    };
    const auto reference = run(1, 1);   // one thread, one visit after the other
    EXPECT_EQ(run(2, chem::ParcelReactor::lanes), reference);
    EXPECT_EQ(run(1, 3), reference);
}

/// The paper's loop, one particle after the other in an order drawn with other dice, all others looked at, the reactions A + B => 2 C of one visit
/// by small steps of the midpoint rule. Nothing is shared with the code that is tested but the rule: V = ∫ f, c = Σ f n / V, a visit lasts dt / N.
struct PlainLoop {
    struct Particle {
        Vec3d x;
        int species;
        double n;
    };
    std::vector<Particle> particles;
    double r, k, made = 0;
    double share_in_box(const Vec3d& x) const {   // of the kernel inside the unit box, by a lattice
        double in = 0, all = 0;
        const int m = 12;
        for (int c = 0; c < m * m * m; ++c) {
            const Vec3d d = (Vec3d(c % m + 0.5, c / m % m + 0.5, c / m / m + 0.5) * (2.0 / m) - Vec3d(1)) * r, p = x + d;
            if (dot(d, d) > r * r) continue;
            const double w = std::exp(-0.5 * dot(d, d) / (r * r));
            all += w;
            if (p.x > 0 && p.y > 0 && p.z > 0 && p.x < 1 && p.y < 1 && p.z < 1) in += w;
        }
        return in / all;
    }
    void sweep(double dt, std::uint32_t round) {
        double whole = 0;   // ∫ f by shells
        for (int s = 0; s < 2000; ++s) {
            const double d = (s + 0.5) / 2000;
            whole += 4 * std::numbers::pi * d * d * std::exp(-0.5 * d * d) / 2000;
        }
        std::vector<std::pair<float, std::size_t>> order;
        for (std::size_t i = 0; i < particles.size(); ++i) order.emplace_back(uniform4({.seed = 99, .step = round}, std::uint32_t(i))[0], i);
        std::ranges::sort(order);
        for (const auto& [dice, i] : order) {
            if (particles[i].n <= 0) continue;
            std::vector<std::pair<std::size_t, double>> near;
            double visitors = 0, a = 0, b = 0;
            for (std::size_t j = 0; j < particles.size(); ++j) {
                const Vec3d d = particles[j].x - particles[i].x;
                if (dot(d, d) > r * r) continue;
                const double f = std::exp(-0.5 * dot(d, d) / (r * r));
                near.emplace_back(j, f), visitors += particles[j].n > 0 ? f : 0;
                (particles[j].species == 0 ? a : b) += f * particles[j].n;
            }
            const double V = whole * r * r * r * share_in_box(particles[i].x);
            double ca = a / V, cb = b / V;
            for (int s = 0; s < 20; ++s) {
                const double h = dt / visitors / 20, half = 0.5 * h * k * ca * cb, rate = k * (ca - half) * (cb - half);
                ca -= h * rate, cb -= h * rate;
            }
            const double kept_a = a > 0 ? 1 - ca * V / a : 0, kept_b = b > 0 ? 1 - cb * V / b : 0;
            made += 2 * (a - ca * V);
            for (const auto& [j, f] : near) particles[j].n *= 1 - f * (particles[j].species == 0 ? kept_a : kept_b);
        }
    }
};

TEST(particle_kinetics, agrees_with_a_plain_loop_over_the_particles_written_by_itself) {
    Box box = fire().seed(6);
    PlainLoop plain{.particles = {}, .r = 0.2, .k = 0};
    plain.k = std::get<chem::Arrhenius>(shipped("campfire").reactions[0].rate).A;
    for (int i = 0; i < box.particles.count(); ++i)
        plain.particles.push_back({Vec3d(box.particles.position[std::size_t(i)]), box.particles.species[std::size_t(i)], box.particles.amount[std::size_t(i)]});
    box.run(1, 4);
    for (std::uint32_t n = 0; n < 4; ++n) plain.sweep(0.25, n);
    EXPECT_GT(box.amount(2), 0.5);
    EXPECT_NEAR(box.amount(2), plain.made, 0.01 * plain.made);
    // And particle by particle: where one is used up, so it is in the other.
    double difference = 0, all = 0;
    for (int i = 0; i < box.particles.count(); ++i) {
        const Vec3d at(box.particles.position[std::size_t(i)]);
        for (const PlainLoop::Particle& p : plain.particles)
            if (p.x == at && p.species == box.particles.species[std::size_t(i)]) difference += std::abs(p.n - box.particles.amount[std::size_t(i)]), all += p.n;
    }
    ASSERT_GT(all, 0.3);
    EXPECT_LT(difference / all, 0.1);
}

TEST(particle_kinetics, the_colours_of_blocks_take_turns_in_another_order_each_sweep) {
    // Two parcels that share one particle of B: whoever comes first takes more of it. Over many sweeps neither is favoured.
    double left = 0, right = 0;
    for (std::uint32_t step = 0; step < 200; ++step) {
        Box box(shipped("campfire"), {1, 1, 0}, {false, false, true});
        box.seed(2);
        box.particles = {};
        box.params.min_carriers = 1;
        for (const float x : {0.33f, 0.47f}) box.particles.add({.position = {x, 0.5f, 0.5f}, .amount = 1e-2, .species = 0});   // in blocks of 0.4 m side by side
        box.particles.add({.position = {0.4f, 0.5f, 0.5f}, .amount = 1e-3, .species = 1, .body = 0});   // visited by the others alone
        ParticleKinetics kinetics(box.controls, box.params, box.eulerian);
        kinetics.sweep(box.gas, 0, 30, {.seed = 7, .step = step}, box.particles, box.effects);
        for (int i = 0; i < box.particles.count(); ++i)
            if (box.particles.species[std::size_t(i)] == 0) (box.particles.position[std::size_t(i)].x < 0.4f ? left : right) += 1e-2 - box.particles.amount[std::size_t(i)];
    }
    EXPECT_GT(left + right, 0.02);
    EXPECT_NEAR(left / (left + right), 0.5, 0.05);
}

TEST(particle_kinetics, heat_and_expansion_follow_the_mean_rates) {
    Box box(shipped("campfire"), {1, 1.5, 0}, {false, false, true}, {.heat = {"100*r1", {}}, .expansion = {"3*r1 + 0*T", {}}});
    box.seed(6).run(0.5, 3);
    const double extent = 0.5 * box.deposited[2];   // two S3 a turn
    EXPECT_NEAR(box.heat, 100 * extent, 1e-9);
    EXPECT_NEAR(box.expansion, 3 * extent, 1e-9);
}

TEST(particle_kinetics, hot_gas_reacts_faster_where_the_rate_says_so) {
    const Mechanism hot = from("species: [A, B]\nreactions:\n- {equation: A => B, rate: 'if(T > 500, 5, 0)'}\n");
    Box box(hot, {1, 0}, {false, true});
    field::Grid excess{field::Layout({20, 20, 20})};
    for (int k = 0; k < 20; ++k)
        for (int j = 0; j < 20; ++j)
            for (int i = 0; i < 10; ++i) excess(i, j, k) = 600;
    box.gas.excess = &excess;
    box.seed(8).run(1, 4);
    double cold = 0, warm = 0;
    for (int i = 0; i < box.particles.count(); ++i) (box.particles.position[std::size_t(i)].x < 0.5f ? warm : cold) += box.particles.amount[std::size_t(i)];
    EXPECT_LT(warm, 0.15);
    EXPECT_GT(cold, 0.35);
}

TEST(particle_kinetics, nothing_reacts_in_gas_below_min_temperature_and_the_warm_keep_their_pace) {
    const Mechanism turn = from("species: [A, B]\nreactions:\n- {equation: A => B, rate: 1}\n");
    field::Grid excess{field::Layout({20, 20, 20})};
    for (int k = 0; k < 20; ++k)
        for (int j = 0; j < 20; ++j)
            for (int i = -2; i < 10; ++i) excess(i, j, k) = 600;
    const auto kept = [&](double min_temperature) {
        Box box(turn, {1, 0}, {false, true});
        box.gas.excess = &excess;
        box.seed(8).params.min_temperature = min_temperature;
        box.run(0.5, 4);
        std::array<double, 2> deep{};   // well inside the warm half and the cold half, over the radius of influence
        for (int i = 0; i < box.particles.count(); ++i) {
            const float x = box.particles.position[std::size_t(i)].x;
            if (std::abs(x - 0.5f) > 0.25f) deep[x > 0.5f] += box.particles.amount[std::size_t(i)];
        }
        return deep;
    };
    const auto all = kept(0), some = kept(500);
    EXPECT_NEAR(some[0], all[0], 1e-3 * all[0]);
    EXPECT_NEAR(some[1], 0.25, 1e-9) << "cold";
    EXPECT_LT(all[1], 0.2);
}

TEST(particle_kinetics, species_below_min_concentration_do_not_react) {
    const auto left = [&](double min_concentration) {
        Box box = fire();
        box.start = {1, 1e-3, 0};
        box.seed(8).params.min_concentration = min_concentration;
        return box.run(0.5, 2).amount(1);
    };
    EXPECT_LT(left(1e-6), 0.9e-3);
    EXPECT_NEAR(left(1e-2), 1e-3, 1e-15);
}

TEST(particle_kinetics, a_glued_catalyst_works_but_is_not_used_up) {
    const Mechanism turn = from("species: [A, B, K]\nreactions:\n- {equation: A + K => B + K, rate: 3}\n");
    Box box(turn, {1, 0, 0}, {false, true, false});
    box.seed(8);
    for (int n = 0; n < 40; ++n) {
        const auto u = uniform4({.seed = 5}, std::uint32_t(n));
        box.particles.add({.position = {u[0], u[1], 0.3f}, .amount = 0.02, .species = 2, .body = 0});
    }
    box.run(1, 3);
    EXPECT_NEAR(box.amount(2), 0.8, 1e-12);
    double near = 0, far = 0;
    for (int i = 0; i < box.particles.count(); ++i) {
        const float z = box.particles.position[std::size_t(i)].z;
        if (box.particles.species[std::size_t(i)] == 0) (z < 0.75f ? near : far) += box.particles.amount[std::size_t(i)];
    }
    EXPECT_LT(near, 0.6);
    EXPECT_NEAR(far, 0.25, 1e-9) << "out of reach";
}

flow::Solids solid(const field::Domain& domain, const geom::Shape& shape, const Vec3d& position) {
    static std::vector<geom::Body> bodies(1);
    bodies[0] = {.name = "body", .shape = shape, .motion = {.position = Curve<Vec3d>{position}}};
    flow::Solids solids;
    rasterize(domain, bodies, 0, solids);
    return solids;
}

TEST(particle_kinetics, a_sphere_of_influence_beside_a_flat_body_is_cut_as_by_a_wall) {
    const field::Domain domain{.cells = {24, 24, 24}, .origin = {}, .h = 1.0 / 24};
    for (const double radius : {0.06, 0.12, 0.2}) {
        const Influence influence(radius);
        const flow::Solids plate = solid(domain, geom::Box{.size = {3, 3, 1.02}}, {0.5, 0.5, -0.2});   // up to z = 0.31
        for (const double d : {0.01, 0.3, 0.6, 0.9, 1.2})
            EXPECT_NEAR(OpenShare()(domain, &plate, {0.47f, 0.52f, float(0.31 + d * radius)}, radius), influence.share_inside(d * radius), 0.015) << radius << " " << d;
    }
    EXPECT_EQ(OpenShare()(domain, nullptr, Vec3f(0.5f), 0.1), 1);
}

TEST(particle_kinetics, a_sphere_of_influence_beside_a_ball_loses_what_the_ball_takes) {
    const field::Domain domain{.cells = {24, 24, 24}, .origin = {}, .h = 1.0 / 24};
    const flow::Solids ball = solid(domain, geom::Sphere{.radius = 0.15}, {0.5, 0.5, 0.5});
    const Influence influence(0.12);
    const Vec3d place(0.5 + 0.16 / std::sqrt(2.0), 0.5, 0.5 + 0.16 / std::sqrt(2.0));
    double all = 0, free = 0;   // the kernel over a fine lattice
    const int n = 80;
    for (int c = 0; c < n * n * n; ++c) {
        const Vec3d d = (Vec3d(c % n + 0.5, c / n % n + 0.5, c / n / n + 0.5) / double(n) - Vec3d(0.5)) * 0.24;
        if (dot(d, d) > 0.0144) continue;
        const double w = std::exp(-0.5 * dot(d, d) / 0.0144);
        all += w, free += length(place + d - Vec3d(0.5)) > 0.15 ? w : 0;
    }
    EXPECT_NEAR(OpenShare()(domain, &ball, Vec3f(place), 0.12), free / all, 0.02);
    EXPECT_LT(free / all, 0.8);
}

TEST(particle_kinetics, gas_beside_a_body_reacts_at_its_own_concentration) {
    // A plate fills the lower half of the box; the gas above follows the reactor only if its parcels do not count the plate.
    const auto error = [](bool with_plate) {
        const Mechanism meet = from("species: [A, B, C]\nreactions:\n- {equation: A + B => C, rate: 2}\n");
        Box box(meet, {0.5, 0.5, 0}, {false, false, true});
        box.seed(12);
        for (Vec3f& p : box.particles.position) p.z = 0.5f + 0.5f * p.z;
        const flow::Solids plate = solid(box.gas.domain, geom::Box{.size = {3, 3, 1}}, {0.5, 0.5, 0});
        if (with_plate) box.gas.solids = &plate;
        box.run(0.5, 4);
        return box.amount(0) / 0.5 - 1 / (1 + 2 * 0.5);   // [A] = [B] = 1 in half a cubic metre
    };
    EXPECT_LT(std::abs(error(true)), 0.01);
    EXPECT_GT(std::abs(error(false)), 2 * std::abs(error(true)));
}

TEST(particle_kinetics, particles_of_different_radii_follow_the_reactor_together) {
    const auto error = [](float others) {
        Box box = fire().seed(10);
        for (std::size_t i = 0; i < box.particles.radius.size(); i += 2) box.particles.radius[i] = others;
        return box.run(1, 4).error(1);
    };
    EXPECT_LT(error(0), 0.01);
    EXPECT_LT(error(0.13f), 0.015);
    EXPECT_LT(error(0.28f), 0.015);
}

TEST(particle_kinetics, a_particle_meets_what_is_within_its_own_radius) {
    const auto left = [](float radius) {
        Box box = fire();
        box.seed(4);
        box.particles = {};
        box.particles.add({.position = {0.4f, 0.5f, 0.5f}, .amount = 1e-3, .species = 0, .radius = radius});
        box.particles.add({.position = {0.5f, 0.5f, 0.5f}, .amount = 1e-3, .species = 1, .radius = radius});
        return box.run(1, 2).amount(0);
    };
    EXPECT_EQ(left(0.09f), 1e-3);
    EXPECT_LT(left(0.12f), 0.9e-3);
    EXPECT_LT(left(0), 1e-3) << "0.2 m, as all";
}

TEST(particle_kinetics, too_many_particles_end_the_run_with_a_remedy) {
    for (const double part : {1.0, 1e-15}) {   // also where their number has more digits than an int
        Box box = chain();
        box.seed(5);
        box.params.limit = 260, box.params.max_amount *= part, box.params.min_amount *= part;
        try {
            box.run(1, 4);
            FAIL();
        } catch (const RunError& error) {
            EXPECT_NE(std::strstr(error.what(), "chemistry.particles.limit"), nullptr) << error.what();
        }
    }
}

TEST(particle_kinetics, the_influence_integrates_to_one_and_knows_walls) {
    const Influence influence(0.3);
    double sum = 0, below = 0;
    const int n = 60;
    for (int c = 0; c < n * n * n; ++c) {
        const Vec3d p = (Vec3d(c % n + 0.5, c / n % n + 0.5, c / n / n + 0.5) / double(n) - Vec3d(0.5)) * 0.6;
        if (dot(p, p) > 0.09) continue;
        const double w = double(influence.shape(float(dot(p, p)))) / influence.volume * std::pow(0.6 / n, 3);
        sum += w;
        if (p.z < 0.12) below += w;
    }
    EXPECT_NEAR(sum, 1, 2e-3);
    EXPECT_NEAR(influence.share_inside(0.12), below, 2e-3);
    EXPECT_NEAR(influence.share_inside(0), 0.5, 1e-12);
    EXPECT_EQ(influence.share_inside(0.31), 1);
    EXPECT_NEAR(double(influence.shape(0.09f)), std::exp(-0.5), 1e-6);
}

}  // namespace
}  // namespace phlo::models
