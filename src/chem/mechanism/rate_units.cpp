#include "chem/mechanism/rate_units.h"

#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "base/error.h"
#include "base/units.h"
#include "chem/mechanism/mechanism.h"

namespace phlo::chem {
namespace {

using Powers = std::array<double, 6>;
constexpr Powers length{1, 0, 0, 0, 0, 0}, duration{0, 0, 1, 0, 0, 0}, heat{0, 0, 0, 1, 0, 0}, amount{0, 0, 0, 0, 1, 0};
constexpr Powers force{1, 1, -2, 0, 0, 0}, energy{2, 1, -2, 0, 0, 0}, pressure{-1, 1, -2, 0, 0, 0}, molar_energy{2, 1, -2, 0, -1, 0};

struct Named {
    std::string_view name;
    RealUnit unit;
};

/// What base/units.h does not know: names that only mechanism files use.
constexpr Named chemists_units[] = {
    {"molec", {amount, 1 / avogadro}},
    {"molecule", {amount, 1 / avogadro}},
    {"gmol", {amount, 1}},
    {"mole", {amount, 1}},
    {"kgmol", {amount, 1e3}},
    {"hr", {duration, 3600}},
    {"micron", {length, 1e-6}},
    {"angstrom", {length, 1e-10}},
    {"Å", {length, 1e-10}},
    {"eV", {energy, 1.602176634e-19}},
    {"erg", {energy, 1e-7}},
    {"dyn", {force, 1e-5}},
    {"torr", {pressure, 101325.0 / 760}},
};

std::optional<RealUnit> named_unit(std::string_view name) {
    for (const Named& candidate : chemists_units)
        if (candidate.name == name) return candidate.unit;
    const auto known = parse_unit(name);
    if (name.empty() || !known || known->offset != 0) return std::nullopt;
    RealUnit unit{{}, known->factor};
    for (std::size_t d = 0; d < unit.dimension.size(); ++d) unit.dimension[d] = known->dimension[d];
    return unit;
}

std::string_view trimmed(std::string_view text) {
    const auto first = text.find_first_not_of(" \t"), last = text.find_last_not_of(" \t");
    return first == std::string_view::npos ? std::string_view() : text.substr(first, last - first + 1);
}

bool same_kind(const Powers& a, const Powers& b) {
    for (std::size_t d = 0; d < a.size(); ++d)
        if (std::abs(a[d] - b[d]) > 1e-9) return false;
    return true;
}

/// "m^3/mol/s" for order 2.
std::string rate_unit(const RateOrder& of) {
    const double n = of.order - 1, metres = 3 * n + of.surface;
    if (n == 0) return of.surface ? "m/s" : "1/s";
    return fmt::format("m^{:g}/mol{}/s", metres, n == 1 ? "" : fmt::format("^{:g}", n));
}

Quantity number_with_unit(std::string_view text, const std::string& expected) {
    auto quantity = split_quantity(text);
    if (!quantity) throw InputError(fmt::format("'{}' is not a finite number; expected {}", text.substr(0, 60), expected));
    return *std::move(quantity);
}

double finite(double value, std::string_view text) {
    if (!std::isfinite(value)) throw InputError(fmt::format("'{}' is too large", text.substr(0, 60)));
    return value;
}

}  // namespace

double UnitSystem::kelvin_per_activation() const { return activation ? *activation : energy / quantity / gas_constant; }

std::optional<RealUnit> parse_real_unit(std::string_view text) {
    RealUnit result;
    for (bool first = true; !(text = trimmed(text)).empty(); first = false) {
        double sign = 1;
        if (text.front() == '/') sign = -1, text = trimmed(text.substr(1));
        else if (!first && text.front() == '*') text = trimmed(text.substr(1));
        const std::string_view name = text.substr(0, std::min(text.find_first_of(" \t*/^"), text.size()));
        text.remove_prefix(name.size());
        auto unit = name == "1" ? RealUnit{} : named_unit(name);
        if (!unit) return std::nullopt;
        double power = 1;
        if (text.starts_with('^')) {
            text.remove_prefix(1);
            const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), power);
            if (error != std::errc() || !(std::abs(power) <= 99)) return std::nullopt;
            text.remove_prefix(std::size_t(end - text.data()));
        }
        result.factor *= std::pow(unit->factor, sign * power);
        for (std::size_t d = 0; d < result.dimension.size(); ++d) result.dimension[d] += sign * power * unit->dimension[d];
    }
    return result;
}

std::optional<Quantity> split_quantity(std::string_view text) {
    text = trimmed(text);
    const std::string_view number = text.substr(text.starts_with('+') ? 1 : 0);
    if (number.empty() || std::string_view("0123456789.-").find(number.front()) == std::string_view::npos) return std::nullopt;
    double value = 0;
    const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), value);
    if (error == std::errc() && std::isfinite(value))
        return Quantity{value, std::string(trimmed(text.substr(std::size_t(end - text.data()))))};
    return std::nullopt;
}

double rate_constant(std::string_view text, const RateOrder& of, const UnitSystem& units) {
    const Quantity quantity = number_with_unit(text, rate_unit(of));
    const double metres = of.surface ? 1 : 0;
    if (quantity.unit.empty()) {
        const double volume_per_mole = std::pow(units.length, 3) / units.quantity;
        return finite(quantity.value * std::pow(volume_per_mole, of.order - 1) * std::pow(units.length, metres) / units.time, text);
    }
    const auto unit = parse_real_unit(quantity.unit);
    if (!unit) throw InputError(fmt::format("unknown unit '{}'; expected {}", quantity.unit.substr(0, 60), rate_unit(of)));
    if (!same_kind(unit->dimension, {3 * (of.order - 1) + metres, 0, -1, 0, 1 - of.order, 0}))
        throw InputError(fmt::format("'{}' does not fit a reaction of order {:g}{}; expected {}", quantity.unit, of.order,
                                     of.surface ? " on a surface" : "", rate_unit(of)));
    return finite(quantity.value * unit->factor, text);
}

std::optional<double> kelvin_per(std::string_view text) {
    const auto unit = parse_real_unit(text);
    if (!unit || trimmed(text).empty()) return std::nullopt;
    if (same_kind(unit->dimension, heat)) return unit->factor;
    if (same_kind(unit->dimension, molar_energy)) return unit->factor / gas_constant;
    if (same_kind(unit->dimension, energy)) return unit->factor * avogadro / gas_constant;
    return std::nullopt;
}

double activation_temperature(std::string_view text, const UnitSystem& units) {
    const std::string expected = "an activation energy: J/mol, kJ/mol, cal/mol, kcal/mol, eV, or a temperature in K";
    const Quantity quantity = number_with_unit(text, expected);
    if (quantity.unit.empty()) return finite(quantity.value * units.kelvin_per_activation(), text);
    const auto kelvin = kelvin_per(quantity.unit);
    if (!kelvin)
        throw InputError(fmt::format("'{}' is no unit of an activation energy; expected {}", quantity.unit.substr(0, 60), expected));
    return finite(quantity.value * *kelvin, text);
}

}  // namespace phlo::chem
