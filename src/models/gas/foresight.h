// What reactions are about to do: a few hundred parcels of the gas, taken evenly from all that can react, are followed ahead of time without
// changing anything. So the time step sees an ignition coming, from rest too, however suddenly it comes.
//
//   Parcels parcels(network);
//   parcels.add(species, [&](int s) { return concentrations[s]; }, temperature);
//   std::vector<double> wanted = foresee_volume(controls, parcels, time, seconds, {.relative = 1e-3});
#pragma once
#include <span>
#include <vector>

#include "chem/integration/kinetics.h"
#include "models/gas/controls.h"

namespace phlo::models {

/// Cubic metres of gas, each by itself.
struct Parcels {
    explicit Parcels(const chem::Network& network) : amounts(std::size_t(network.species())) {}

    /// `amount(s)` [mol/m^3] of each species; counters of the network begin at 0.
    template <class Amount>
    void add(int species, const Amount& amount, double kelvin) {
        for (std::size_t s = 0; s < amounts.size(); ++s) amounts[s].push_back(int(s) < species ? amount(int(s)) : 0.0);
        temperature.push_back(kelvin);
    }
    int count() const { return int(temperature.size()); }

    std::vector<std::vector<double>> amounts;   ///< by species of the network [mol/m^3]
    std::vector<double> temperature;            ///< [K]
};

inline constexpr int foreseen_parcels = 256;    ///< about as many are followed

/// The expansion that reactions will have asked for after each of `seconds` (ascending): the mean over the parcels, weighted by what each asks for
/// itself, so that gas that rests does not hide gas that bursts [1, or 1/s where the expansion evolves]. The parcels are used up.
std::vector<double> foresee_volume(const Controls& controls, Parcels& parcels, double time, std::span<const double> seconds,
                                   const chem::KineticsParams& kinetics);

}  // namespace phlo::models
