#include "render/look/usual_look.h"

namespace phlo::render {

std::optional<PointsLook> usual_look(const std::string& points, const RenderParams& look, double longest_side) {
    if (points == "soot") return PointsLook{.points = points, .color = look.soot.color, .extinction = look.soot.extinction};
    // A liquid makes them a five-hundredth of its longest side in size: a drop of spray then hides about half of what is behind it, foam more.
    const Vec3f white{0.97f, 0.975f, 0.98f};
    if (points == "spray") return PointsLook{.points = points, .color = white, .extinction = 250 / longest_side};
    if (points == "foam") return PointsLook{.points = points, .color = white, .extinction = 400 / longest_side};
    if (points == "bubbles") return PointsLook{.points = points, .color = white, .extinction = 120 / longest_side};
    return std::nullopt;
}

}  // namespace phlo::render
