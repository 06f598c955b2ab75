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
    EXPECT_EQ(refusal("soot: {per_kelvin: '20*S3 + r1', amount: 1 mmol}, vortices: {number: '3*r1', strength: '9 + 0.2*r1'}"), "accepted");
    EXPECT_EQ(refusal("soot: {per_kelvin: 20 1/(K mol)}, vortices: {number: 2, strength: 9 1/s}"), "accepted");
}

TEST(HybridScenes, what_cannot_be_is_refused_with_its_place) {
    expect_in("scene.yaml:5:54: chemistry.particles.radius: ", refusal("particles: {radius: 0}"));
    expect_in("scene.yaml:5:54: chemistry.particles.amount: ", refusal("particles: {amount: -1}"));
    expect_in("chemistry.particles.sweeps: ", refusal("particles: {sweeps: 0}"));
    expect_in("chemistry.soot.life: ", refusal("soot: {life: 0}"));
    expect_in("chemistry.vortices.number: ", refusal("vortices: {number: '3*r7'}"));
    expect_in("chemistry.vortices.strength: ", refusal("vortices: {strength: -2 1/s}"));
    expect_in("chemistry.vortices.strength: ", refusal("vortices: {strength: '3*r7'}"));
    expect_in("chemistry.soot.per_kelvin: got -2", refusal("soot: {per_kelvin: -2}"));
    expect_in("chemistry.soot.per_kelvin: particles carry 'S1', and soot forms in cells", refusal("soot: {per_kelvin: 2*S1, amount: 1 mmol}"));
    expect_in("expected chemistry.soot.amount", refusal("soot: {per_kelvin: 2*r1}"));
    expect_in("chemistry.ambient.S2: particles carry 'S2'", refusal("ambient: {S2: 8}"));
    expect_in("chemistry.eulerian.0: a rate depends on 'S1', so particles must carry it", refusal("eulerian: [S1]"));
    expect_in("did you mean 'radius'?", refusal("particles: {radus: 1}"));
}

/// Line 7 holds the one body, with this on its surface. The campfire's reaction is S1 + S2 => 2 S3.
std::string refusal_of_catalyst(const std::string& catalyst, const std::string& method) {
    const std::string text = "phlo: 1\n"
                             "domain: {size: [1, 1, 1], resolution: 16}\n"
                             "chemistry: {mechanism: campfire}\n"
                             "gas: {method: " + method + "}\n"
                             "emitters: []\n"
                             "bodies:\n"
                             "- {shape: {sphere: {radius: 0.2}}, position: [0, 0, 0.5], catalyst: " + catalyst + "}\n";
    return test::complaint([&] { parse_scene(text, "scene.yaml", {}); });
}

TEST(HybridScenes, a_catalyst_that_no_reaction_needs_is_refused_with_its_place) {
    for (const char* method : {"grid", "hybrid"}) {
        EXPECT_EQ(refusal_of_catalyst("{S1: 1}", method), "accepted");
        expect_in("scene.yaml:7:74: bodies.0.catalyst.S3: no reaction needs 'S3'; expected a species on the left side of one",
                  refusal_of_catalyst("{S3: 1}", method));
        expect_in("scene.yaml:7:74: bodies.0.catalyst.Pt: ", refusal_of_catalyst("{Pt: 1}", method));
        expect_in("bodies.0.catalyst.S1: ", refusal_of_catalyst("{S1: -1}", method));
    }
}

}  // namespace
}  // namespace phlo::scene
