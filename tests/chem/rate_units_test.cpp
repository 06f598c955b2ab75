#include "chem/mechanism/rate_units.h"

#include <gtest/gtest.h>

#include "chem/mechanism/elements.h"
#include "chem/mechanism/mechanism.h"
#include "complaint.h"

namespace phlo::chem {
namespace {

using test::complaint;

UnitSystem centimetres() {
    UnitSystem units;
    units.length = 0.01;
    units.activation = 4.184 / gas_constant;
    return units;
}

TEST(rate_units, the_unit_of_a_follows_from_the_order) {
    EXPECT_DOUBLE_EQ(rate_constant("5", 1, centimetres()), 5);
    EXPECT_DOUBLE_EQ(rate_constant("1e13", 2, centimetres()), 1e7);
    EXPECT_DOUBLE_EQ(rate_constant("1e13", 3, centimetres()), 10);
    EXPECT_DOUBLE_EQ(rate_constant("7", 0, centimetres()), 7e6);
    EXPECT_DOUBLE_EQ(rate_constant("1e3", 1.5, centimetres()), 1);
}

TEST(rate_units, kilomoles_minutes_and_molecules_are_converted) {
    UnitSystem units;
    units.quantity = 1000;
    EXPECT_DOUBLE_EQ(rate_constant("3", 2, units), 3e-3);
    units.quantity = 1 / avogadro, units.length = 0.01, units.time = 60;
    EXPECT_DOUBLE_EQ(rate_constant("6e-11", 2, units), 6e-11 * 1e-6 * avogadro / 60);
}

TEST(rate_units, a_unit_behind_the_number_counts) {
    EXPECT_DOUBLE_EQ(rate_constant("1.2e13 cm^3/mol/s", 2, UnitSystem{}), 1.2e7);
    EXPECT_DOUBLE_EQ(rate_constant("2 cm^6 / mol^2 / s", 3, UnitSystem{}), 2e-12);
    EXPECT_DOUBLE_EQ(rate_constant("4 1/min", 1, centimetres()), 4.0 / 60);
    EXPECT_DOUBLE_EQ(rate_constant("1 cm^3/molec/s", 2, UnitSystem{}), 1e-6 * avogadro);
    EXPECT_DOUBLE_EQ(rate_constant("0.5 m^1.5/mol^0.5/s", 1.5, centimetres()), 0.5);
}

TEST(rate_units, activation_energies_become_temperatures) {
    EXPECT_DOUBLE_EQ(activation_temperature("1000", centimetres()), 4184 / gas_constant);
    EXPECT_DOUBLE_EQ(activation_temperature("1000", UnitSystem{}), 1000 / gas_constant);
    EXPECT_DOUBLE_EQ(activation_temperature("10 kcal/mol", UnitSystem{}), 41840 / gas_constant);
    EXPECT_DOUBLE_EQ(activation_temperature("5 kJ/mol", centimetres()), 5000 / gas_constant);
    EXPECT_DOUBLE_EQ(activation_temperature("300 K", centimetres()), 300);
    EXPECT_NEAR(activation_temperature("1 eV", centimetres()), 11604.518, 1e-3);
}

TEST(rate_units, kilomoles_are_the_base_of_energies_too) {
    UnitSystem units;
    units.quantity = 1000;
    EXPECT_DOUBLE_EQ(activation_temperature("8314.46261815324", units), 1);
}

TEST(rate_units, a_wrong_unit_is_named_with_the_right_one) {
    EXPECT_EQ(complaint([] { rate_constant("1 cm^3/mol/s", 1, UnitSystem{}); }),
              "'cm^3/mol/s' does not fit a reaction of order 1; expected 1/s");
    EXPECT_EQ(complaint([] { rate_constant("1 m^6/s", 3, UnitSystem{}); }),
              "'m^6/s' does not fit a reaction of order 3; expected m^6/mol^2/s");
    EXPECT_EQ(complaint([] { rate_constant("fast", 1, UnitSystem{}); }), "'fast' is not a finite number; expected 1/s");
    EXPECT_NE(complaint([] { activation_temperature("3 m", UnitSystem{}); }).find("'m' is no unit of an activation energy"),
              std::string::npos);
}

TEST(rate_units, a_number_beyond_all_bounds_is_refused) {
    UnitSystem huge;
    huge.length = 1e200;
    EXPECT_NE(complaint([&] { rate_constant("1e300", 3, huge); }), "accepted");
    EXPECT_NE(complaint([&] { rate_constant("1e999", 1, huge); }), "accepted");
}

TEST(elements, weights_are_the_standard_ones) {
    EXPECT_DOUBLE_EQ(*atomic_weight("H"), 1.008e-3);
    EXPECT_DOUBLE_EQ(*atomic_weight("O"), 15.999e-3);
    EXPECT_DOUBLE_EQ(*atomic_weight("Ar"), 39.95e-3);
    EXPECT_DOUBLE_EQ(*atomic_weight("U"), 238.02891e-3);
    EXPECT_FALSE(atomic_weight("AR"));
    EXPECT_FALSE(atomic_weight("Tc"));
}

}  // namespace
}  // namespace phlo::chem
