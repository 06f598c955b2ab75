#include "chem/expressions/expression_units.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace phlo::chem {
namespace {

const std::vector<std::string> names{"T", "t", "fuel", "O2", "r1"};
const std::vector<Unit> units{kelvin, second, mole_per_volume, mole_per_volume, mole_per_volume_and_time};
const config::Position place{"fire.yaml", 7, 11};

std::string complaint(const std::string& text) {
    try {
        check_units(parse_expression(text, names, place, "heat"), names, units, place, "heat");
    } catch (const InputError& error) {
        return error.what();
    }
    return "";
}

TEST(expression_units, are_written_as_one_says_them) {
    EXPECT_EQ(unit_text(kelvin), "K");
    EXPECT_EQ(unit_text(mole_per_volume_and_time), "mol/(m^3 s)");
    EXPECT_EQ(unit_text({0, -1, 0, 0}), "1/s");
    EXPECT_EQ(unit_text({0.5, 0, 0, 2}), "K^0.5 m^2");
    EXPECT_EQ(unit_text({}), "1");
}

TEST(expression_units, a_number_has_the_unit_that_fits) {
    for (const char* text : {"T + 20", "0.1*fuel + T", "1500*r1*max(0, 1 - (T - 293)/1800)", "exp(-3000/T)", "fuel/O2 + 2", "exp(fuel/O2)",
                             "if(T > 500, fuel, 2*O2)", "sin(t)", "sqrt(fuel*O2) + fuel", "fuel^2/O2 - O2", "log(T)*T^0.3", "T*t + t*T",
                             "min(fuel, O2, 3)", "(T > 900)*r1*10", "pow(T/293, 0.5*fuel)", "abs(fuel - O2) > 0.1"})
        EXPECT_EQ(complaint(text), "") << text;
}

TEST(expression_units, what_cannot_be_added_compared_or_raised_is_refused_with_both_units) {
    EXPECT_EQ(complaint("2*r1*(T + fuel)"),
              "fire.yaml:7:11: heat: 'T' is in K and 'fuel' is in mol/m^3; expected a number that turns one into the other, such as 0.1*");
    for (const char* text : {"T - t", "fuel > T", "max(fuel, 0, T)", "if(t > 1, fuel, T)", "fuel*O2 + fuel", "r1 - fuel", "fuel/t - T", "sqrt(fuel) + fuel",
                             "fuel^2 + fuel", "exp(-1/T) + T", "-fuel + T"})
        EXPECT_NE(complaint(text).find(" and "), std::string::npos) << text;
    for (const char* text : {"exp(T)", "exp(-fuel)", "tanh(T - 300)", "cos(r1)", "2^fuel"})
        EXPECT_NE(complaint(text).find("expected a plain number"), std::string::npos) << text << complaint(text);
}

}  // namespace
}  // namespace phlo::chem
