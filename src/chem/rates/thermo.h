// Thermodynamics of ideal gases from NASA7 polynomials, for one state at a time; thermo_batch.h has the batched form.
//
//   const double cp = cp_over_R(*m.species[k].thermo, T) * gas_constant;                       // J/(mol K)
//   const std::vector<double> X = mole_fractions(m, Y);
//   const double rho = density(p, T, mean_molar_mass_of_moles(m, X));
//
// The standard pressure is mechanism.h's reference_pressure. Outside their ranges the polynomials are continued as they are.
#pragma once
#include <span>
#include <vector>

#include "chem/mechanism/mechanism.h"

namespace phlo::chem {

/// Coefficients in use at T [K]; `middle` itself belongs to the lower range.
const std::array<double, 7>& coefficients(const Nasa7& nasa, double T);

double cp_over_R(const Nasa7& nasa, double T);
double h_over_RT(const Nasa7& nasa, double T);
double s_over_R(const Nasa7& nasa, double T);
double g_over_RT(const Nasa7& nasa, double T);  ///< h/RT − s/R

/// ln of the equilibrium constant in concentrations, (mol/m³)^Δν: −Δg/RT + Δν ln(p°/(R T)). Needs thermo of all its species.
double log_equilibrium_constant(const Mechanism& mechanism, const Reaction& reaction, double T);

/// Fractions sum to one; a mixture of nothing stays zero.
std::vector<double> mole_fractions(const Mechanism& mechanism, std::span<const double> mass_fractions);
std::vector<double> mass_fractions(const Mechanism& mechanism, std::span<const double> mole_fractions);
/// [kg/mol]
double mean_molar_mass_of_moles(const Mechanism& mechanism, std::span<const double> mole_fractions);
double mean_molar_mass_of_masses(const Mechanism& mechanism, std::span<const double> mass_fractions);
/// ρ = p M / (R T) [kg/m³]
double density(double pressure, double T, double molar_mass);

}  // namespace phlo::chem
