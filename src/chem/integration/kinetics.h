// Chemistry in many cells over one time step, or in one cell along its path.
//
//   const Network network(read_mechanism("mechanisms/hydrogen.yaml"));
//   Cells<float> cells{.count = n, .amounts = pointers, .temperature = T};                 // one array a species, one value a cell
//   KineticsReport report = react(network, cells, dt, {.hold = Hold::pressure, .adiabatic = true});
//
// A cell is a parcel of gas: amounts n_k [mol], a temperature, and a volume or a pressure. With volume 1 m³ its amounts are
// concentrations. Amounts never become negative and the network's totals stay to round-off. A cell that floats cannot follow, or only
// with very many steps, is tried once more in doubles; one that cannot be integrated then either is left as it was, and is in the report.
#pragma once
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "chem/integration/integrator.h"
#include "chem/rates/network.h"
#include "numerics/batch_report.h"

namespace phlo::chem {

enum class Hold { volume, pressure };

struct KineticsParams {
    Hold hold = Hold::volume;
    bool adiabatic = false;  ///< temperature follows the heat of reaction: needs thermo of all species
    Integrator integrator = Integrator::automatic;  ///< automatic: explicit where nothing is stiff, else Rosenbrock; cell by cell
    double relative = 1e-4;  ///< tolerance of a step, relative to each amount
    double absolute = 1e-9;  ///< and absolute, as a share of the cell's total amount
    double fixed_step = 0;  ///< [s] above 0: no error control (not with automatic)
    double start_time = 0;  ///< [s] what t means in control functions
    long most_steps = 1'000'000;  ///< of one cell
};

template <class S>
struct Cells {
    int count = 0;
    std::vector<S*> amounts = {};  ///< by species [mol]
    S* temperature = nullptr;  ///< [K]
    const S* volume = nullptr;  ///< [m³], when the volume is held; null: `same_volume` everywhere
    const S* pressure = nullptr;  ///< [Pa], when the pressure is held; null: `same_pressure` everywhere
    double same_volume = 1, same_pressure = 101325;
};

struct FailedCell {
    int cell = 0;
    double temperature = 0;
    std::vector<double> amounts;  ///< where it stood when it failed
};

struct KineticsReport : numerics::BatchReport {
    long explicit_cells = 0;  ///< of `cells`, by the automatic choice
    long repeated = 0;  ///< cells that floats could not follow, tried again in doubles
    std::vector<FailedCell> failures;  ///< the first few

    /// "" if all went well, else one line for the log.
    std::string summary(const Network& network) const;
};

/// All cells, in parallel. The results do not depend on the number of threads.
template <class S>
KineticsReport react(const Network& network, const Cells<S>& cells, double dt, const KineticsParams& params);
extern template KineticsReport react<float>(const Network&, const Cells<float>&, double, const KineticsParams&);
extern template KineticsReport react<double>(const Network&, const Cells<double>&, double, const KineticsParams&);

/// One parcel at one moment.
struct CellState {
    double time = 0;  ///< [s]
    double temperature = 0;  ///< [K]
    double volume = 0, pressure = 0;  ///< [m³], [Pa]
    std::vector<double> amounts = {};  ///< by species [mol]
    double heating = 0;  ///< dT/dt [K/s]
};

/// Rates of change of the amounts [mol/s] and of the temperature [K/s] of one cell.
struct Rates {
    std::vector<double> amounts, progress;  ///< by species; by reaction [mol/(m³ s)]
    double temperature = 0;
};
Rates rates_of(const Network& network, const CellState& state, const KineticsParams& params);

/// One cell in double precision; `observe` sees the start and every accepted step. Throws RunError, with the state, if it cannot be
/// integrated.
KineticsReport react_along(const Network& network, CellState& state, double duration, const KineticsParams& params,
                           const std::function<void(const CellState&, const Rates&)>& observe);

}  // namespace phlo::chem
