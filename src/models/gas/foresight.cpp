#include "models/gas/foresight.h"

#include <cmath>

namespace phlo::models {

std::vector<double> foresee_volume(const Controls& controls, Parcels& parcels, double time, std::span<const double> seconds,
                                   const chem::KineticsParams& kinetics) {
    const chem::Extents& extents = controls.extents();
    const std::size_t count = std::size_t(parcels.count());
    std::vector<double> wanted;
    if (count == 0 || !controls.has(Control::expansion)) return std::vector<double>(seconds.size(), 0);
    chem::Cells<double> cells{.count = int(count), .temperature = parcels.temperature.data()};
    for (std::vector<double>& of : parcels.amounts) cells.amounts.push_back(of.data());
    std::vector<std::vector<double>> before, rates(extents.wanted().size(), std::vector<double>(count));
    ControlInputs<double> inputs{.count = int(count), .temperature = parcels.temperature.data()};
    for (const std::vector<double>& rate : rates) inputs.rates.push_back(rate.data());
    for (int s = 0; s < extents.species(); ++s) inputs.concentrations.push_back(parcels.amounts[std::size_t(s)].data());
    std::vector<double> volume(count, 0), value(count);
    chem::KineticsParams params = kinetics;
    double done = 0;
    for (const double until : seconds) {
        const double dt = until - done;
        before = parcels.amounts;
        params.start_time = inputs.time = time + done;
        chem::react(extents.network(), cells, dt, params);
        for (std::size_t w = 0; w < rates.size(); ++w) {
            rates[w].assign(count, 0);
            for (const chem::Term& t : extents.weights(int(w)))
                for (std::size_t p = 0; p < count; ++p)
                    rates[w][p] += t.coefficient * (parcels.amounts[std::size_t(t.species)][p] - before[std::size_t(t.species)][p]) / dt;
        }
        controls.evaluate(Control::expansion, inputs, value.data());
        double sum = 0, squares = 0;
        for (std::size_t p = 0; p < count; ++p) {
            volume[p] += value[p] * dt;
            sum += std::abs(volume[p]), squares += volume[p] * volume[p];
        }
        wanted.push_back(sum > 0 ? squares / sum : 0);
        controls.evaluate(Control::heat, inputs, value.data());
        for (std::size_t p = 0; p < count; ++p) parcels.temperature[p] += value[p] * dt;
        done = until;
    }
    return wanted;
}

}  // namespace phlo::models
