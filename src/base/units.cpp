#include "base/units.h"

#include <charconv>
#include <cmath>
#include <numbers>
#include <vector>

#include <fmt/format.h>

#include "base/error.h"

namespace phlo {
namespace {

constexpr Dimension one{}, length{1}, mass{0, 1}, duration{0, 0, 1}, heat{0, 0, 0, 1}, amount{0, 0, 0, 0, 1}, angle{0, 0, 0, 0, 0, 1};
constexpr Dimension frequency{0, 0, -1}, force{1, 1, -2}, energy{2, 1, -2}, power{2, 1, -3}, pressure{-1, 1, -2}, volume{3};

struct NamedUnit {
    std::string_view name;
    Unit unit;
};

const NamedUnit named_units[] = {
    {"m", {length, 1}},
    {"nm", {length, 1e-9}},
    {"um", {length, 1e-6}},
    {"µm", {length, 1e-6}},
    {"mm", {length, 1e-3}},
    {"cm", {length, 1e-2}},
    {"dm", {length, 1e-1}},
    {"km", {length, 1e3}},
    {"in", {length, 0.0254}},
    {"ft", {length, 0.3048}},
    {"kg", {mass, 1}},
    {"g", {mass, 1e-3}},
    {"mg", {mass, 1e-6}},
    {"t", {mass, 1e3}},
    {"lb", {mass, 0.45359237}},
    {"s", {duration, 1}},
    {"ms", {duration, 1e-3}},
    {"us", {duration, 1e-6}},
    {"µs", {duration, 1e-6}},
    {"min", {duration, 60}},
    {"h", {duration, 3600}},
    {"K", {heat, 1}},
    {"degC", {heat, 1, 273.15}},
    {"°C", {heat, 1, 273.15}},
    {"degF", {heat, 5.0 / 9, 273.15 - 160.0 / 9}},
    {"°F", {heat, 5.0 / 9, 273.15 - 160.0 / 9}},
    {"mol", {amount, 1}},
    {"mmol", {amount, 1e-3}},
    {"kmol", {amount, 1e3}},
    {"rad", {angle, 1}},
    {"deg", {angle, std::numbers::pi / 180}},
    {"°", {angle, std::numbers::pi / 180}},
    {"turn", {angle, 2 * std::numbers::pi}},
    {"Hz", {frequency, 1}},
    {"kHz", {frequency, 1e3}},
    {"fps", {frequency, 1}},
    {"N", {force, 1}},
    {"J", {energy, 1}},
    {"kJ", {energy, 1e3}},
    {"MJ", {energy, 1e6}},
    {"cal", {energy, 4.184}},
    {"kcal", {energy, 4184}},
    {"W", {power, 1}},
    {"kW", {power, 1e3}},
    {"Pa", {pressure, 1}},
    {"hPa", {pressure, 1e2}},
    {"kPa", {pressure, 1e3}},
    {"bar", {pressure, 1e5}},
    {"atm", {pressure, 101325}},
    {"l", {volume, 1e-3}},
    {"L", {volume, 1e-3}},
    {"%", {one, 0.01}},
};

struct Kind {
    Dimension dimension;
    std::string_view name, units;
};

const Kind kinds[] = {
    {one, "a number", "may be given in %"},
    {length, "a length", "m, mm, cm, km, in, ft"},
    {mass, "a mass", "kg, g, mg, t, lb"},
    {duration, "a time", "s, ms, min, h"},
    {heat, "a temperature", "K, degC, °C, degF"},
    {amount, "an amount", "mol, mmol, kmol"},
    {angle, "an angle", "deg, rad, turn"},
    {frequency, "a rate", "1/s, Hz, fps, 1/min"},
    {{1, 0, -1}, "a speed", "m/s, cm/s, km/h, ft/s"},
    {{1, 0, -2}, "an acceleration", "m/s^2, cm/s^2"},
    {{1, 0, -2, -1}, "an acceleration per kelvin", "m/(s^2 K)"},
    {{2, 0, -1}, "a diffusivity", "m^2/s, cm^2/s, mm^2/s"},
    {{-3, 1}, "a mass density", "kg/m^3, g/cm^3, g/l"},
    {{0, 0, -1, 0, 0, 1}, "an angular speed", "deg/s, rad/s, turn/s"},
    {{-1}, "a number per length", "1/m, 1/cm"},
    {{2}, "an area", "m^2, cm^2"},
    {volume, "a volume", "m^3, l, cm^3"},
    {force, "a force", "N"},
    {energy, "an energy", "J, kJ, cal"},
    {power, "a power", "W, kW"},
    {pressure, "a pressure", "Pa, kPa, bar, atm"},
};

const Kind* kind_of(const Dimension& dimension) {
    for (const Kind& kind : kinds)
        if (kind.dimension == dimension) return &kind;
    return nullptr;
}

/// Reads `m^2/(s K)`: factors joined by space, * or ·; a / divides by the factor after it.
class UnitParser {
public:
    explicit UnitParser(std::string_view text) : rest_(text) {}

    std::optional<Unit> parse() {
        Unit unit = product();
        skip_spaces();
        if (failed_ || !rest_.empty()) return std::nullopt;
        return unit;
    }

private:
    static constexpr int deepest = 8;

    void skip_spaces() {
        while (!rest_.empty() && rest_.front() == ' ') rest_.remove_prefix(1);
    }
    bool take(std::string_view token) {
        if (!rest_.starts_with(token)) return false;
        rest_.remove_prefix(token.size());
        return true;
    }

    Unit product() {
        Unit result;
        bool alone = true;
        for (bool first = true;; first = false) {
            skip_spaces();
            if (failed_ || rest_.empty() || rest_.front() == ')') break;
            int sign = 1;
            if (take("/")) sign = -1;
            else if (!first && !take("*")) take("·");
            skip_spaces();
            const Unit next = power_of_factor();
            if (first && sign > 0) {
                result = next;
            } else {
                alone = false;
                result.factor *= sign > 0 ? next.factor : 1 / next.factor;
                for (std::size_t d = 0; d < one.size(); ++d) result.dimension[d] += sign * next.dimension[d];
            }
        }
        if (!alone) result.offset = 0;  // a difference of temperatures has no zero point
        return result;
    }

    Unit power_of_factor() {
        Unit unit = factor();
        int exponent = 1;
        if (take("²")) exponent = 2;
        else if (take("³")) exponent = 3;
        else if (take("^")) {
            const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), exponent);
            if (error != std::errc() || exponent < -9 || exponent > 9) failed_ = true, exponent = 1;
            else rest_.remove_prefix(std::size_t(end - rest_.data()));
        }
        if (exponent != 1) {
            unit.factor = std::pow(unit.factor, exponent);
            unit.offset = 0;
            for (int& power_of_base : unit.dimension) power_of_base *= exponent;
        }
        return unit;
    }

    Unit factor() {
        if (take("(")) {
            if (++depth_ > deepest) return failed_ = true, Unit{};
            const Unit inside = product();
            if (!take(")")) failed_ = true;
            --depth_;
            return inside;
        }
        if (take("1")) return {};
        // '·', '²' and '³' are two bytes that begin with 0xC2, and so does '°': cut only at a whole separator.
        std::size_t length_of_name = 0;
        while (length_of_name < rest_.size()) {
            const std::string_view here = rest_.substr(length_of_name);
            if (std::string_view(" */^()1234567890").find(here.front()) != std::string_view::npos) break;
            if (here.starts_with("·") || here.starts_with("²") || here.starts_with("³")) break;
            ++length_of_name;
        }
        const std::string_view name = rest_.substr(0, length_of_name);
        rest_.remove_prefix(length_of_name);
        for (const NamedUnit& candidate : named_units)
            if (candidate.name == name) return candidate.unit;
        failed_ = true;
        return {};
    }

    std::string_view rest_;
    bool failed_ = false;
    int depth_ = 0;
};

std::string_view trimmed(std::string_view text) {
    const auto first = text.find_first_not_of(" \t"), last = text.find_last_not_of(" \t");
    return first == std::string_view::npos ? std::string_view() : text.substr(first, last - first + 1);
}

/// Length of the decimal number that `text` begins with; 0 if none.
std::size_t number_prefix(std::string_view text, double& value) {
    const std::size_t plus = text.starts_with('+') ? 1 : 0;
    const std::string_view digits = text.substr(plus);
    if (digits.empty() || digits.find_first_of("0123456789") > digits.find_first_of("nNiI_xX")) return 0;  // nan, inf, hex
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error != std::errc() || !std::isfinite(value)) return 0;
    return plus + std::size_t(end - digits.data());
}

}  // namespace

std::optional<Unit> parse_unit(std::string_view text) { return UnitParser(text).parse(); }

std::optional<double> parse_number(std::string_view text) {
    text = trimmed(text);
    double value = 0;
    const std::size_t used = number_prefix(text, value);
    if (used == 0 || used != text.size()) return std::nullopt;
    return value;
}

std::string expected_quantity(std::string_view unit) {
    const auto parsed = parse_unit(unit);
    const Kind* kind = parsed ? kind_of(parsed->dimension) : nullptr;
    if (!kind) return fmt::format("a quantity in {}", unit);
    if (kind->dimension == one) return "a number";
    return fmt::format("{}: {}", kind->name, kind->units);
}

double parse_quantity(std::string_view text, std::string_view unit) {
    text = trimmed(text);
    const auto wanted = parse_unit(unit);
    PHLO_CHECK(wanted.has_value());

    double value = 0;
    const std::size_t used = number_prefix(text, value);
    if (used == 0) throw InputError(fmt::format("'{}' is not a finite number; expected {}", text, expected_quantity(unit)));
    const std::string_view suffix = trimmed(text.substr(used));
    if (suffix.empty()) return value;

    const auto given = parse_unit(suffix);
    if (!given) throw InputError(fmt::format("unknown unit '{}'; expected {}", suffix, expected_quantity(unit)));
    if (given->dimension != wanted->dimension) {
        const Kind* kind = kind_of(given->dimension);
        throw InputError(fmt::format("'{}' is {}; expected {}", text, kind ? kind->name : "of another kind", expected_quantity(unit)));
    }
    // 70 cm is 0.7 m to the last bit: divide by 100 rather than multiply by a rounded 0.01.
    const double ratio = given->factor / wanted->factor;
    const double scaled = ratio < 1 ? value / (wanted->factor / given->factor) : value * ratio;
    const double converted = scaled + (given->offset - wanted->offset) / wanted->factor;
    if (!std::isfinite(converted)) throw InputError(fmt::format("'{}' is too large; expected {}", text, expected_quantity(unit)));
    return converted;
}

}  // namespace phlo
