#include "optics/liquids.h"

#include <gtest/gtest.h>

#include <cmath>

using namespace phlo;
using namespace phlo::optics;

TEST(liquids, a_glass_of_water_is_clear_and_ten_metres_of_it_are_blue) {
    const Interior water = liquid_named("water").value();
    const auto left = [&](double metres) { return Vec3d(std::exp(-double(water.absorption.x) * metres), std::exp(-double(water.absorption.y) * metres), std::exp(-double(water.absorption.z) * metres)); };
    EXPECT_GT(left(0.1).x, 0.96);
    EXPECT_LT(left(10).x, 0.04);
    EXPECT_GT(left(10).z, 0.9);
    EXPECT_FALSE(water.scatters());
}

TEST(liquids, milk_scatters_a_thousand_times_more_than_it_absorbs_in_red) {
    const Interior milk = liquid_named("milk").value();
    EXPECT_GT(milk.scattering.x, 1000 * milk.absorption.x);
    EXPECT_GT(milk.absorption.z, milk.absorption.x);  // a little yellow
}

TEST(liquids, all_have_names_and_nobody_knows_quicksilver) {
    for (const std::string& name : liquid_names()) EXPECT_GT(liquid_named(name).value().ior, 1.2f) << name;
    EXPECT_FALSE(liquid_named("quicksilver"));
}
