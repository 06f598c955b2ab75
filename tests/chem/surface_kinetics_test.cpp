#include "chem/mechanism/surface_kinetics.h"

#include <gtest/gtest.h>

#include <cmath>

#include "chem/integration/kinetics.h"
#include "chem/mechanism/rate_units.h"
#include "chem/mechanism/read.h"
#include "chem/rates/network.h"

namespace phlo::chem {
namespace {

Mechanism read(const std::string& reaction) {
    return read_mechanism(config::parse_yaml("species: [Acid, Salt, {name: Stone, molar-density: 30 mol/m^3}]\nreactions: [{" + reaction + "}]", "test"), "");
}

TEST(surface_kinetics, rate_constants_of_surfaces_have_one_more_metre) {
    const UnitSystem si;
    EXPECT_DOUBLE_EQ(rate_constant("5 cm/s", RateOrder{1, true}, si), 0.05);
    EXPECT_DOUBLE_EQ(rate_constant("2 m^4/mol/s", RateOrder{2, true}, si), 2);
    UnitSystem centimetres;
    centimetres.length = 0.01;
    EXPECT_DOUBLE_EQ(rate_constant("3", RateOrder{1, true}, centimetres), 0.03);
    EXPECT_EQ(std::get<Arrhenius>(read("equation: Acid + 3 Stone => Salt, rate: 5 cm/s").reactions[0].rate).A, 0.05);
}

/// dc/dt = -k a c: the surface stays while the acid is used up, and the counter knows what was taken.
TEST(surface_kinetics, acid_falls_exponentially_before_a_surface_that_stays) {
    const SurfaceMechanism m = on_surfaces(read("equation: Acid + 2 Stone => Salt, rate: 5 cm/s"));
    ASSERT_EQ(m.solids.size(), 1u);
    const Network network(m.mechanism);
    std::vector<std::vector<float>> amounts = {{2.0f}, {0.0f}, {40.0f}, {0.0f}};   // mol/m^3, mol/m^3, 1/m, mol/m^3
    std::vector<float> temperature = {300};
    Cells<float> cells{.count = 1, .temperature = temperature.data()};
    for (auto& of : amounts) cells.amounts.push_back(of.data());
    react(network, cells, 0.5, {.hold = Hold::volume, .adiabatic = false, .integrator = Integrator::automatic, .relative = 1e-5});
    const double left = 2 * std::exp(-0.05 * 40 * 0.5);
    EXPECT_NEAR(double(amounts[0][0]), left, 2e-4);
    EXPECT_NEAR(double(amounts[1][0]), 2 - left, 2e-4);
    EXPECT_EQ(amounts[2][0], 40.0f);
    EXPECT_NEAR(double(amounts[3][0]), 2 * (2 - left), 4e-4);
}

TEST(surface_kinetics, a_mechanism_without_solids_stays_as_it_is) {
    const Mechanism m = read_mechanism(config::parse_yaml("species: [A, B]\nreactions: [{equation: A => B, rate: 1}]", "test"), "");
    const SurfaceMechanism same = on_surfaces(m);
    EXPECT_TRUE(same.solids.empty());
    EXPECT_EQ(same.mechanism.species.size(), 2u);
    EXPECT_EQ(same.mechanism.reactions[0].products.size(), 1u);
}

TEST(surface_kinetics, solids_are_no_third_molecule) {
    const SurfaceMechanism m = on_surfaces(read("equation: Acid + M => Salt + M, rate: 1"));
    const Network network(m.mechanism);
    std::vector<std::vector<float>> amounts = {{1.0f}, {0.0f}, {1000.0f}, {0.0f}};
    std::vector<float> temperature = {300};
    Cells<float> cells{.count = 1, .temperature = temperature.data()};
    for (auto& of : amounts) cells.amounts.push_back(of.data());
    react(network, cells, 0.5, {.hold = Hold::volume, .adiabatic = false, .integrator = Integrator::automatic, .relative = 1e-5});
    EXPECT_NEAR(double(amounts[0][0]), std::exp(-0.5), 1e-3);   // [M] = Acid + Salt = 1
}

}  // namespace
}  // namespace phlo::chem
