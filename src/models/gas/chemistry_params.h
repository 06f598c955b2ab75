// What an animator can say about reactions in the gas. docs/models/reactive-gas.md has the equations.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "chem/integration/integrator.h"
#include "chem/mechanism/mechanism.h"
#include "config/table.h"
#include "models/gas/controls.h"
#include "models/gas/hybrid_params.h"

namespace phlo::models {

enum class ExpansionMode {
    direct,   ///< reactions make the volume ∫ f(r1, …) dt, once: the gas swells while it reacts
    evolving  ///< dφ/dt = f(r1, …) − fade φ, carried along with the gas: it goes on swelling
};

struct ChemistryParams {
    config::Node mechanism;                                ///< as written; the loader replaces a name or a file by its content
    std::vector<config::Named<double>> ambient;            ///< everywhere at the start and outside [mol/m³], or proportions if `pressure` is given
    std::optional<double> pressure;                        ///< [Pa]; given: a real gas, whose temperature and expansion follow from its thermodynamics
    std::vector<std::string> eulerian;                     ///< species that are seen: densities on the grid. None given: those that no rate depends on
    std::vector<std::string> shown;                        ///< species on particles that frames also hold as grids
    std::string heat, expansion;                           ///< control functions
    ExpansionMode expansion_mode = ExpansionMode::direct;
    double expansion_time = 1.0 / 24;                      ///< over which a direct expansion is given [s]
    double expansion_fade = 5;                             ///< [1/s], evolving only
    double min_concentration = 1e-6;                       ///< species rarer than this do not react [mol/m³]
    double min_temperature = 0;                            ///< nothing reacts in colder gas [K]
    chem::Integrator integrator = chem::Integrator::automatic;
    double tolerance = 1e-3;                               ///< relative, of the integration
    HybridParams hybrid;                                   ///< particles of the hybrid method
};

const config::Table<ChemistryParams>& chemistry_table();

/// Species that no reaction's rate depends on: products to look at.
std::vector<int> passive_species(const chem::Mechanism& mechanism);
/// Indices of the species that are densities on the grid under the hybrid method.
std::vector<int> eulerian_species(const ChemistryParams& params, const chem::Mechanism& mechanism);
/// Without the keys' positions: problems are looked for when the scene is loaded.
ControlTexts control_texts(const ChemistryParams& params);

}  // namespace phlo::models
