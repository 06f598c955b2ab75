#include "chem/rates/thermo.h"

#include <cmath>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include "chem/mechanism/read.h"
#include "gri30.h"
#include "source_dir.h"

namespace phlo::chem {
namespace {

const std::string source = phlo::test::source_dir();

Mechanism hydrogen() { return read_mechanism(source + "/mechanisms/hydrogen.yaml"); }

/// Rows of a table without its head.
std::vector<std::vector<std::string>> rows_of(const std::string& file) {
    std::ifstream stream(file);
    std::vector<std::vector<std::string>> rows;
    for (std::string line; std::getline(stream, line);) {
        std::istringstream cells(line);
        rows.emplace_back();
        for (std::string cell; std::getline(cells, cell, ',');) rows.back().push_back(cell);
    }
    if (!rows.empty()) rows.erase(rows.begin());
    return rows;
}

void expect_table(const Mechanism& m, const std::string& file) {
    const auto rows = rows_of(file);
    ASSERT_GT(rows.size(), 10u);
    for (const auto& row : rows) {
        const int k = m.find(row[0]);
        ASSERT_GE(k, 0) << row[0];
        const Species& s = m.species[std::size_t(k)];
        const double T = std::stod(row[2]);
        const auto near = [&](double ours, const std::string& theirs) {
            EXPECT_NEAR(ours, std::stod(theirs), 1e-9 * std::abs(ours) + 1e-11) << row[0] << " at " << T << " K";
        };
        near(s.molar_mass * 1000, row[1]);
        near(cp_over_R(*s.thermo, T), row[3]);
        near(h_over_RT(*s.thermo, T), row[4]);
        near(s_over_R(*s.thermo, T), row[5]);
    }
}

TEST(thermo, hydrogen_agrees_with_the_table) { expect_table(hydrogen(), source + "/tests/data/kinetics/thermo_h2o2.csv"); }

TEST(thermo, methane_agrees_with_the_table) {
    NEEDS_GRI30();
    expect_table(*test::gri30(), source + "/tests/data/kinetics/thermo_gri30.csv");
}

TEST(thermo, gibbs_is_enthalpy_minus_temperature_times_entropy) {
    for (const Species& s : hydrogen().species)
        for (const double T : {300.0, 999.0, 1001.0, 2500.0})
            EXPECT_NEAR(g_over_RT(*s.thermo, T), h_over_RT(*s.thermo, T) - s_over_R(*s.thermo, T),
                        1e-14 * std::abs(s_over_R(*s.thermo, T)));
}

TEST(thermo, heat_capacity_is_the_slope_of_enthalpy_and_of_entropy) {
    for (const Species& s : hydrogen().species)
        for (const double T : {350.0, 800.0, 1200.0, 3000.0}) {
            const double d = 1e-3 * T, above = T + d, below = T - d;
            const double dh = (h_over_RT(*s.thermo, above) * above - h_over_RT(*s.thermo, below) * below) / (2 * d);
            const double ds = (s_over_R(*s.thermo, above) - s_over_R(*s.thermo, below)) / (2 * d);
            EXPECT_NEAR(dh, cp_over_R(*s.thermo, T), 1e-5);
            EXPECT_NEAR(ds * T, cp_over_R(*s.thermo, T), 1e-5);
        }
}

TEST(thermo, the_middle_belongs_to_the_lower_range) {
    Nasa7 nasa;
    nasa.middle = 1478, nasa.below[0] = 1, nasa.above[0] = 2;
    EXPECT_EQ(cp_over_R(nasa, 1200), 1);
    EXPECT_EQ(cp_over_R(nasa, 1478), 1);
    EXPECT_EQ(cp_over_R(nasa, 1479), 2);
}

TEST(thermo, forward_and_backward_equilibria_are_reciprocal) {
    const Mechanism m = hydrogen();
    for (Reaction r : m.reactions) {
        const double forward = log_equilibrium_constant(m, r, 1500);
        std::swap(r.reactants, r.products);
        EXPECT_NEAR(log_equilibrium_constant(m, r, 1500), -forward, 1e-10 * (1 + std::abs(forward)));
    }
}

TEST(thermo, fractions_convert_there_and_back) {
    const Mechanism m = hydrogen();
    std::vector<double> X(m.species.size(), 0.0);
    X[std::size_t(m.find("H2"))] = 0.3, X[std::size_t(m.find("O2"))] = 0.15, X[std::size_t(m.find("N2"))] = 0.55;
    const std::vector<double> Y = mass_fractions(m, X), back = mole_fractions(m, Y);
    double sum = 0;
    for (std::size_t k = 0; k < X.size(); ++k) {
        EXPECT_NEAR(back[k], X[k], 1e-15);
        sum += Y[k];
    }
    EXPECT_NEAR(sum, 1, 1e-15);
    EXPECT_NEAR(Y[std::size_t(m.find("H2"))], 0.3 * 2.016 / (0.3 * 2.016 + 0.15 * 31.998 + 0.55 * 28.014), 1e-15);
    EXPECT_NEAR(mean_molar_mass_of_moles(m, X), mean_molar_mass_of_masses(m, Y), 1e-17);
}

TEST(thermo, densities_agree_with_the_table) {
    const Mechanism m = hydrogen();
    for (const auto& row : rows_of(source + "/tests/data/kinetics/wdot_h2o2.csv")) {
        std::vector<double> Y;
        for (std::size_t k = 0; k < m.species.size(); ++k) Y.push_back(std::stod(row[9 + k]));  // the table has our order of species
        const double ours = density(std::stod(row[3]), std::stod(row[2]), mean_molar_mass_of_masses(m, Y));
        EXPECT_NEAR(ours, std::stod(row[4]), 1e-9 * ours) << row[0];
    }
}

}  // namespace
}  // namespace phlo::chem
