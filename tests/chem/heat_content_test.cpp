#include "chem/rates/heat_content.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/random.h"
#include "chem/mechanism/read.h"
#include "chem/rates/thermo.h"
#include "source_dir.h"

namespace phlo::chem {
namespace {

Mechanism hydrogen() { return read_mechanism(phlo::test::source_dir() + "/mechanisms/hydrogen.yaml"); }

struct Row {
    std::vector<std::vector<float>> amounts;
    std::vector<const float*> rows;
    std::vector<float> excess;
};

/// Mixtures of all species between 250 K and 3200 K.
Row random_row(int species, int count, double reference) {
    Row row;
    row.amounts.resize(std::size_t(species));
    for (int s = 0; s < species; ++s)
        for (int i = 0; i < count; ++i) row.amounts[std::size_t(s)].push_back(20 * uniform4({.seed = 3, .step = unsigned(s), .stream = 1}, unsigned(i))[0]);
    for (int i = 0; i < count; ++i) row.excess.push_back(float(250 - reference) + 2950 * uniform4({.seed = 3, .step = 99, .stream = 1}, unsigned(i))[0]);
    for (const auto& of : row.amounts) row.rows.push_back(of.data());
    return row;
}

TEST(HeatContent, and_the_amounts_times_their_zeros_are_the_enthalpy) {
    const Mechanism m = hydrogen();
    const HeatContent content(m, 293);
    const int count = 100;
    const Row row = random_row(content.species(), count, 293);
    std::vector<float> heat(count);
    content.from_temperature(count, row.rows, row.excess.data(), heat.data());
    for (int i = 0; i < count; ++i) {
        const double T = 293 + double(row.excess[std::size_t(i)]);
        double expected = 0, scale = 0;
        for (int s = 0; s < content.species(); ++s) {
            const Nasa7& nasa = *m.species[std::size_t(s)].thermo;
            const double h = gas_constant * h_over_RT(nasa, T) * T - content.zero(s);
            EXPECT_NEAR(content.of(s, T - 293), h, 1e-9 * std::abs(h) + 1e-6);
            expected += double(row.amounts[std::size_t(s)][std::size_t(i)]) * h;
            scale += std::abs(double(row.amounts[std::size_t(s)][std::size_t(i)]) * h);
        }
        EXPECT_NEAR(heat[std::size_t(i)], expected, 1e-6 * scale);
    }
}

TEST(HeatContent, leads_back_to_the_temperature_from_a_bad_guess) {
    const HeatContent content(hydrogen(), 293);
    const int count = 1000;
    const Row row = random_row(content.species(), count, 293);
    std::vector<float> heat(count);
    content.from_temperature(count, row.rows, row.excess.data(), heat.data());
    for (const float guess : {0.0f, 700.0f, 2500.0f}) {
        std::vector<float> found(count, guess);
        EXPECT_EQ(content.to_temperature(count, row.rows, heat.data(), found.data()), 0);
        for (std::size_t i = 0; i < count; ++i) EXPECT_NEAR(found[i], row.excess[i], 0.01) << guess;
    }
}

TEST(HeatContent, still_air_and_empty_cells_have_none_and_no_excess) {
    const Mechanism m = hydrogen();
    const HeatContent content(m, 293);
    Row row = random_row(content.species(), 3, 293);
    for (std::size_t s = 0; s < m.species.size(); ++s) {
        if (m.species[s].name != "O2" && m.species[s].name != "N2" && m.species[s].name != "H2") row.amounts[s][0] = 0;
        row.amounts[s][2] = 0;
    }
    row.excess = {0, 500, 500};
    std::vector<float> heat(3), found{10, 10, 10};
    content.from_temperature(3, row.rows, row.excess.data(), heat.data());
    EXPECT_NEAR(heat[0], 0, 1e-6);
    EXPECT_EQ(heat[2], 0);
    EXPECT_EQ(content.to_temperature(3, row.rows, heat.data(), found.data()), 0);
    EXPECT_EQ(found[0], 0);
    EXPECT_NEAR(found[1], 500, 0.01);
    EXPECT_EQ(found[2], 0);
}

TEST(HeatContent, heat_that_no_temperature_holds_is_counted_and_changes_nothing) {
    const HeatContent content(hydrogen(), 293);
    const Row row = random_row(content.species(), 2, 293);
    std::vector<float> heat(2), found{77, 0};
    content.from_temperature(2, row.rows, row.excess.data(), heat.data());
    heat[0] = -1e9f;
    EXPECT_EQ(content.to_temperature(2, row.rows, heat.data(), found.data()), 1);
    EXPECT_EQ(found[0], 77);
    EXPECT_NEAR(found[1], row.excess[1], 0.01);
}

}  // namespace
}  // namespace phlo::chem
