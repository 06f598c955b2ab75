// What a mechanism says, as plain data: species with their thermodynamics, and reactions with their rate laws. Readers make it
// (read.h), check.h refuses what cannot be right, Network (network.h) compiles it for speed.
//
//   Mechanism m = read_mechanism("mechanisms/hydrogen.yaml");
//   m.species[m.find("H2O")].molar_mass;                    // 0.018015 kg/mol
//
// Everything is SI with moles: concentrations in mol/m³, pre-exponential factors in (m³/mol)^(order−1)/s, energies as temperatures
// (activation energy over the gas constant, in K).
#pragma once
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "config/node.h"

namespace phlo::chem {

inline constexpr double gas_constant = 8.31446261815324;  ///< [J/(mol K)]
inline constexpr double reference_pressure = 101325;  ///< of the NASA polynomials [Pa]

/// Two polynomials of seven coefficients a0 … a6 [mcbride1993]:
/// cp/R = a0 + a1 T + a2 T² + a3 T³ + a4 T⁴,  h/RT = a0 + a1 T/2 + … + a5/T,  s/R = a0 ln T + a1 T + … + a6.
struct Nasa7 {
    double low = 200, middle = 1000, high = 6000;  ///< ranges [K]
    std::array<double, 7> below{}, above{};  ///< of `middle`
};

struct Species {
    std::string name;
    std::vector<std::pair<std::string, double>> composition = {};  ///< atoms of each element; empty for an invented species
    double molar_mass = 0.029;  ///< [kg/mol]
    std::optional<Nasa7> thermo = {};
    config::Position position = {};
    std::optional<double> molar_density = {};  ///< given: a solid, which reacts on surfaces only (surface_kinetics.h) [mol/m³]

    bool solid() const { return molar_density.has_value(); }
};

/// A species and its coefficient: in an equation, as an order, or as a collision efficiency.
struct Term {
    int species = 0;
    double coefficient = 1;
};

/// k = A T^b exp(−Ta/T).
struct Arrhenius {
    double A = 0;  ///< [(m³/mol)^(order−1)/s/K^b]; may be negative in duplicates
    double b = 0;
    double Ta = 0;  ///< activation energy over the gas constant [K]
};

/// Centre of the falloff [gilbert1983]: F_cent = (1 − a) e^(−T/T3) + a e^(−T/T1) + e^(−T2/T).
struct Troe {
    double a = 0, T3 = 0, T1 = 0;
    std::optional<double> T2;
};

/// Rate between its low- and high-pressure limits; Lindemann's without `troe`. The low limit has one more m³/mol.
struct Falloff {
    Arrhenius high, low;
    std::optional<Troe> troe;
};

/// A control function: k as an expression in T [K], t [s] and the species' names (concentrations in mol/m³).
struct Formula {
    std::string text;
    config::Position position;
};

using RateLaw = std::variant<Arrhenius, Falloff, Formula>;

/// The collider M: [M] = Σ efficiency · concentration.
struct ThirdBody {
    double others = 1;  ///< efficiency of every species that is not named; 0 for one explicit collider
    std::vector<Term> efficiencies;
};

struct Reaction {
    std::string equation = {};  ///< as written
    std::vector<Term> reactants = {}, products = {};  ///< each species once a side; a catalyst stands on both
    std::vector<Term> orders = {};  ///< of the forward rate; the readers fill in the reactants' coefficients where nothing else is said
    RateLaw rate = {};
    std::optional<ThirdBody> third_body = {};  ///< of three-body and falloff reactions
    bool reversible = false;  ///< backward rate from the equilibrium constant; needs thermo of all its species
    bool duplicate = false;  ///< another reaction has the same equation, on purpose
    config::Position position = {};
};

struct Mechanism {
    std::string name;
    std::vector<std::string> elements;
    std::vector<Species> species;
    std::vector<Reaction> reactions;

    /// Index of a species by name; −1 if there is none.
    int find(std::string_view species_name) const;
    std::vector<std::string> species_names() const;
    /// Whether every species has thermodynamic data.
    bool has_thermo() const;
};

}  // namespace phlo::chem
