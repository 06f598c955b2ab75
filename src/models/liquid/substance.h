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
    double thinning;    ///< B of nu(T) = nu exp(B (1/T - 1/293.15 K)): how much thinner it gets when it is warmed [K]
    double heat_capacity;   ///< [J/(kg K)]
    double tension;     ///< of its surface in air [N/m]
    const char* help;
};

std::span<const LiquidSubstance> liquid_substances();
/// Null if nobody knows it.
const LiquidSubstance* find_liquid_substance(std::string_view name);

}  // namespace phlo::models
