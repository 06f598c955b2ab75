#include "models/liquid/substance.h"

#include <algorithm>

namespace phlo::models {
namespace {

// Handbook values; milk, coffee and honey vary by a few percent, honey's viscosity by a factor of two with its water. B is that between 20 and 40 degrees.
constexpr LiquidSubstance known[] = {
    {"water", 998, 1.0e-6, 1920, 4182, 0.0728, "clear"},
    {"milk", 1030, 1.9e-6, 2100, 3930, 0.047, "white: it scatters light"},
    {"coffee", 1000, 1.1e-6, 1920, 4180, 0.062, "dark brown"},
    {"oil", 915, 9.0e-5, 3900, 1970, 0.032, "olive oil: clear, yellow"},
    {"syrup", 1330, 1.5e-3, 6500, 2700, 0.070, "clear, brown; runs slowly"},
    {"honey", 1420, 7.0e-3, 10000, 2400, 0.060, "clear, amber; coils and folds"},
};

}  // namespace

std::span<const LiquidSubstance> liquid_substances() { return known; }

const LiquidSubstance* find_liquid_substance(std::string_view name) {
    const auto found = std::ranges::find(known, name, &LiquidSubstance::name);
    return found == std::end(known) ? nullptr : &*found;
}

}  // namespace phlo::models
