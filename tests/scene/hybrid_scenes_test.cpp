// What the hybrid method refuses, and where it says so.
#include <gtest/gtest.h>

#include "complaint.h"
#include "scene/scene.h"

namespace phlo::scene {
namespace {

/// Line 5 holds the chemistry's keys, line 6 the gas's method.
std::string refusal(const std::string& chemistry, const std::string& method = "hybrid") {
    const std::string text = "phlo: 1\n"
                             "domain: {size: [1, 1, 1], resolution: 16}\n"
                             "emitters:\n"
                             "- {shape: {sphere: {radius: 0.2}}, position: [0, 0, 0.5], species: {S1: 1, S2: 1}}\n"
                             "chemistry: {mechanism: campfire" + std::string(chemistry.empty() ? "" : ", ") + chemistry + "}\n"
                             "gas: {method: " + method + "}\n";
    return test::complaint([&] { parse_scene(text, "scene.yaml", {}); });
}

void expect_in(const std::string& part, const std::string& text) { EXPECT_NE(text.find(part), std::string::npos) << text; }

TEST(HybridScenes, one_word_switches_the_method) {
    EXPECT_EQ(refusal("", "hybrid"), "accepted");
    EXPECT_EQ(refusal("", "grid"), "accepted");
    EXPECT_EQ(refusal("particles: {radius: 5 cm, amount: 1e-4, sweeps: 3}, soot: {per_kelvin: 20}, vortices: {number: '3*r1', strength: 9}"), "accepted");
}

TEST(HybridScenes, what_cannot_be_is_refused_with_its_place) {
    expect_in("scene.yaml:5:54: chemistry.particles.radius: ", refusal("particles: {radius: 0}"));
    expect_in("scene.yaml:5:54: chemistry.particles.amount: ", refusal("particles: {amount: -1}"));
    expect_in("chemistry.particles.sweeps: ", refusal("particles: {sweeps: 0}"));
    expect_in("chemistry.soot.life: ", refusal("soot: {life: 0}"));
    expect_in("chemistry.vortices.number: ", refusal("vortices: {number: '3*r7'}"));
    expect_in("chemistry.ambient.S2: particles carry 'S2'", refusal("ambient: {S2: 8}"));
    expect_in("chemistry.eulerian.0: a rate depends on 'S1', so particles must carry it", refusal("eulerian: [S1]"));
    expect_in("did you mean 'radius'?", refusal("particles: {radus: 1}"));
}

}  // namespace
}  // namespace phlo::scene
