#include "serve/point_heat.h"

#include <gtest/gtest.h>

#include "chem/mechanism/read.h"
#include "chem/mechanism/shipped.h"
#include "chem/rates/thermo.h"

namespace phlo::serve {
namespace {

models::GasSetup gas_of(const char* mechanism) {
    models::GasSetup gas;
    config::Node file = chem::find_mechanism(mechanism);
    file.remove("react");
    gas.mechanism = chem::read_mechanism(file, "");
    return gas;
}

/// Every species of a mechanism, `all` of each but for those that are named.
std::map<std::string, double> fields_of(const models::GasSetup& gas, double temperature, double all, const std::map<std::string, double>& named = {}) {
    std::map<std::string, double> fields{{"temperature", temperature}};
    for (const chem::Species& s : gas.mechanism->species) fields["c_" + s.name] = named.contains(s.name) ? named.at(s.name) : all;
    return fields;
}

TEST(point_heat, of_real_gas_is_what_its_reactions_release) {
    const models::GasSetup gas = gas_of("hydrogen");
    const PointHeat heat(gas);
    // Atoms alone can only recombine, and whatever two of them make releases a bond.
    const auto atoms = heat.at(fields_of(gas, 1500, 0, {{"H", 1}, {"N2", 5}}), 0);
    ASSERT_TRUE(atoms);
    EXPECT_STREQ(atoms->name, "heat_release");
    EXPECT_GT(atoms->amount, 0);
    // 2 H + M → H2 + M is the only way: twice as many atoms go four times as often, in hardly more M.
    const auto more = heat.at(fields_of(gas, 1500, 0, {{"H", 2}, {"N2", 500}}), 0), fewer = heat.at(fields_of(gas, 1500, 0, {{"H", 1}, {"N2", 501}}), 0);
    EXPECT_NEAR(more->amount / fewer->amount, 4, 0.05);
    EXPECT_NEAR(heat.at(fields_of(gas, 1500, 0, {{"N2", 5}}), 0)->amount, 0, 1e-9) << "nitrogen alone does nothing";
}

TEST(point_heat, is_nothing_in_gas_colder_than_what_reacts) {
    models::GasSetup gas = gas_of("hydrogen");
    gas.chemistry.min_temperature = 600;
    const PointHeat heat(gas);
    EXPECT_EQ(heat.at(fields_of(gas, 500, 1), 0)->amount, 0);
    EXPECT_NE(heat.at(fields_of(gas, 700, 1), 0)->amount, 0);
}

TEST(point_heat, is_unknown_where_a_species_is_no_field) {
    const models::GasSetup gas = gas_of("hydrogen");
    auto fields = fields_of(gas, 1500, 1);
    fields.erase("c_H2");
    EXPECT_FALSE(PointHeat(gas).at(fields, 0));
}

}  // namespace
}  // namespace phlo::serve
