#include "flow/block_projector.h"

#include <algorithm>
#include <cmath>

#include "numerics/block_loops.h"

namespace phlo::flow {
namespace {

using field::Blocks;

struct Sizes {
    double squares = 0, volume = 0, squared_rates = 0, largest = 0;
    long cells = 0;
};

/// Of the outflow b of all cells: per volume, so that coarse and fine cells compare.
Sizes measure(const Blocks& blocks, const BlockLiquid::Values& b) {
    const std::vector<int>& all = blocks.all();
    return parallel_reduce(int(all.size()), Sizes{}, [&](int item) {
        const int level = blocks.level(all[std::size_t(item)]), n = Blocks::side(level);
        const double volume = std::pow(double(blocks.size(level)), 3);
        const float* x = b.block(blocks, all[std::size_t(item)]);
        Sizes s;
        for (int k = 0; k < n; ++k)
            for (int j = 0; j < n; ++j)
                for (int i = 0; i < n; ++i) {
                    const double value = double(x[Blocks::offset(level, i, j, k)]);
                    s.squares += value * value, s.volume += volume, s.squared_rates += value * value / volume;
                    s.largest = std::max(s.largest, std::fabs(value) / volume);
                }
        return s;
    }, [](const Sizes& a, const Sizes& c) {
        return Sizes{a.squares + c.squares, a.volume + c.volume, a.squared_rates + c.squared_rates, std::max(a.largest, c.largest), a.cells + c.cells};
    });
}

void add(const Blocks& blocks, const BlockLiquid::Values& more, BlockLiquid::Values& sum) {
    numerics::each_block(blocks, [&](int block) {
        const float* from = more.block(blocks, block);
        float* to = sum.block(blocks, block);
        for (std::size_t i = 0; i < Blocks::stored(blocks.level(block)); ++i) to[i] += from[i];
    });
}

}  // namespace

void BlockProjector::set_up(const Walls& walls, const Solids& solids, const field::Grid& phi, const std::vector<std::int8_t>& levels, int depth) {
    liquid_.set_up(walls, solids, phi, levels, depth);
    solver_.set_up(liquid_.take_system());
    liquid_.seen(phi, seen_);
    b_ = BlockLiquid::Values(blocks()), part_ = BlockLiquid::Values(blocks()), sum_ = BlockLiquid::Values(blocks());
}

double BlockProjector::norm(const BlockLiquid::Values& b) const { return std::sqrt(measure(blocks(), b).squares); }

BlockReport BlockProjector::project(const FreeSurfaceParams& params, field::MacGrid& u) {
    BlockReport report;
    report.cells = solver_.unknowns();
    report.block_bytes = blocks().bytes();
    report.solves = 1;
    liquid_.read(u);
    BlockLiquid::Values wanted;
    if (params.divergence != nullptr) wanted = BlockLiquid::Values(blocks()), liquid_.gather(*params.divergence, params.h, wanted);
    const BlockLiquid::Values* may = params.divergence != nullptr ? &wanted : nullptr;
    double left = 1, reference = 0;
    if (params.guess != nullptr) {
        liquid_.outflow(may, b_);
        reference = norm(b_);
        liquid_.read_cells(*params.guess, sum_);
        liquid_.calm(sum_);
        liquid_.subtract_gradient(sum_);
    }
    // As in free_surface.cpp: floats cannot hold the pressure of deep water as well as a tight tolerance asks for, so it is found in rounds.
    const Vec3i n = u.layout().cells();
    const double within_reach = 4e-6 * std::max({n.x, n.y, n.z});
    constexpr int most_rounds = 6;
    for (int round = 0; round < most_rounds; ++round) {
        liquid_.outflow(may, b_);
        const double size = norm(b_);
        if (round == 0 && reference > 0) left = size / reference;
        if (size == 0 || (round > 0 && left <= params.tolerance)) break;
        const auto status = solver_.solve({.tolerance = std::clamp(params.tolerance / left, within_reach, 0.5), .max_iterations = params.max_iterations}, b_, part_);
        liquid_.subtract_gradient(part_);
        add(blocks(), part_, sum_);
        ++report.rounds;
        report.iterations += status.iterations;
        left *= status.residual;
        if (status.residual > 0.7 || left <= params.tolerance) break;
    }
    report.residual = left;
    report.converged = left <= params.tolerance;
    liquid_.outflow(may, b_);
    const Sizes error = measure(blocks(), b_);
    report.divergence_max = error.largest / params.h;
    report.divergence_rms = error.volume > 0 ? std::sqrt(error.squared_rates / error.volume) / params.h : 0;
    liquid_.write(u);
    pressure_.fill(0);
    liquid_.write_cells(sum_, pressure_);
    return report;
}

}  // namespace phlo::flow
