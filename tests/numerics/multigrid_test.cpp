#include <gtest/gtest.h>

#include "numerics/sweeps.h"
#include "problems.h"

namespace phlo::numerics::testing {
namespace {

/// A box with an open top and a sphere that cuts faces at any share, and its multigrid levels.
struct Multigrid {
    System system;
    std::vector<Level> levels;

    explicit Multigrid(int n) : system({n, n, n}, {false, false, false, false, false, true}) {
        system.set_weights([&](int axis, int i, int j, int k) {
            const Vec3d p(i + 0.5 * (axis != 0), j + 0.5 * (axis != 1), k + 0.5 * (axis != 2));
            const double outside = length(p - Vec3d(0.5 * n, 0.45 * n, 0.5 * n)) - 0.14 * n;  // in cells
            return float(std::clamp(outside + 0.5, 0.0, 1.0));
        });
        const std::vector<std::uint8_t> every(std::size_t(n) * std::size_t(n), 1);
        build_hierarchy(make_conductances(system.layout, {.faces = &system.faces, .open = system.open, .special_row = every}), levels);
        for (field::Grid* grid : {&levels[0].r, &levels[0].z, &levels[0].y}) *grid = field::Grid(system.layout);
    }

    void set_right_hand_side(const std::vector<double>& r) {
        const SplitRow& shape = levels[0].net.shape;
        system.each([&](int i, int j, int k) { levels[0].r.row(j, k)[shape.at(i)] = float(r[std::size_t(system.id(i, j, k))]); });
    }
    std::vector<double> values(const field::Grid& grid) const {
        const SplitRow& shape = levels[0].net.shape;
        return vector([&](int i, int j, int k) { return grid.row(j, k)[shape.at(i)]; });
    }
    std::vector<double> cycle_on(const std::vector<double>& r, Order order) {
        set_right_hand_side(r);
        cycle(levels, 0, order);
        return values(levels[0].z);
    }
    /// r, where there is an equation.
    template <class Value>
    std::vector<double> vector(const Value& value) const {
        std::vector<double> r(std::size_t(system.layout.nx()) * std::size_t(system.layout.ny()) * std::size_t(system.layout.nz()));
        system.each([&](int i, int j, int k) { r[std::size_t(system.id(i, j, k))] = system.diagonal(i, j, k) > 0 ? double(float(value(i, j, k))) : 0; });
        return r;
    }
    std::vector<double> random(std::uint32_t seed) const {
        return vector([&](int i, int j, int k) { return uniform4({seed, 0, 0}, std::uint32_t(system.id(i, j, k)))[0] - 0.5f; });
    }
    /// A x.
    std::vector<double> product(const std::vector<double>& x) const {
        return vector([&](int i, int j, int k) {
            const double here = x[std::size_t(system.id(i, j, k))];
            double sum = 0;
            system.each_face(i, j, k, [&](float w, int other) { sum += double(w) * (here - (other < 0 ? 0 : x[std::size_t(other)])); });
            return sum;
        });
    }
};

double dot(const std::vector<double>& a, const std::vector<double>& b) {
    double sum = 0;
    for (std::size_t n = 0; n < a.size(); ++n) sum += a[n] * b[n];
    return sum;
}
std::vector<double> difference(std::vector<double> a, const std::vector<double>& b) {
    for (std::size_t n = 0; n < a.size(); ++n) a[n] -= b[n];
    return a;
}

TEST(multigrid, a_cycle_makes_any_error_far_smaller) {
    Multigrid m(64);
    const auto rough = m.random(1), smooth = m.vector([](int, int, int) { return 1.0; });
    for (const auto& x : {rough, smooth}) {
        const std::vector<double> left = difference(x, m.cycle_on(m.product(x), Order::same));
        EXPECT_LT(dot(left, m.product(left)), 0.15 * 0.15 * dot(x, m.product(x)));
    }
}

TEST(multigrid, a_mirrored_cycle_is_symmetric_and_positive) {
    Multigrid m(64);
    const std::vector<double> u = m.random(1), v = m.random(2), mu = m.cycle_on(u, Order::mirrored), mv = m.cycle_on(v, Order::mirrored);
    const double scale = std::sqrt(dot(u, mu) * dot(v, mv));
    EXPECT_GT(dot(u, mu), 0);
    EXPECT_GT(dot(v, mv), 0);
    EXPECT_NEAR(dot(v, mu), dot(u, mv), 1e-5 * scale);
}

TEST(multigrid, over_is_up_and_down_in_one_sweep_and_knows_what_it_leaves) {
    Multigrid m(48);
    const std::vector<double> r = m.random(2);
    m.set_right_hand_side(r);
    smooth_down(m.levels[0], m.levels[1]);
    solve_next(m.levels);
    smooth_up(m.levels[0], m.levels[1], Order::same);
    const std::vector<double> z = m.values(m.levels[0].z);  // y and the next level are as they were
    const double square = smooth_over(m.levels[0], m.levels[1]);
    const std::vector<double> y = m.values(m.levels[0].y);

    // Red, then black, once more, in double: that is the way down.
    std::vector<double> x = z;
    for (int colour = 0; colour < 2; ++colour)
        m.system.each([&](int i, int j, int k) {
            const double diagonal = m.system.diagonal(i, j, k);
            if ((i + j + k) % 2 != colour || diagonal == 0) return;
            double sum = r[std::size_t(m.system.id(i, j, k))];
            m.system.each_face(i, j, k, [&](float w, int other) { sum += other < 0 ? 0 : double(w) * x[std::size_t(other)]; });
            x[std::size_t(m.system.id(i, j, k))] = sum / diagonal;
        });
    m.system.each([&](int i, int j, int k) {
        const auto at = std::size_t(m.system.id(i, j, k));
        if ((i + j + k) % 2 == 0) return;
        ASSERT_NEAR(y[at], x[at], 1e-5) << i << " " << j << " " << k;
    });
    const std::vector<double> left = difference(r, m.product(x));
    EXPECT_NEAR(square, dot(left, left), 1e-4 * square);

    // And red once more: that is the last half-sweep.
    smooth_last(m.levels[0]);
    const std::vector<double> end = difference(r, m.product(m.values(m.levels[0].z)));
    m.system.each([&](int i, int j, int k) {
        const auto at = std::size_t(m.system.id(i, j, k));
        if ((i + j + k) % 2 == 1) return;
        ASSERT_NEAR(end[at], 0, 1e-5) << i << " " << j << " " << k;
    });
    EXPECT_LT(dot(end, end), square);
}

TEST(multigrid, leaves_the_right_hand_side_as_it_was) {
    Multigrid m(64);
    const std::vector<double> u = m.random(3);
    m.cycle_on(u, Order::same);
    EXPECT_EQ(m.values(m.levels[0].r), u);
}

}  // namespace
}  // namespace phlo::numerics::testing
