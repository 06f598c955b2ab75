#include "chem/mechanism/short_form.h"

#include <gtest/gtest.h>

#include "bad_mechanisms.h"
#include "chem/mechanism/read.h"

namespace phlo::chem {
namespace {

using test::toy;

Mechanism read(const std::string& text) { return read_mechanism(config::parse_yaml(text, "toy.yaml"), ""); }
const Arrhenius& arrhenius(const Mechanism& m, std::size_t reaction = 0) { return std::get<Arrhenius>(m.reactions[reaction].rate); }

TEST(short_form, a_campfire_takes_two_lines) {
    const Mechanism m = read("species: [S1, S2, {name: S3, molar-mass: 44 g/mol}]\nreactions: [{equation: S1 + S2 => 2 S3, rate: 0.8}]\n");
    EXPECT_EQ(m.species_names(), (std::vector<std::string>{"S1", "S2", "S3"}));
    EXPECT_DOUBLE_EQ(m.species[2].molar_mass, 0.044);
    ASSERT_EQ(m.reactions.size(), 1u);
    EXPECT_EQ(m.reactions[0].equation, "S1 + S2 => 2 S3");
    EXPECT_FALSE(m.reactions[0].reversible);
    EXPECT_EQ(m.reactions[0].products[0].coefficient, 2);
    EXPECT_EQ(arrhenius(m).A, 0.8);
    EXPECT_EQ(arrhenius(m).b, 0);
    EXPECT_EQ(arrhenius(m).Ta, 0);
    EXPECT_FALSE(m.has_thermo());
}

TEST(short_form, a_rate_is_a_number_a_quantity_a_map_or_an_expression) {
    const Mechanism m =
        read(toy("- {equation: S1 => S2, rate: 3 1/min}\n"
                 "- {equation: S1 + S2 => S3, rate: 2 l/mol/s}\n"
                 "- {equation: S2 => S3, rate: {A: 1e3, b: 0.5, Ea: 1 kJ/mol}}\n"
                 "- {equation: S3 => S1, rate: {A: 1e3 1/s, Ta: 300}}\n"
                 "- {equation: S3 => S2, rate: \"2 * T / (1 + S1)\"}\n"
                 "- {equation: S2 => S1, rate: T*3}\n"));
    EXPECT_DOUBLE_EQ(arrhenius(m, 0).A, 0.05);
    EXPECT_DOUBLE_EQ(arrhenius(m, 1).A, 2e-3);
    EXPECT_DOUBLE_EQ(arrhenius(m, 2).Ta, 1000 / gas_constant);
    EXPECT_EQ(arrhenius(m, 2).b, 0.5);
    EXPECT_EQ(arrhenius(m, 3).Ta, 300);
    EXPECT_EQ(std::get<Formula>(m.reactions[4].rate).text, "2 * T / (1 + S1)");
    EXPECT_EQ(std::get<Formula>(m.reactions[4].rate).position.column, 31);
    EXPECT_EQ(std::get<Formula>(m.reactions[5].rate).text, "T*3");
}

TEST(short_form, reverse_makes_a_second_irreversible_reaction) {
    const Mechanism m =
        read(toy("- {equation: S3 <=> S1 + 2 S2, rate: {A: 1e3, Ea: 40 kJ/mol}, reverse: {A: 10, Ta: 300 K}, orders: {S3: 0.5}}\n"));
    ASSERT_EQ(m.reactions.size(), 2u);
    EXPECT_EQ(m.reactions[0].equation, "S3 => S1 + 2 S2");
    EXPECT_EQ(m.reactions[1].equation, "S1 + 2 S2 => S3");
    EXPECT_FALSE(m.reactions[0].reversible || m.reactions[1].reversible);
    EXPECT_EQ(total(m.reactions[0].orders), 0.5);
    EXPECT_EQ(total(m.reactions[1].orders), 3);
    EXPECT_EQ(arrhenius(m, 1).A, 10);
    EXPECT_EQ(arrhenius(m, 1).Ta, 300);
}

TEST(short_form, orders_of_the_way_back_are_its_own) {
    const Mechanism m = read(toy("- {equation: S1 <=> S2, rate: 1, reverse: 2, orders: {S3: 1}, reverse-orders: {S2: 2}}\n"));
    EXPECT_EQ(total(m.reactions[0].orders), 2);
    EXPECT_EQ(total(m.reactions[1].orders), 2);
    EXPECT_EQ(m.reactions[1].orders.size(), 1u);
}

TEST(short_form, sources_sinks_and_third_bodies_are_understood) {
    const Mechanism m =
        read(toy("- {equation: => S1, rate: 0.1}\n"
                 "- {equation: S1 =>, rate: 0.2}\n"
                 "- {equation: S1 + M => S2 + M, rate: 3, efficiencies: {S3: 2}}\n"));
    EXPECT_TRUE(m.reactions[0].reactants.empty());
    EXPECT_TRUE(m.reactions[1].products.empty());
    EXPECT_EQ(m.reactions[2].third_body->efficiencies[0].coefficient, 2);
}

TEST(short_form, a_composition_makes_the_molar_mass) {
    const Mechanism m = read("species: [{name: NO, composition: {N: 1, O: 1}}]\nreactions: [{equation: 2 NO => NO + NO, rate: 1}]\n");
    EXPECT_DOUBLE_EQ(m.species[0].molar_mass, 30.006e-3);
    EXPECT_EQ(m.species[0].name, "NO");
}

TEST(short_form, in_a_scene_and_in_a_file_it_means_the_same) {
    const config::Node scene =
        config::parse_yaml("chemistry:\n  species: [A, B]\n  reactions: [{equation: A => 2B, rate: 3 1/s}]\n", "scene.yaml");
    const Mechanism inside = read_mechanism(*scene.get("chemistry"), "chemistry");
    const Mechanism alone = read("species: [A, B]\nreactions: [{equation: A => 2B, rate: 3 1/s}]\n");
    EXPECT_EQ(inside.species_names(), alone.species_names());
    EXPECT_EQ(inside.reactions[0].products[0].coefficient, alone.reactions[0].products[0].coefficient);
    EXPECT_EQ(arrhenius(inside).A, arrhenius(alone).A);
}

TEST(short_form, negative_orders_are_taken_if_asked_for) {
    EXPECT_EQ(total(read(toy("- {equation: S1 => S2, rate: 1, orders: {S2: -1}, negative-orders: true}\n")).reactions[0].orders), 0);
}

}  // namespace
}  // namespace phlo::chem
