#include "chem/mechanism/cantera.h"

#include <cmath>

#include <gtest/gtest.h>

#include "bad_mechanisms.h"
#include "base/error.h"
#include "chem/mechanism/read.h"
#include "complaint.h"

namespace phlo::chem {
namespace {

using test::gas;

Mechanism read(const std::string& text) { return read_mechanism(config::parse_yaml(text, "gas.yaml"), ""); }
const Arrhenius& arrhenius(const Mechanism& m, std::size_t reaction = 0) { return std::get<Arrhenius>(m.reactions[reaction].rate); }

/// Two species of one kind, for reactions in which nothing but numbers matters; they begin on line 4.
std::string two(const std::string& top, const std::string& reactions) {
    return top + R"(
phases: [{name: gas, thermo: ideal-gas, kinetics: gas}]
species: [{name: A, composition: {H: 1}, thermo: &t {model: NASA7, temperature-ranges: [200, 3000], data: [[3, 0, 0, 0, 0, 0, 0]]}},
  {name: B, composition: {H: 1}, thermo: *t}, {name: NO, composition: {H: 2}, thermo: *t}, {name: CH2(S), composition: {H: 1}, thermo: *t}]
reactions:
)" + reactions;
}

TEST(cantera, without_a_word_units_are_metres_kilomoles_and_joules) {
    const Mechanism m = read(two("", "- {equation: 2 A => 2 B, rate-constant: {A: 5, b: 0.5, Ea: 8314.46261815324}}\n"));
    EXPECT_DOUBLE_EQ(arrhenius(m).A, 5e-3);
    EXPECT_DOUBLE_EQ(arrhenius(m).b, 0.5);
    EXPECT_DOUBLE_EQ(arrhenius(m).Ta, 1);
}

TEST(cantera, units_hold_for_the_file_the_section_and_the_reaction) {
    const Mechanism m =
        read(two("units: {length: cm, quantity: mol, activation-energy: K}",
                 "- units: {quantity: molec}\n"
                 "- {equation: 2 A => 2 B, rate-constant: {A: 1, b: 0, Ea: 7}}\n"
                 "- {equation: A + NO => B + NO, rate-constant: {A: 1, b: 0, Ea: 7}, units: {length: m, activation-energy: eV}}\n"
                 "- {equation: 2 B => 2 A, rate-constant: {A: 2 m^3/kmol/min, b: 0, Ea: 3 kJ/mol}}\n"));
    EXPECT_DOUBLE_EQ(arrhenius(m, 0).A, 1e-6 * avogadro);
    EXPECT_DOUBLE_EQ(arrhenius(m, 0).Ta, 7);
    EXPECT_DOUBLE_EQ(arrhenius(m, 1).A, avogadro);
    EXPECT_NEAR(arrhenius(m, 1).Ta, 7 * 11604.518, 1e-2);
    EXPECT_DOUBLE_EQ(arrhenius(m, 2).A, 2e-3 / 60);
    EXPECT_DOUBLE_EQ(arrhenius(m, 2).Ta, 3000 / gas_constant);
}

TEST(cantera, energy_and_quantity_make_the_unit_of_activation_energies) {
    const Mechanism m =
        read(two("units: {energy: cal, quantity: mol}", "- {equation: 2 A => 2 B, rate-constant: {A: 1, b: 0, Ea: 1000}}\n"));
    EXPECT_DOUBLE_EQ(arrhenius(m).Ta, 4184 / gas_constant);
}

TEST(cantera, a_third_body_adds_one_to_the_order) {
    const Mechanism m = read(two("units: {length: cm, quantity: mol}",
                                 "- equation: 2 A + M => 2 B + M\n  type: three-body\n  rate-constant: [1e12, 0, 0]\n"
                                 "  efficiencies: {NO: 2.5, A: 0}\n  default-efficiency: 0.5\n"));
    EXPECT_DOUBLE_EQ(arrhenius(m).A, 1);
    const Reaction& r = m.reactions[0];
    ASSERT_TRUE(r.third_body);
    EXPECT_EQ(r.third_body->others, 0.5);
    ASSERT_EQ(r.third_body->efficiencies.size(), 2u);
    EXPECT_EQ(m.species[std::size_t(r.third_body->efficiencies[0].species)].name, "NO");
    EXPECT_EQ(r.third_body->efficiencies[0].coefficient, 2.5);
    EXPECT_EQ(total(r.orders), 2);
}

TEST(cantera, an_equation_with_m_needs_no_type) {
    const Mechanism m = read(two("", "- {equation: A + M <=> B + M, rate-constant: [1, 0, 0]}\n"));
    EXPECT_TRUE(m.reactions[0].third_body);
    EXPECT_TRUE(m.reactions[0].reversible);
}

TEST(cantera, a_collider_written_as_a_species_is_mass_action) {
    for (const char* type : {"", ", type: three-body"}) {
        const Mechanism m = read(two("", std::string("- {equation: A + B + NO <=> NO + NO, rate-constant: [1, 0, 0]") + type + "}\n"));
        EXPECT_FALSE(m.reactions[0].third_body);
        EXPECT_EQ(total(m.reactions[0].orders), 3);
    }
}

TEST(cantera, the_limits_of_a_falloff_differ_by_one_order) {
    const Mechanism m = read(two("units: {length: cm, quantity: mol, activation-energy: K}",
                                 "- equation: 2 A (+M) <=> NO (+M)\n"
                                 "  type: falloff\n"
                                 "  low-P-rate-constant: {A: 1e18, b: -1, Ea: 100}\n"
                                 "  high-P-rate-constant: {A: 1e12, b: 0, Ea: 200}\n"
                                 "  Troe: {A: 0.7, T3: 94, T1: 1756, T2: 5182 K}\n"));
    const Falloff& f = std::get<Falloff>(m.reactions[0].rate);
    EXPECT_DOUBLE_EQ(f.low.A, 1e6);
    EXPECT_DOUBLE_EQ(f.high.A, 1e6);
    EXPECT_EQ(f.low.Ta, 100);
    ASSERT_TRUE(f.troe);
    EXPECT_EQ(f.troe->a, 0.7);
    EXPECT_EQ(f.troe->T3, 94);
    EXPECT_EQ(f.troe->T1, 1756);
    EXPECT_EQ(*f.troe->T2, 5182);
    EXPECT_EQ(m.reactions[0].third_body->others, 1);
}

TEST(cantera, a_falloff_without_troe_is_lindemanns_and_may_name_its_collider) {
    const Mechanism m =
        read(two("", "- {equation: 2 A (+ CH2(S)) <=> NO (+CH2(S)), low-P-rate-constant: [1, 0, 0], high-P-rate-constant: [1, 0, 0]}\n"));
    EXPECT_FALSE(std::get<Falloff>(m.reactions[0].rate).troe);
    EXPECT_EQ(m.reactions[0].third_body->others, 0);
    EXPECT_EQ(m.species[std::size_t(m.reactions[0].third_body->efficiencies[0].species)].name, "CH2(S)");
}

TEST(cantera, troe_without_t2_has_three_parameters) {
    const Mechanism m = read(two("",
                                 "- {equation: 2 A (+M) <=> NO (+M), low-P-rate-constant: [1, 0, 0], high-P-rate-constant: [1, 0, 0],\n"
                                 "   Troe: {A: 0.5, T3: 1e-30, T1: 1e30}}\n"));
    EXPECT_FALSE(std::get<Falloff>(m.reactions[0].rate).troe->T2);
}

TEST(cantera, orders_replace_coefficients_and_set_the_unit) {
    const Mechanism m = read(two("units: {length: cm, quantity: mol}",
                                 "- {equation: 2 A => 2 B, rate-constant: [1e6, 0, 0], orders: {A: 0.5, NO: -1, B: 1.5},\n"
                                 "   negative-orders: true, nonreactant-orders: true}\n"));
    EXPECT_DOUBLE_EQ(arrhenius(m).A, 1e6);
    ASSERT_EQ(m.reactions[0].orders.size(), 3u);
    EXPECT_EQ(total(m.reactions[0].orders), 1);
    EXPECT_EQ(m.reactions[0].reactants[0].coefficient, 2);
}

TEST(cantera, a_duplicate_may_have_a_negative_factor) {
    const Mechanism m = read(two("",
                                 "- {equation: A => B, rate-constant: [5, 0, 0], duplicate: true}\n"
                                 "- {equation: A => B, rate-constant: [-1, 0, 0], duplicate: true, negative-A: true}\n"));
    EXPECT_EQ(arrhenius(m, 1).A, -1);
}

TEST(cantera, third_bodies_that_share_no_collider_are_no_duplicates) {
    const Mechanism m = read(two("",
                                 "- {equation: A + M => B + M, rate-constant: [5, 0, 0], efficiencies: {NO: 0}}\n"
                                 "- {equation: A + M => B + M, rate-constant: [5, 0, 0], efficiencies: {NO: 1}, default-efficiency: 0}\n"
                                 "- {equation: A => B, rate-constant: [5, 0, 0]}\n"));
    EXPECT_EQ(m.reactions.size(), 3u);
}

TEST(cantera, opposite_ways_may_be_written_separately) {
    EXPECT_EQ(
        read(two("", "- {equation: A => B, rate-constant: [5, 0, 0]}\n- {equation: B => A, rate-constant: [5, 0, 0]}\n")).reactions.size(),
        2u);
}

// ---- species

TEST(cantera, molar_masses_follow_from_the_composition) {
    const Mechanism m = read(gas("- {equation: 2 H2 + O2 <=> 2 H2O, rate-constant: [1, 0, 0]}\n"));
    EXPECT_DOUBLE_EQ(m.species[std::size_t(m.find("H2O"))].molar_mass, 18.015e-3);
    EXPECT_EQ(m.elements, (std::vector<std::string>{"H", "O", "Ar"}));
}

TEST(cantera, elements_of_the_file_come_first) {
    const Mechanism m = read(R"(
elements: [{symbol: H, atomic-weight: 2}, {symbol: Zz, atomic-weight: 100}]
phases: [{name: gas, thermo: ideal-gas, kinetics: gas, elements: [H, Zz]}]
species: [{name: A, composition: {H: 1, Zz: 2}, thermo: {model: NASA7, temperature-ranges: [200, 3000], data: [[3, 0, 0, 0, 0, 0, 0]]}}]
reactions: [{equation: 2 A <=> A + A, rate-constant: [1, 0, 0]}]
)");
    EXPECT_DOUBLE_EQ(m.species[0].molar_mass, 0.202);
}

TEST(cantera, nasa_ranges_are_as_written) {
    const Mechanism m = read(R"(
phases: [{name: gas, thermo: ideal-gas, kinetics: gas}]
species:
- {name: A, composition: {H: 1}, thermo: {model: NASA7, temperature-ranges: [300, 1478, 5000], data: [[1, 2, 3, 4, 5, 6, 7], [2, 2, 3, 4, 5, 6, 8]]}}
- {name: B, composition: {H: 1}, thermo: {model: NASA7, temperature-ranges: [250 K, 3000], data: [[1, 2, 3, 4, 5, 6, 7]], reference-pressure: 1 bar}}
reactions: [{equation: A => B, rate-constant: [1, 0, 0]}]
)");
    const Nasa7 &a = *m.species[0].thermo, &b = *m.species[1].thermo;
    EXPECT_EQ(a.low, 300);
    EXPECT_EQ(a.middle, 1478);
    EXPECT_EQ(a.high, 5000);
    EXPECT_EQ(a.below[6], 7);
    EXPECT_EQ(a.above[6], 8);
    EXPECT_EQ(b.low, 250);
    EXPECT_EQ(b.high, 3000);
    EXPECT_EQ(b.above, b.below);
    EXPECT_DOUBLE_EQ(b.below[6], 7 - std::log(1.01325));  // entropy of 1 bar, told for 1 atm
    EXPECT_EQ(b.below[0], 1);
}

TEST(cantera, polynomials_that_jump_at_the_middle_are_warned_about) {
    const auto warning = [](const char* upper) {
        testing::internal::CaptureStderr();
        read(test::one_species(
            "{H: 1}", std::string("{model: NASA7, temperature-ranges: [200, 1000, 3000], data: [[3, 0, 0, 0, 0, 0, 0], ") + upper + "]}"));
        return testing::internal::GetCapturedStderr();
    };
    EXPECT_EQ(warning("[3, 0, 0, 0, 0, 0, 0]"), "");
    EXPECT_NE(warning("[3, 0, 0, 0, 0, 9, 0]").find("gas.yaml:2:10: the enthalpy of 'X' jumps at its middle temperature of 1000 K"),
              std::string::npos);
}

// ---- phases

const char* const sections = R"(
light: [{name: A, composition: {H: 1}, thermo: &t {model: NASA7, temperature-ranges: [200, 3000], data: [[3, 0, 0, 0, 0, 0, 0]]}}]
species: [{name: B, composition: {H: 1}, thermo: *t}, {name: C, composition: {H: 1}, thermo: *t}]
reactions: [{equation: A => B, rate-constant: [1, 0, 0]}, {equation: A => C, rate-constant: [1, 0, 0]}]
more: [{equation: B => A, rate-constant: [1, 0, 0]}, {equation: B + M => A + M, rate-constant: [1, 0, 0], efficiencies: {C: 2}}]
)";
Mechanism phase(const std::string& keys) {
    return read("phases: [{name: solid, thermo: fixed-stoichiometry}, {name: gas, thermo: ideal-gas, kinetics: gas, " + keys + "}]" +
                sections);
}

TEST(cantera, the_first_ideal_gas_is_taken) { EXPECT_EQ(phase("species: [{light: all}, {species: all}]").name, "gas"); }

TEST(cantera, species_may_come_from_several_sections_in_the_order_of_the_phase) {
    EXPECT_EQ(phase("species: [{species: [C, B]}, {light: all}]").species_names(), (std::vector<std::string>{"C", "B", "A"}));
}

TEST(cantera, reactions_with_undeclared_species_are_left_out_where_the_phase_says_so) {
    EXPECT_EQ(phase("species: [{species: [B]}, {light: [A]}], reactions: declared-species").reactions.size(), 1u);
    EXPECT_NE(phlo::test::complaint([] { phase("species: [{species: [B]}, {light: [A]}], reactions: all"); }).find("unknown species 'C'"),
              std::string::npos);
}

TEST(cantera, sections_of_reactions_may_be_chosen) {
    EXPECT_EQ(phase("species: [{species: all}, {light: all}], reactions: [more]").reactions.size(), 2u);
    EXPECT_EQ(phase("species: [{species: all}, {light: all}], reactions: [reactions, {more: declared-species}]").reactions.size(), 4u);
}

TEST(cantera, undeclared_third_bodies_are_left_out_where_the_phase_says_so) {
    const std::string keys = "species: [{species: [B]}, {light: [A]}], reactions: [more]";
    EXPECT_NE(phlo::test::complaint([&] { phase(keys); }).find("an efficiency for an unknown species"), std::string::npos);
    EXPECT_TRUE(phase(keys + ", skip-undeclared-third-bodies: true").reactions[1].third_body->efficiencies.empty());
}

}  // namespace
}  // namespace phlo::chem
