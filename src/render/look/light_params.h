// What shines on a scene, as the `render:` section says it: the sun, the sky or a picture of one, and lamps.
//
//   render:
//     sky: {map: studio.exr, rotation: 30 deg, strength: 1}
//     lights:
//       - {position: [1, 0, 2], color: [1, 0.8, 0.6], strength: 4}                            # a point
//       - {shape: {rectangle: {width: 1 m, height: 50 cm}}, position: [0, -2, 2], target: [0, 0, 1], strength: 10}
#pragma once
#include <optional>
#include <string>
#include <variant>

#include "base/curve.h"
#include "base/vec.h"
#include "config/table.h"

namespace phlo::render {

struct SunParams {
    double azimuth = -165;  ///< where it stands, from +x towards +y [deg]
    double elevation = 50;  ///< above the horizon [deg]
    Vec3f color{1.0f, 0.93f, 0.84f};
    double strength = 10.0;  ///< irradiance of a surface that faces it
    double size = 3;  ///< its apparent diameter [deg]: softens shadows on surfaces
};

struct SkyParams {
    Vec3f zenith{0.55f, 0.70f, 1.0f};
    Vec3f horizon{0.85f, 0.90f, 1.0f};
    double strength = 0.45;  ///< radiance; with a map, a factor on it
    std::optional<std::string> map = {};  ///< a picture of all directions (latitude, longitude; z up) in place of the two colours
    double rotation = 0;  ///< of the map about z, from +x towards +y [deg]
    std::optional<bool> visible = {};  ///< the camera sees it in place of `background`; none: where there is a liquid, which mirrors it
};

struct PointShape {};
struct RectangleShape {
    double width = 0.5, height = 0.5;  ///< [m]
};
struct DiskShape {
    double radius = 0.25;  ///< [m]
};
struct BallShape {
    double radius = 0.1;  ///< [m]
};
using LampShape = std::variant<PointShape, RectangleShape, DiskShape, BallShape>;

/// A lamp shines, hides nothing and throws no shadow. Rectangles and disks shine to one side, towards the target.
struct LampParams {
    LampShape shape = {};
    Curve<Vec3d> position{Vec3d(0, 0, 2)};  ///< of its middle [m]
    std::optional<Curve<Vec3d>> target = {};  ///< what a rectangle or disk faces [m]; none: the floor under it
    Vec3f color{1, 1, 1};
    std::optional<double> temperature = {};  ///< of a black body with its colour [K]; multiplies `color`
    Curve<double> strength{1.0};  ///< intensity in the direction it faces: irradiance of a surface one metre away, for a small lamp
    bool visible = false;  ///< the camera sees it; mirrors always do
    double power = 0;  ///< as read: becomes strength

    bool flat() const { return std::holds_alternative<RectangleShape>(shape) || std::holds_alternative<DiskShape>(shape); }
};

const config::Table<SunParams>& sun_table();
const config::Table<SkyParams>& sky_table();
const config::Table<LampParams>& lamp_table();

}  // namespace phlo::render
