#include "models/gas/vortices.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/parallel.h"

namespace phlo::models {
namespace {

const field::Domain domain{.cells = {24, 24, 24}, .origin = {0, 0, 0}, .h = 0.1};

VortexParticles one(const Vec3f& at, const Vec3f& omega) { return {.position = {at}, .vorticity = {omega}, .life = {1}}; }

TEST(vortices, the_force_is_that_of_selle) {
    const VortexParams params{.confinement = 0.7, .radius = 0.5};
    const Vec3f at(1.23f, 1.18f, 1.21f), omega(0, 0, 5);
    field::MacGrid u{field::Layout(domain.cells)};
    stir(params, domain, 0.01, nullptr, one(at, omega), u);
    for (const Vec3i& face : {Vec3i(12, 9, 12), Vec3i(10, 13, 11)}) {
        const Vec3d d = Vec3d(at) - domain.face_center(0, face.x, face.y, face.z);
        const Vec3d f = cross(d / length(d), Vec3d(omega)) * (0.7 * 0.1 * std::exp(-dot(d, d) / (2 * 0.25 * 0.25)));
        EXPECT_NEAR(u.x(face.x, face.y, face.z), 0.01 * f.x, 1e-6);
    }
    EXPECT_EQ(u.x(12, 4, 12), 0) << "out of reach";
    for (int k = 0; k < 24; ++k)
        for (int j = 0; j < 24; ++j)
            for (int i = 0; i < 24; ++i) ASSERT_EQ(u.z(i, j, k), 0) << "along the axis nothing is pushed";
}

TEST(vortices, it_turns_the_gas_about_its_axis) {
    field::MacGrid u{field::Layout(domain.cells)};
    stir({.radius = 0.6}, domain, 1, nullptr, one({1.2f, 1.2f, 1.2f}, {0, 0, 3}), u);
    double turn = 0, drift_x = 0;
    for (int k = 0; k < 24; ++k)
        for (int j = 0; j < 24; ++j)
            for (int i = 0; i <= 24; ++i) {
                turn += -(domain.face_center(0, i, j, k).y - 1.2) * double(u.x(i, j, k));
                if (i < 24) turn += (domain.face_center(1, i, j, k).x - 1.2) * double(u.y(i, j, k));
                drift_x += double(u.x(i, j, k));
            }
    EXPECT_GT(std::abs(turn), 0.1);
    EXPECT_NEAR(drift_x, 0, 1e-4 * std::abs(turn)) << "it stirs and does not blow";
}

TEST(vortices, walls_and_closed_faces_stay) {
    field::MacGrid u{field::Layout(domain.cells)};
    stir({.radius = 0.8}, domain, 1, nullptr, one({0.1f, 1.2f, 1.2f}, {0, 2, 3}), u);
    for (int k = 0; k < 24; ++k)
        for (int j = 0; j < 24; ++j) ASSERT_EQ(u.x(0, j, k), 0);
}

TEST(vortices, they_are_born_where_reactions_are_with_vorticity_along_the_slope_of_the_rate) {
    MaterialParticles particles;
    Effects effects;
    for (int c = 0; c < 1000; ++c) {
        const Vec3f at(0.75f + 0.1f * float(c % 10), 0.75f + 0.1f * float(c / 10 % 10), 0.75f + 0.1f * float(c / 100));
        particles.add({.position = at, .amount = 1});
        effects.rate.push_back(2 * at.x + 1 * at.z);
        effects.vortices.push_back(0.5);
        effects.vortex_strength.push_back(at.y < 1.2f ? 7 : 3);
    }
    VortexParticles vortices;
    const long born = spawn({.radius = 0.2, .life = 1}, {.domain = domain}, particles, effects, 0.25, {.seed = 3}, vortices).number;
    EXPECT_NEAR(double(born), 500, 80);
    Vec3d mean;
    for (int v = 0; v < vortices.count(); ++v) {
        const double strength = double(length(vortices.vorticity[std::size_t(v)])), y = double(vortices.position[std::size_t(v)].y);
        EXPECT_NEAR(strength, strength > 5 ? 7 : 3, 1e-4);
        EXPECT_TRUE(strength > 5 ? y < 1.45 : y > 0.95) << "each has the strength of the place where it was born";
        mean += Vec3d(vortices.vorticity[std::size_t(v)]) / double(vortices.count());
    }
    EXPECT_NEAR(mean.x / mean.z, 2, 0.3);
    EXPECT_NEAR(mean.y, 0, 0.3);
    VortexParticles few;
    effects.vortices.assign(1000, 1e15);   // what a careless expression may ask for
    EXPECT_TRUE(spawn({.radius = 0.2, .limit = 50}, {.domain = domain}, particles, effects, 0.25, {.seed = 3}, few).limited);
    EXPECT_EQ(few.count(), 50);
    effects.vortices.assign(1000, 0);
    EXPECT_EQ(spawn({}, {.domain = domain}, particles, effects, 0.25, {.seed = 3}, vortices).number, 0);
}

TEST(vortices, they_drift_die_and_leave) {
    field::MacGrid u{field::Layout(domain.cells)};
    u.x.fill(1);
    VortexParticles vortices{.position = {{1, 1, 1}, {2.3f, 1, 1}, {1, 1, 1}}, .vorticity = {{1, 0, 0}, {1, 0, 0}, {1, 0, 0}}, .life = {1, 1, 0.1f}};
    drift(domain, u, nullptr, 0.2, vortices);
    ASSERT_EQ(vortices.count(), 1);
    EXPECT_NEAR(vortices.position[0].x, 1.2, 1e-6);
}

TEST(vortices, threads_change_no_bit) {
    VortexParticles many;
    for (int n = 0; n < 60; ++n) {
        const auto r = uniform4({.seed = 8}, std::uint32_t(n));
        many.position.push_back(Vec3f(r[0], r[1], r[2]) * 2.4f), many.vorticity.push_back({r[3], 1, 0}), many.life.push_back(1);
    }
    field::MacGrid u[2];
    for (int threads : {1, 2}) {
        const ThreadLimit limit(threads);
        u[threads - 1] = field::MacGrid(field::Layout(domain.cells));
        stir({.radius = 0.3}, domain, 0.1, nullptr, many, u[threads - 1]);
    }
    for (int axis = 0; axis < 3; ++axis) EXPECT_TRUE(std::ranges::equal(u[0][axis].storage(), u[1][axis].storage()));
}

}  // namespace
}  // namespace phlo::models
