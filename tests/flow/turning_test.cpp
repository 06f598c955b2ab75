#include "flow/turning.h"

#include <gtest/gtest.h>

namespace phlo::flow {
namespace {

constexpr int n = 16;
constexpr double h = 1.0 / n, dt = 0.05;

struct Blob {
    field::Layout layout{Vec3i(n)};
    field::Grid phi{layout, 1};
    field::MacGrid before{layout}, u{layout};
    field::Grid one{layout}, two{layout};
    MarchScratch scratch;

    /// A ball in the middle, with a velocity and what has pushed it in the step.
    template <class Velocity, class Push>
    Blob(const Velocity& velocity, const Push& push) {
        for (int k = 0; k < n; ++k)
            for (int j = 0; j < n; ++j)
                for (int i = 0; i < n; ++i) phi(i, j, k) = float(length((Vec3d(i, j, k) + Vec3d(0.5)) * h - Vec3d(0.5)) - 0.35);
        each_face([&](int axis, int i, int j, int k, const Vec3d& p) { u[axis](i, j, k) = float(velocity(p)[axis]), before[axis](i, j, k) = float((velocity(p) - push(p))[axis]); });
    }

    template <class Visit>
    void each_face(const Visit& visit) {
        for (int axis = 0; axis < 3; ++axis)
            for (int k = 1; k < n; ++k)
                for (int j = 1; j < n; ++j)
                    for (int i = 1; i < n; ++i) {
                        Vec3d p = (Vec3d(i, j, k) + Vec3d(0.5)) * h - Vec3d(0.5);
                        p[axis] -= 0.5 * h;
                        visit(axis, i, j, k, p);
                    }
    }

    void turn() { add_turn({.dt = dt, .h = h}, phi, {}, TileSet(layout, true), before, {&one, &two}, scratch, u); }
};

TEST(turning, gives_back_what_a_spinning_liquid_loses_in_a_step_and_nothing_else) {
    const Vec3d spin(0.5, -0.4, 1.2), drift(3, -2, 1);
    Blob blob([&](const Vec3d& p) { return drift + cross(spin, p); }, [&](const Vec3d& p) { return cross(spin, cross(spin, p)) * dt; });
    blob.turn();
    const double share = dot(spin, spin) * dt * dt / 2;
    blob.each_face([&](int axis, int i, int j, int k, const Vec3d& p) {
        if (length(p) < 0.3 - 1.5 * h) {
            EXPECT_NEAR(double(blob.u[axis](i, j, k)), (drift + cross(spin, p) * (1 + share))[axis], 0.02 * share) << axis;
        }
        if (length(p) > 0.35 + 1.5 * h) {
            EXPECT_EQ(double(blob.u[axis](i, j, k)), double(float((drift + cross(spin, p))[axis])));
        }
    });
}

TEST(turning, leaves_a_liquid_alone_that_does_not_spin) {
    const auto stretched = [](const Vec3d& p) { return Vec3d(p.x, p.y, -2 * p.z); };
    Blob blob(stretched, [](const Vec3d& p) { return Vec3d(0.1 * p.x, 0, -0.2); });
    blob.turn();
    blob.each_face([&](int axis, int i, int j, int k, const Vec3d& p) { EXPECT_NEAR(double(blob.u[axis](i, j, k)), stretched(p)[axis], 1e-6); });
}

}  // namespace
}  // namespace phlo::flow
