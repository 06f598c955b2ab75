#include "render/look/light_params.h"

#include <numbers>

#include "base/error.h"
#include "config/file_gate.h"
#include "config/paths.h"

namespace phlo::render {
namespace {

using config::Table;
using config::Variant;

const Table<RectangleShape>& rectangle_table() {
    static const auto table = Table<RectangleShape>("rectangle", "A flat lamp.")
                                  .key("width", &RectangleShape::width, {.unit = "m", .above = 0, .help = "its horizontal edge"})
                                  .key("height", &RectangleShape::height, {.unit = "m", .above = 0, .help = "its other edge"});
    return table;
}

const Table<DiskShape>& disk_table() {
    static const auto table =
        Table<DiskShape>("disk", "A flat, round lamp.").key("radius", &DiskShape::radius, {.unit = "m", .above = 0, .help = "of its rim"});
    return table;
}

const Table<BallShape>& ball_table() {
    static const auto table =
        Table<BallShape>("sphere", "A ball that shines.").key("radius", &BallShape::radius, {.unit = "m", .above = 0, .help = "its size"});
    return table;
}

const Variant<LampShape>& lamp_shape_variant() {
    constexpr auto make = [](auto shape, const config::Node&) { return LampShape(shape); };
    static const auto variant =
        Variant<LampShape>("shape", "What of a lamp shines.")
            .word("point", "a point: hard shadows", PointShape(), [](const LampShape& s) { return std::holds_alternative<PointShape>(s); })
            .option(
                "rectangle", "flat, one side shines", rectangle_table(), [](const LampShape& s) { return std::get_if<RectangleShape>(&s); },
                make)
            .option(
                "disk", "flat and round, one side shines", disk_table(), [](const LampShape& s) { return std::get_if<DiskShape>(&s); },
                make)
            .option(
                "sphere", "a ball, shines all around", ball_table(), [](const LampShape& s) { return std::get_if<BallShape>(&s); }, make);
    return variant;
}

}  // namespace

const Table<SunParams>& sun_table() {
    static const auto table =
        Table<SunParams>("sun", "Parallel light.")
            .key("azimuth", &SunParams::azimuth, {.unit = "deg", .help = "where it stands, from +x towards +y"})
            .key("elevation", &SunParams::elevation, {.unit = "deg", .min = 1, .max = 90, .help = "above the horizon"})
            .colour("color", &SunParams::color, {.help = "of its light"})
            .key("strength", &SunParams::strength, {.min = 0, .help = "irradiance of a surface that faces it"})
            .key("size", &SunParams::size, {.unit = "deg", .min = 0, .max = 20, .help = "its apparent diameter: softens shadows"});
    return table;
}

const Table<SkyParams>& sky_table() {
    static const auto table =
        Table<SkyParams>("sky", "Soft light from all around.")
            .colour("zenith", &SkyParams::zenith, {.help = "light from above"})
            .colour("horizon", &SkyParams::horizon, {.help = "light from the sides"})
            .key("strength", &SkyParams::strength, {.min = 0, .help = "radiance; with a map, a factor on it"})
            .key("map", &SkyParams::map,
                 {.help = "a picture of all directions in place of the two colours: latitude and longitude, EXR or HDR, beside the scene"})
            .key("rotation", &SkyParams::rotation, {.unit = "deg", .help = "of the map about z, from +x towards +y"})
            .key("visible", &SkyParams::visible, {.help = "the camera sees the sky in place of `background`; none: if there is a liquid"})
            .check([](SkyParams& sky, const config::Node& node, config::Reader& reader) {
                if (!sky.map) return;
                sky.map = config::resolved_path(*sky.map, node);
                try {
                    config::check_readable(*sky.map);
                } catch (const InputError& error) {
                    reader.fail(node.get("map") ? node.get("map")->position : node.position, "map", error.what());
                }
            });
    return table;
}

const Table<LampParams>& lamp_table() {
    static const auto table =
        Table<LampParams>("lights", "Lamps: they shine, hide nothing and throw no shadow of their own.")
            .table("shape", &LampParams::shape, lamp_shape_variant(), {.help = "what of it shines"})
            .key("position", &LampParams::position, {.unit = "m", .help = "of its middle"})
            .key("target", &LampParams::target, {.unit = "m", .help = "what a rectangle or disk faces; none: the floor under it"})
            .colour("color", &LampParams::color, {.help = "of its light"})
            .key("temperature", &LampParams::temperature,
                 {.unit = "K", .min = 1000, .max = 40000, .help = "of a black body with its colour; 6500 K is white, 2800 K a bulb"})
            .key("strength", &LampParams::strength, {.min = 0, .help = "light on a surface one metre away that faces it"})
            .input<double>("power", [](LampParams& lamp, double power) { lamp.power = power; },
                           {.min = 0, .help = "all its light: 4 pi strength, of a flat lamp pi strength", .replaces = "strength"})
            .key("visible", &LampParams::visible, {.help = "the camera sees it; mirrors always do"})
            .check([](LampParams& lamp, const config::Node&, config::Reader&) {
                if (lamp.power > 0) lamp.strength = lamp.power / ((lamp.flat() ? 1 : 4) * std::numbers::pi);
            });
    return table;
}

}  // namespace phlo::render
