#include "render/look/usual_look.h"

namespace phlo::render {

std::optional<PointsLook> usual_look(const std::string& points, const RenderParams& look, double longest_side) {
    if (points == "soot") return PointsLook{.points = points, .color = look.soot.color, .extinction = look.soot.extinction};
    // A liquid makes them about a thousandth of its longest side in size: single ones hide a third of what is behind them, crowds are white.
    const Vec3f white{0.97f, 0.975f, 0.98f};
    if (points == "spray") return PointsLook{.points = points, .color = white, .extinction = 250 / longest_side};
    if (points == "foam") return PointsLook{.points = points, .color = white, .extinction = 400 / longest_side};
    if (points == "bubbles") return PointsLook{.points = points, .color = white, .extinction = 120 / longest_side};
    return std::nullopt;
}

}  // namespace phlo::render
