#include "models/gas/gas.h"

#include <fmt/format.h>

#include <algorithm>

#include "models/gas/expansion.h"
#include "models/gas/motion.h"
#include "models/gas/sources.h"
#include "models/gas/transport.h"
#include "models/shot/sub_steps.h"

namespace phlo::models {
namespace {

/// Over the sub-steps of a frame.
struct FlowSummary {
    flow::ProjectionReport pressure;   ///< iterations summed, the rest the worst
    double active_fraction = 0;        ///< share of the tiles that worked, summed

    void add(const GasState& gas) {
        const flow::ProjectionReport& last = gas.flow.projection();
        pressure.iterations += last.iterations;
        pressure.residual = std::max(pressure.residual, last.residual);
        pressure.divergence_max = std::max(pressure.divergence_max, last.divergence_max);
        pressure.divergence_rms = std::max(pressure.divergence_rms, last.divergence_rms);
        active_fraction += gas.velocity_tiles.active_fraction();
    }

    void tell(FrameStats& stats) const {
        const double active = active_fraction / std::max(1, stats.substeps);
        stats.numbers = {{"pressure.iterations", pressure.iterations}, {"pressure.residual", pressure.residual},
                         {"divergence.max", pressure.divergence_max}, {"divergence.rms", pressure.divergence_rms}, {"active_fraction", active}};
        stats.words = fmt::format("{} sub-step{}, {} iterations, {:.0f} % active", stats.substeps, stats.substeps == 1 ? "" : "s",
                                  pressure.iterations, 100 * active);
    }
};

}  // namespace

Gas::Gas(const Shot& shot, const GasSetup& setup) : gas_(shot, setup) {
    gas_.warnings = &warnings;
    hold_catalysts(gas_);
    emit(gas_, 0, Emission::starting);
}

FrameStats Gas::first_stats() const {
    FrameStats stats = Model::first_stats();
    FlowSummary().tell(stats);
    return stats;
}

FrameStats Gas::advance(double seconds) {
    FrameStats stats;
    FlowSummary summary;
    times_.clear();
    gas_.ledger.clear();
    gas_.expansion.given = 0;
    take_stock(gas_, "start");
    SubSteps steps(time(), seconds, enough);
    while (steps.go_on()) {
        const double dt = gas_.flow.choose_step(steps.remaining(), steps.count(), {.speed = expansion_speed(gas_), .longest = longest_swelling(gas_, steps.remaining())}, warnings);
        step(dt);
        steps.went(dt);
        summary.add(gas_);
    }
    gas_.flow.finish_frame(steps.end());
    steps.tell(stats);
    take_stock(gas_, "now");
    add_conserved_totals(gas_);
    summary.tell(stats);
    if (!gas_.expansion.empty()) stats.numbers.emplace_back("expanded", gas_.expansion.given);
    stats.seconds = times_;
    stats.ledger = gas_.ledger.entries();
    if (gas_.chemistry) gas_.chemistry->count(stats.particles);
    stats.memory_bytes = bytes();
    return stats;
}

void Gas::step(double dt) {
    { Stage stage(times_, "sources");   move_bodies(gas_, dt); touch_bodies(gas_, dt); emit(gas_, dt, Emission::running); }
    { Stage stage(times_, "activity");  find_activity(gas_, dt); }
    // Reactions and the volume they make go together: half of them react before the gas moves and swells, half after it [strang1968].
    const bool twice = gas_.chemistry && gas_.swells();
    if (twice) { Stage stage(times_, "kinetics"); ReactingGas before = gas_.reacting(); gas_.chemistry->react(before, 0.5 * dt); }
    { Stage stage(times_, "expansion"); foresee_swelling(gas_, dt); }
    { Stage stage(times_, "velocity");  advect_velocity(gas_, dt); }
    { Stage stage(times_, "forces");    add_forces(gas_, dt); }
    { Stage stage(times_, "pressure");  project(gas_, dt); }
    { Stage stage(times_, "transport"); transport_scalars(gas_, dt); if (gas_.chemistry) gas_.chemistry->remember(gas_.reacting()); }
    { Stage stage(times_, "decay");     diffuse_and_decay(gas_, dt); }
    if (gas_.chemistry) {
        ReactingGas reacting = gas_.reacting(twice ? 0.5 * dt : 0);
        { Stage stage(times_, "particles"); gas_.chemistry->move(reacting, dt); }
        { Stage stage(times_, "kinetics");  gas_.chemistry->react(reacting, twice ? 0.5 * dt : dt); gas_.chemistry->finish(reacting, dt); }
    }
    if (gas_.eroding.any()) { Stage stage(times_, "erosion"); erode(gas_, dt); }
    gas_.flow.finish_step(dt);
}

StateView Gas::state() {
    StateView view;
    gas_.flow.add_state(view);
    for (Substance& substance : gas_.substances)
        if (!substance.solid) view.fields.push_back({substance.name, substance.amount.storage()});
    view.fields.push_back({"excess_temperature", gas_.excess_temperature.storage()});
    if (!gas_.room.empty()) view.fields.push_back({"room", gas_.room.storage()});   // by which amounts go on when a body moves
    if (!gas_.expansion.empty()) view.fields.push_back({"swelling", gas_.expansion.asked().storage()});
    if (gas_.chemistry) gas_.chemistry->add_state(view);
    gas_.eroding.add_state(gas_.flow, view);
    return view;
}

std::size_t Gas::chemistry_bytes() const {
    if (!gas_.chemistry) return 0;
    return gas_.chemistry->bytes() + (std::max<std::size_t>(gas_.substances.size(), 1) - 1) * gas_.excess_temperature.bytes() +
           gas_.expansion.volume.bytes() + gas_.expansion.middle.bytes() + gas_.expansion.divergence.bytes();
}

}  // namespace phlo::models
