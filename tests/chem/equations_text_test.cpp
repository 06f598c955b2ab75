#include "chem/mechanism/equations_text.h"

#include <gtest/gtest.h>

#include <map>

namespace phlo::chem {
namespace {

Mechanism with_species(const std::vector<std::string>& names) {
    Mechanism m;
    for (const std::string& name : names) m.species.push_back({.name = name, .composition = {}, .thermo = {}, .position = {}});
    return m;
}

void add(Mechanism& m, std::string equation, std::vector<Term> reactants, std::vector<Term> products, RateLaw rate) {
    Reaction r;
    r.equation = std::move(equation);
    r.reactants = r.orders = std::move(reactants);
    r.products = std::move(products);
    r.rate = std::move(rate);
    m.reactions.push_back(std::move(r));
}

/// The chain mechanism of reactive explosions.
Mechanism chain() {
    Mechanism m = with_species({"S1", "S2", "S3", "S4", "S5", "S6"});
    add(m, "S1 => 2 S4", {{0, 1}}, {{3, 2}}, Arrhenius{.A = 0.1});
    add(m, "S2 => 2 S5", {{1, 1}}, {{4, 2}}, Arrhenius{.A = 0.2});
    add(m, "S4 + S2 => S6 + S5", {{3, 1}, {1, 1}}, {{5, 1}, {4, 1}}, Arrhenius{.A = 3});
    add(m, "S5 + S1 => S6 + S4", {{4, 1}, {0, 1}}, {{5, 1}, {3, 1}}, Arrhenius{.A = 4});
    add(m, "S1 + S2 + S6 => S6 + 5 S3", {{0, 1}, {1, 1}, {5, 1}}, {{5, 1}, {2, 5}}, Arrhenius{.A = 5});
    return m;
}

TEST(equations_text, chain_mechanism_has_the_hand_derived_system_term_by_term) {
    // Derived by hand from the five reactions; the catalyst S6 of the last one has no term from it.
    const Mechanism m = chain();
    const std::vector<std::string> expected{
        "d[S1]/dt = − k1 [S1] − k4 [S1][S5] − k5 [S1][S2][S6]",
        "d[S2]/dt = − k2 [S2] − k3 [S2][S4] − k5 [S1][S2][S6]",
        "d[S3]/dt = 5 k5 [S1][S2][S6]",
        "d[S4]/dt = 2 k1 [S1] − k3 [S2][S4] + k4 [S1][S5]",
        "d[S5]/dt = 2 k2 [S2] + k3 [S2][S4] − k4 [S1][S5]",
        "d[S6]/dt = k3 [S2][S4] + k4 [S1][S5]",
    };
    const std::string all = equations_text(m);
    for (int s = 0; s < 6; ++s) {
        EXPECT_EQ(species_equation(m, s), expected[std::size_t(s)]);
        EXPECT_NE(all.find("  " + expected[std::size_t(s)] + "\n"), std::string::npos) << all;
    }
    // and as numbers: (species, reaction) -> coefficient
    const std::map<std::pair<int, int>, double> net{{{0, 0}, -1}, {{0, 3}, -1}, {{0, 4}, -1}, {{1, 1}, -1}, {{1, 2}, -1},
                                                    {{1, 4}, -1}, {{2, 4}, 5},  {{3, 0}, 2},  {{3, 2}, -1}, {{3, 3}, 1},
                                                    {{4, 1}, 2},  {{4, 2}, 1},  {{4, 3}, -1}, {{5, 2}, 1},  {{5, 3}, 1}};
    std::map<std::pair<int, int>, double> derived;
    const auto terms = equation_terms(m);
    for (int s = 0; s < 6; ++s)
        for (const EquationTerm& term : terms[std::size_t(s)]) derived[{s, term.reaction}] += term.coefficient;
    EXPECT_EQ(derived, net);
}

TEST(equations_text, each_reaction_is_listed_with_its_rate_law) {
    Mechanism m = with_species({"A", "B", "C"});
    add(m, "A + B => C", {{0, 1}, {1, 1}}, {{2, 1}}, Arrhenius{.A = 2e9, .b = -0.5, .Ta = 1200});
    m.reactions.back().orders = {{0, 0.5}, {1, 2}};
    add(m, "A => B", {{0, 1}}, {{1, 1}}, Formula{"0.1*exp(-800/T)*C", {}});
    add(m, "A + M <=> C + M", {{0, 1}}, {{2, 1}}, Arrhenius{.A = 3, .b = 1, .Ta = -50});
    m.reactions.back().third_body = ThirdBody{.others = 1, .efficiencies = {{1, 2.5}, {2, 0}}};
    m.reactions.back().reversible = true;
    add(m, "2 A (+M) => C (+M)", {{0, 2}}, {{2, 1}}, Falloff{.high = {.A = 1e7}, .low = {.A = 2}, .troe = Troe{0.7, 100, 2000, 5000}});
    m.reactions.back().third_body = ThirdBody{.others = 0, .efficiencies = {{1, 1}}};

    EXPECT_EQ(rate_text(m, 0, false), "k1 [A]^0.5[B]^2") << "orders, not coefficients";
    EXPECT_EQ(rate_law_lines(m, 0), std::vector<std::string>{"k1 = 2e+09 T^−0.5 exp(−1200/T)"});
    EXPECT_EQ(rate_law_lines(m, 1), std::vector<std::string>{"k2 = 0.1*exp(-800/T)*C"});
    EXPECT_EQ(rate_text(m, 2, false), "k3 [M3][A]");
    EXPECT_EQ(rate_text(m, 2, true), "k3b [M3][C]");
    EXPECT_EQ(rate_law_lines(m, 2), (std::vector<std::string>{"k3 = 3 T exp(50/T)", "[M3] = Σ[X] + 1.5 [B] − [C]",
                                                              "k3b = k3/Kc3, from the equilibrium constant"}));
    EXPECT_EQ(rate_text(m, 3, false), "k4 [A]^2");
    const std::vector<std::string> falloff = rate_law_lines(m, 3);
    EXPECT_EQ(falloff.back(), "[M4] = [B]");
    EXPECT_EQ(falloff[3], "Troe: a = 0.7, T3 = 100, T1 = 2000, T2 = 5000");
    EXPECT_EQ(species_equation(m, 2), "d[C]/dt = k1 [A]^0.5[B]^2 + k3 [M3][A] − k3b [M3][C] + k4 [A]^2");
    EXPECT_EQ(species_equation(m, 0), "d[A]/dt = − k1 [A]^0.5[B]^2 − k2 [A] − k3 [M3][A] + k3b [M3][C] − 2 k4 [A]^2");
}

TEST(equations_text, a_species_that_only_takes_part_stays_constant) {
    Mechanism m = with_species({"A", "cat"});
    add(m, "A + cat => cat", {{0, 1}, {1, 1}}, {{1, 1}}, Arrhenius{.A = 1});
    EXPECT_EQ(species_equation(m, 1), "d[cat]/dt = 0");
}

TEST(equations_text, large_systems_are_written_in_rates_and_keep_the_page) {
    Mechanism m = with_species({"A", "B"});
    for (int i = 0; i < 40; ++i) add(m, "A => B", {{0, 1}}, {{1, 1}}, Arrhenius{.A = double(i + 1)});
    const std::string text = equations_text(m);
    EXPECT_NE(text.find("d[A]/dt = − r1 − r2"), std::string::npos) << text;
    EXPECT_NE(text.find("\n            − r"), std::string::npos) << "lines are broken before a sign\n" << text;
    std::size_t longest = 0, width = 0;
    for (const char c : text) {
        width = c == '\n' ? 0 : width + ((c & 0xC0) != 0x80);
        longest = std::max(longest, width);
    }
    EXPECT_LE(longest, 120u);
}

}  // namespace
}  // namespace phlo::chem
