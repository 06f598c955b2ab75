#include "flow/stir.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/parallel.h"
#include "solids_cases.h"

namespace phlo::flow {
namespace {

using field::Domain;
using field::Layout;
using field::MacGrid;

struct Pot {
    Domain domain = unit_domain(40);
    geom::Shape ball{geom::Sphere{.radius = 0.25}};
    Coverage coverage;
    MacGrid u{Layout(domain.cells)};

    explicit Pot(double height = 0.5) {
        cover(domain, {.shape = &ball, .pose = {.position = {0.5, 0.45, height}}, .noise = {.amplitude = 1}}, 0, nullptr, coverage);
    }
    template <class Body>
    void each_cell(const Body& body) const {
        for (int k = 0; k < domain.cells.z; ++k)
            for (int j = 0; j < domain.cells.y; ++j)
                for (int i = 0; i < domain.cells.x; ++i) body(i, j, k);
    }
};

TEST(stir, makes_swirls_of_the_speed_asked_for_that_do_not_compress_the_gas) {
    for (const double height : {0.5, 0.1}) {  // the second is cut off by the floor
        Pot pot(height);
        stir(pot.domain, pot.coverage, {.scale = 0.1, .octaves = 2, .seed = 3}, 4.0, 0, nullptr, pot.u);
        double squares = 0, weights = 0, divergence = 0, fastest = 0;
        for (const float w : pot.coverage.shape_weight) weights += double(w);
        pot.each_cell([&](int i, int j, int k) {
            const auto& u = pot.u;
            for (int axis = 0; axis < 3; ++axis) {
                const double v = double(u[axis](i, j, k));
                squares += v * v, fastest = std::max(fastest, std::abs(v));
            }
            divergence = std::max(divergence, std::abs(double((u[0](i + 1, j, k) - u[0](i, j, k)) + (u[1](i, j + 1, k) - u[1](i, j, k)) +
                                                              (u[2](i, j, k + 1) - u[2](i, j, k)))));
        });
        EXPECT_NEAR(std::sqrt(squares / weights), 4, 1e-3);
        EXPECT_LT(divergence, 1e-5 * fastest);
        EXPECT_LT(fastest, 40);
    }
}

TEST(stir, leaves_the_gas_outside_and_the_floor_alone) {
    Pot pot(0.1);
    stir(pot.domain, pot.coverage, {.scale = 0.1}, 4.0, 0, nullptr, pot.u);
    pot.each_cell([&](int i, int j, int k) {
        const Vec3d p = pot.domain.cell_center(i, j, k) - Vec3d(0.5, 0.45, 0.1);
        if (length(p) < 0.25 + 3 * pot.domain.h) return;
        for (int axis = 0; axis < 3; ++axis) ASSERT_EQ(pot.u[axis](i, j, k), 0.f) << i << ' ' << j << ' ' << k;
    });
    for (int j = 0; j < 40; ++j)
        for (int i = 0; i < 40; ++i) ASSERT_EQ(pot.u[2](i, j, 0), 0.f);
}

TEST(stir, adds_to_the_flow_and_another_seed_is_another_pattern) {
    Pot a, b, c;
    stir(a.domain, a.coverage, {.scale = 0.1, .seed = 1}, 1.0, 0, nullptr, a.u);
    stir(b.domain, b.coverage, {.scale = 0.1, .seed = 2}, 1.0, 0, nullptr, b.u);
    stir(c.domain, c.coverage, {.scale = 0.1, .seed = 1}, 1.0, 0, nullptr, c.u);
    stir(c.domain, c.coverage, {.scale = 0.1, .seed = 1}, 1.0, 0, nullptr, c.u);
    double product = 0, own = 0;
    a.each_cell([&](int i, int j, int k) {
        for (int axis = 0; axis < 3; ++axis) {
            const float v = a.u[axis](i, j, k);
            ASSERT_FLOAT_EQ(c.u[axis](i, j, k), 2 * v);
            product += double(v) * double(b.u[axis](i, j, k)), own += double(v) * double(v);
        }
    });
    EXPECT_LT(std::abs(product), 0.2 * own);
}

TEST(stir, the_thread_count_does_not_change_a_bit) {
    Pot a, b;
    {
        const ThreadLimit one(1);
        stir(a.domain, a.coverage, {.scale = 0.2}, 2.0, 0.3, nullptr, a.u);
    }
    stir(b.domain, b.coverage, {.scale = 0.2}, 2.0, 0.3, nullptr, b.u);
    a.each_cell([&](int i, int j, int k) {
        for (int axis = 0; axis < 3; ++axis) ASSERT_EQ(a.u[axis](i, j, k), b.u[axis](i, j, k));
    });
}

}  // namespace
}  // namespace phlo::flow
