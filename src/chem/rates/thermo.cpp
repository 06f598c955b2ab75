#include "chem/rates/thermo.h"

#include <cmath>

#include "base/error.h"

namespace phlo::chem {

const std::array<double, 7>& coefficients(const Nasa7& nasa, double T) { return T <= nasa.middle ? nasa.below : nasa.above; }

double cp_over_R(const Nasa7& nasa, double T) {
    const auto& a = coefficients(nasa, T);
    return a[0] + T * (a[1] + T * (a[2] + T * (a[3] + T * a[4])));
}

double h_over_RT(const Nasa7& nasa, double T) {
    const auto& a = coefficients(nasa, T);
    return a[0] + T * (a[1] / 2 + T * (a[2] / 3 + T * (a[3] / 4 + T * a[4] / 5))) + a[5] / T;
}

double s_over_R(const Nasa7& nasa, double T) {
    const auto& a = coefficients(nasa, T);
    return a[0] * std::log(T) + T * (a[1] + T * (a[2] / 2 + T * (a[3] / 3 + T * a[4] / 4))) + a[6];
}

double g_over_RT(const Nasa7& nasa, double T) { return h_over_RT(nasa, T) - s_over_R(nasa, T); }

double log_equilibrium_constant(const Mechanism& mechanism, const Reaction& reaction, double T) {
    double g = 0, moles = 0;
    const auto add = [&](const std::vector<Term>& terms, double sign) {
        for (const Term& term : terms) {
            const auto& thermo = mechanism.species[std::size_t(term.species)].thermo;
            PHLO_CHECK(thermo.has_value());
            g += sign * term.coefficient * g_over_RT(*thermo, T);
            moles += sign * term.coefficient;
        }
    };
    add(reaction.products, 1);
    add(reaction.reactants, -1);
    return -g + moles * std::log(reference_pressure / (gas_constant * T));
}

namespace {

/// amounts[k] · weight(k), normalised.
template <class Weight>
std::vector<double> converted(std::span<const double> amounts, Weight weight) {
    std::vector<double> result(amounts.size());
    double sum = 0;
    for (std::size_t k = 0; k < amounts.size(); ++k) sum += result[k] = amounts[k] * weight(k);
    if (sum > 0)
        for (double& value : result) value /= sum;
    return result;
}

}  // namespace

std::vector<double> mole_fractions(const Mechanism& mechanism, std::span<const double> mass_fractions) {
    PHLO_CHECK(mass_fractions.size() == mechanism.species.size());
    return converted(mass_fractions, [&](std::size_t k) { return 1 / mechanism.species[k].molar_mass; });
}

std::vector<double> mass_fractions(const Mechanism& mechanism, std::span<const double> mole_fractions) {
    PHLO_CHECK(mole_fractions.size() == mechanism.species.size());
    return converted(mole_fractions, [&](std::size_t k) { return mechanism.species[k].molar_mass; });
}

double mean_molar_mass_of_moles(const Mechanism& mechanism, std::span<const double> mole_fractions) {
    PHLO_CHECK(mole_fractions.size() == mechanism.species.size());
    double mass = 0, moles = 0;
    for (std::size_t k = 0; k < mole_fractions.size(); ++k)
        mass += mole_fractions[k] * mechanism.species[k].molar_mass, moles += mole_fractions[k];
    return mass / moles;
}

double mean_molar_mass_of_masses(const Mechanism& mechanism, std::span<const double> mass_fractions) {
    PHLO_CHECK(mass_fractions.size() == mechanism.species.size());
    double mass = 0, moles = 0;
    for (std::size_t k = 0; k < mass_fractions.size(); ++k)
        mass += mass_fractions[k], moles += mass_fractions[k] / mechanism.species[k].molar_mass;
    return mass / moles;
}

double density(double pressure, double T, double molar_mass) { return pressure * molar_mass / (gas_constant * T); }

}  // namespace phlo::chem
