// Each way to write a scene wrong is met by a message with position, key path and remedy.
#include <gtest/gtest.h>

#include "complaint.h"
#include "scene/presets.h"
#include "scene/scene.h"

namespace phlo::scene {
namespace {

const std::string good = R"(phlo: 1
domain:
  size: [1, 1, 1.5]
  resolution: 32
time: {frames: 10}
emitters:
  - name: source
    shape: {sphere: {radius: 10 cm}}
    position: [0, 0, 0.2]
bodies:
  - name: ball
    shape: {sphere: {radius: 10 cm}}
    position: [0, 0, 0.8]
)";

std::string complaint(const std::string& text, const LoadOptions& options = {}) {
    return test::complaint([&] { parse_scene(text, "s.yaml", options); });
}

/// The good scene with one part replaced.
std::string with(const std::string& part, const std::string& replacement) {
    std::string text = good;
    const std::size_t at = text.find(part);
    EXPECT_NE(at, std::string::npos) << part;
    return text.replace(at, part.size(), replacement);
}

struct BadScene {
    const char* name;
    std::string text;
    std::string message;  ///< the whole of it
};

const std::vector<BadScene>& bad_scenes() {
    static const std::vector<BadScene> cases = {
        // ---- the file as such
        {"empty", "", "s.yaml: the scene is empty; 'phlo new plume' writes one to start from"},
        {"only a comment", "# nothing\n", "s.yaml: the scene is empty; 'phlo new plume' writes one to start from"},
        {"a word", "hello\n", "s.yaml:1:1: got 'hello'; expected a scene: lines of 'key: value', beginning with 'phlo: 1'"},
        {"a list", "- 1\n- 2\n", "s.yaml:1:1: got a list of 2; expected a scene: lines of 'key: value', beginning with 'phlo: 1'"},
        {"broken YAML", with("resolution: 32", "resolution: [32"),
         "s.yaml:5:5: not valid YAML: end of sequence flow not found; check the indentation, the brackets and the quotes before this "
         "place"},
        {"tab", with("  size", "\tsize"), "s.yaml:3:1: a tab indents this line; YAML allows only spaces there"},
        {"binary",
         std::string("\x7f"
                     "ELF\x02\x01\0\0",
                     8),
         "s.yaml:1:1: byte 0x7f is not text; expected YAML in UTF-8"},
        {"duplicate key", with("time:", "phlo: 1\ntime:"), "s.yaml:5:1: phlo: this key was given before, at line 1; keep one of the two"},
        {"no version", with("phlo: 1\n", ""), "s.yaml:1:1: phlo: missing; expected the version of the scene format: 'phlo: 1'"},
        {"other version", with("phlo: 1", "phlo: 2"), "s.yaml:1:7: phlo: '2' is no version that this program reads; expected 1"},
        // ---- keys
        {"misspelt section", with("time:", "tiem:"), "s.yaml:5:1: tiem: unknown key; did you mean 'time'?"},
        {"misspelt key", with("resolution", "resolutoin"), "s.yaml:4:3: domain.resolutoin: unknown key; did you mean 'resolution'?"},
        {"nothing near", with("resolution", "xyzzy"), "s.yaml:4:3: domain.xyzzy: unknown key; expected size, origin, resolution or walls"},
        {"key in the wrong section", with("time:", "cooling: 1\ntime:"),
         "s.yaml:5:1: cooling: unknown key; 'cooling' belongs to gas.cooling"},
        {"key in a list item", with("    position: [0, 0, 0.2]", "    postion: [0, 0, 0.2]"),
         "s.yaml:9:5: emitters.0.postion: unknown key; did you mean 'position'?"},
        {"key without value", with("resolution: 32", "resolution:"),
         "s.yaml:4:3: domain.resolution: has no value; give one, or remove the key to have the default"},
        {"missing shape", with("    shape: {sphere: {radius: 10 cm}}\n    position: [0, 0, 0.2]", "    density: 1"),
         "s.yaml:7:5: emitters.0.shape: missing; give its shape, such as {sphere: {radius: 10 cm}}"},
        // ---- bodies
        {"free body without weight", with("    position: [0, 0, 0.8]", "    position: [0, 0, 0.8]\n    motion: {free: {density: 0}}"),
         "s.yaml:14:30: bodies.0.motion.free.density: '0' is out of range; expected > 0 kg/m^3"},
        {"free body on keyframes",
         with("    position: [0, 0, 0.8]", "    position: {keys: [[0, [0, 0, 0.8]], [1, [0, 0, 1]]]}\n    motion: free"),
         "s.yaml:13:15: bodies.0.position: a free body goes where it is pushed; expected the one value it starts with, or no 'motion: free'"},
        {"heat capacity of a fixed body", with("    position: [0, 0, 0.8]", "    position: [0, 0, 0.8]\n    heat_capacity: 500\n    temperature: 400"),
         "s.yaml:14:20: bodies.0.heat_capacity: only a free body warms and cools; expected 'motion: free', or no heat_capacity"},
        {"heat capacity without a start", with("    position: [0, 0, 0.8]", "    position: [0, 0, 0.8]\n    heat_capacity: 500\n    motion: free"),
         "s.yaml:14:20: bodies.0.heat_capacity: needs the temperature that the body starts with; expected 'temperature' too"},
        {"catalyst in smoke", with("    position: [0, 0, 0.8]", "    position: [0, 0, 0.8]\n    catalyst: {Pt: 1}"),
         "s.yaml:14:15: bodies.0.catalyst: nothing reacts under gas.method smoke; expected the method grid or hybrid and a mechanism"},
        {"emitter on no body", with("    position: [0, 0, 0.2]", "    on: bal"), "s.yaml:9:9: emitters.0.on: there is no body 'bal'; expected ball; did you mean 'ball'?"},
        // ---- kinds
        {"word for a number", with("resolution: 32", "resolution: many"),
         "s.yaml:4:15: domain.resolution: got 'many'; expected a whole number, 1 .. 8192"},
        {"fraction for a count", with("resolution: 32", "resolution: 32.5"),
         "s.yaml:4:15: domain.resolution: got '32.5'; expected a whole number, 1 .. 8192"},
        {"list for a number", with("{frames: 10}", "{fps: [24]}"),
         "s.yaml:5:13: time.fps: a list of 1 where a value belongs; expected a rate: 1/s, Hz, fps, 1/min, > 0 and <= 100000"},
        {"number for a vector", with("[1, 1, 1.5]", "1"),
         "s.yaml:3:9: domain.size: got '1'; expected three values [x, y, z], each a length: m, mm, cm, km, in, ft, > 0 and <= 1000000"},
        {"two numbers for a vector", with("[1, 1, 1.5]", "[1, 1]"),
         "s.yaml:3:9: domain.size: got a list of 2; expected three values [x, y, z], each a length: m, mm, cm, km, in, ft, > 0 and <= "
         "1000000"},
        {"map for a list", with("emitters:\n  - name: source", "emitters:\n    name: source"),
         "s.yaml:7:5: emitters: got a map; expected a list: each item begins with '- '"},
        {"number for a section", with("{frames: 10}", "10"),
         "s.yaml:5:7: time: got '10'; expected the keys first_frame, last_frame, frames, fps, cfl, fixed_step, max_substeps or checkpoints"},
        // ---- values
        {"negative size", with("[1, 1, 1.5]", "[1, -1, 1.5]"),
         "s.yaml:3:13: domain.size: '-1' is out of range; expected > 0 and <= 1000000 m"},
        {"not a number", with("{frames: 10}", "{fps: .nan}"),
         "s.yaml:5:13: time.fps: '.nan' is not a finite number; expected a rate: 1/s, Hz, fps, 1/min"},
        {"infinity", with("{frames: 10}", "{cfl: .inf}"), "s.yaml:5:13: time.cfl: '.inf' is not a finite number; expected a number"},
        {"no frames a second", with("{frames: 10}", "{fps: 0}"),
         "s.yaml:5:13: time.fps: '0' is out of range; expected > 0 and <= 100000 fps"},
        {"no cfl", with("{frames: 10}", "{cfl: 0}"), "s.yaml:5:13: time.cfl: '0' is out of range; expected > 0 and <= 100"},
        {"no radius", with("{radius: 10 cm}}\n    position: [0, 0, 0.2]", "{radius: 0}}\n    position: [0, 0, 0.2]"),
         "s.yaml:8:30: emitters.0.shape.sphere.radius: '0' is out of range; expected > 0 m"},
        {"mass for a length", with("radius: 10 cm}}\n    position: [0, 0, 0.2]", "radius: 3 kg}}\n    position: [0, 0, 0.2]"),
         "s.yaml:8:30: emitters.0.shape.sphere.radius: '3 kg' is a mass; expected a length: m, mm, cm, km, in, ft"},
        {"unknown unit", with("[0, 0, 0.8]", "[0, 0, 2 furlong]"),
         "s.yaml:13:22: bodies.0.position: unknown unit 'furlong'; expected a length: m, mm, cm, km, in, ft"},
        {"angle without unit", good + "    rotation: [0, 0, 45]\n",
         "s.yaml:14:22: bodies.0.rotation: an angle needs its unit; expected '45 deg' or '45 rad'"},
        {"unknown shape",
         with("{sphere: {radius: 10 cm}}\n    position: [0, 0, 0.2]", "{spehre: {radius: 10 cm}}\n    position: [0, 0, 0.2]"),
         "s.yaml:8:13: emitters.0.shape: 'spehre' is unknown; expected sphere, box, capsule, cylinder, cup, sculpture or mesh; did you mean 'sphere'?"},
        {"two shapes", with("{sphere: {radius: 10 cm}}\n    position: [0, 0, 0.2]", "{sphere: {radius: 1}, box: {}}"),
         "s.yaml:8:12: emitters.0.shape: got several keys; expected only one of sphere, box, capsule, cylinder, cup, sculpture or mesh"},
        {"a box too round", with("{sphere: {radius: 10 cm}}\n    position: [0, 0, 0.2]", "{box: {size: [1, 1, 0.1], rounding: 0.2}}"),
         "s.yaml:8:18: emitters.0.shape.box: box: rounding must lie between 0 and half the smallest edge, 0.05 m; got 0.2 m"},
        {"no such mesh", with("{sphere: {radius: 10 cm}}\n    position: [0, 0, 0.2]", "{mesh: {file: /nowhere/cow.obj}}"),
         "s.yaml:8:19: emitters.0.shape.mesh: /nowhere/cow.obj: no such mesh file"},
        {"unknown choice", good + "gas: {transport: {scalars: maccormak}}\n",
         "s.yaml:14:28: gas.transport.scalars: 'maccormak' is unknown; expected trilinear, cubic, maccormack or conserving; did you mean "
         "'maccormack'?"},
        {"unknown wall", with("resolution: 32", "resolution: 32\n  walls: {floor: close}"),
         "s.yaml:5:18: domain.walls.floor: 'close' is unknown; expected open, closed or inflow; did you mean 'closed'?"},
        {"a bad colour", good + "    color: [1, 0]\n",
         "s.yaml:14:12: bodies.0.color: got a list of 2; expected a colour: linear [red, green, blue] from 0 to 1, or \"#rrggbb\" in "
         "quotes"},
        {"a colour brighter than white", good + "    color: [1, 2, 0]\n",
         "s.yaml:14:12: bodies.0.color: reflects more light than it gets; expected shares of 0 to 1 each"},
        {"a bad seed", good + "seed: -1\n", "s.yaml:14:7: seed: got '-1'; expected a whole number from 0 to 18446744073709551615"},
        {"a name taken", with("- name: ball", "- {name: ball, shape: sphere, position: [0, 0, 0.5]}\n  - name: ball"),
         "s.yaml:12:11: bodies.1.name: the name 'ball' is taken, at line 11; names must differ"},
        // ---- keyframes
        {"keys out of order", good + "gas: {vorticity: {keys: [[1, 0], [0.5, 1]]}}\n",
         "s.yaml:14:34: gas.vorticity.keys.1: this keyframe is at 0.5 s, not after the one before it at 1 s; expected keyframes in order "
         "of time"},
        {"no keys", good + "gas: {vorticity: {keys: []}}\n",
         "s.yaml:14:25: gas.vorticity: got an empty list for keyframes; expected at least one [time, value]"},
        {"a curve without keys", good + "gas: {vorticity: {interpolation: smooth}}\n",
         "s.yaml:14:18: gas.vorticity: got a map without keys; expected a constant or {keys: [[time, value], …], interpolation: "
         "linear|smooth}"},
        {"unknown interpolation", good + "gas: {vorticity: {keys: [[0, 1]], interpolation: smoth}}\n",
         "s.yaml:14:50: gas.vorticity.interpolation: got 'smoth'; expected linear or smooth; did you mean 'smooth'?"},
        {"a key without time", good + "gas: {vorticity: [{value: 1}]}\n",
         "s.yaml:14:19: gas.vorticity.0: a keyframe needs either time or frame"},
        {"a key out of range", good + "gas: {vorticity: {keys: [[0, 0], [1, -2]]}}\n",
         "s.yaml:14:38: gas.vorticity.keys.1: '-2' is out of range; expected >= 0"},
        {"a key that is none", good + "gas: {vorticity: {keys: [[0, 0], 7]}}\n",
         "s.yaml:14:34: gas.vorticity.keys.1: got '7'; expected a keyframe [time, value] or {time, value}"},
        // ---- parts that do not fit together
        {"end before start", with("{frames: 10}", "{first_frame: 10, last_frame: 9}"),
         "s.yaml:5:37: time.last_frame: 9 comes before first_frame; expected at least 10"},
        {"two ways at once", with("{frames: 10}", "{last_frame: 10, frames: 10}"),
         "s.yaml:5:24: time.frames: 'last_frame' says the same; expected only one of the two"},
        {"emitter outside", with("[0, 0, 0.2]", "[0, 3, 0.2]"),
         "s.yaml:9:15: emitters.0.position: 'source' is wholly outside the domain; the domain reaches from [-0.5, -0.5, 0] to [0.5, 0.5, "
         "1.5]: move it inside, "
         "or change domain.size or domain.origin"},
        {"body that never comes in", with("[0, 0, 0.8]", "{keys: [[0, [9, 0, 0]], [1, [8, 0, 0]]]}"),
         "s.yaml:13:15: bodies.0.position: 'ball' is wholly outside the domain; the domain reaches from [-0.5, -0.5, 0] to [0.5, 0.5, "
         "1.5]: move it inside, or "
         "change domain.size or domain.origin"},
        {"body as large as the domain", with("{radius: 10 cm}}\n    position: [0, 0, 0.8]", "{radius: 10 m}}\n    position: [0, 0, 0.8]"),
         "s.yaml:12:12: bodies.0.shape: 'ball' fills the whole domain, no room is left; expected a smaller shape or a larger domain"},
        {"gas that cannot leave",
         with("resolution: 32",
              "resolution: 32\n  walls: {left: {inflow: {velocity: 1}}, right: closed, front: closed, back: closed, ceiling: closed}"),
         "s.yaml:5:17: domain.walls.left: gas flows in here but no wall lets it out; expected at least one open wall"},
        {"a paper-thin domain", with("[1, 1, 1.5]", "[1, 1 mm, 1.5]"),
         "s.yaml:3:9: domain.size: the y side of 0.001 m is thinner than half a cell of 0.04688 m; expected a thicker domain or a larger "
         "domain.resolution"},
    };
    return cases;
}

TEST(BadScenes, the_good_scene_is_good) { EXPECT_EQ(complaint(good), "accepted"); }

TEST(BadScenes, each_is_told_where_what_and_what_instead) {
    EXPECT_GE(bad_scenes().size(), 50u);
    for (const BadScene& scene : bad_scenes()) EXPECT_EQ(complaint(scene.text), scene.message) << "--- " << scene.name;
}

TEST(BadScenes, all_mistakes_are_told_at_once) {
    const std::string message = complaint("phlo: 1\ndomain: {size: 1, resolutin: 3}\ntime: {fps: -1}\nemitters: [{density: no}]\n");
    EXPECT_EQ(std::count(message.begin(), message.end(), '\n'), 4) << message;
}

TEST(BadScenes, too_many_cells_name_memory_and_a_resolution_that_fits) {
    const std::string message = complaint(with("resolution: 32", "resolution: 1000"), {.memory_limit = std::size_t(1) << 30});
    EXPECT_EQ(message,
              "s.yaml:4:15: domain.resolution: 667 x 667 x 1000 cells need about 54.3 GB, and 1.1 GB are available; expected a smaller "
              "resolution, at "
              "most about 267");
    EXPECT_EQ(complaint(with("resolution: 32", "resolution: 264"), {.memory_limit = std::size_t(1) << 30}), "accepted");
}

TEST(BadScenes, overrides_are_located_by_their_own_text) {
    EXPECT_EQ(
        complaint(good, {.overrides = {"gas.coling=1", "emitters.source.density=-1", "emitters.spurce.density=1"}}),
        "--set emitters.spurce.density=1: emitters: no item 'spurce'; expected an index below 1 or a name: source; did you mean 'source'?\n"
        "--set emitters.source.density=-1: emitters.0.density: '-1' is out of range; expected >= 0\n"
        "--set gas.coling=1: gas.coling: unknown key; did you mean 'cooling'?");
}

TEST(BadScenes, another_base_by_an_override_is_refused) {
    const std::string remedy = "; a scene's base cannot be overridden; write it into the scene's file, or start from that one by its name";
    EXPECT_EQ(complaint(good, {.overrides = {"base=plume"}}), "--set base=plume: base: got 'plume'" + remedy);
    EXPECT_EQ(complaint("phlo: 1\nbase: plume", {.overrides = {"base.name=torch"}}), "--set base.name=torch: base: got a map" + remedy);
    EXPECT_EQ(complaint("phlo: 1\nbase: plume", {.overrides = {"domain.resolution=32"}}), "accepted");
}

TEST(BadScenes, files_that_cannot_be_read) {
    const auto load = [](const std::string& name) { return test::complaint([&] { load_scene(name); }); };
    EXPECT_EQ(load("/nowhere/scene.yaml"), "/nowhere/scene.yaml: no such file");
    EXPECT_EQ(load("/tmp"), "/tmp: is a directory; expected a YAML file");
    EXPECT_EQ(load("plum"),
              "plum: neither a file nor a preset; presets are " + config::one_of(preset_names()) + "; did you mean 'plume'?");
}

TEST(BadScenes, a_scene_cut_off_anywhere_is_refused_or_read_but_never_crashes) {
    for (std::size_t length = 0; length < good.size(); ++length) {
        try {
            parse_scene(good.substr(0, length), "s.yaml");
        } catch (const InputError& error) {
            EXPECT_NE(std::string(error.what()).find("s.yaml"), std::string::npos);
        }
    }
}

TEST(BadScenes, a_scene_with_any_byte_changed_never_crashes) {
    for (std::size_t at = 0; at < good.size(); ++at)
        for (const char byte : {'\0', '\xff', '\n', ' ', '[', '{', ':', '-', '9', '&', '*', '!', '"'}) {
            std::string text = good;
            text[at] = byte;
            try {
                parse_scene(text, "s.yaml", {.memory_limit = std::size_t(1) << 34});
            } catch (const InputError& error) {
                EXPECT_NE(std::string(error.what()).find("s.yaml"), std::string::npos);
            }
        }
}

}  // namespace
}  // namespace phlo::scene
