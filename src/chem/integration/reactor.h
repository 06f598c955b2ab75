// The zero-dimensional reactor: a well-stirred parcel of gas that reacts at constant pressure or volume, with or without heat exchange.
//
//   const Network network(read_mechanism("mechanisms/hydrogen.yaml"));
//   ReactorParams params = default_reactor(network.mechanism());
//   params.mole = {{"H2", 2}, {"O2", 1}, {"N2", 3.76}};
//   params.temperature = 1000;
//   const ReactorRun run = run_reactor(network, params);
//   run.ignition_delay;                                     // [s], none if nothing ignites
//
// The equations are in docs/models/kinetics.md.
#pragma once
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "chem/integration/kinetics.h"
#include "chem/integration/trajectory.h"
#include "config/table.h"

namespace phlo::chem {

enum class Spacing { linear, log };
enum class Thermal { adiabatic, isothermal };
/// In what species are counted in the output.
enum class SpeciesMeasure { mole_fraction, mass_fraction, concentration };

/// What the reactor starts with, and for how long it is followed.
struct ReactorParams {
    using Mixture = std::map<std::string, double>;

    double temperature = 300;  ///< [K]
    double pressure = 101325;  ///< [Pa]; follows from `amount` where that is given
    Mixture mole, mass;  ///< ratios; one of the three says what is in the reactor
    Mixture amount;  ///< concentrations [mol/m³]
    Hold hold = Hold::pressure;
    Thermal thermal = Thermal::adiabatic;
    double time = 1;  ///< [s]
    double tolerance = 1e-6;  ///< relative, of a step
    double absolute = 1e-15;  ///< share of the total amount below which a species' error does not count
    int points = 0;  ///< rows of the output; 0: as many as the curves need
    Spacing spacing = Spacing::linear;  ///< of `points`
    SpeciesMeasure show = SpeciesMeasure::mole_fraction;
};

/// Gases with thermodynamic data react adiabatically at constant pressure, invented chemistry isothermally at constant volume.
ReactorParams default_reactor(const Mechanism& mechanism);

/// The keys of a `react:` section; its mixtures know the mechanism's species.
config::Table<ReactorParams> reactor_table(const Mechanism& mechanism);

/// From a `react:` section and assignments "key=value" of the command line; either may be empty. Throws InputError.
ReactorParams read_reactor(const Mechanism& mechanism, const config::Node& section, const std::vector<std::string>& overrides);

struct ReactorRun {
    Trajectory path;  ///< every accepted step
    KineticsReport report;
    std::optional<double> ignition_delay;  ///< time of the fastest heating [s]
    std::optional<double> delay_400;  ///< time at which the temperature has risen by 400 K [s]
    double totals_drift = 0;  ///< largest change of a conserved total, as a share of it
    double energy_drift = 0;  ///< change of enthalpy or inner energy over the heat capacity [K]
};

CellState initial_state(const Mechanism& mechanism, const ReactorParams& params);

/// `progress` is called after every step with the share of the time that is done.
ReactorRun run_reactor(const Network& network, const ReactorParams& params, const std::function<void(double)>& progress = {});

}  // namespace phlo::chem
