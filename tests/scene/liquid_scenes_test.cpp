// Ways to write a liquid wrong, each met by a message with position, key path and remedy.
#include <gtest/gtest.h>

#include "complaint.h"
#include "scene/scene.h"

namespace phlo::scene {
namespace {

const std::string good = R"(phlo: 1
domain:
  size: [1, 1, 1]
  resolution: 32
time: {frames: 10}
liquid:
  substance: coffee
  others:
    - substance: milk
emitters:
  - name: pool
    shape: {box: {size: [1, 1, 0.4]}}
  - name: jug
    substance: milk
    mode: pour
    velocity: [0, 0, -1]
    shape: {sphere: {radius: 10 cm}}
    position: [0, 0, 0.8]
bodies:
  - name: ball
    shape: {sphere: {radius: 10 cm}}
    position: [0, 0, 0.6]
)";

std::string complaint(const std::string& text) {
    return test::complaint([&] { parse_scene(text, "s.yaml", {}); });
}

std::string with(const std::string& part, const std::string& replacement) {
    std::string text = good;
    const std::size_t at = text.find(part);
    EXPECT_NE(at, std::string::npos) << part;
    return text.replace(at, part.size(), replacement);
}

TEST(LiquidScenes, the_good_scene_is_good) { EXPECT_EQ(complaint(good), "accepted"); }

TEST(LiquidScenes, what_is_dumped_is_good_with_heat_and_without) {
    const std::string heat = with("substance: coffee", "substance: coffee\n  heat: {temperature: 60 degC, cooling: 10, thickening: exp(3000/T - 10)}");
    for (const std::string& text : {good, heat}) {
        const std::string dumped = dump_scene(parse_scene(text, "s.yaml", {}));
        EXPECT_EQ(complaint(dumped), "accepted") << dumped;
    }
}

TEST(LiquidScenes, each_wrong_one_is_refused_with_position_key_and_remedy) {
    const struct {
        const char* name;
        std::string part, replacement, message;
    } cases[] = {
        {"unknown liquid", "substance: coffee", "substance: cofee",
         "s.yaml:7:14: liquid.substance: 'cofee' is unknown; expected water, milk, coffee, oil, syrup or honey; did you mean 'coffee'?"},
        {"unknown key", "  substance: coffee", "  substnce: coffee",
         "s.yaml:7:3: liquid.substnce: unknown key; did you mean 'substance'?"},
        {"another unknown liquid", "- substance: milk", "- substance: mulk",
         "s.yaml:9:18: liquid.others.0.substance: 'mulk' is unknown; expected water, milk, coffee, oil, syrup or honey; did you mean 'milk'?"},
        {"others as a word", "  others:\n    - substance: milk", "  others: milk",
         "s.yaml:8:11: liquid.others: got 'milk'; expected a list: each item begins with '- '"},
        {"too many liquids", "    - substance: milk", "    - substance: milk\n    - substance: oil\n    - substance: honey\n    - substance: water",
         "s.yaml:9:5: liquid.others: 4 liquids besides the first are too many; expected at most 3"},
        {"another with negative viscosity", "- substance: milk", "- {substance: milk, viscosity: -1}",
         "s.yaml:9:36: liquid.others.0.viscosity: '-1' is out of range; expected >= 0 m^2/s"},
        {"another without density", "- substance: milk", "- {substance: milk, density: 0}",
         "s.yaml:9:34: liquid.others.0.density: '0' is out of range; expected > 0 kg/m^3"},
        {"a liquid twice", "    - substance: milk", "    - substance: milk\n    - substance: coffee",
         "s.yaml:10:18: liquid.others.1.substance: 'coffee' is there already; every liquid is named once"},
        {"an emitter of what is not there", "    substance: milk", "    substance: tea",
         "s.yaml:14:16: emitters.1.substance: no liquid 'tea' in this scene, there are coffee, milk; add it to liquid.others"},
        {"an emitter of what the scene forgot", "  others:\n    - substance: milk\n", "",
         "s.yaml:12:16: emitters.1.substance: no liquid 'milk' in this scene, there is only coffee; add it to liquid.others"},
        {"a drain of one liquid", "mode: pour", "mode: drain",
         "s.yaml:14:16: emitters.1.substance: what drains takes all liquids alike; remove it"},
        {"unknown mode", "mode: pour", "mode: spray",
         "s.yaml:15:11: emitters.1.mode: 'spray' is unknown; expected start, pour or drain"},
        {"unknown surface", "substance: coffee", "substance: coffee\n  surface: mesh",
         "s.yaml:8:12: liquid.surface: 'mesh' is unknown; expected particle-level-set, level-set or particles"},
        {"unknown carrier of velocity", "substance: coffee", "substance: coffee\n  velocity: flip",
         "s.yaml:8:13: liquid.velocity: 'flip' is unknown; expected grid or apic"},
        {"gravity as a number", "substance: coffee", "substance: coffee\n  gravity: -9.81",
         "s.yaml:8:12: liquid.gravity: got '-9.81'; expected three values [x, y, z], each an acceleration: m/s^2, cm/s^2"},
        {"gravity in metres", "substance: coffee", "substance: coffee\n  gravity: [0, 0, -9.81 m]",
         "s.yaml:8:19: liquid.gravity: '-9.81 m' is a length; expected an acceleration: m/s^2, cm/s^2"},
        {"dynamic viscosity", "substance: coffee", "substance: coffee\n  viscosity: 1 Pa s",
         "s.yaml:8:14: liquid.viscosity: '1 Pa s' is of another kind; expected a diffusivity: m^2/s, cm^2/s, mm^2/s"},
        {"negative viscosity", "substance: coffee", "substance: coffee\n  viscosity: -1e-6",
         "s.yaml:8:14: liquid.viscosity: '-1e-6' is out of range; expected >= 0 m^2/s"},
        {"no density", "substance: coffee", "substance: coffee\n  density: 0",
         "s.yaml:8:12: liquid.density: '0' is out of range; expected > 0 kg/m^3"},
        {"negative tension", "substance: coffee", "substance: coffee\n  tension: -0.07",
         "s.yaml:8:12: liquid.tension: '-0.07' is out of range; expected >= 0 N/m"},
        {"tension as a force", "substance: coffee", "substance: coffee\n  tension: 0.07 N",
         "s.yaml:8:12: liquid.tension: '0.07 N' is a force; expected a quantity in N/m"},
        {"walls that stick by another name", "substance: coffee", "substance: coffee\n  walls: no-slip",
         "s.yaml:8:10: liquid.walls: 'no-slip' is unknown; expected slip or stick; did you mean 'slip'?"},
        {"sealed air as a truth value", "substance: coffee", "substance: coffee\n  sealed_air: yes",
         "s.yaml:8:15: liquid.sealed_air: 'yes' is unknown; expected empty or incompressible"},
        {"one marker a cell", "substance: coffee", "substance: coffee\n  markers: {per_cell: 1}",
         "s.yaml:8:23: liquid.markers.per_cell: '1' is out of range; expected 4 .. 256"},
        {"reseeding in no time", "substance: coffee", "substance: coffee\n  markers: {reseed: 0}",
         "s.yaml:8:21: liquid.markers.reseed: '0' is out of range; expected 1 .. 100000"},
        {"unknown key of markers", "substance: coffee", "substance: coffee\n  markers: {number: 16}",
         "s.yaml:8:13: liquid.markers.number: unknown key; expected per_cell, outside or reseed"},
        {"too wide a band", "substance: coffee", "substance: coffee\n  particles: {band: 10}",
         "s.yaml:8:21: liquid.particles.band: '10' is out of range; expected 2 .. 3.5"},
        {"too many particles", "substance: coffee", "substance: coffee\n  particles: {per_axis: 9}",
         "s.yaml:8:25: liquid.particles.per_axis: '9' is out of range; expected 1 .. 4"},
        {"an emitter's temperature without heat", "mode: pour", "mode: pour\n    temperature: 350",
         "s.yaml:16:18: emitters.1.temperature: a liquid without liquid.heat.temperature has none; remove it, or say what temperature the rest has"},
        {"cooling without heat", "substance: coffee", "substance: coffee\n  heat: {cooling: 10}",
         "s.yaml:8:19: liquid.heat.cooling: a liquid without liquid.heat.temperature has none; remove it, or say what temperature the rest has"},
        {"a temperature below zero", "substance: coffee", "substance: coffee\n  heat: {temperature: -3}",
         "s.yaml:8:23: liquid.heat.temperature: '-3' is out of range; expected > 0 K"},
        {"a drain with a temperature", "  others:\n    - substance: milk\nemitters:\n  - name: pool\n    shape: {box: {size: [1, 1, 0.4]}}\n  - name: jug\n    substance: milk\n    mode: pour",
         "  heat: {temperature: 300}\nemitters:\n  - name: pool\n    shape: {box: {size: [1, 1, 0.4]}}\n  - name: jug\n    temperature: 350\n    mode: drain",
         "s.yaml:13:18: emitters.1.temperature: what drains takes warm and cold alike; remove it"},
        {"cooling as a power", "substance: coffee", "substance: coffee\n  heat: {temperature: 300, cooling: 10 W}",
         "s.yaml:8:37: liquid.heat.cooling: '10 W' is a power; expected a quantity in W/(m^2 K)"},
        {"thickening by what is not known", "substance: coffee", "substance: coffee\n  heat: {temperature: 300, thickening: exp(-fuel)}",
         "s.yaml:8:45: liquid.heat.thickening: unknown name 'fuel'; known are T"},
        {"thickening below zero", "substance: coffee", "substance: coffee\n  heat: {temperature: 300, thickening: 200 - T}",
         "s.yaml:8:40: liquid.heat.thickening: is -100 at 300 K, which liquids here can have; expected a factor above 0"},
        {"drops by number", "substance: coffee", "substance: coffee\n  drops: many",
         "s.yaml:8:10: liquid.drops: got 'many'; expected true or false"},
    };
    for (const auto& wrong : cases) EXPECT_EQ(complaint(with(wrong.part, wrong.replacement)), wrong.message) << wrong.name;
}

const std::string adaptive = R"(phlo: 1
domain:
  size: [1, 1, 1]
  resolution: 32
time: {frames: 10}
liquid:
  adapt: {mode: surface, levels: 3}
emitters:
  - name: pool
    shape: {box: {size: [1, 1, 0.4]}}
)";

TEST(LiquidScenes, adaptive_cells_follow_the_pictures_camera_unless_they_have_one_of_their_own) {
    std::string text = adaptive;
    text.replace(text.find("mode: surface"), 13, "mode: view");
    text += "render:\n  camera: {position: {keys: [[1 f, [1, 2, 3]], [25 f, [4, 5, 6]]]}, fov: 20 deg}\n";
    const auto view = [](const std::string& scene) { return std::get<models::LiquidSetup>(parse_scene(scene, "s.yaml").model).liquid.adapt.view; };
    EXPECT_EQ((*view(text).position)(0.5), Vec3d(2.5, 3.5, 4.5));
    EXPECT_EQ(view(text).fov(0), 20);
    EXPECT_FALSE(view(text).target.has_value());
    text.replace(text.find("levels: 3"), 9, "levels: 3, view: {position: [7, 8, 9], fov: 40 deg}");
    EXPECT_EQ((*view(text).position)(0.5), Vec3d(7, 8, 9));
    EXPECT_EQ(view(text).fov(0), 40);
}

TEST(LiquidScenes, a_box_that_blocks_do_not_fill_is_rounded_or_has_fewer_levels_and_that_is_said) {
    const auto notes = [](const std::string& size, const std::string& resolution) {
        std::string text = adaptive;
        text.replace(text.find("size: [1, 1, 1]"), 15, "size: " + size), text.replace(text.find("resolution: 32"), 14, "resolution: " + resolution);
        return estimate(parse_scene(text, "s.yaml")).notes;
    };
    EXPECT_TRUE(notes("[1, 1, 1]", "32").empty());
    EXPECT_EQ(notes("[1, 1, 1]", "123"), std::vector<std::string>{"liquid.adapt: cells come in blocks of 8: the box is 0.9756 x 0.9756 x 0.9756 m, not 1 x 1 x 1 m"});
    EXPECT_EQ(notes("[1, 1, 1]", "36"), std::vector<std::string>{"liquid.adapt.levels: the box is small, so there are 2 levels and not 3"});
}

TEST(LiquidScenes, what_adaptive_cells_cannot_do_is_refused_and_never_ignored) {
    EXPECT_EQ(complaint(adaptive), "accepted");
    const std::string remedy = " cannot be had yet where cells are adaptive; remove it, or use liquid.adapt.mode: none";
    const struct {
        std::string part, replacement, message;
    } cases[] = {
        {"levels: 3}", "levels: 5}", "s.yaml:7:34: liquid.adapt.levels: '5' is out of range; expected 1 .. 4"},
        {"mode: surface", "mode: surfaces", "s.yaml:7:17: liquid.adapt.mode: 'surfaces' is unknown; expected none, surface or view; did you mean 'surface'?"},
        {"emitters:", "  surface: particle-level-set\nemitters:", "s.yaml:8:12: liquid.surface: another way to follow the surface than level-set" + remedy},
        {"emitters:", "  velocity: apic\nemitters:", "s.yaml:8:13: liquid.velocity: particles that carry the velocity" + remedy},
        {"emitters:", "  tension: 0.07\nemitters:", "s.yaml:8:12: liquid.tension: surface tension" + remedy},
        {"emitters:", "  sealed_air: incompressible\nemitters:", "s.yaml:8:15: liquid.sealed_air: bubbles that keep their volume" + remedy},
        {"emitters:", "  substance: honey\nemitters:", "s.yaml:7:3: liquid.viscosity: friction (a viscosity other than 0)" + remedy},
        {"emitters:", "  others: [{substance: milk, viscosity: 0}]\nemitters:", "s.yaml:8:11: liquid.others: several liquids" + remedy},
        {"emitters:", "  heat: {temperature: 300}\nemitters:", "s.yaml:8:9: liquid.heat: a temperature" + remedy},
        {"emitters:", "  whitewater: {amount: 1}\nemitters:", "s.yaml:8:15: liquid.whitewater: whitewater" + remedy},
        {"emitters:", "bodies:\n  - {name: ball, shape: {sphere: {radius: 0.1}}, position: [0, 0, 0.5]}\nemitters:", "s.yaml:9:3: bodies: bodies" + remedy},
    };
    for (const auto& wrong : cases) {
        std::string text = adaptive;
        text.replace(text.find(wrong.part), wrong.part.size(), wrong.replacement);
        EXPECT_EQ(complaint(text), wrong.message);
    }
}

}  // namespace
}  // namespace phlo::scene
