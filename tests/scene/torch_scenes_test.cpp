// Scenes of torches: what they may say, and each way to say it wrong is met by a message with position, key path and remedy.
#include <gtest/gtest.h>

#include "complaint.h"
#include "scene/presets.h"
#include "scene/scene.h"

namespace phlo::scene {
namespace {

const std::string good = R"(phlo: 1
time: {frames: 10, fps: 30}
torch: {neighbours: 16}
torches:
  - name: torch
    on: bowl
    shape: {cylinder: {radius: 7 cm, height: 5 cm}}
    particles: 2000
    decay: 0.95
bodies:
  - {name: bowl, shape: {cylinder: {radius: 8 cm, height: 9 cm}}}
)";

const models::TorchSetup& torches_of(const Scene& scene) { return std::get<models::TorchSetup>(scene.model); }

std::string complaint(const std::string& text) {
    return test::complaint([&] { parse_scene(text, "s.yaml"); });
}

/// The good scene with one part replaced.
std::string with(const std::string& part, const std::string& other) {
    std::string text = good;
    const std::size_t at = text.find(part);
    EXPECT_NE(at, std::string::npos) << part;
    return text.replace(at, part.size(), other);
}

TEST(TorchScenes, the_good_scene_is_read_and_survives_its_dump) {
    const Scene scene = parse_scene(good, "s.yaml");
    EXPECT_EQ(torches_of(scene).torches.at(0).particles, 2000);
    EXPECT_EQ(dump_scene(parse_scene(dump_scene(scene), "dump.yaml")), dump_scene(scene));
    EXPECT_EQ(estimate(scene).particles, 2000);
}

TEST(TorchScenes, a_threshold_alone_asks_for_extinction) {
    EXPECT_EQ(torches_of(parse_scene(good, "s.yaml")).torches[0].flicker, models::Flicker::natural);
    EXPECT_EQ(torches_of(parse_scene(with("decay: 0.95", "extinction: 0.2"), "s.yaml")).torches[0].flicker, models::Flicker::extinction);
    EXPECT_EQ(torches_of(parse_scene(with("decay: 0.95", "extinction: 0.2\n    flicker: steady"), "s.yaml")).torches[0].flicker, models::Flicker::steady);
}

TEST(TorchScenes, presets_differ_from_the_torch_by_one_change) {
    const models::TorchSetup base = torches_of(load_scene("torch"));
    EXPECT_GT(torches_of(load_scene("torch-tall")).torches.at(0).decay(0), base.torches.at(0).decay(0));
    EXPECT_EQ(torches_of(load_scene("torch-flicker")).torches.at(0).flicker, models::Flicker::extinction);
    EXPECT_GT(length(torches_of(load_scene("torch-wind")).torch.wind.velocity(0)), 1);
    for (const char* name : {"torch-tall", "torch-flicker", "torch-wind"}) EXPECT_EQ(torches_of(load_scene(name)).torches.size(), 1u) << name;
}

struct Wrong {
    std::string part, other, expected;   ///< of the message, in this order: place and key, then what is wrong
};

TEST(TorchScenes, wrong_values_are_told_with_their_place_and_a_remedy) {
    const std::vector<Wrong> all = {
        {"decay: 0.95", "decay: 1.2", "s.yaml:9:12: torches.0.decay: "},
        {"decay: 0.95", "decay: 0", "s.yaml:9:12: torches.0.decay: "},
        {"decay: 0.95", "decay: {keys: [[0, 0.9], [1, 1.5]]}", "torches.0.decay"},
        {"particles: 2000", "particles: 10", "s.yaml:8:16: torches.0.particles: 10 are fewer than the 16 neighbours"},
        {"particles: 2000", "particles: 0", "s.yaml:8:16: torches.0.particles: "},
        {"neighbours: 16", "neighbours: 1", "s.yaml:3:21: torch.neighbours: "},
        {"neighbours: 16", "neighbours: 65", "s.yaml:3:21: torch.neighbours: "},
        {"decay: 0.95", "brushes: 0", "s.yaml:9:14: torches.0.brushes: "},
        {"decay: 0.95", "overlap: -1", "s.yaml:9:14: torches.0.overlap: "},
        {"decay: 0.95", "extinction: 1.5", "s.yaml:9:17: torches.0.extinction: "},
        {"decay: 0.95", "extinction: 0.95", "s.yaml:9:17: torches.0.extinction: the fire would go out at once"},
        {"decay: 0.95", "flicker: often", "s.yaml:9:14: torches.0.flicker: "},
        {"decay: 0.95", "launch: -2 m/s", "s.yaml:9:13: torches.0.launch: "},
        {"decay: 0.95", "launch: 2 K", "s.yaml:9:13: torches.0.launch: "},
        {"decay: 0.95", "drag: -1", "s.yaml:9:11: torches.0.drag: "},
        {"decay: 0.95", "taper: -1", "s.yaml:9:12: torches.0.taper: "},
        {"decay: 0.95", "turbulence: -0.1", "s.yaml:9:17: torches.0.turbulence: "},
        {"decay: 0.95", "frequency: 0", "s.yaml:9:16: torches.0.frequency: "},
        {"decay: 0.95", "anchor: 2", "s.yaml:9:13: torches.0.anchor: "},
        {"decay: 0.95", "eddy_size: 0", "s.yaml:9:16: torches.0.eddy_size: "},
        {"decay: 0.95", "life: 0 s", "s.yaml:9:11: torches.0.life: "},
        {"decay: 0.95", "stray: 0", "s.yaml:9:12: torches.0.stray: "},
        {"decay: 0.95", "strength: 2", "s.yaml:9:15: torches.0.strength: "},
        {"decay: 0.95", "dekay: 0.95", "s.yaml:9:5: torches.0.dekay: unknown key"},
        {"on: bowl", "on: bole", "s.yaml:6:9: torches.0.on: there is no body 'bole'; expected bowl"},
        {"on: bowl\n    shape: {cylinder: {radius: 7 cm, height: 5 cm}}", "position: [0, 0, 0]", "torches.0.shape: missing"},
        {"{neighbours: 16}", "{smoke: {share: 2}}", "torch.smoke.share: "},
        {"{neighbours: 16}", "{wind: {gusts: -1}}", "torch.wind.gusts: "},
        {"{neighbours: 16}", "{volumes: {cell: 2 cm, temperature: 200}}", "torch.volumes.temperature: the flame would be colder than the air"},
        {"{neighbours: 16}", "{warm_up: -1 s}", "torch.warm_up: "},
        {"  - {name: bowl, shape: {cylinder: {radius: 8 cm, height: 9 cm}}}", "  - {name: bowl, shape: sphere, motion: free}", "bodies.0.motion: a torch's flame moves no bodies"},
        {"time: {frames: 10, fps: 30}", "domain: {resolution: 9}", "s.yaml:2:1: domain: unknown key"},
    };
    for (const Wrong& wrong : all) {
        const std::string message = complaint(with(wrong.part, wrong.other));
        EXPECT_NE(message.find(wrong.expected), std::string::npos) << "for '" << wrong.other << "': " << message;
    }
    EXPECT_NE(complaint("phlo: 1\ntorch: {neighbours: 16}\n").find("torches: there is none"), std::string::npos);
    EXPECT_NE(test::complaint([&] { parse_scene(with("2000", "20000000"), "s.yaml", {.memory_limit = 1000000000}); }).find("expected fewer particles"), std::string::npos);
}

}  // namespace
}  // namespace phlo::scene
