#include "numerics/batch_lu.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "base/pack.h"
#include "base/random.h"

namespace phlo::numerics {
namespace {

using P = simd::Pack<double, 2>;

/// Random diagonally dominant matrices of one pattern, a different one in each lane, against Eigen.
double worst_error(int n, double density) {
    std::vector<std::pair<int, int>> entries;
    const auto uniform = [n](int what, int i, int j) {
        return double(uniform4({.seed = 7, .step = unsigned(what), .stream = unsigned(n)}, unsigned(i * n + j))[0]);
    };
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j)
            if (uniform(0, i, j) < density) entries.emplace_back(i, j);
    const LuPattern pattern = make_lu_pattern(n, entries);
    std::vector<P> a(std::size_t(pattern.size()), P(0.0)), x(std::size_t(n), P(0.0)), work(x);
    std::vector<Eigen::MatrixXd> matrices(P::width, Eigen::MatrixXd::Zero(n, n));
    std::vector<Eigen::VectorXd> sides(P::width, Eigen::VectorXd::Zero(n));
    for (int lane = 0; lane < P::width; ++lane) {
        for (const auto& [i, j] : entries) matrices[lane](i, j) = uniform(1 + lane, i, j) - 0.5;
        for (int i = 0; i < n; ++i) {
            matrices[lane](i, i) = 1 + n * 0.5;
            sides[lane](i) = uniform(100 + lane, i, 0);
            x[i].set(lane, sides[lane](i));
        }
        for (int i = 0; i < n; ++i)
            for (int j = 0; j < n; ++j)
                if (matrices[lane](i, j) != 0) a[pattern.slot(i, j)].set(lane, matrices[lane](i, j));
    }
    lu_factorise(pattern, a.data(), work.data());
    lu_solve(pattern, a.data(), x.data(), work.data());
    double worst = 0;
    for (int lane = 0; lane < P::width; ++lane) {
        const Eigen::VectorXd expected = matrices[lane].partialPivLu().solve(sides[lane]);
        for (int i = 0; i < n; ++i) worst = std::max(worst, std::abs(x[i][lane] - expected(i)));
    }
    return worst;
}

TEST(batch_lu, solves_full_and_sparse_systems_of_every_size) {
    for (const int n : {1, 2, 3, 6, 9, 12, 13, 30})
        for (const double density : {0.1, 0.4, 1.1}) EXPECT_LT(worst_error(n, density), 1e-13) << n << " " << density;
}

TEST(batch_lu, an_arrow_is_eliminated_without_fill_in) {
    std::vector<std::pair<int, int>> entries;
    for (int i = 1; i < 20; ++i) entries.emplace_back(0, i), entries.emplace_back(i, 0);
    EXPECT_EQ(make_lu_pattern(20, entries).size(), 20 + 2 * 19);  // the tip comes last
}

}  // namespace
}  // namespace phlo::numerics
