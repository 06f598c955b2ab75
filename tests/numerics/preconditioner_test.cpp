#include <gtest/gtest.h>

#include "numerics/band.h"
#include "problems.h"

namespace phlo::numerics::testing {
namespace {

/// A box with an open top and a sphere that cuts faces at any share, and its multigrid levels.
struct Preconditioner {
    System system;
    std::vector<Level> levels;
    Band band;

    explicit Preconditioner(int n) : system({n, n, n}, {false, false, false, false, false, true}) {
        system.set_weights([&](int axis, int i, int j, int k) {
            const Vec3d p(i + 0.5 * (axis != 0), j + 0.5 * (axis != 1), k + 0.5 * (axis != 2));
            const double outside = length(p - Vec3d(0.5 * n, 0.45 * n, 0.5 * n)) - 0.14 * n;  // in cells
            return float(std::clamp(outside + 0.5, 0.0, 1.0));
        });
        const std::vector<std::uint8_t> every(std::size_t(n) * std::size_t(n), 1);
        build_hierarchy(make_network(system.layout, {.faces = &system.faces, .open = system.open, .special_row = every}), levels);
        levels[0].r = field::Grid(system.layout), levels[0].z = field::Grid(system.layout);
        band = Band(levels[0]);
    }

    std::vector<double> of(const std::vector<double>& r, Preconditioned* sums = nullptr) {
        const SplitRow& shape = levels[0].net.shape;
        system.each([&](int i, int j, int k) { levels[0].r.row(j, k)[shape.at(i)] = float(r[std::size_t(system.id(i, j, k))]); });
        const Preconditioned found = precondition(levels, band);
        if (sums != nullptr) *sums = found;
        std::vector<double> z(r.size());
        system.each([&](int i, int j, int k) { z[std::size_t(system.id(i, j, k))] = double(levels[0].z.row(j, k)[shape.at(i)]); });
        return z;
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
    double energy(const std::vector<double>& z) const {
        double sum = 0;
        system.each([&](int i, int j, int k) {
            const double here = z[std::size_t(system.id(i, j, k))];
            system.each_face(i, j, k, [&](float w, int other) { sum += here * double(w) * (here - (other < 0 ? 0 : z[std::size_t(other)])); });
        });
        return sum;
    }
};

double dot(const std::vector<double>& a, const std::vector<double>& b) {
    double sum = 0;
    for (std::size_t n = 0; n < a.size(); ++n) sum += a[n] * b[n];
    return sum;
}

TEST(preconditioner, is_symmetric_and_positive) {
    Preconditioner m(64);
    ASSERT_FALSE(m.band.empty());
    const std::vector<double> u = m.random(1), v = m.random(2), mu = m.of(u), mv = m.of(v);
    const double scale = std::sqrt(dot(u, mu) * dot(v, mv));
    EXPECT_GT(dot(u, mu), 0);
    EXPECT_GT(dot(v, mv), 0);
    EXPECT_NEAR(dot(v, mu), dot(u, mv), 1e-5 * scale);
}

TEST(preconditioner, leaves_the_right_hand_side_as_it_was) {
    Preconditioner m(64);
    const std::vector<double> u = m.random(3);
    m.of(u);
    const SplitRow& shape = m.levels[0].net.shape;
    m.system.each([&](int i, int j, int k) { ASSERT_EQ(m.levels[0].r.row(j, k)[shape.at(i)], float(u[std::size_t(m.system.id(i, j, k))])); });
}

TEST(preconditioner, hands_out_the_sums_of_its_result) {
    Preconditioner m(64);
    ASSERT_FALSE(m.band.empty());
    const auto rough = m.random(4), smooth = m.vector([](int, int, int) { return 1.0; });
    for (const auto& r : {rough, smooth}) {  // with a smooth one, rounding of 1/6 alone would make the energy wrong by 1e-4
        Preconditioned sums;
        const std::vector<double> z = m.of(r, &sums);
        EXPECT_NEAR(sums.dot, dot(r, z), 2e-6 * dot(r, z));
        EXPECT_NEAR(sums.energy, m.energy(z), 1e-5 * m.energy(z));
    }
}

}  // namespace
}  // namespace phlo::numerics::testing
