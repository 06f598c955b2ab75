// Ways to write a vortex fire wrong, each met by a message with its position.
#include <gtest/gtest.h>

#include "complaint.h"
#include "models/vortex_fire/vortex_setup.h"
#include "scene/scene.h"

namespace phlo::scene {
namespace {

const std::string good = R"(phlo: 1
time: {frames: 10}
vortex:
  spacing: 3 cm
  tracers: {count: 1000, life: 2 s}
  combustion: {rate: 50, heat: 1e6}
emitters:
  - name: burner
    on: ball
    fuel: 0.8
bodies:
  - name: ball
    shape: {sphere: {radius: 15 cm}}
    position: [0, 0, 0.3]
  - name: balloon
    shape: {sphere: {radius: 12 cm}}
    position: [0, 0, 0.8]
    motion: {free: {density: 1.2, expansion: 0.003}}
    temperature: 293
    heat_capacity: 1000
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

TEST(vortex_scenes, the_good_scene_is_good) { EXPECT_EQ(complaint(good), "accepted"); }

TEST(vortex_scenes, each_wrong_one_is_refused_with_its_position) {
    const struct {
        std::string text, position, says;
    } cases[] = {
        {with("density: 1.2", "density: 0"), "s.yaml:18:", "density"},                                    // a body without mass
        {with("rate: 50", "rate: -1"), "s.yaml:6:", "combustion.rate"},
        {with("heat: 1e6", "heat: -5"), "s.yaml:6:", "combustion.heat"},
        {with("heat: 1e6", "smoke_rate: -5"), "s.yaml:6:", "smoke_rate"},
        {with("heat: 1e6", "radiation: -1"), "s.yaml:6:", "radiation"},
        {with("heat: 1e6", "smoke_temperature: 0"), "s.yaml:6:", "smoke_temperature"},
        {with("spacing: 3 cm", "spacing: 0"), "s.yaml:4:", "spacing"},
        {with("spacing: 3 cm", "spacing: 3 kg"), "s.yaml:4:", "expected a length"},
        {with("spacing: 3 cm", "spacing: 20 cm"), "s.yaml:16:", "thinner than two"},                       // a free body that the lattice cannot see
        {with("spacing: 3 cm", "velocity: fft"), "s.yaml:4:", "velocity"},
        {with("spacing: 3 cm", "viscosity: -1"), "s.yaml:4:", "viscosity"},
        {with("spacing: 3 cm", "remesh: 0"), "s.yaml:4:", "remesh"},
        {with("spacing: 3 cm", "vortonz: 5"), "s.yaml:4:", "vortonz"},
        {with("count: 1000", "count: -1"), "s.yaml:5:", "count"},
        {with("life: 2 s", "life: 0"), "s.yaml:5:", "life"},
        {with("fuel: 0.8", "fuel: 1.5"), "s.yaml:10:", "fuel"},
        {with("    fuel: 0.8", "    fuel: 0.8\n    smoke: 0.5"), "s.yaml:10:", "more than all"},
        {with("fuel: 0.8", "temperature: -5"), "s.yaml:10:", "temperature"},
        {with("on: ball", "on: bell"), "s.yaml:9:", "did you mean 'ball'"},
        {with("    on: ball\n", ""), "s.yaml:8:", "shape"},
        {with("    heat_capacity: 1000\n", ""), "s.yaml:18:", "never expands"},
        {with("    temperature: 293\n", "    temperature: 293\n    catalyst: {Pt: 1}\n"), "s.yaml:20:", "catalyst"},
        {with("  spacing: 3 cm", "  spacing: 3 cm\n  box: {closed: true}"), "s.yaml:5:", "needs its corners"},
        {with("  spacing: 3 cm", "  spacing: 3 cm\n  box: {lower: [0, 0, 0]}"), "s.yaml:5:", "one corner"},
        {with("  spacing: 3 cm", "  spacing: 3 cm\n  box: {lower: [0, 0, 0], upper: [1, 1, -1]}"), "s.yaml:5:", "the box is"},
        {with("  spacing: 3 cm", "  spacing: 3 mm\n  box: {lower: [-1, -1, 0], upper: [1, 1, 2], closed: true}"), "s.yaml:4:", "more than vortex.max_cells"},
        {with("  spacing: 3 cm", "  spacing: 3 cm\n  velocity: tree\n  box: {lower: [-1, -1, 0], upper: [1, 1, 2], closed: true}"), "s.yaml:5:", "knows no walls"},
        {good + "domain: {resolution: 5}\n", "s.yaml:21:", "domain"},
    };
    for (const auto& one : cases) {
        const std::string message = complaint(one.text);
        EXPECT_NE(message.find(one.position), std::string::npos) << message;
        EXPECT_NE(message.find(one.says), std::string::npos) << message << "\nexpected to hear of: " << one.says;
    }
}

TEST(vortex_scenes, oxygen_is_finite_in_a_closed_box_unless_the_scene_says_otherwise) {
    const auto finite = [](const std::string& text) { return std::get<models::VortexSetup>(parse_scene(text, "s.yaml", {}).model).vortex.finite_oxygen; };
    const std::string box = "\n  box: {lower: [-1, -1, 0], upper: [1, 1, 2], closed: true}";
    EXPECT_FALSE(finite(good));
    EXPECT_TRUE(finite(with("  spacing: 3 cm", "  spacing: 5 cm" + box)));
    EXPECT_FALSE(finite(with("  spacing: 3 cm", "  spacing: 5 cm\n  oxygen: endless" + box)));
}

}  // namespace
}  // namespace phlo::scene
