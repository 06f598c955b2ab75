#include "base/units.h"

#include <numbers>

#include <gtest/gtest.h>

#include "complaint.h"

namespace phlo {
namespace {

std::string complaint(const char* text, const char* unit) {
    return test::complaint([&] { parse_quantity(text, unit); });
}

TEST(Units, quantities_are_converted_to_the_unit_asked_for) {
    const struct {
        const char *text, *unit;
        double value;
    } cases[] = {
        {"20 cm", "m", 0.2},
        {"20cm", "m", 0.2},
        {"70 cm", "m", 0.7},
        {"3", "m", 3},
        {" 3 mm ", "m", 0.003},
        {"2 km", "m", 2000},
        {"1 in", "m", 0.0254},
        {"1 ft", "m", 0.3048},
        {"1200 K", "K", 1200},
        {"25 degC", "K", 298.15},
        {"25 °C", "K", 298.15},
        {"-40 degF", "K", 233.15},
        {"180 deg", "rad", std::numbers::pi},
        {"90°", "rad", std::numbers::pi / 2},
        {"1 turn", "deg", 360},
        {"2 m/s", "m/s", 2},
        {"36 km/h", "m/s", 10},
        {"0.5 1/s", "1/s", 0.5},
        {"24 fps", "1/s", 24},
        {"250 ms", "s", 0.25},
        {"2 min", "s", 120},
        {"1.2 kg/m^3", "kg/m^3", 1.2},
        {"1 g/cm^3", "kg/m^3", 1000},
        {"1.5e-5 m^2/s", "m^2/s", 1.5e-5},
        {"10 cm²/s", "m^2/s", 1e-3},
        {"50 %", "", 0.5},
        {"+4", "", 4},
        {".5", "", 0.5},
        {"-1e3", "", -1000},
        {"9.81 m/s^2", "m/s^2", 9.81},
        {"0.03 m/(s^2 K)", "m/(s^2 K)", 0.03},
        {"3 m s^-2", "m/s^2", 3},
        {"5 kJ/mol", "J/mol", 5000},
        {"1 1/min", "1/s", 1.0 / 60},
    };
    for (const auto& c : cases) EXPECT_NEAR(parse_quantity(c.text, c.unit), c.value, 1e-12 * (1 + std::abs(c.value))) << c.text;
}

TEST(Units, centimetres_are_exact) {
    EXPECT_EQ(parse_quantity("70 cm", "m"), 0.7);
    EXPECT_EQ(parse_quantity("9 cm", "m"), 0.09);
    EXPECT_EQ(parse_quantity("14 mm", "m"), 0.014);
}

TEST(Units, a_wrong_dimension_names_the_accepted_units) {
    EXPECT_EQ(complaint("3 kg", "m"), "'3 kg' is a mass; expected a length: m, mm, cm, km, in, ft");
    EXPECT_EQ(complaint("3 m", "m/s"), "'3 m' is a length; expected a speed: m/s, cm/s, km/h, ft/s");
    EXPECT_EQ(complaint("3 s", ""), "'3 s' is a time; expected a number");
}

TEST(Units, an_unknown_unit_names_the_accepted_units) {
    EXPECT_EQ(complaint("3 parsec", "m"), "unknown unit 'parsec'; expected a length: m, mm, cm, km, in, ft");
}

TEST(Units, what_is_not_a_finite_number_is_refused) {
    for (const char* text :
         {"", "many", "nan", ".nan", "-nan", "inf", ".inf", "-.Inf", "infinity", "1e999", "0x10", "--3", "m", "1e308 km"})
        EXPECT_NE(complaint(text, "m").find("expected a length"), std::string::npos) << text << ": " << complaint(text, "m");
}

TEST(Units, a_difference_of_temperatures_has_no_zero_point) { EXPECT_DOUBLE_EQ(parse_quantity("1 degC/m", "K/m"), 1); }

TEST(Units, broken_units_are_refused) {
    for (const char* text : {"m^", "m^99", "(m", "m)", "m^x", "((((((((((m))))))))))"}) EXPECT_FALSE(parse_unit(text)) << text;
}

}  // namespace
}  // namespace phlo
