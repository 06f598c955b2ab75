#include "models/gas/expansion.h"

#include <cmath>
#include <numbers>

#include "base/parallel.h"

namespace phlo::models {
namespace {

/// to = rate · from; from *= kept.
void take(field::Grid& from, float rate, float kept, field::Grid& to) {
    const field::Layout& layout = from.layout();
    parallel_for(layout.nz(), [&](int k) {
        for (int j = 0; j < layout.ny(); ++j) {
            float *__restrict wanted = from.row(j, k), *__restrict given = to.row(j, k);
#pragma omp simd
            for (int i = 0; i < layout.nx(); ++i) given[i] = rate * wanted[i], wanted[i] *= kept;
        }
    });
}

}  // namespace

/// Reactions ask for a volume V; it is given by dV/dt = -V / expansion_time, so that an explosion pushes the gas through a few steps that the
/// time step can follow, instead of throwing it across many cells at once. A real gas gets what its pressure demands at once.
const field::Grid* wanted_divergence(GasState& gas, double dt) {
    const Curve<double>& prescribed = gas.setup.gas.expansion;
    if (gas.expansion.empty() && prescribed.is_constant() && prescribed(0) == 0) return nullptr;
    field::Grid& phi = gas.flow.workspace().grid(0, gas.flow.layout());
    const double kept = gas.real() ? 0 : std::exp(-dt / gas.setup.chemistry.expansion_time);
    if (!gas.expansion.divergence.empty()) take(gas.expansion.divergence, 1, 1, phi);
    else if (!gas.expansion.volume.empty()) take(gas.expansion.volume, float((1 - kept) / dt), float(kept), phi);
    else phi.fill(0);
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
    if (gas.expansion.empty() || gas.real()) return 0;
    const field::Grid& asked = gas.expansion.asked();
    const field::Layout& layout = asked.layout();
    constexpr float negligible = 1e-3f;
    struct Part { double wanted = 0, cells = 0; };
    const Part all = parallel_reduce(layout.nz(), Part{}, [&](int k) {
        Part part;
        for (int j = 0; j < layout.ny(); ++j) {
            const float* wanted = asked.row(j, k);
            for (int i = 0; i < layout.nx(); ++i)
                if (std::fabs(wanted[i]) > negligible) part.wanted += std::fabs(double(wanted[i])), ++part.cells;
        }
        return part;
    }, [](Part a, const Part& b) { return Part{a.wanted + b.wanted, a.cells + b.cells}; });
    if (all.cells == 0) return 0;
    const double each_second = gas.expansion.volume.empty() ? 1 : 1 / gas.setup.chemistry.expansion_time;
    const double per_second = all.wanted * gas.flow.cell_volume() * each_second;
    const double radius = std::cbrt(all.cells * gas.flow.cell_volume() * 3 / (4 * std::numbers::pi));
    return per_second / (4 * std::numbers::pi * radius * radius);
}

}  // namespace phlo::models
