#include "flow/block_projector.h"

#include <algorithm>
#include <cmath>

#include "numerics/block_loops.h"

namespace phlo::flow {
namespace {

using field::Blocks;

struct Sizes {
    double volume = 0, squared_rates = 0, largest = 0;
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
                    s.volume += volume, s.squared_rates += value * value / volume;
                    s.largest = std::max(s.largest, std::fabs(value) / volume);
                }
        return s;
    }, [](const Sizes& a, const Sizes& c) {
        return Sizes{a.volume + c.volume, a.squared_rates + c.squared_rates, std::max(a.largest, c.largest)};
    });
}

void add(const Blocks& blocks, const BlockLiquid::Values& more, BlockLiquid::Values& sum) {
    numerics::each_block(blocks, [&](int block) {
        const float* from = more.block(blocks, block);
        float* to = sum.block(blocks, block);
        for (std::size_t i = 0; i < Blocks::stored(blocks.level(block)); ++i) to[i] += from[i];
    });
}

/// 0 outside of the liquid.
void scale(const Blocks& blocks, const field::BlockField<std::uint8_t>& kinds, float factor, BlockLiquid::Values& q) {
    numerics::each_block(blocks, [&](int block) {
        const std::uint8_t* kind = kinds.block(blocks, block);
        float* x = q.block(blocks, block);
        for (std::size_t i = 0; i < Blocks::stored(blocks.level(block)); ++i) x[i] = kind[i] == numerics::part && factor != 0 ? factor * x[i] : 0.f;
    });
}

}  // namespace

void BlockProjector::set_up(const Walls& walls, const BlockSolids& solids, const Blocks& blocks, const Values& phi) {
    numerics::BlockSystem<float> system = solver_.take_system();
    liquid_.set_up(walls, solids, blocks, phi, system);
    solver_.set_up(std::move(system));
    liquid_.use(solver_.system());
    if (!(blocks_ == blocks)) move_pressure(Values(blocks), blocks);
}

void BlockProjector::move_pressure(Values q, const Blocks& blocks) {
    blocks_ = blocks;
    b_.reset(blocks_), part_.reset(blocks_), pressure_ = std::move(q);
}

FreeSurfaceReport BlockProjector::project(const BlockPressure& params, BlockVelocity& u) {
    FreeSurfaceReport report;
    report.cells = solver_.unknowns();
    report.solves = 1;
    const auto find_outflow = [&] { liquid_.outflow(params.divergence, params.h, u, b_); };
    scale(blocks_, kind(), float(params.guess), pressure_);
    find_outflow();
    // As exact as the uniform grid would be: there the floor, most of what gravity leaves to do, has many more cells.
    const double reference = solver_.fine_norm(b_);
    double left = 1;
    if (params.guess != 0) {
        liquid_.calm(pressure_);
        liquid_.subtract_gradient(pressure_, u);
    }
    // As in free_surface.cpp: floats cannot hold the pressure of deep water as well as a tight tolerance asks for, so it is found in rounds.
    const Vec3i n = blocks_.base() * (1 << blocks_.depth());
    const double within_reach = 4e-6 * std::max({n.x, n.y, n.z});
    constexpr int most_rounds = 6;
    for (int round = 0; round < most_rounds; ++round) {
        if (round > 0 || params.guess != 0) find_outflow();
        const double size = solver_.norm(b_);
        left = reference > 0 ? size / reference : 0;
        if (size == 0 || (round > 0 && left <= params.tolerance)) break;
        const auto status = solver_.solve({.tolerance = std::clamp(params.tolerance / left, within_reach, 0.5), .max_iterations = params.max_iterations}, b_, part_);
        liquid_.subtract_gradient(part_, u);
        add(blocks_, part_, pressure_);
        ++report.rounds;
        report.iterations += status.iterations;
        left *= status.residual;
        if (status.residual > 0.7 || left <= params.tolerance) break;
    }
    report.residual = left;
    report.converged = left <= params.tolerance;
    find_outflow();
    const Sizes error = measure(blocks_, b_);
    report.divergence_max = error.largest / params.h;
    report.divergence_rms = error.volume > 0 ? std::sqrt(error.squared_rates / error.volume) / params.h : 0;
    liquid_.follow(u);
    field::fill_ghosts_around(blocks_, field::centres, field::Seams::one_value, pressure_);   // so that nothing in its memory is left of steps before
    return report;
}

}  // namespace phlo::flow
