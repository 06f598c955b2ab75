#include "models/gas/seeding.h"

#include <gtest/gtest.h>

#include <cmath>

#include "models/gas/particle_places.h"

namespace phlo::models {
namespace {

const field::Domain domain{.cells = {32, 32, 32}, .origin = {0, 0, 0}, .h = 1.0 / 32};

flow::Coverage covering(const geom::Shape& shape, const flow::Solids* solids = nullptr) {
    flow::Coverage coverage;
    cover(domain, {.shape = &shape, .pose = {.position = {0.5, 0.5, 0.5}, .rotation = {}}, .noise = {}}, 0, solids, coverage);
    return coverage;
}

TEST(seeding, the_number_goes_with_the_amount_and_the_sum_is_exact) {
    const geom::Shape ball(geom::Sphere{.radius = 0.3});
    const flow::Coverage coverage = covering(ball);
    const double volume = covered_volume(coverage, domain);
    EXPECT_NEAR(volume, ball.volume(), 0.01 * ball.volume());
    for (const double concentration : {1.0, 3.0}) {
        MaterialParticles particles;
        Feeder feeder;
        const double mol = concentration * volume;
        const double entered = feed(coverage, domain, {.species = 1, .amount = 1e-4}, mol, nullptr, {.seed = 1}, feeder, particles);
        EXPECT_EQ(particles.count(), int(mol / 1e-4));
        EXPECT_NEAR(particles.total(1), entered, 1e-12);
        EXPECT_NEAR(entered + feeder.pending, mol, 1e-12);
        EXPECT_LT(feeder.pending, 1e-4);
    }
}

TEST(seeding, places_are_more_even_than_dice) {
    const geom::Shape box(geom::Box{.size = {1, 1, 1}});
    flow::Coverage coverage = covering(box);
    std::ranges::fill(coverage.weight, 1.0f);
    MaterialParticles particles;
    Feeder feeder;
    feed(coverage, domain, {.species = 0, .amount = 1}, 4096, nullptr, {.seed = 4}, feeder, particles);
    ASSERT_EQ(particles.count(), 4096);
    std::vector<int> in_cell(512, 0);   // cubes of an eighth: eight particles each on average
    Vec3d mean;
    for (const Vec3f& p : particles.position) {
        ++in_cell[std::size_t(int(p.x * 8) + 8 * int(p.y * 8) + 64 * int(p.z * 8))];
        mean += Vec3d(p) / 4096.0;
    }
    double variance = 0;
    for (const int n : in_cell) variance += (n - 8.0) * (n - 8.0) / 512;
    EXPECT_LT(variance, 0.8) << "8 for dice";
    for (int axis = 0; axis < 3; ++axis) EXPECT_NEAR(mean[axis], 0.5, 0.005);
    double spread = 0;   // within a cell they are anywhere
    for (const Vec3f& p : particles.position) spread += std::pow(double(p.x * 32) - std::floor(double(p.x * 32)) - 0.5, 2) / 4096;
    EXPECT_NEAR(spread, 1.0 / 12, 0.01);
}

TEST(seeding, a_slow_trickle_is_fed_exactly) {
    const geom::Shape ball(geom::Sphere{.radius = 0.2});
    const flow::Coverage coverage = covering(ball);
    MaterialParticles particles;
    Feeder feeder;
    double entered = 0;
    for (std::uint32_t step = 0; step < 1000; ++step)
        entered += feed(coverage, domain, {.species = 0, .amount = 1e-3}, 0.37e-3, nullptr, {.seed = 1, .step = step}, feeder, particles);
    EXPECT_EQ(particles.count(), 370);
    EXPECT_NEAR(entered + feeder.pending, 0.37, 1e-9);
    for (const Vec3f& p : particles.position) EXPECT_LT(length(p - Vec3f(0.5f)), 0.2f + 2.0f / 32);
    EXPECT_NE(particles.position[0], particles.position[1]);
}

TEST(seeding, particles_start_with_the_velocity_of_their_source_or_of_the_gas) {
    const geom::Shape ball(geom::Sphere{.radius = 0.2});
    const flow::Coverage coverage = covering(ball);
    const auto fed = [&](const Feed& what) {
        MaterialParticles particles;
        Feeder feeder;
        feed(coverage, domain, what, 0.2, nullptr, {.seed = 1}, feeder, particles);
        EXPECT_EQ(particles.count(), 200);
        return particles.velocity;
    };
    for (const Vec3f& v : fed({.amount = 1e-3, .velocity = {0, 1, 2}})) EXPECT_EQ(v, Vec3f(0, 1, 2));
    field::MacGrid wind{field::Layout(domain.cells)};
    wind.x.fill(3);
    for (const Vec3f& v : fed({.amount = 1e-3, .gas = &wind})) EXPECT_FLOAT_EQ(v.x, 3);
    Vec3f mean;
    double farthest = 0;
    for (const Vec3f& v : fed({.amount = 1e-3, .gas = &wind, .velocity = {0, 0, 1}, .scatter = 0.5}))
        mean += v / 200, farthest = std::max(farthest, double(length(v - Vec3f(3, 0, 1))));
    EXPECT_NEAR(double(length(mean - Vec3f(3, 0, 1))), 0, 0.08);
    EXPECT_LE(farthest, 0.5001);
    EXPECT_GT(farthest, 0.45);
}

TEST(seeding, nothing_is_put_into_a_body) {
    const std::vector<geom::Body> bodies{{.name = "log", .shape = geom::Capsule{.radius = 0.12, .height = 0.4}, .motion = {.position = Curve<Vec3d>{Vec3d(0.5, 0.5, 0.5)}}}};
    flow::Solids solids;
    rasterize(domain, bodies, 0, solids);
    const geom::Shape shell(geom::Capsule{.radius = 0.14, .height = 0.4});   // hardly anything of it is outside the log
    const flow::Coverage coverage = covering(shell, &solids);
    MaterialParticles particles;
    Feeder feeder;
    feed(coverage, domain, {.species = 0, .amount = 1e-3}, 1, &solids, {.seed = 1}, feeder, particles);
    EXPECT_GT(particles.count(), 900);
    for (const Vec3f& p : particles.position) EXPECT_GT(bodies[0].signed_distance(Vec3d(p), 0), 0);
    EXPECT_NEAR(particles.total(0) + feeder.pending, 1, 1e-12) << "what found no room waits";
}

TEST(seeding, what_a_source_holds_is_counted) {
    const geom::Shape box(geom::Box{.size = {0.5, 0.5, 0.5}});
    const flow::Coverage coverage = covering(box);
    MaterialParticles particles;
    particles.add({.position = {0.5f, 0.5f, 0.5f}, .amount = 2, .species = 3});
    particles.add({.position = {0.5f, 0.5f, 0.5f}, .amount = 5, .species = 2});
    particles.add({.position = {0.9f, 0.5f, 0.5f}, .amount = 7, .species = 3});
    // Of those at its soft edge it counts a part, and as much more of the others: a filled source holds its volume's worth.
    const double held = held_inside(coverage, domain, 3, particles);
    EXPECT_GT(held, 2);
    MaterialParticles full;
    const double cell = domain.h * domain.h * domain.h;
    for (int k = 0; k < domain.cells.z; ++k)
        for (int j = 0; j < domain.cells.y; ++j)
            for (int i = 0; i < domain.cells.x; ++i) {
                const Vec3i p(i, j, k);
                const bool in = p.x >= coverage.first.x && p.y >= coverage.first.y && p.z >= coverage.first.z && p.x < coverage.last.x &&
                                p.y < coverage.last.y && p.z < coverage.last.z;
                if (in && coverage(i, j, k) > 0)
                    full.add({.position = Vec3f(domain.cell_center(i, j, k)), .amount = double(coverage(i, j, k)) * cell, .species = 3});
            }
    EXPECT_NEAR(held_inside(coverage, domain, 3, full), covered_volume(coverage, domain), 1e-6);
    particles.amount[0] *= 2;
    EXPECT_DOUBLE_EQ(held_inside(coverage, domain, 3, particles), 2 * held);
}

TEST(seeding, a_catalyst_is_glued_all_over_a_body_in_the_gas) {
    const std::vector<geom::Body> bodies{{.name = "ball", .shape = geom::Sphere{.radius = 0.2}, .motion = {.position = Curve<Vec3d>{Vec3d(0.5, 0.5, 0.5)}}}};
    flow::Solids solids;
    rasterize(domain, bodies, 0, solids);
    MaterialParticles particles;
    const int number = glue(domain, solids, 0, 4, 1000, 1e-3, 9, particles);
    EXPECT_NEAR(number, 1000 * 4 * std::numbers::pi * 0.04, 3);
    for (int i = 0; i < number; ++i) {
        EXPECT_TRUE(in_gas(domain, &solids, particles.position[std::size_t(i)]));
        EXPECT_LT(length(particles.position[std::size_t(i)] - Vec3f(0.5f)), 0.21f);
        EXPECT_EQ(particles.body[std::size_t(i)], 0);
    }
}

TEST(material_particles, saved_and_loaded_they_are_the_same) {
    MaterialParticles particles, other;
    for (int n = 0; n < 5; ++n) particles.add({.position = {float(n), 1, 2}, .amount = 0.1 * n, .species = std::uint8_t(n)});
    std::vector<std::uint8_t> dead{0, 1, 0, 0, 1};
    particles::remove_marked(dead, particles);
    other.load(particles.save());
    EXPECT_EQ(other.save(), particles.save());
    EXPECT_EQ(other.next_id, 5);
    EXPECT_EQ(other.id[1], 2u);
    const std::vector<char> data = particles.save();
    EXPECT_THROW(other.load(std::span(data).first(data.size() - 3)), std::exception);
}

}  // namespace
}  // namespace phlo::models
