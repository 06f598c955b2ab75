#include "render/volumes/hot_gas.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "render/volumes/parts.h"

using namespace phlo;
using namespace phlo::render;

namespace {

constexpr int size = 24;

template <class Temperature>
field::Grid hot(const Temperature& temperature) {
    field::Grid grid(field::Layout({size, size, size}));
    for (int k = 0; k < size; ++k)
        for (int j = 0; j < size; ++j)
            for (int i = 0; i < size; ++i) grid(i, j, k) = float(temperature(i, j, k));
    return grid;
}

HotGas fire(const field::Grid& temperature) {
    FireLook look;
    look.contrast = 1;
    return {.temperature = &temperature, .min_temperature = 800, .absorption = 2, .brightness = 3, .light = fire_colours(look, 1)};
}

/// A sheet of flame two cells thick that leans against the grid, its middle at `where` in y.
double sheet(double y, double where) { return 293 + 1007 * std::exp(-(y - where) * (y - where) / (2 * 0.95 * 0.95)); }

}  // namespace

TEST(hot_gas, even_gas_shines_by_its_temperature_up_to_the_walls) {
    const field::Grid grid = hot([](int, int, int) { return 1500; });
    const HotGas gas = fire(grid);
    const Vec3f expected = gas.light(1500) * 3.f;
    for (const Vec3i at : {Vec3i(0, 0, 0), Vec3i(size - 1, 5, 0), Vec3i(7, 8, 9)}) {
        const HotGas::Glow glow = gas.in_cell(at.x, at.y, at.z);
        EXPECT_NEAR(glow.absorption, 2, 1e-5);
        for (int c = 0; c < 3; ++c) {
            EXPECT_NEAR(glow.light[c], expected[c], 1e-4f * expected[c]);
            EXPECT_NEAR(glow.own[c], 2 * expected[c], 2e-4f * expected[c]);
        }
    }
}

TEST(hot_gas, cold_gas_is_dark_and_clear) {
    const field::Grid grid = hot([](int, int, int) { return 700; });
    const HotGas::Glow glow = fire(grid).in_cell(3, 4, 5);
    EXPECT_EQ(glow.absorption, 0);
    EXPECT_EQ(glow.own.x, 0);
    EXPECT_EQ(glow.light.x, 0);
}

TEST(hot_gas, leaning_sheet_of_flame_shows_few_stripes) {
    const field::Grid grid = hot([](int i, int j, int) { return sheet(j, 11 + i / double(size)); });  // it leans by a cell over the length
    const HotGas gas = fire(grid);
    double least = 1e30, most = 0, least_at_centres = 1e30, most_at_centres = 0;
    for (int i = 1; i + 1 < size; ++i) {
        double light = 0, at_centres = 0;
        for (int j = 0; j < size; ++j) {
            light += double(gas.in_cell(i, j, 12).own.x);
            const float heat = gas.heat(grid(i, j, 12));
            at_centres += double(gas.light(grid(i, j, 12)).x * heat * heat);
        }
        least = std::min(least, light), most = std::max(most, light);
        least_at_centres = std::min(least_at_centres, at_centres), most_at_centres = std::max(most_at_centres, at_centres);
    }
    EXPECT_GT(most_at_centres / least_at_centres, 2.5);  // what the eye sees as a stripe a cell
    EXPECT_LT(most / least, 0.72 * most_at_centres / least_at_centres);
}

TEST(hot_gas, sharp_edge_has_no_dark_skin) {
    const field::Grid grid = hot([](int i, int, int) { return i < 12 ? 1500 : 300; });
    const HotGas gas = fire(grid);
    EXPECT_EQ(gas.in_cell(11, 5, 5).light.x, gas.in_cell(5, 5, 5).light.x);
    EXPECT_EQ(gas.in_cell(12, 5, 5).light.x, 0);
}

TEST(hot_gas, turning_the_field_turns_its_light) {
    const auto bump = [](double x, double y, double z) {
        return 400 + 1200 * std::exp(-(x - 11.3) * (x - 11.3) / 9 - (y - 12.1) * (y - 12.1) / 4 - (z - 10) * (z - 10) / 3);
    };
    const field::Grid one = hot([&](int i, int j, int k) { return bump(i, j, k); }),
                      other = hot([&](int i, int j, int k) { return bump(j, k, i); });
    for (const Vec3i p : {Vec3i(11, 12, 10), Vec3i(10, 13, 9), Vec3i(13, 11, 11)}) {
        const HotGas::Glow a = fire(one).in_cell(p.x, p.y, p.z), b = fire(other).in_cell(p.z, p.x, p.y);
        EXPECT_NEAR(a.own.x, b.own.x, 1e-4f * a.own.x);
        EXPECT_GT(a.own.x, 0);
    }
}
