#include "numerics/block_poisson.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <numbers>

#include "base/parallel.h"
#include "base/random.h"
#include "numerics/poisson.h"

namespace phlo::numerics {
namespace {

using field::BlockField;
using field::Blocks;

/// each(level, block, place, centre in finest cells) for all cells.
template <class Each>
void each_cell(const Blocks& blocks, const Each& each) {
    for (const int block : blocks.all()) {
        const int k = blocks.level(block), n = Blocks::side(k);
        const double size = blocks.size(k);
        for (int c = 0; c < n * n * n; ++c) {
            const Vec3i at(c % n, c / n % n, c / n / n);
            each(k, block, Blocks::offset(k, at.x, at.y, at.z), Vec3d(blocks.place(block)) * double(1 << blocks.depth()) + (Vec3d(at) + Vec3d(0.5)) * size);
        }
    }
}

/// Fine around a wavy sheet, coarser away from it; the same in space for any multiple of 8 base cells.
Blocks wavy(int base, int depth) {
    const Vec3i n(base);
    std::vector<std::int8_t> levels(std::size_t(base * base * base), 0);
    const int part = base / 8;
    for (int b = 0; b < base * base * base; ++b) {
        const double x = (b % base / part + 0.5) / 8, y = (b / base % base / part + 0.5) / 8, z = (b / base / base / part + 0.5) / 8;
        if (std::abs(z - 0.55 - 0.15 * std::sin(5 * x + 2 * y)) < 0.12) levels[std::size_t(b)] = std::int8_t(depth);
    }
    if (part > 1) {   // the balance of the smallest, enlarged
        const Blocks small = wavy(8, depth);
        for (int b = 0; b < base * base * base; ++b)
            levels[std::size_t(b)] = std::int8_t(small.level(small.index({b % base / part, b / base % base / part, b / base / base / part})));
    } else {
        field::balance(n, levels);
    }
    return Blocks(n, depth, levels);
}

template <class T>
void fill_random(const Blocks& blocks, std::uint64_t seed, BlockField<T>& field) {
    std::uint32_t id = 0;
    each_cell(blocks, [&](int, int block, int place, const Vec3d&) { field.block(blocks, block)[place] = T(uniform4({seed, 1, 2}, id++)[0]) - T(0.5); });
}

template <class T>
double product(const Blocks& blocks, const BlockField<T>& a, const BlockField<T>& b) {
    double sum = 0;
    each_cell(blocks, [&](int, int block, int place, const Vec3d&) { sum += double(a.block(blocks, block)[place]) * double(b.block(blocks, block)[place]); });
    return sum;
}

/// A liquid under a tilted surface, with random open parts of faces; what is above is held at zero.
BlockSystem<double> rough_liquid(const Blocks& blocks, std::uint64_t seed) {
    BlockSystem<double> system = plain_box<double>(blocks);
    const double edge = double(blocks.base().x << blocks.depth());
    each_cell(blocks, [&](int, int block, int place, const Vec3d& p) {
        if (p.z > 0.6 * edge + 0.2 * p.x) system.kind.block(blocks, block)[place] = zero;
    });
    fill_ghosts(blocks, system.kind);
    std::uint32_t id = 0;
    for (const int block : blocks.all())
        for (auto& weight : system.weight) {
            const int k = blocks.level(block), n = Blocks::side(k);
            double* w = weight.block(blocks, block);
            for (int c = 0; c < n * n * n; ++c) {
                const Vec3i at(c % n, c / n % n, c / n / n);
                if (at.x * at.y * at.z > 0) w[Blocks::offset(k, at.x, at.y, at.z)] *= 0.1 + 2 * double(uniform4({seed, 5, 1}, id++)[0]);
            }
        }
    for (auto& seam : system.seams)
        for (auto& f : seam.faces) {
            f.coarse_share = system.kind.block(blocks, seam.coarse)[f.coarse] == part;
            for (std::size_t c = 0; c < 4; ++c)
                if (system.kind.block(blocks, seam.fine)[f.fine[c]] != part) f.share[c] = 0;
            f.weight *= 0.5 + double(uniform4({seed, 6, 1}, id++)[0]);
        }
    return system;
}

TEST(block_poisson, the_operator_and_its_preconditioner_are_symmetric_and_positive) {
    const Blocks blocks = wavy(8, 3);
    BlockPoisson<double> solver;
    solver.set_up(rough_liquid(blocks, 3));
    BlockField<double> x(blocks), y(blocks), ax(blocks), ay(blocks);
    for (std::uint64_t seed = 1; seed < 4; ++seed) {
        fill_random(blocks, seed, x), fill_random(blocks, seed + 10, y);
        // Only unknowns count: what is held at zero is zero.
        for (auto* f : {&x, &y}) {
            BlockField<double> once(blocks);
            solver.precondition(*f, once);
            each_cell(blocks, [&](int, int block, int place, const Vec3d&) {
                if (once.block(blocks, block)[place] == 0) f->block(blocks, block)[place] = 0;
            });
        }
        solver.apply(x, ax), solver.apply(y, ay);
        const double size = std::sqrt(product(blocks, ax, ax) * product(blocks, y, y));
        EXPECT_NEAR(product(blocks, y, ax), product(blocks, x, ay), 1e-12 * size);
        EXPECT_GT(product(blocks, x, ax), 0);
        solver.precondition(x, ax), solver.precondition(y, ay);
        const double other = std::sqrt(product(blocks, ax, ax) * product(blocks, y, y));
        EXPECT_NEAR(product(blocks, y, ax), product(blocks, x, ay), 1e-12 * other);
        EXPECT_GT(product(blocks, x, ax), 0);
    }
}

TEST(block_poisson, linear_functions_are_harmonic_across_every_level_border) {
    const Blocks blocks = wavy(8, 3);
    BlockPoisson<double> solver;
    solver.set_up(plain_box<double>(blocks));
    BlockField<double> x(blocks), y(blocks);
    each_cell(blocks, [&](int, int block, int place, const Vec3d& p) { x.block(blocks, block)[place] = 0.3 * p.x + 0.7 * p.y - 0.9 * p.z; });
    solver.apply(x, y);
    double worst = 0;
    const double edge = double(8 << 3);
    each_cell(blocks, [&](int k, int block, int place, const Vec3d& p) {
        const double half = 0.5 * blocks.size(k) + 0.1;
        for (int a = 0; a < 3; ++a)
            if (p[a] < half || p[a] > edge - half) return;   // at a closed wall it is not
        worst = std::max(worst, std::abs(y.block(blocks, block)[place]));
    });
    EXPECT_LT(worst, 1e-11);
}

TEST(block_poisson, solutions_converge_at_second_order_with_levels_mixed) {
    const double pi = std::numbers::pi;
    std::vector<double> errors;
    for (const int base : {8, 16, 32}) {
        const Blocks blocks = wavy(base, 1);
        const double edge = double(base << 1), h = 1 / edge;
        const auto exact = [&](const Vec3d& p) { return std::cos(2 * pi * p.x * h) * std::cos(pi * p.y * h) * std::cos(pi * p.z * h) + 0.5 * std::cos(pi * p.x * h) * std::cos(3 * pi * p.z * h); };
        BlockPoisson<double> solver;
        solver.set_up(plain_box<double>(blocks));
        BlockField<double> b(blocks), x(blocks);
        each_cell(blocks, [&](int k, int block, int place, const Vec3d& p) {
            const double minus_laplacian = 6 * pi * pi * std::cos(2 * pi * p.x * h) * std::cos(pi * p.y * h) * std::cos(pi * p.z * h) +
                                           5 * pi * pi * std::cos(pi * p.x * h) * std::cos(3 * pi * p.z * h);
            b.block(blocks, block)[place] = std::pow(blocks.size(k), 3) * h * h * minus_laplacian;
        });
        const auto status = solver.solve({.tolerance = 1e-10}, b, x);
        EXPECT_TRUE(status.converged);
        double shift = 0, squares = 0;
        each_cell(blocks, [&](int k, int block, int place, const Vec3d& p) { shift += std::pow(blocks.size(k) * h, 3) * (exact(p) - x.block(blocks, block)[place]); });
        each_cell(blocks, [&](int k, int block, int place, const Vec3d& p) {
            squares += std::pow(blocks.size(k) * h, 3) * std::pow(exact(p) - shift - x.block(blocks, block)[place], 2);
        });
        errors.push_back(std::sqrt(squares));
        std::printf("%d^3 finest, %zu cells: rms error %.3e, %d iterations\n", base << 1, blocks.cell_count(), errors.back(), status.iterations);
    }
    EXPECT_GT(std::log2(errors[0] / errors[1]), 1.8);
    EXPECT_GT(std::log2(errors[1] / errors[2]), 1.8);
}

TEST(block_poisson, iterations_hardly_depend_on_the_size) {
    int first = 0;
    for (const int base : {8, 16, 32}) {
        const Blocks blocks = wavy(base, 2);
        BlockSystem<float> system = plain_box<float>(blocks);
        const double edge = double(base << 2);
        each_cell(blocks, [&](int, int block, int place, const Vec3d& p) {
            if (p.z > edge * (0.55 + 0.15 * std::sin(5 * p.x / edge + 2 * p.y / edge))) system.kind.block(blocks, block)[place] = zero;
        });
        fill_ghosts(blocks, system.kind);
        for (auto& seam : system.seams)
            for (auto& f : seam.faces) {
                f.coarse_share = system.kind.block(blocks, seam.coarse)[f.coarse] == part;
                for (std::size_t c = 0; c < 4; ++c)
                    if (system.kind.block(blocks, seam.fine)[f.fine[c]] != part) f.share[c] = 0;
            }
        BlockPoisson<float> solver;
        solver.set_up(std::move(system));
        BlockField<float> b(blocks), x(blocks);
        fill_random(blocks, 9, b);
        each_cell(blocks, [&](int, int block, int place, const Vec3d& p) {
            if (p.z > edge * (0.55 + 0.15 * std::sin(5 * p.x / edge + 2 * p.y / edge))) b.block(blocks, block)[place] = 0;
        });
        const auto status = solver.solve({.tolerance = 1e-4}, b, x);
        std::printf("%d^3 finest, %ld unknowns: %d iterations to %.1e\n", base << 2, solver.unknowns(), status.iterations, status.residual);
        EXPECT_TRUE(status.converged);
        if (first == 0) first = status.iterations;
        EXPECT_LE(status.iterations, first + 2);
        EXPECT_LE(status.iterations, 9);
    }
}

TEST(block_poisson, one_level_everywhere_gives_what_the_uniform_solver_gives) {
    const Blocks blocks({3, 2, 2}, 4, std::vector<std::int8_t>(12, 4));
    const Vec3i n(48, 32, 32);
    const field::Layout layout(n);
    PoissonSolver uniform(layout);
    uniform.setup({.open = {false, true, false, false, false, true}});
    BlockSystem<double> system = plain_box<double>(blocks);
    for (const int block : blocks.all())   // pressure zero one cell beyond the open walls
        for (int b = 0; b < 16; ++b)
            for (int a = 0; a < 16; ++a) {
                const Vec3i at = blocks.place(block);
                const int x = Blocks::offset(4, 16, a, b), z = Blocks::offset(4, a, b, 16);
                if (at.x == 2) system.weight[0].block(blocks, block)[x] = 1, system.kind.block(blocks, block)[x] = zero;
                if (at.z == 1) system.weight[2].block(blocks, block)[z] = 1, system.kind.block(blocks, block)[z] = zero;
            }
    BlockPoisson<double> solver;
    solver.set_up(std::move(system));
    EXPECT_TRUE(solver.grounded());
    BlockField<double> b(blocks), x(blocks);
    each_cell(blocks, [&](int, int block, int place, const Vec3d& p) {
        const float value = float(std::sin(0.3 * p.x) * std::cos(0.2 * p.y + 0.1 * p.z));
        b.block(blocks, block)[place] = double(value);
        uniform.rhs()(int(p.x), int(p.y), int(p.z)) = value;
    });
    EXPECT_TRUE(solver.solve({.tolerance = 1e-11}, b, x).converged);
    EXPECT_TRUE(uniform.solve({.tolerance = 5e-6}).converged);
    double worst = 0, largest = 0;
    each_cell(blocks, [&](int, int block, int place, const Vec3d& p) {
        largest = std::max(largest, std::abs(x.block(blocks, block)[place]));
        worst = std::max(worst, std::abs(x.block(blocks, block)[place] - double(uniform.solution()(int(p.x), int(p.y), int(p.z)))));
    });
    EXPECT_LT(worst, 1e-5 * largest);   // twice what the floats of the uniform solver are asked for
}

TEST(block_poisson, threads_do_not_change_a_bit) {
    const Blocks blocks = wavy(8, 3);
    const auto solve = [&](int threads) {
        const ThreadLimit limit(threads);
        BlockPoisson<float> solver;
        solver.set_up(plain_box<float>(blocks));
        BlockField<float> b(blocks), x(blocks);
        fill_random(blocks, 4, b);
        solver.solve({.tolerance = 1e-4}, b, x);
        return x;
    };
    const BlockField<float> one = solve(1), two = solve(2);
    int differ = 0;
    each_cell(blocks, [&](int, int block, int place, const Vec3d&) { differ += one.block(blocks, block)[place] != two.block(blocks, block)[place]; });
    EXPECT_EQ(differ, 0);
}

TEST(block_poisson, nothing_is_left_of_a_system_before) {
    const Blocks blocks = wavy(8, 3);
    const auto solved = [&](BlockPoisson<double>& solver, const BlockSystem<double>& system, BlockField<double>& x) {
        solver.set_up(system);
        BlockField<double> b(blocks);
        fill_random(blocks, 3, b);
        each_cell(blocks, [&](int, int block, int place, const Vec3d&) { if (system.kind.block(blocks, block)[place] != part) b.block(blocks, block)[place] = 0; });
        return solver.solve({.tolerance = 1e-8}, b, x).iterations;
    };
    const BlockSystem<double> full = rough_liquid(blocks, 4);
    BlockSystem<double> low = full;   // the same, but air from the middle on
    each_cell(blocks, [&](int, int block, int place, const Vec3d& p) { if (p.z > 25) low.kind.block(blocks, block)[place] = zero; });
    fill_ghosts(blocks, low.kind);
    for (Seam<double>& seam : low.seams)
        for (LevelFace<double>& f : seam.faces) {
            if (low.kind.block(blocks, seam.coarse)[f.coarse] != part) f.coarse_share = 0;
            for (std::size_t c = 0; c < 4; ++c)
                if (low.kind.block(blocks, seam.fine)[f.fine[c]] != part) f.share[c] = 0;
        }
    BlockPoisson<double> used, fresh;
    BlockField<double> x(blocks), y(blocks);
    solved(used, full, x);
    EXPECT_EQ(solved(used, low, x), solved(fresh, low, y));
    each_cell(blocks, [&](int, int block, int place, const Vec3d&) { EXPECT_EQ(x.block(blocks, block)[place], y.block(blocks, block)[place]); });
}

}  // namespace
}  // namespace phlo::numerics
