#include "models/liquid/adaptive.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "models/liquid/adaptive_motion.h"
#include "models/shot/step_choice.h"
#include "models/shot/sub_steps.h"
#include "particles/columns.h"

namespace phlo::models {
namespace {

std::vector<std::int8_t> levels_of(const field::Blocks& blocks) {
    std::vector<std::int8_t> levels(std::size_t(blocks.base_count()));
    for (std::size_t b = 0; b < levels.size(); ++b) levels[b] = std::int8_t(blocks.level(int(b)));
    return levels;
}

template <class Visit>
void each_pool(AdaptiveState& liquid, const Visit& visit) {
    for (int level = 0; level <= liquid.blocks.depth(); ++level) {
        visit(liquid.phi.pool(level));
        for (auto& component : liquid.u) visit(component.pool(level));
        visit(liquid.projector.edit_pressure().pool(level));
    }
}

std::vector<char> save_blocks(AdaptiveState& liquid) {
    particles::ColumnWriter out;
    out(levels_of(liquid.blocks)), out(liquid.needed);
    each_pool(liquid, [&](std::vector<float>& pool) { out(pool); });
    return out.take();
}

void load_blocks(std::span<const char> data, AdaptiveState& liquid) {
    const auto expect = [](bool right) {
        if (!right) throw RunError("the blocks in the checkpoint are of another program, or of another grid");
    };
    particles::ColumnReader in(data);
    std::vector<std::int8_t> levels;
    in(levels), in(liquid.needed);
    expect(levels.size() == std::size_t(liquid.blocks.base_count()) && liquid.needed.size() == levels.size());
    for (const std::int8_t level : levels) expect(level >= 0 && level <= liquid.blocks.depth());
    std::vector<std::int8_t> balanced = levels;
    field::balance(liquid.blocks.base(), balanced);
    expect(balanced == levels);
    liquid.blocks = field::Blocks(liquid.blocks.base(), liquid.blocks.depth(), levels);
    liquid.phi = field::BlockField<float>(liquid.blocks);
    for (auto& component : liquid.u) component = field::BlockField<float>(liquid.blocks);
    liquid.projector.move_pressure(field::BlockField<float>(liquid.blocks), liquid.blocks);
    each_pool(liquid, [&](std::vector<float>& pool) {
        const std::size_t size = pool.size();
        in(pool);
        expect(pool.size() == size || pool.empty());
        pool.resize(size);
    });
    expect(in.at_end());
}

}  // namespace

AdaptiveLiquid::AdaptiveLiquid(const Shot& shot, const LiquidSetup& setup) : liquid_(shot, setup) {
    liquid_.warnings = &warnings;
    fill_start(liquid_);
}

void AdaptiveLiquid::edit(const std::function<void(AdaptiveState& state)>& change) {
    change(liquid_);
    fill_ghosts_around(liquid_.blocks, field::centres, field::Seams::one_value, liquid_.phi);
    redistance(liquid_.blocks, {.h = liquid_.h(), .band = block_band}, liquid_.phi, liquid_.march);
    for (int axis = 0; axis < 3; ++axis) fill_ghosts_around(liquid_.blocks, axis, field::Seams::one_value, liquid_.u[std::size_t(axis)]);
    liquid_.projector.set_up(liquid_.walls(), liquid_.solids, liquid_.blocks, liquid_.phi);
    extend_beyond_surface(liquid_);
    liquid_.book = {.start = volume()};
}

void AdaptiveLiquid::step(double dt) {
    { Stage stage(times_, "blocks");    adapt_blocks(liquid_, dt); }
    { Stage stage(times_, "surface");   carry_surface(liquid_, dt); }
    { Stage stage(times_, "sources");   pour_and_drain(liquid_, dt); }
    { Stage stage(times_, "velocity");  carry_velocity(liquid_, dt); push_poured(liquid_, dt); }
    { Stage stage(times_, "pressure");  project_liquid(liquid_, dt); }
    { Stage stage(times_, "extension"); extend_beyond_surface(liquid_); }
    liquid_.time += dt;
}

FrameStats AdaptiveLiquid::first_stats() const {
    FrameStats stats = Model::first_stats();
    tell({}, stats);
    return stats;
}

FrameStats AdaptiveLiquid::advance(double seconds) {
    FrameStats stats;
    flow::FreeSurfaceReport worst;
    times_.clear();
    liquid_.ledger.clear();
    liquid_.ledger.record("volume", "start", volume());
    liquid_.frame_begins = true;
    SubSteps steps(time(), seconds, enough);
    while (steps.go_on()) {
        const double dt = choose_step({.time = liquid_.shot.time, .h = liquid_.h(), .now = time(), .speed = coming_speed(liquid_)}, steps.remaining(), steps.count(), warnings);
        step(dt);
        steps.went(dt);
        const flow::FreeSurfaceReport& last = liquid_.pressure;
        worst.iterations += last.iterations, worst.cells = last.cells, worst.residual = std::max(worst.residual, last.residual);
        worst.divergence_max = std::max(worst.divergence_max, last.divergence_max), worst.divergence_rms = std::max(worst.divergence_rms, last.divergence_rms);
    }
    liquid_.time = steps.end();
    steps.tell(stats);
    liquid_.ledger.record("volume", "now", volume());
    tell(worst, stats);
    stats.seconds = times_;
    stats.ledger = liquid_.ledger.entries();
    stats.memory_bytes = bytes();
    return stats;
}

void AdaptiveLiquid::tell(const flow::FreeSurfaceReport& worst, FrameStats& stats) const {
    const double there = volume(), expected = liquid_.book.expected(), drift = expected > 0 ? there / expected - 1 : 0;
    stats.numbers = {{"pressure.iterations", worst.iterations}, {"pressure.residual", worst.residual}, {"divergence.max", worst.divergence_max},
                     {"divergence.rms", worst.divergence_rms}, {"unknowns", double(worst.cells)}, {"unknowns_uniform", std::round(there / std::pow(liquid_.h(), 3))},
                     {"volume", there}, {"volume_drift", drift}, {"structure_bytes", double(liquid_.structure_bytes())}};
    for (int level = 0; level <= blocks().depth(); ++level) stats.numbers.emplace_back(fmt::format("blocks.level_{}", level), double(blocks().of_level(level).size()));
    stats.words = fmt::format("{} sub-step{}, {} iterations, {} of {:.0f} unknowns, {:.3g} m^3, drift {:+.2f} %", stats.substeps, stats.substeps == 1 ? "" : "s",
                              worst.iterations, worst.cells, there / std::pow(liquid_.h(), 3), there, 100 * drift);
}

StateView AdaptiveLiquid::state() {
    StateView view;
    view.numbers = {{"time", &liquid_.time}, {"last_dt", &liquid_.last_dt}, {"fastest", &liquid_.fastest}, {"volume.start", &liquid_.book.start},
                    {"volume.poured", &liquid_.book.poured}, {"volume.drained", &liquid_.book.drained}, {"volume.left", &liquid_.book.left}};
    view.blocks.push_back({"blocks", [this] { return save_blocks(liquid_); }, [this](std::span<const char> data) { load_blocks(data, liquid_); }});
    return view;
}

}  // namespace phlo::models
