// What leaves the model for programs that look.
#include "models/gas/gas.h"

#include <algorithm>
#include <cmath>

#include "base/parallel.h"
#include "models/gas/heat_field.h"

namespace phlo::models {

using field::Grid;

namespace {

template <class T>
std::shared_ptr<const T> borrowed(const T& object) { return {std::shared_ptr<void>(), &object}; }

}  // namespace

field::Frame Gas::show() const {
    field::Frame frame;
    frame.time = time();
    frame.domain = domain();
    // The second velocity is free between steps: it holds the temperature itself, the solver works with the excess.
    Grid& temperature = const_cast<GasState&>(gas_).flow.idle_grid(2);
    const float ambient = float(gas_.setup.gas.ambient_temperature);
    parallel_for(gas_.flow.layout().nz(), [&](int k) {
        for (int j = 0; j < gas_.flow.layout().ny(); ++j) {
            const float* __restrict from = gas_.excess_temperature.row(j, k);
            float* __restrict to = temperature.row(j, k);
#pragma omp simd
            for (int i = 0; i < gas_.flow.layout().nx(); ++i) to[i] = ambient + from[i];
        }
    });
    frame.scalars = {{.name = "temperature", .unit = "K", .background = ambient, .negligible = 0.01f, .grid = borrowed<Grid>(temperature)}};
    if (!gas_.chemistry) frame.scalars.insert(frame.scalars.begin(), {.name = "density", .unit = "1", .background = 0, .negligible = 1e-4f,
                                                                  .grid = borrowed(gas_.substances.front().amount)});
    else for (const Substance& substance : gas_.substances)
        frame.scalars.push_back({.name = "c_" + substance.name, .unit = "mol/m^3", .background = float(substance.ambient), .negligible = 1e-4f,
                                 .grid = borrowed(substance.amount)});
    if (const auto visible = gas_.chemistry ? visible_density() : nullptr)
        frame.scalars.push_back({.name = "density", .unit = "mol/m^3", .background = 0, .negligible = 1e-4f, .grid = visible});
    frame.velocity = borrowed(gas_.flow.velocity());
    for (const geom::Placement& placed : gas_.flow.placements()) frame.surfaces.push_back(placed.body->surface(placed.pose));
    if (gas_.chemistry) gas_.chemistry->show(frame);
    return frame;
}

/// What programs that know nothing of species look for: the sum of those that are seen. Null if none is on the grid.
std::shared_ptr<const Grid> Gas::visible_density() const {
    std::vector<const Grid*> seen;
    for (const int species : eulerian_species(gas_.setup.chemistry, *gas_.setup.mechanism))
        for (const Substance& substance : gas_.substances)
            if (substance.species == species && substance.ambient == 0) seen.push_back(&substance.amount);
    if (seen.empty()) return nullptr;
    if (seen.size() == 1) return borrowed(*seen.front());
    const auto sum = std::make_shared<Grid>(gas_.flow.layout());
    parallel_for(gas_.flow.layout().nz(), [&](int k) {
        for (int j = 0; j < gas_.flow.layout().ny(); ++j)
            for (const Grid* one : seen) {
                float* __restrict to = sum->row(j, k);
                const float* __restrict from = one->row(j, k);
#pragma omp simd
                for (int i = 0; i < gas_.flow.layout().nx(); ++i) to[i] += from[i];
            }
    });
    return sum;
}

}  // namespace phlo::models
