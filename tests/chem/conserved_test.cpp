#include "chem/rates/conserved.h"

#include <gtest/gtest.h>

#include <set>

#include "chem/mechanism/read.h"

namespace phlo::chem::test {
namespace {

std::set<std::string> names_of(const Mechanism& mechanism) {
    std::set<std::string> names;
    const Network network(mechanism);
    for (const Conserved& total : conserved_totals(network)) {
        names.insert(total.name);
        for (const CompiledReaction& reaction : network.compiled()) {
            double change = 0;
            for (const Term& t : reaction.net) change += t.coefficient * total.weights[std::size_t(t.species)];
            EXPECT_NEAR(change, 0, 1e-9) << total.name;
        }
    }
    return names;
}

TEST(Conserved, TotalsOfRealSpeciesAreTheirElementsAndMass) {
    EXPECT_EQ(names_of(read_mechanism(find_mechanism("hydrogen"), "")), (std::set<std::string>{"H", "O", "N", "Ar", "mass"}));
}

TEST(Conserved, TotalsOfInventedSpeciesHaveNoNegativeWeights) {
    EXPECT_EQ(names_of(read_mechanism(find_mechanism("campfire"), "")), (std::set<std::string>{"2 S1 + S3", "2 S2 + S3"}));
    for (const Conserved& total : conserved_totals(Network(read_mechanism(find_mechanism("chain"), ""))))
        for (const double w : total.weights) EXPECT_GE(w, 0) << total.name;
    EXPECT_FALSE(names_of(read_mechanism(find_mechanism("chain"), "")).empty());
}

TEST(Conserved, MassOfInventedSpeciesCountsWhereEveryReactionKeepsIt) {
    const auto names = [](const std::string& mass_of_c) {
        return names_of(read_mechanism(config::parse_yaml("species:\n- {name: A, molar-mass: 0.002 kg/mol}\n- {name: B, molar-mass: 0.032 kg/mol}\n"
                                                          "- {name: C, molar-mass: " + mass_of_c + " kg/mol}\nreactions:\n- {equation: 2 A + B => 2 C, rate: 1}\n", "m.yaml"), ""));
    };
    EXPECT_TRUE(names("0.018").contains("mass"));
    EXPECT_FALSE(names("0.044").contains("mass"));
}

}  // namespace
}  // namespace phlo::chem::test
