// Systems with conductances to ground: liquids with a free surface.
#include <gtest/gtest.h>

#include "base/parallel.h"
#include "ground_problems.h"
#include "numerics/sweeps.h"

namespace phlo::numerics::testing {
namespace {

Vec3i random_size(std::uint32_t seed) {
    const auto r = uniform4({seed, 0, 9}, 0);
    return {5 + int(r[0] * 15), 5 + int(r[1] * 12), 5 + int(r[2] * 9)};
}

PoissonSolver::Status solve(PoissonSolver& solver, const PlainNet& net, const std::vector<double>& b, double tolerance) {
    const PoissonRows rows = net.rows();
    solver.setup({.faces = nullptr, .rows = &rows});
    net.each([&](const Vec3i& p) { solver.rhs()(p.x, p.y, p.z) = float(b[net.id(p)]); });
    return solver.solve({.tolerance = tolerance, .max_iterations = 60});
}

std::vector<double> random_values(const PlainNet& net, std::uint32_t seed) {
    std::vector<double> b(net.w[0].size());
    net.each([&](const Vec3i& p) { b[net.id(p)] = net.diagonal(p) > 0 ? double(uniform4({seed, 0, 0}, std::uint32_t(net.id(p)))[0]) - 0.3 : 0; });
    return b;
}

double dot(const std::vector<double>& a, const std::vector<double>& b) {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
    return sum;
}

/// Is there a way from every cell to ground? Else the mean of the right-hand side matters.
bool sealed_somewhere(const PlainNet& net) {
    std::vector<int> reached(net.w[0].size(), 0);
    for (bool more = true; more;) {
        more = false;
        net.each([&](const Vec3i& p) {
            if (reached[net.id(p)] != 0 || net.diagonal(p) == 0) return;
            bool now = net.g[0][net.id(p)] + net.g[1][net.id(p)] + net.g[2][net.id(p)] > 0;
            for (int a = 0; a < 3; ++a)
                for (int side : {0, 1})
                    if (net.face(a, PlainNet::next(p, a, side)) > 0) now |= reached[net.id(PlainNet::next(p, a, 2 * side - 1))] != 0;
            if (now) reached[net.id(p)] = 1, more = true;
        });
    }
    bool any = false;
    net.each([&](const Vec3i& p) { any |= net.diagonal(p) > 0 && reached[net.id(p)] == 0; });
    return any;
}

TEST(ground, coarse_networks_follow_the_rules_written_down_point_by_point) {
    for (std::uint32_t seed = 0; seed < 40; ++seed) {
        const PlainNet net = random_liquid(random_size(seed), seed);
        const PoissonRows rows = net.rows();
        PlainNet expected = net;
        Conductances made = make_conductances(field::Layout(net.n), {.faces = nullptr, .rows = &rows});
        for (int step = 0; step < 6; ++step) {
            const int axis = step % 3;
            if (expected.n[axis] < 3) break;
            Transfer transfer;
            const auto weights = std::make_shared<RowArena>();
            expected = coarsen_plainly(expected, axis);
            made = coarsen_grounded(made, axis, transfer, weights, nullptr);
            expected.each([&](const Vec3i& p) {
                const int c = made.shape.at(p.x);
                for (std::size_t a = 0; a < 3; ++a) {
                    const double w = expected.face(int(a), p), g = expected.g[a][expected.id(p)];
                    // Negative sums of large parts are cut at zero: what is left of them is rounding.
                    ASSERT_NEAR(double(made.face[a](p.y, p.z)[c]), w, 1e-4 * w + 1e-6) << "seed " << seed << " step " << step << " axis " << a;
                    ASSERT_NEAR(double(made.ground[a](p.y, p.z)[c]), g, 2e-4 * g + 1e-5 * expected.diagonal(p) + 1e-6) << "seed " << seed << " step " << step << " axis " << a;
                }
            });
        }
    }
}

TEST(ground, mirrored_cycles_are_symmetric_and_positive) {
    for (std::uint32_t seed : {1u, 2u, 3u, 4u, 5u, 6u}) {
        const PlainNet net = random_liquid({19, 14, 12}, seed);
        const PoissonRows rows = net.rows();
        const field::Layout layout(net.n);
        std::vector<Level> levels;
        build_hierarchy(make_conductances(layout, {.faces = nullptr, .rows = &rows}), levels);
        for (field::Grid* grid : {&levels[0].r, &levels[0].z, &levels[0].y}) *grid = field::Grid(layout);
        const SplitRow& shape = levels[0].net.shape;
        const auto cycle_on = [&](const std::vector<double>& r) {
            net.each([&](const Vec3i& p) { levels[0].r.row(p.y, p.z)[shape.at(p.x)] = float(r[net.id(p)]); });
            cycle(levels, 0, Order::mirrored);
            std::vector<double> z(r.size());
            net.each([&](const Vec3i& p) { z[net.id(p)] = net.diagonal(p) > 0 ? double(levels[0].z.row(p.y, p.z)[shape.at(p.x)]) : 0; });
            return z;
        };
        const std::vector<double> x = random_values(net, 11), y = random_values(net, 12), mx = cycle_on(x), my = cycle_on(y);
        EXPECT_NEAR(dot(y, mx), dot(x, my), 1e-5 * std::sqrt(dot(x, mx) * dot(y, my))) << seed;
        EXPECT_GT(dot(x, mx), 0) << seed;
        const std::vector<double> ax = net.multiply(x), ay = net.multiply(y);
        EXPECT_NEAR(dot(y, ax), dot(x, ay), 1e-12 * std::sqrt(dot(x, ax) * dot(y, ay)));
        for (const Level& level : levels)  // conductances that are not negative, on every level
            for (int k = 0; k < level.nz(); ++k)
                for (int j = 0; j < level.ny(); ++j)
                    for (int i = 0; i < level.nx(); ++i)
                        for (std::size_t a = 0; a < 3; ++a) {
                            ASSERT_GE(level.net.face[a](j, k)[level.net.shape.at(i)], 0);
                            ASSERT_GE(level.net.ground[a](j, k)[level.net.shape.at(i)], 0);
                        }
    }
}

TEST(ground, solutions_of_random_liquids_satisfy_their_equations) {
    int solved = 0, most = 0;
    for (std::uint32_t seed = 0; seed < 400; ++seed) {
        const PlainNet net = random_liquid(random_size(seed), seed);
        if (sealed_somewhere(net)) continue;
        PoissonSolver solver((field::Layout(net.n)));
        const std::vector<double> b = random_values(net, seed);
        const PoissonSolver::Status status = solve(solver, net, b, 1e-4);
        std::vector<double> x(b.size());
        net.each([&](const Vec3i& p) { x[net.id(p)] = double(solver.solution()(p.x, p.y, p.z)); });
        std::vector<double> r = net.multiply(x);
        for (std::size_t i = 0; i < r.size(); ++i) r[i] = b[i] - r[i];
        EXPECT_TRUE(status.converged) << seed;
        EXPECT_LE(std::sqrt(dot(r, r)), 1.2e-4 * std::sqrt(dot(b, b))) << seed;
        net.each([&](const Vec3i& p) {
            if (net.diagonal(p) == 0) {
                ASSERT_EQ(x[net.id(p)], 0) << seed;
            }
        });
        most = std::max(most, status.iterations);
        ++solved;
    }
    EXPECT_GE(solved, 250);
    EXPECT_LE(most, 16);
}

TEST(ground, water_that_no_air_touches_is_solved_up_to_a_constant) {
    PlainNet net({12, 9, 10});
    net.each([&](const Vec3i& p) {
        for (int a = 0; a < 3; ++a)
            if (p[a] > 0 && p.x != 6 && !(a == 0 && p.x == 7)) net.w[std::size_t(a)][net.id(p)] = 1;  // two full tanks and a plate between them
        if (p.x < 6 && p.z == 9) net.g[2][net.id(p)] = 2;                                             // one has a surface
    });
    PoissonSolver solver((field::Layout(net.n)));
    std::vector<double> b = random_values(net, 5);
    double mean = 0;
    net.each([&](const Vec3i& p) { mean += p.x > 6 ? b[net.id(p)] / (5 * 9 * 10) : 0; });
    const PoissonSolver::Status status = solve(solver, net, b, 1e-5);
    EXPECT_TRUE(status.converged);
    EXPECT_NEAR(status.imbalance, std::fabs(mean), 1e-6);
}

TEST(ground, what_a_solver_did_before_changes_no_bit) {
    const field::Layout layout({18, 15, 13});
    PoissonSolver used(layout);
    for (std::uint32_t seed = 0; seed < 12; ++seed) {
        const PlainNet net = random_liquid(layout.cells(), 100 + seed);
        const std::vector<double> b = random_values(net, seed);
        PoissonSolver fresh(layout);
        if (seed % 4 == 3) {  // a gas in between
            used.setup({});
            net.each([&](const Vec3i& p) { used.rhs()(p.x, p.y, p.z) = float(p.x + 1e6 * p.z); });
            used.solve({});
        }
        solve(used, net, b, 1e-5), solve(fresh, net, b, 1e-5);
        net.each([&](const Vec3i& p) { ASSERT_EQ(used.solution()(p.x, p.y, p.z), fresh.solution()(p.x, p.y, p.z)) << seed; });
    }
}

TEST(ground, threads_change_no_bit) {
    const PlainNet net = random_liquid({40, 37, 33}, 21);
    const std::vector<double> b = random_values(net, 3);
    PoissonSolver alone((field::Layout(net.n))), shared((field::Layout(net.n)));
    {
        const ThreadLimit one(1);
        solve(alone, net, b, 1e-6);
    }
    solve(shared, net, b, 1e-6);
    net.each([&](const Vec3i& p) { ASSERT_EQ(alone.solution()(p.x, p.y, p.z), shared.solution()(p.x, p.y, p.z)); });
}

}  // namespace
}  // namespace phlo::numerics::testing
