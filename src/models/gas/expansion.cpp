#include "models/gas/expansion.h"

#include <cmath>
#include <numbers>

#include "base/parallel.h"

namespace phlo::models {
namespace {

/// to = factor · from
void scale(const field::Grid& from, float factor, field::Grid& to) {
    const field::Layout& layout = from.layout();
    parallel_for(layout.nz(), [&](int k) {
        for (int j = 0; j < layout.ny(); ++j) {
            const float* in = from.row(j, k);
            float* out = to.row(j, k);
#pragma omp simd
            for (int i = 0; i < layout.nx(); ++i) out[i] = factor * in[i];
        }
    });
}

/// Of what reactions want, over the cells where that is not next to nothing.
struct Wanted {
    double sum = 0, squares = 0, cells = 0;
    double each() const { return sum > 0 ? squares / sum : 0; }   ///< mean, weighted by itself
};

Wanted wanted_in(const field::Grid& asked) {
    const field::Layout& layout = asked.layout();
    constexpr float negligible = 1e-3f;
    return parallel_reduce(layout.nz(), Wanted{}, [&](int k) {
        Wanted part;
        for (int j = 0; j < layout.ny(); ++j) {
            const float* wanted = asked.row(j, k);
            for (int i = 0; i < layout.nx(); ++i) {
                const double here = std::fabs(double(wanted[i]));
                if (here > double(negligible)) part.sum += here, part.squares += here * here, ++part.cells;
            }
        }
        return part;
    }, [](Wanted a, const Wanted& b) { return Wanted{a.sum + b.sum, a.squares + b.squares, a.cells + b.cells}; });
}

/// The part of what is wanted that `dt` seconds give; of a divergence that evolves by itself what it amounts to [s].
double given_in(const GasState& gas, double dt) {
    return gas.expansion.volume.empty() ? dt : -std::expm1(-dt / gas.setup.chemistry.expansion_time);
}

}  // namespace

/// Reactions ask for a volume V; it is given by dV/dt = -V / expansion_time, so that an explosion pushes the gas through a few steps that the
/// time step can follow, instead of throwing it across many cells at once. A real gas gets what its pressure demands at once.
const field::Grid* wanted_divergence(GasState& gas, double dt) {
    const Curve<double>& prescribed = gas.setup.gas.expansion;
    if (gas.expansion.empty() && prescribed.is_constant() && prescribed(0) == 0) return nullptr;
    field::Grid& phi = gas.flow.workspace().grid(0, gas.flow.layout());
    const double kept = gas.real() ? 0 : std::exp(-dt / gas.setup.chemistry.expansion_time);
    Expansion& asked = gas.expansion;
    if (!asked.divergence.empty()) scale(asked.divergence, 1, phi);
    else if (!asked.volume.empty()) scale(asked.middle.empty() ? asked.volume : asked.middle, float((1 - kept) / dt), phi);
    else phi.fill(0);
    if (!asked.volume.empty()) scale(asked.volume, float(kept), asked.volume);
    gas.expansion.given += flow::sum_with_room(phi, gas.room) * dt * gas.flow.cell_volume();
    const double time = gas.flow.time();
    for (std::size_t e = 0; e < gas.setup.emitters.size(); ++e) {
        const Emitter& emitter = gas.setup.emitters[e];
        const double strength = emitter.strength(time), expansion = prescribed(time);
        if (strength > 0 && emitter.mode != EmitMode::start && expansion != 0) add(gas.coverage[e], phi, strength * expansion);
    }
    flow::to_amounts(gas.room, phi);   // what a cut cell gives off is as much less as it holds less
    return &phi;
}

double expansion_speed(GasState& gas) {
    if (!gas.swells()) return 0;
    const Wanted all = wanted_in(gas.expansion.asked());
    if (all.cells == 0) return 0;
    const double each_second = gas.expansion.volume.empty() ? 1 : 1 / gas.setup.chemistry.expansion_time;
    const double per_second = all.sum * gas.flow.cell_volume() * each_second;
    const double radius = std::cbrt(all.cells * gas.flow.cell_volume() * 3 / (4 * std::numbers::pi));
    return per_second / (4 * std::numbers::pi * radius * radius);
}

double growth_in(GasState& gas, double dt) { return wanted_in(gas.expansion.asked()).each() * given_in(gas, dt); }

double longest_swelling(GasState& gas, double remaining) {
    if (!gas.swells() || gas.flow.shot().time.fixed_step > 0) return remaining;
    const double now = wanted_in(gas.expansion.asked()).each();
    // Steps that get longer by the square root of 2, up to the one that would do all at once.
    std::vector<double> steps;
    for (int halves = 16; halves >= 0; --halves) steps.push_back(remaining * std::exp2(-0.5 * halves));
    const std::vector<double> coming = gas.chemistry->foresee(gas.reacting(), steps);
    double shorter = 0, growth_before = 0;
    for (std::size_t n = 0; n < steps.size(); ++n) {
        const double growth = (now + coming[n]) * given_in(gas, steps[n]);
        if (growth > max_growth) return shorter + (steps[n] - shorter) * (max_growth - growth_before) / (growth - growth_before);
        shorter = steps[n], growth_before = growth;
    }
    return remaining;
}

}  // namespace phlo::models
