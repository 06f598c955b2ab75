// The cells that the kinetics bench integrates, with where they must arrive.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "chem/integration/kinetics.h"
#include "peers_cvode.h"

namespace phlo::bench {

struct KineticsCase {
    std::string name;
    chem::Network network;
    chem::KineticsParams params;  ///< what is held; tolerances are the bench's to choose
    double dt = 0;
    bool by_temperature = false;  ///< the error is that of T [K, rms]; else that of amounts, relative to |value| + 1e-6 [rms]
    std::vector<std::vector<double>> start = {}, end = {};  ///< by cell: amounts, then the temperature
    std::vector<std::pair<double, double>> cvode_tolerances = {};  ///< relative, absolute
    double absolute = 1e-9;  ///< ours
    std::optional<OdeProblem> by_hand = {};  ///< written out for CVODE; else it gets the engine's own equations

    int species() const { return network.species(); }
    /// Rms over all cells.
    double error(const std::vector<std::vector<double>>& result) const;
    /// One cell of it, for CVODE.
    OdeProblem ode(const std::vector<double>& cell) const;
    /// All cells with CVODE; empty if it gave up on one. `seconds` is what it took.
    std::vector<std::vector<double>> with_cvode(double relative, double absolute, double& seconds, std::size_t most_cells) const;
};

/// The chain mechanism's cells, hydrogen and air around ignition, and, where its file is at hand, methane and air with GRI-Mech 3.0.
std::vector<KineticsCase> kinetics_cases();

}  // namespace phlo::bench
