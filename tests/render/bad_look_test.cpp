// Wrong values of a look are told by line, column and key path, with what was expected.
#include <gtest/gtest.h>

#include "complaint.h"
#include "fixture.h"
#include "render/look/params.h"

using namespace phlo;
using namespace phlo::render;

namespace {

std::string problems_of(const std::string& text) {
    config::Problems problems;
    config::Reader reader(problems);
    RenderParams look;
    render_table().read(config::parse_yaml(text, "look.yaml"), reader, look);
    return problems.text();
}

struct BadLook {
    const char* text;
    const char* path;  ///< of the key
    const char* expected;  ///< part of the message
};

constexpr BadLook bad_looks[] = {
    {"camera: {fov: 0 deg}", "camera.fov", "expected"},
    {"camera: {fov: 180 deg}", "camera.fov", "170"},
    {"camera: {f_number: 0}", "camera.f_number", "expected"},
    {"camera: {focus: -1 m}", "camera.focus", "expected"},
    {"camera: {sensor: 0}", "camera.sensor", "expected"},
    {"camera: {shutter: 3}", "camera.shutter", "2"},
    {"camera: {elevation: 95 deg}", "camera.elevation", "89"},
    {"camera: {position: [1, 2]}", "camera.position", "expected"},
    {"camera: {position: [1, 2, .nan]}", "camera.position", "expected"},
    {"camera: {position: [1, 2, 3 K]}", "camera.position", "m"},
    {"camera: {fov: wide}", "camera.fov", "expected"},
    {"camera: {lens: 50}", "camera.lens", "unknown key"},
    {"detail: {strength: -1}", "detail.strength", "0"},
    {"detail: {strength: 5}", "detail.strength", "4"},
    {"detail: {refine: 9}", "detail.refine", "4"},
    {"detail: {scale: 0.5}", "detail.scale", "1"},
    {"detail: {period: 0 s}", "detail.period", "expected"},
    {"sun: {strength: -1}", "sun.strength", "0"},
    {"sun: {strength: .inf}", "sun.strength", "expected"},
    {"sun: {strength: .nan}", "sun.strength", "expected"},
    {"sun: {elevation: 0 deg}", "sun.elevation", "1"},
    {"sun: {size: 90 deg}", "sun.size", "20"},
    {"sun: {color: [1, -0.5, 0]}", "sun.color", "expected"},
    {"sky: {strength: -0.1}", "sky.strength", "0"},
    {"sky: {zenith: blue}", "sky.zenith", "expected"},
    {"sky: {visible: maybe}", "sky.visible", "expected"},
    {"lights: [{strength: -1}]", "lights.0.strength", "0"},
    {"lights: [{power: -1}]", "lights.0.power", "0"},
    {"lights: [{power: .nan}]", "lights.0.power", "expected"},
    {"lights: [{power: 1, strength: 1}]", "lights.0.power", "'strength' says the same"},
    {"lights: [{temperature: 100 K}]", "lights.0.temperature", "1000"},
    {"lights: [{shape: cube}]", "lights.0.shape", "point"},
    {"lights: [{shape: {disk: {radius: 0}}}]", "lights.0.shape.disk.radius", "expected"},
    {"lights: [{shape: {rectangle: {width: -1, height: 1}}}]", "lights.0.shape.rectangle.width", "expected"},
    {"lights: [{shape: {sphere: {radius: 1, width: 2}}}]", "lights.0.shape.sphere.width", "unknown key"},
    {"lights: {strength: 1}", "lights", "expected"},
    {"ground: {color: [2, 0, 0]}", "ground.color", "expected"},
    {"live: {streaks: {time: -1 s}}", "live.streaks.time", "0"},
    {"live: {streaks: {time: 2 s}}", "live.streaks.time", "1"},
    {"live: {streaks: {width: 0}}", "live.streaks.width", "expected"},
    {"live: {streaks: {halo: 3}}", "live.streaks.halo", "1"},
    {"live: {streaks: {jitter: .nan}}", "live.streaks.jitter", "expected"},
    {"live: {streaks: {gain: -1}}", "live.streaks.gain", "0"},
    {"live: {streaks: {ramp: rainbow}}", "live.streaks.ramp", "blackbody"},
    {"live: {streaks: {ramp: [[0, [0, 0, 0]], [0, [1, 1, 1]]]}}", "live.streaks.ramp", "rise"},
    {"live: {streaks: {min_temperature: 2000 K, max_temperature: 1500 K}}", "live.streaks.max_temperature", "more than"},
    {"live: {streaks: {min_temperature: 10 K}}", "live.streaks.min_temperature", "300"},
    {"live: {layers: {smoke_color: [2, 0, 0]}}", "live.layers.smoke_color", "shares of light"},
    {"live: {layers: {fuel_color: [0, 0, 1.5]}}", "live.layers.fuel_color", "shares of light"},
    {"live: {layers: {size: 0}}", "live.layers.size", "expected"},
    {"live: {layers: {flame: -1}}", "live.layers.flame", "0"},
    {"live: {layers: {ramp: []}}", "live.layers.ramp", "blackbody"},
    {"live: {light: -1}", "live.light", "0"},
    {"live: {contact: 2}", "live.contact", "1"},
    {"live: {texture: 1.5}", "live.texture", "1"},
    {"live: {glare: 0.9}", "live.glare", "0.5"},
    {"live: {layers: {min_temperature: 1500 K, max_temperature: 900 K}}", "live.layers.max_temperature", "more than"},
    {"live: {glow: 1}", "live.glow", "unknown key"},
    {"ground: {surface: {glossy: {roughness: 2}}}", "ground.surface.glossy.roughness", "1"},
    {"materials: [{body: ball, surface: {dielectric: {ior: 0.5}}}]", "materials.0.surface.dielectric.ior", "1"},
    {"materials: [{body: ball, surface: {glossy: {roughness: -0.1}}}]", "materials.0.surface.glossy.roughness", "0"},
    {"materials: [{body: ball, surface: wood}]", "materials.0.surface", "diffuse"},
    {"materials: [{body: ball, radiance: -2}]", "materials.0.radiance", "0"},
    {"materials: [{body: ball, temperature: 0}]", "materials.0.temperature", "expected"},
    {"materials: [{radiance: 1}]", "materials.0.body", "missing"},
    {"smoke: {extinction: -1}", "smoke.extinction", "0"},
    {"smoke: {anisotropy: 1}", "smoke.anisotropy", "0.95"},
    {"smoke: {color: [0.5, 1.5, 0]}", "smoke.color", "expected"},
    {"volumes: [{color: [1, 1, 1]}]", "volumes.0.grid", "missing"},
    {"volumes: [{grid: density, extinction: -3}]", "volumes.0.extinction", "0"},
    {"fire: {temperature: 100}", "fire.temperature", "500"},
    {"fire: {contrast: 0}", "fire.contrast", "expected"},
    {"fire: {adaptation: 2}", "fire.adaptation", "1"},
    {"fire: {shortest: 600 nm, longest: 500 nm}", "fire.longest", "at least 5 nm more"},
    {"flash: {loss: 1.5}", "flash.loss", "1"},
    {"flash: {reach: 0}", "flash.reach", "expected"},
    {"flash: {strength: 1000}", "flash.strength", "100"},
    {"soot: {extinction: -1}", "soot.extinction", "0"},
    {"points: [{size: 2}]", "points.0.points", "missing"},
    {"points: [{points: soot, size: 0}]", "points.0.size", "expected"},
    {"points: [{points: soot, kind: dark}]", "points.0.kind", "matter"},
    {"points: [{points: soot, color: blue}]", "points.0.color", "expected a colour"},
    {"points: [{points: soot, color: [1, 2, 3]}]", "points.0.color", "0 to 1"},
    {"points: [{points: soot, color: {ramp: blackbody}, kind: light}]", "points.0.color.column", "missing"},
    {"points: [{points: soot, color: {column: age, ramp: rainbow}, kind: light}]", "points.0.color.ramp", "blackbody"},
    {"points: [{points: soot, color: {column: age, ramp: [[1, 2, 3]]}}]", "points.0.color.ramp", "[value, colour]"},
    {"points: [{points: soot, color: {column: age, ramp: [[1, [0, 0, 0]], [1, [1, 1, 1]]]}}]", "points.0.color.ramp", "rise"},
    {"points: [{points: soot, color: {column: age, ramp: [[1, [0, 4, 0]]]}}]", "points.0.color", "0 to 1"},
    {"points: [{points: soot, color: {column: temperature}}]", "points.0.color", "kind: light"},
    {"points: [{points: soot, kind: light, brightness: -1}]", "points.0.brightness", "0"},
    {"exposure: 100", "exposure", "20"},
    {"width: 0", "width", "16"},
    {"height: 1000000", "height", "16384"},
    {"width: 99999999999999999999", "width", "expected"},
};

}  // namespace

TEST(bad_look, each_wrong_value_is_told_by_place_key_and_what_was_expected) {
    for (const BadLook& bad : bad_looks) {
        const std::string message = problems_of(bad.text);
        EXPECT_EQ(message.find("look.yaml:1:"), 0u) << bad.text << "\n" << message;
        EXPECT_NE(message.find(std::string(": ") + bad.path + ": "), std::string::npos) << bad.text << "\n" << message;
        EXPECT_NE(message.find(bad.expected), std::string::npos) << bad.text << "\n" << message;
        EXPECT_EQ(message.find('\n'), std::string::npos) << bad.text << "\n" << message;
    }
}
