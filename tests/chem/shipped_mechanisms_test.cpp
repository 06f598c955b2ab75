#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>

#include <gtest/gtest.h>

#include "chem/mechanism/read.h"
#include "source_dir.h"

namespace phlo::chem {
namespace {

const std::string source = phlo::test::source_dir();

std::map<std::string, double> named(const Mechanism& m, const std::vector<Term>& terms) {
    std::map<std::string, double> result;
    for (const Term& term : terms) result[m.species[std::size_t(term.species)].name] = term.coefficient;
    return result;
}

void expect_near(double a, double b, const std::string& what) { EXPECT_NEAR(a, b, 1e-12 * std::abs(b)) << what; }

void expect_same(const Arrhenius& a, const Arrhenius& b, const std::string& what) {
    expect_near(a.A, b.A, what);
    expect_near(a.b, b.b, what);
    expect_near(a.Ta, b.Ta, what);
}

void expect_same(const Mechanism& m, const Reaction& a, const Mechanism& n, const Reaction& b) {
    const std::string what = a.equation + " against " + b.equation;
    EXPECT_EQ(named(m, a.reactants), named(n, b.reactants)) << what;
    EXPECT_EQ(named(m, a.products), named(n, b.products)) << what;
    EXPECT_EQ(named(m, a.orders), named(n, b.orders)) << what;
    EXPECT_EQ(a.reversible, b.reversible) << what;
    EXPECT_EQ(a.duplicate, b.duplicate) << what;
    ASSERT_EQ(a.third_body.has_value(), b.third_body.has_value()) << what;
    if (a.third_body) {
        EXPECT_EQ(a.third_body->others, b.third_body->others) << what;
        EXPECT_EQ(named(m, a.third_body->efficiencies), named(n, b.third_body->efficiencies)) << what;
    }
    ASSERT_EQ(a.rate.index(), b.rate.index()) << what;
    if (const auto* rate = std::get_if<Arrhenius>(&a.rate)) expect_same(*rate, std::get<Arrhenius>(b.rate), what);
    if (const auto* falloff = std::get_if<Falloff>(&a.rate)) {
        const Falloff& other = std::get<Falloff>(b.rate);
        expect_same(falloff->low, other.low, what);
        expect_same(falloff->high, other.high, what);
        ASSERT_TRUE(falloff->troe && other.troe);
        EXPECT_EQ(falloff->troe->a, other.troe->a);
        EXPECT_EQ(falloff->troe->T1, other.troe->T1);
        EXPECT_EQ(falloff->troe->T2, other.troe->T2);
        EXPECT_EQ(falloff->troe->T3, other.troe->T3);
    }
}

TEST(shipped_mechanisms, every_file_reads_and_says_what_it_is) {
    int count = 0;
    for (const auto& entry : std::filesystem::directory_iterator(source + "/mechanisms")) {
        if (entry.path().extension() != ".yaml") continue;
        const Mechanism m = read_mechanism(entry.path().string());
        EXPECT_EQ(m.name, entry.path().stem().string());
        std::ifstream stream(entry.path());
        std::string first;
        std::getline(stream, first);
        EXPECT_TRUE(first.starts_with("# ")) << entry.path();
        ++count;
    }
    EXPECT_GE(count, 7);
}

TEST(shipped_mechanisms, hydrogen_has_ten_species_and_29_reactions) {
    const Mechanism m = read_mechanism(source + "/mechanisms/hydrogen.yaml");
    EXPECT_EQ(m.species_names(), (std::vector<std::string>{"H2", "H", "O", "O2", "OH", "H2O", "HO2", "H2O2", "AR", "N2"}));
    EXPECT_EQ(m.reactions.size(), 29u);
    EXPECT_TRUE(m.has_thermo());
    const Arrhenius& branching = std::get<Arrhenius>(m.reactions[10].rate);
    EXPECT_EQ(m.reactions[10].equation, "H + O2 <=> OH + O");
    EXPECT_DOUBLE_EQ(branching.A, 2.65e10);
    EXPECT_DOUBLE_EQ(branching.b, -0.6707);
    EXPECT_DOUBLE_EQ(branching.Ta, 17041 * 4.184 / gas_constant);
}

TEST(shipped_mechanisms, hydrogen_is_the_published_subset) {
    const std::string file = source + "/../shared/data/mechanisms/h2o2.yaml";
    if (!std::filesystem::exists(file)) GTEST_SKIP() << "no shared data beside the project";
    const Mechanism ours = read_mechanism(source + "/mechanisms/hydrogen.yaml"), theirs = read_mechanism(file);
    EXPECT_EQ(ours.species_names(), theirs.species_names());
    for (std::size_t k = 0; k < ours.species.size(); ++k) {
        const Species &a = ours.species[k], &b = theirs.species[k];
        EXPECT_DOUBLE_EQ(a.molar_mass, b.molar_mass);
        EXPECT_EQ(a.thermo->middle, b.thermo->middle);
        EXPECT_EQ(a.thermo->below, b.thermo->below);
        EXPECT_EQ(a.thermo->above, b.thermo->above);
    }
    ASSERT_EQ(ours.reactions.size(), theirs.reactions.size());
    for (std::size_t r = 0; r < ours.reactions.size(); ++r) expect_same(ours, ours.reactions[r], theirs, theirs.reactions[r]);
}

TEST(shipped_mechanisms, methane_is_read_whole) {
    const std::string file = source + "/../shared/data/mechanisms/gri30.yaml";
    if (!std::filesystem::exists(file)) GTEST_SKIP() << "no shared data beside the project";
    const Mechanism m = read_mechanism(file);
    EXPECT_EQ(m.species.size(), 53u);
    EXPECT_EQ(m.reactions.size(), 325u);
    EXPECT_GE(m.find("NO"), 0);
    EXPECT_GE(m.find("CH2(S)"), 0);
    EXPECT_EQ(m.species[std::size_t(m.find("HNCO"))].thermo->middle, 1478);
    EXPECT_EQ(std::ranges::count_if(m.reactions, [](const Reaction& r) { return std::holds_alternative<Falloff>(r.rate); }), 29);
}

/// The systems of tests/data/kinetics/toy say reactants, products and k; species that are held constant stand on both sides with us.
void expect_toy(const std::string& mechanism, const std::string& toy) {
    const Mechanism m = read_mechanism(source + "/mechanisms/" + mechanism + ".yaml");
    const config::Node json = config::parse_yaml_file(source + "/tests/data/kinetics/toy/" + toy + ".json");
    std::vector<std::string> held;
    for (const config::Node& name : json.get("buffered")->items) held.push_back(name.text);
    const auto& reactions = json.get("reactions")->items;
    ASSERT_EQ(m.reactions.size(), reactions.size());
    for (std::size_t r = 0; r < reactions.size(); ++r) {
        std::map<std::string, double> change, orders;
        for (const auto& entry : reactions[r].get("reactants")->entries)
            orders[entry.key] = std::stod(entry.value.text), change[entry.key] -= orders[entry.key];
        for (const auto& entry : reactions[r].get("products")->entries) change[entry.key] += std::stod(entry.value.text);
        std::map<std::string, double> ours;
        for (const auto& [name, number] : named(m, m.reactions[r].products)) ours[name] += number;
        for (const auto& [name, number] : named(m, m.reactions[r].reactants)) ours[name] -= number;
        const std::string what = mechanism + ": " + m.reactions[r].equation;
        EXPECT_EQ(named(m, m.reactions[r].orders), orders) << what;
        for (const std::string& name : m.species_names()) {
            if (name == "P" && !held.empty()) continue;  // waste that nothing depends on: we count it
            EXPECT_NEAR(ours[name], std::ranges::count(held, name) ? 0 : change[name], 1e-15) << what << ", " << name;
        }
        EXPECT_DOUBLE_EQ(std::get<Arrhenius>(m.reactions[r].rate).A, std::stod(reactions[r].get("k")->text)) << what;
    }
}

TEST(shipped_mechanisms, invented_ones_are_the_systems_of_the_reference_results) {
    expect_toy("chain", "chain_mild_11");
    expect_toy("robertson", "robertson_std");
    expect_toy("oregonator", "oregonator_f1");
    expect_toy("brusselator", "brusselator_A1_B3");
    expect_toy("bz", "bz_batch");
}

}  // namespace
}  // namespace phlo::chem
