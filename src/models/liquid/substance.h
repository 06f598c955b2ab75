// Liquids by name, at 20 degrees Celsius: so that a scene can say `substance: honey` and gets what honey does.
//
//   const LiquidSubstance* honey = find_liquid_substance("honey");
//   double nu = honey->viscosity;
#pragma once
#include <span>
#include <string_view>

namespace phlo::models {

struct LiquidSubstance {
    const char* name;
    double density;     ///< [kg/m^3]
    double viscosity;   ///< kinematic, nu [m^2/s]
    double tension;     ///< of its surface in air [N/m]
    const char* help;
};

std::span<const LiquidSubstance> liquid_substances();
/// Null if nobody knows it.
const LiquidSubstance* find_liquid_substance(std::string_view name);

}  // namespace phlo::models
