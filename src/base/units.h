// Quantities with units, checked by dimension.
//
//   parse_quantity("20 cm", "m")        == 0.2
//   parse_quantity("25 degC", "K")      == 298.15
//   parse_quantity("3 kg", "m")         throws InputError "'3 kg' is a mass; expected a length: m, mm, cm, km, in, ft"
//   parse_quantity("7", "m")            == 7        a bare number is in the unit that is asked for
//
// A unit is a product of powers: m/s, 1/s, kg/m^3, m^2/s, m/(s^2 K). Inside the program everything is SI.
#pragma once
#include <array>
#include <optional>
#include <string>
#include <string_view>

namespace phlo {

/// Powers of metre, kilogram, second, kelvin, mole, radian.
using Dimension = std::array<int, 6>;

struct Unit {
    Dimension dimension{};
    double factor = 1;  ///< SI = value * factor + offset
    double offset = 0;  ///< degC and degF, standing alone
};

/// None if a name in it is unknown or it does not read as a product of powers. "" is the number one.
std::optional<Unit> parse_unit(std::string_view text);

/// The number in `text`, converted to `unit`. The message of the InputError says what is accepted.
double parse_quantity(std::string_view text, std::string_view unit);

/// The whole of `text` as one finite decimal number; none otherwise.
std::optional<double> parse_number(std::string_view text);

/// "a length: m, mm, cm, km, in, ft" for "m"; "a number" for "".
std::string expected_quantity(std::string_view unit);

}  // namespace phlo
