#include "chem/mechanism/equation.h"

#include <gtest/gtest.h>

#include <fmt/format.h>

namespace phlo::chem {
namespace {

SpeciesIndex index_of(const std::vector<std::string>& names) {
    SpeciesIndex index;
    for (const std::string& name : names) index.emplace(name, int(index.size()));
    return index;
}

std::string written(const std::vector<Equation::Item>& items) {
    std::string text;
    for (const Equation::Item& item : items) text += fmt::format("{}{}*{}", text.empty() ? "" : " ", item.coefficient, item.name);
    return text;
}

/// "1*A 2*B > 1*C", "<>" if reversible, the collider behind it.
std::string parsed(std::string_view text, EquationForm form, const std::vector<std::string>& names = {}) {
    const Equation e = parse_equation(text, index_of(names), form);
    const char* sign = e.collider == Equation::Collider::falloff ? " (+" : " +";
    return written(e.reactants) + (e.reversible ? " <> " : " > ") + written(e.products) +
           (e.collider == Equation::Collider::none ? "" : sign + e.collider_name);
}
std::string cantera(std::string_view text) { return parsed(text, EquationForm::cantera); }

TEST(equation, arrows_tell_the_direction) {
    EXPECT_EQ(cantera("A + B => C"), "1*A 1*B > 1*C");
    EXPECT_EQ(cantera("A + B <=> C"), "1*A 1*B <> 1*C");
    EXPECT_EQ(cantera("A + B = C"), "1*A 1*B <> 1*C");
}

TEST(equation, coefficients_may_be_fractions) { EXPECT_EQ(cantera("H2 + 0.5 O2 => 1.0 H2O"), "1*H2 0.5*O2 > 1*H2O"); }

TEST(equation, a_species_that_stands_twice_on_a_side_is_merged) {
    EXPECT_EQ(cantera("OH + OH <=> H2O + O"), "2*OH <> 1*H2O 1*O");
    EXPECT_EQ(cantera("2 A + 0.5 A => B"), "2.5*A > 1*B");
}

TEST(equation, a_catalyst_stays_on_both_sides) { EXPECT_EQ(cantera("S1 + S6 => 5 S3 + S6"), "1*S1 1*S6 > 5*S3 1*S6"); }

TEST(equation, names_may_have_brackets_and_signs) {
    EXPECT_EQ(cantera("CH2(S) + NO <=> H3O+ + E-"), "1*CH2(S) 1*NO <> 1*H3O+ 1*E-");
    EXPECT_EQ(cantera("2S3 + 1-C4H8 => X*"), "1*2S3 1*1-C4H8 > 1*X*");
}

TEST(equation, third_bodies_are_taken_out) {
    EXPECT_EQ(cantera("H + O2 + M <=> HO2 + M"), "1*H 1*O2 <> 1*HO2 +M");
    EXPECT_EQ(cantera("2 OH (+M) <=> H2O2 (+M)"), "2*OH <> 1*H2O2 (+M");
    EXPECT_EQ(cantera("2 OH (+ M) <=> H2O2 (+ M)"), "2*OH <> 1*H2O2 (+M");
    EXPECT_EQ(cantera("2 OH (+AR) <=> H2O2 (+ AR)"), "2*OH <> 1*H2O2 (+AR");
    EXPECT_EQ(cantera("CH3 (+ CH2(S)) => X (+CH2(S))"), "1*CH3 > 1*X (+CH2(S)");
}

TEST(equation, the_short_form_understands_what_has_no_spaces) {
    const auto tight = [](std::string_view text) { return parsed(text, EquationForm::short_form, {"S1", "S2", "S3", "A+"}); };
    EXPECT_EQ(tight("S1+S2=>2S3"), "1*S1 1*S2 > 2*S3");
    EXPECT_EQ(tight("S1+M +0.5S2<=>S3+M"), "1*S1 0.5*S2 <> 1*S3 +M");
}

TEST(equation, a_known_name_is_never_split) {
    EXPECT_EQ(parsed("2S3 => S3", EquationForm::short_form, {"S3", "2S3"}), "1*2S3 > 1*S3");
    EXPECT_EQ(parsed("2 2S3 => S3", EquationForm::short_form, {"S3", "2S3"}), "2*2S3 > 1*S3");
    EXPECT_EQ(parsed("A+ + S3 => A+", EquationForm::short_form, {"S3", "A+"}), "1*A+ 1*S3 > 1*A+");
    EXPECT_EQ(parsed("2A+ => A+", EquationForm::short_form, {"A+", "A"}), "2*A+ > 1*A+");
}

TEST(equation, sources_and_sinks_are_for_the_short_form_only) {
    EXPECT_EQ(parsed("=> X", EquationForm::short_form), " > 1*X");
    EXPECT_EQ(parsed("X =>", EquationForm::short_form), "1*X > ");
    EXPECT_THROW(cantera("=> X"), EquationError);
    EXPECT_THROW(cantera("X =>"), EquationError);
}

TEST(equation, an_error_knows_its_character) {
    try {
        cantera("A + B C => D");
        FAIL();
    } catch (const EquationError& error) {
        EXPECT_EQ(error.offset, 6u);
    }
}

}  // namespace
}  // namespace phlo::chem
