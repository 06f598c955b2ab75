// Units of rate constants and activation energies. A rate constant's unit depends on the order of its reaction, which may be a fraction,
// so powers are real numbers here; base/units.h has whole ones.
//
//   UnitSystem units;                                     // SI with moles
//   units.length = 0.01;                                  // numbers without a unit are in cm, mol, s
//   rate_constant("1e13", 2, units);                      // 1e7 m³/mol/s
//   rate_constant("0.5 m^1.5/mol^0.5/s", 1.5, units);     // 0.5
//   activation_temperature("10 kcal/mol", units);         // 5032 K
#pragma once
#include <array>
#include <optional>
#include <string>
#include <string_view>

namespace phlo::chem {

inline constexpr double avogadro = 6.02214076e23;  ///< [1/mol]

/// What numbers without a unit are in.
struct UnitSystem {
    double length = 1;  ///< [m]
    double quantity = 1;  ///< [mol]
    double time = 1;  ///< [s]
    double energy = 1;  ///< [J]
    std::optional<double> activation;  ///< [K] of an activation energy of one; unset: energy per quantity

    double kelvin_per_activation() const;
};

/// A product of real powers of units.
struct RealUnit {
    std::array<double, 6> dimension{};  ///< powers of metre, kilogram, second, kelvin, mole, radian
    double factor = 1;  ///< SI = value · factor
};
/// Also knows molec, eV, erg and other names that mechanism files use. None if a name is unknown.
std::optional<RealUnit> parse_real_unit(std::string_view text);

/// A number and the unit behind it, if any.
struct Quantity {
    double value = 0;
    std::string unit;
};
/// None unless `text` begins with a finite number.
std::optional<Quantity> split_quantity(std::string_view text);

/// How a rate depends on concentrations, and hence what unit its constant has.
struct RateOrder {
    double order = 1;      ///< sum of the exponents of what is not solid
    bool surface = false;  ///< a rate by area, mol/(m² s): its constant has one more metre
};
/// Pre-exponential factor in (m³/mol)^(order−1)/s. Throws InputError (without position) if it is no number or of another kind.
double rate_constant(std::string_view text, const RateOrder& of, const UnitSystem& units);
inline double rate_constant(std::string_view text, double order, const UnitSystem& units) { return rate_constant(text, RateOrder{order}, units); }
/// Activation energy over the gas constant [K], from an energy per amount, an energy per molecule (eV) or a temperature.
double activation_temperature(std::string_view text, const UnitSystem& units);
/// Temperature in K of one unit of activation energy named `unit`; none if it is no such unit.
std::optional<double> kelvin_per(std::string_view unit);

}  // namespace phlo::chem
