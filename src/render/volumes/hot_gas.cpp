#include "render/volumes/hot_gas.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace phlo::render {
namespace {

/// Hot gas becomes visible over this range above the coolest gas that shines [K].
constexpr float glow_range = 250;

/// How much hotter it is a quarter of a cell before the centre, and behind it, than in the centre: along a straight line no steeper than to
/// either neighbour, or, where the cell is hotter or colder than both, along the parabola through all three.
std::array<float, 2> beside(float before, float here, float after) {
    const float down = here - before, up = after - here, slope = (after - before) / 2;
    if (down * up < 0) return {(up - down) / 32 - slope / 4, (up - down) / 32 + slope / 4};
    const float steepest = 2 * std::min(std::fabs(down), std::fabs(up));
    const float limited = std::clamp(slope, -steepest, steepest) / 4;
    return {-limited, limited};
}

}  // namespace

float HotGas::heat(float t) const {
    const float x = std::clamp((t - min_temperature) / glow_range, 0.f, 1.f);
    return x * x * (3 - 2 * x);
}

HotGas::Glow HotGas::in_cell(int i, int j, int k) const {
    const Vec3i n = temperature->layout().cells();
    const field::Grid& q = *temperature;
    const float here = q(i, j, k);
    const std::array<float, 2> x = beside(q(std::max(i - 1, 0), j, k), here, q(std::min(i + 1, n.x - 1), j, k)),
                               y = beside(q(i, std::max(j - 1, 0), k), here, q(i, std::min(j + 1, n.y - 1), k)),
                               z = beside(q(i, j, std::max(k - 1, 0)), here, q(i, j, std::min(k + 1, n.z - 1)));
    Glow glow;
    if (!(here + std::max(x[0], x[1]) + std::max(y[0], y[1]) + std::max(z[0], z[1]) > min_temperature)) return glow;
    for (int point = 0; point < 8; ++point) {
        const float t = here + x[point & 1] + y[point >> 1 & 1] + z[point >> 2], hot = heat(t);
        if (!(hot > 0)) continue;
        const float burning = absorption * (flame ? (*flame)(i, j, k) : hot);
        const Vec3f shines = light(t) * (brightness * hot);
        glow.absorption += burning / 8;
        glow.light += shines / 8.f;
        glow.own += shines * (burning / 8);
    }
    return glow;
}

}  // namespace phlo::render
