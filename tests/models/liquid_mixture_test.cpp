// Several liquids in one: what is carried, poured, thrown and taken back is kept, liquid by liquid.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "base/parallel.h"
#include "field/liquid_shares.h"
#include "models/liquid/friction.h"
#include "liquid_cup.h"
#include "models/liquid/liquid.h"
#include "particles/columns.h"

namespace phlo::models {
namespace {

constexpr int n = 24;
constexpr double h = 1.0 / n;
const field::Layout layout(Vec3i(n, n, n));

/// Eddies in a closed box, without divergence on the grid: differences of a stream function at the corners.
field::MacGrid eddies() {
    const auto psi = [](int i, int j) {
        const double pi = std::numbers::pi;
        return std::sin(pi * i * h) * std::sin(pi * j * h) * (1 + std::sin(2 * pi * i * h)) / pi;
    };
    field::MacGrid u(layout);
    for (int k = 0; k < n; ++k)
        for (int j = 0; j <= n; ++j)
            for (int i = 0; i <= n; ++i) {
                if (j < n) u.x(i, j, k) = float((psi(i, j + 1) - psi(i, j)) / h);
                if (i < n) u.y(i, j, k) = float(-(psi(i + 1, j) - psi(i, j)) / h);
            }
    return u;
}

/// A ball of the second liquid, and a block of the third.
Mixture ball_and_block() {
    Mixture mixture(layout, 3);
    for (int k = 0; k < n; ++k)
        for (int j = 0; j < n; ++j)
            for (int i = 0; i < n; ++i) {
                const Vec3d p = Vec3d(i + 0.5, j + 0.5, k + 0.5) * h;
                if (length(p - Vec3d(0.5, 0.75, 0.5)) < 0.15) mixture.set(i, j, k, only(1));
                if (p.y < 0.2) mixture.set(i, j, k, only(2));
            }
    return mixture;
}

void expect_shares(const Mixture& mixture) {
    const Vec3i cells = mixture.part.layout().cells();
    for (int k = 0; k < cells.z; ++k)
        for (int j = 0; j < cells.y; ++j)
            for (int i = 0; i < cells.x; ++i) {
                double sum = 0;
                for (const float c : mixture.in_cell(i, j, k)) {
                    ASSERT_GE(c, 0) << i << ' ' << j << ' ' << k;
                    ASSERT_LE(c, 1) << i << ' ' << j << ' ' << k;
                    sum += double(c);
                }
                ASSERT_NEAR(sum, 1, 1e-6) << i << ' ' << j << ' ' << k;
            }
}

TEST(mixture, folding_keeps_each_volume_and_shares_stay_shares) {
    Mixture mixture = ball_and_block();
    const field::MacGrid u = eddies();
    const field::Grid phi(layout, -1);
    field::Grid slopes(layout);
    const std::vector<double> before = volumes(mixture, phi, h, nullptr);
    for (int step = 0; step < 60; ++step)
        carry_shares({.dt = 0.05, .h = h, .x_first = step % 2 == 0}, u, phi, flow::TileSet(layout, true), {}, slopes, mixture);
    const std::vector<double> after = volumes(mixture, phi, h, nullptr);
    for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(after[k], before[k], 2e-6) << "liquid " << k;   // of a volume of 1
    expect_shares(mixture);
    int both = 0;
    for (int j = 0; j < n; ++j)
        for (int i = 0; i < n; ++i) both += mixture.share[1](i, j, n / 2) > 0.02f && mixture.share[2](i, j, n / 2) > 0.02f;
    EXPECT_GT(both, 10) << "they have met";
    EXPECT_EQ(mixture.share[1](n / 2, n / 2, 1), 0) << "planes without any stay without";
}

TEST(mixture, beyond_the_surface_is_what_is_at_it) {
    Mixture mixture(layout, 2);
    field::Grid phi(layout);
    for (int k = -2; k < n + 2; ++k)
        for (int j = -2; j < n + 2; ++j)
            for (int i = -2; i < n + 2; ++i) {
                phi(i, j, k) = float((k + 0.5) * h - 0.5);
                if (k < n / 2) mixture.set(i, j, k, only(i < n / 2 ? 0 : 1));
            }
    continue_shares(phi, h, mixture);
    for (int k = n / 2; k < n / 2 + 3; ++k) {
        EXPECT_EQ(mixture.share[1](3, 5, k), 0) << k;
        EXPECT_EQ(mixture.share[1](n - 3, 5, k), 1) << k;
    }
}

TEST(mixture, mending_gives_the_wanted_volumes_and_leaves_pure_cells_alone) {
    Mixture mixture = ball_and_block();
    const field::MacGrid u = eddies();
    const field::Grid phi(layout, -1);
    field::Grid slopes(layout);
    for (int step = 0; step < 30; ++step) carry_shares({.dt = 0.05, .h = h}, u, phi, flow::TileSet(layout, true), {}, slopes, mixture);
    const Mixture before = mixture;
    std::vector<double> wanted = volumes(mixture, phi, h, nullptr);
    const double more = 0.01 * wanted[1];
    wanted[1] += more, wanted[0] -= 1.5 * more, wanted[2] += 0.5 * more;
    const std::vector<double> changes = mend_shares(wanted, 0.5, h, nullptr, mixture);
    const std::vector<double> after = volumes(mixture, phi, h, nullptr);
    for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(after[k], wanted[k], 0.02 * more) << k;
    EXPECT_NEAR(changes[1], more, 0.02 * more);
    expect_shares(mixture);
    for (int k = 0; k < n; ++k)
        for (int j = 0; j < n; ++j)
            for (int i = 0; i < n; ++i)
                for (std::size_t m = 0; m < 3; ++m) {
                    const float was = before.share[m](i, j, k);
                    if (was == 1 || was == 0) {
                        ASSERT_EQ(mixture.share[m](i, j, k), was);
                    }
                }
}

TEST(mixture, its_viscosity_is_the_weighted_geometric_mean) {
    Mixture mixture(layout, 2);
    mixture.set(1, 2, 3, {0.5f, 0.5f});
    mixture.set(2, 2, 3, {0.25f, 0.75f});
    mixture.set(3, 2, 3, only(1));
    field::Grid nu(layout);
    LiquidSetup setup;
    setup.liquid.viscosity = 1e-6, setup.liquid.others = {{.substance = "syrup", .viscosity = 1e-2}};
    find_viscosity(ViscosityLaw(setup, {}), mixture, {}, nu);
    EXPECT_NEAR(nu(0, 0, 0), 1e-6, 1e-11);
    EXPECT_NEAR(nu(1, 2, 3), 1e-4, 1e-9);
    EXPECT_NEAR(nu(2, 2, 3), 1e-3, 1e-8);
    EXPECT_NEAR(nu(3, 2, 3), 1e-2, 1e-7);
}

TEST(mixture, a_drop_brings_its_liquids_into_the_water_it_meets) {
    const field::Domain domain{.cells = {n, n, n}, .origin = {}, .h = h};
    Mixture mixture(layout, 2), warmth(layout, 2);
    field::Grid phi(layout), divergence(layout);
    field::MacGrid u(layout);
    for (int k = -2; k < n + 2; ++k)
        for (int j = -2; j < n + 2; ++j)
            for (int i = -2; i < n + 2; ++i) phi(i, j, k) = float((k + 0.5) * h - 0.5);
    const float radius = float(0.2 * h);
    Drops drops{.position = {Vec3f(0.51f, 0.52f, 0.5f)}, .velocity = {Vec3f(0, 0, -1)}, .radius = {radius}, .shares = {{0.25f, 0.75f}}, .warmth = {{0.5f, 0.5f}}};
    const double volume = volume_of(drops), milk = volume_of(drops, &Drops::shares, 1);
    EXPECT_NEAR(milk, 0.75 * volume, 1e-9 * volume);
    EXPECT_NEAR(return_drops({.domain = domain, .phi = &phi, .u = &u, .dt = 0.01}, drops, u, divergence, mixture, warmth), volume, 1e-6 * volume);
    // Cells that grow by their divergence: (h^3 + V) c' = V c of the drop.
    double found = 0, hot = 0;
    for (int k = 0; k < n; ++k)
        for (int j = 0; j < n; ++j)
            for (int i = 0; i < n; ++i) {
                const double volume_now = (1 + 0.01 * double(divergence(i, j, k))) * h * h * h;
                found += double(mixture.share[1](i, j, k)) * volume_now, hot += double(warmth.share[1](i, j, k)) * volume_now;
            }
    EXPECT_NEAR(found, milk, 1e-5 * milk);
    EXPECT_NEAR(hot, 0.5 * volume, 1e-5 * volume) << "and its heat";
    Drops two{.position = {Vec3f(0.5f, 0.5f, 0.8f), Vec3f(0.5f, 0.5f, 0.8f)}, .velocity = {{}, {}}, .radius = {radius, radius}, .shares = {only(0), only(1)}, .warmth = {warm(1), warm(0.5)}};
    fly_drops({}, {.domain = domain, .phi = &phi, .u = &u, .dt = 1e-4}, two);
    ASSERT_EQ(particles::count(two), 1u);
    EXPECT_NEAR(two.shares[0][1], 0.5, 1e-6) << "two that become one mix";
    EXPECT_NEAR(two.warmth[0][1], 0.75, 1e-6) << "and share their heat";
}

// ---- in the model: milk is poured into coffee

LiquidSetup milk_into_coffee() {
    LiquidSetup setup;
    setup.liquid.substance = "coffee", setup.liquid.others = {{.substance = "milk"}};
    LiquidEmitter pool, jug;
    pool.name = "pool", pool.shape = geom::Box{.size = {1, 1, 0.08}};
    jug.name = "jug", jug.substance = "milk", jug.shape = geom::Box{.size = {0.02, 0.02, 0.012}}, jug.motion.position = Curve<Vec3d>(Vec3d(0.003, 0.002, 0.08));
    jug.mode = LiquidMode::pour, jug.velocity = Curve<Vec3d>(Vec3d(0, 0, -0.6));
    setup.emitters = {pool, jug};
    return setup;
}

constexpr double frame = 1.0 / 48;

TEST(liquid_mixture, milk_and_coffee_are_each_kept) {
    Liquid liquid(cup(), milk_into_coffee());
    const std::vector<double> start = liquid.volumes();
    double poured = 0, worst = 0;
    for (int f = 0; f < 12; ++f) {
        const FrameStats stats = liquid.advance(frame);
        poured += stats.ledger.at("milk").at("poured");
        EXPECT_FALSE(stats.ledger.at("coffee").contains("poured"));
        const double all = start[0] + start[1] + poured;
        worst = std::max({worst, std::fabs(stats.number("liquids.milk_drift")), std::fabs(stats.number("liquids.coffee_drift"))});
        EXPECT_NEAR(liquid.volumes()[0], start[0], 0.02 * all) << f;
        EXPECT_NEAR(liquid.volumes()[1], start[1] + poured, 0.02 * all) << f;
        expect_shares(liquid.mixture());
    }
    ::testing::Test::RecordProperty("worst_drift", std::to_string(worst));
    EXPECT_GT(poured, 0.02 * start[0]) << "enough to see";
}

TEST(liquid_mixture, what_drains_is_booked_by_liquid) {
    LiquidSetup setup = milk_into_coffee();
    setup.emitters.pop_back();
    LiquidEmitter milk, drain;
    milk.name = "milk", milk.substance = "milk", milk.shape = geom::Box{.size = {1, 1, 0.02}};   // the lower half of the lower half
    drain.name = "drain", drain.mode = LiquidMode::drain, drain.shape = geom::Box{.size = {0.03, 0.03, 0.01}};
    drain.motion.position = Curve<Vec3d>(Vec3d(0, 0, 0.002));
    drain.strength = Curve<double>({{0, 0}, {0.01, 0}, {0.011, 1}});
    setup.emitters.push_back(milk), setup.emitters.push_back(drain);
    Liquid liquid(cup(), setup);
    const std::vector<double> start = liquid.volumes();
    EXPECT_NEAR(start[1], 0.08 * 0.08 * 0.01, 1e-6);
    EXPECT_NEAR(start[0], 0.08 * 0.08 * 0.03, 1e-6);
    double drained_milk = 0, drained_coffee = 0;
    for (int f = 0; f < 4; ++f) {
        const FrameStats stats = liquid.advance(frame);
        const auto drained = [&](const char* name) {
            const auto found = stats.ledger.at(name).find("drained");
            return found == stats.ledger.at(name).end() ? 0.0 : found->second;
        };
        drained_milk -= drained("milk"), drained_coffee -= drained("coffee");
    }
    EXPECT_GT(drained_milk / (drained_milk + drained_coffee), start[1] / (start[0] + start[1])) << "it lies at the bottom";
    // How much there is in all is the level set's business; of what parts it is, the mixture's.
    const std::vector<double> now = liquid.volumes();
    const double milk_left = start[1] - drained_milk, coffee_left = start[0] - drained_coffee;
    EXPECT_NEAR(now[1] / (now[0] + now[1]), milk_left / (milk_left + coffee_left), 0.002);
}

TEST(liquid_mixture, heavy_liquid_sinks_and_what_falls_freely_does_not_feel_its_density) {
    const auto height_of = [](const Liquid& liquid, std::size_t which) {
        double sum = 0, weight = 0;
        const Vec3i cells = liquid.domain().cells;
        for (int k = 0; k < cells.z; ++k)
            for (int j = 0; j < cells.y; ++j)
                for (int i = 0; i < cells.x; ++i) {
                    const double part = std::clamp(0.5 - double(liquid.phi()(i, j, k)) / liquid.domain().h, 0.0, 1.0);
                    const double c = part * double(liquid.mixture().share[which](i, j, k));
                    weight += c, sum += c * liquid.domain().cell_center(i, j, k).z;
                }
        return sum / weight;
    };
    LiquidSetup setup = milk_into_coffee();
    setup.emitters.pop_back();
    LiquidEmitter ball;
    ball.name = "ball", ball.substance = "milk", ball.shape = geom::Sphere{.radius = 0.01}, ball.motion.position = Curve<Vec3d>(Vec3d(0, 0, 0.025));
    setup.emitters.push_back(ball);
    for (const double density : {1000.0, 1100.0, 900.0}) {
        setup.liquid.others[0].density = density;
        Liquid liquid(cup(), setup);
        const double before = height_of(liquid, 1);
        for (int f = 0; f < 6; ++f) liquid.advance(frame);
        const double risen = height_of(liquid, 1) - before;
        EXPECT_LT(density == 1000 ? std::fabs(risen) : density > 1000 ? risen + 1e-3 : 1e-3 - risen, density == 1000 ? 1e-5 : 0) << density;
    }
    setup.emitters = {ball};
    setup.emitters[0].motion.position = Curve<Vec3d>(Vec3d(0, 0, 0.08));
    double fallen[2];
    for (const int heavy : {0, 1}) {
        setup.liquid.others[0].density = heavy ? 2000 : 1000;
        Liquid liquid(cup(), setup);
        const double before = height_of(liquid, 1);
        for (int f = 0; f < 3; ++f) liquid.advance(0.02);
        fallen[heavy] = before - height_of(liquid, 1);
    }
    EXPECT_GT(fallen[0], 0.01);
    EXPECT_NEAR(fallen[1], fallen[0], 1e-3 * fallen[0]);
}

TEST(liquid_mixture, a_restart_and_any_number_of_threads_give_the_same_bits) {
    const auto run = [](int threads, bool restart) {
        const ThreadLimit limit(threads);
        auto liquid = std::make_unique<Liquid>(cup(), milk_into_coffee());
        for (int f = 0; f < 5; ++f) {
            liquid->advance(frame);
            if (!restart || f != 2) continue;
            auto next = std::make_unique<Liquid>(cup(), milk_into_coffee());
            StateView from = liquid->state(), to = next->state();
            for (std::size_t i = 0; i < from.fields.size(); ++i) std::ranges::copy(from.fields[i].values, to.fields[i].values.begin());
            for (std::size_t i = 0; i < from.numbers.size(); ++i) *to.numbers[i].value = *from.numbers[i].value;
            for (std::size_t i = 0; i < from.blocks.size(); ++i) to.blocks[i].load(from.blocks[i].save());
            liquid = std::move(next);
        }
        std::vector<float> bits;
        const Vec3i cells = liquid->domain().cells;
        for (const field::Grid* grid : {&liquid->phi(), &liquid->velocity().x, &liquid->velocity().z, &liquid->mixture().share[0], &liquid->mixture().share[1]})
            for (int k = 0; k < cells.z; ++k)
                for (int j = 0; j < cells.y; ++j) bits.insert(bits.end(), grid->row(j, k), grid->row(j, k) + cells.x);
        return bits;
    };
    const std::vector<float> reference = run(1, false);
    EXPECT_TRUE(run(2, false) == reference);
    EXPECT_TRUE(run(2, true) == reference);
}

TEST(liquid_mixture, a_frame_shows_shares_in_a_volume_that_its_mesh_and_its_drops_find) {
    Liquid liquid(cup(), milk_into_coffee());
    const field::Frame shown = liquid.show();
    const std::vector<field::LiquidShare> shares = field::liquid_shares(shown);
    ASSERT_EQ(shares.size(), 1u);
    EXPECT_EQ(shares[0].substance, "milk");
    ASSERT_EQ(shown.surfaces.size(), 1u);
    EXPECT_EQ(shown.surfaces[0].substance, "coffee");
    for (const Vec3f& p : shown.surfaces[0].mesh.points) ASSERT_NEAR(shares[0].at(p), p.z > 0.06f ? 1 : 0, 1e-4) << p.z;

    const field::Domain domain{.cells = {n, n, n}, .origin = {}, .h = h};
    field::Grid air(layout, 1), share(layout, 0);
    stamp_shares({.position = {Vec3f(0.52f, 0.41f, 0.33f)}, .velocity = {{}}, .radius = {0.01f}, .shares = {{0.25f, 0.75f}}, .warmth = {warm(0)}}, &Drops::shares, 1, domain, air, share);
    const field::LiquidShare stamped{"milk", {.name = "share_milk", .domain = domain, .grid = std::make_shared<field::Grid>(share)}};
    EXPECT_NEAR(stamped.at(Vec3f(0.52f, 0.41f, 0.33f)), 0.75, 1e-6);
}

}  // namespace
}  // namespace phlo::models
