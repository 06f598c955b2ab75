#include "optics/liquids.h"

#include <array>

namespace phlo::optics {
namespace {

struct Liquid {
    const char* name;
    Interior interior;
};

// Where scattering is given as sigma_s' = (1 - g) sigma_s, light is taken to scatter evenly with that: many scatterings look the same.
const std::array liquids = {
    // Pure water [pope1997].
    Liquid{"water", {.ior = 1.333f, .absorption = {0.34f, 0.057f, 0.009f}, .scattering = {}}},
    // Whole milk [jensen2001b].
    Liquid{"milk", {.ior = 1.3f, .absorption = {1.1f, 2.4f, 14.f}, .scattering = {2550.f, 3210.f, 3770.f}}},
    // Amber: three centimetres let through 4/5 of red, a third of green and hardly any blue.
    Liquid{"honey", {.ior = 1.49f, .absorption = {8.f, 36.f, 170.f}, .scattering = {}}},
    // Brown: the same after a centimetre.
    Liquid{"syrup", {.ior = 1.46f, .absorption = {22.f, 100.f, 400.f}, .scattering = {}}},
    // A fifth as strong as espresso [narasimhan2006] in green. Red and blue lie farther apart than in those data, whose colours are a camera's broad ones: e-fold in 105 nm, chosen
    // so that coffee with milk is brown and not grey.
    Liquid{"coffee", {.ior = 1.34f, .absorption = {507.f, 1315.f, 3410.f}, .scattering = {145.f, 169.f, 205.f}}},
    // Olive oil: carotene takes the blue, chlorophyll some of the red.
    Liquid{"oil", {.ior = 1.47f, .absorption = {3.f, 2.f, 32.f}, .scattering = {}}},
};

}  // namespace

std::optional<Interior> liquid_named(const std::string& name) {
    for (const Liquid& liquid : liquids)
        if (liquid.name == name) return liquid.interior;
    return std::nullopt;
}

std::vector<std::string> liquid_names() {
    std::vector<std::string> names;
    for (const Liquid& liquid : liquids) names.emplace_back(liquid.name);
    return names;
}

}  // namespace phlo::optics
