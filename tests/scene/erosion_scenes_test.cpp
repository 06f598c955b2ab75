// What can be said about bodies that gas eats, and where it is said what cannot.
#include <gtest/gtest.h>

#include "complaint.h"
#include "scene/scene.h"

namespace phlo::scene {
namespace {

struct Words {
    std::string species = "Acid, Salt, {name: Stone, molar-density: 30 mol/m^3}";
    std::string reaction = "equation: Acid + Stone => Salt, rate: 2 cm/s";
    std::string erosion = "species: Stone";
    std::string method = "grid";
    std::string emitted = "Acid: 1";
    std::string chemistry = "";
};

/// Line 6 holds the reaction, line 8 the emitter, line 10 the body.
std::string refusal(const Words& words) {
    const std::string text = "phlo: 1\n"
                             "domain: {size: [1, 1, 1], resolution: 16}\n"
                             "gas: {method: " + words.method + "}\n"
                             "chemistry: {" + words.chemistry + " mechanism: {\n"
                             "  species: [" + words.species + "],\n"
                             "  reactions: [{" + words.reaction + "}]}}\n"
                             "emitters:\n"
                             "- {shape: {sphere: {radius: 0.2}}, position: [0, 0, 0.5], species: {" + words.emitted + "}}\n"
                             "bodies:\n"
                             "- {shape: {sphere: {radius: 0.2}}, position: [0, 0, 0.5], erosion: {" + words.erosion + "}}\n";
    return test::complaint([&] { parse_scene(text, "s.yaml", {}); });
}

void expect_in(const std::string& part, const std::string& text) { EXPECT_NE(text.find(part), std::string::npos) << text; }

TEST(ErosionScenes, what_is_right_is_accepted) {
    EXPECT_EQ(refusal({}), "accepted");
    EXPECT_EQ(refusal({.erosion = "species: Stone, loose: vanish, detail: 3, grain: {strength: 1.5, scale: 4 cm, octaves: 2, seed: 7}"}), "accepted");
    EXPECT_EQ(refusal({.reaction = "equation: Acid + 2 Stone => Salt, rate: {A: 3 m/s, Ta: 900 K}"}), "accepted");
    EXPECT_EQ(refusal({.reaction = "equation: Acid + Salt + Stone => 2 Salt, rate: 0.1 m^4/mol/s"}), "accepted");
    EXPECT_EQ(refusal({.reaction = "equation: Acid + Stone => Salt, rate: 0.1*exp(-300/T)"}), "accepted");
}

TEST(ErosionScenes, what_cannot_be_is_refused_with_its_place) {
    expect_in("s.yaml:10:78: bodies.0.erosion.species: the mechanism has no species 'Ston'; did you mean 'Stone'?", refusal({.erosion = "species: Ston"}));
    expect_in("s.yaml:10:78: bodies.0.erosion.species: 'Acid' is a gas; expected a solid", refusal({.erosion = "species: Acid"}));
    expect_in("no body is made of the solid 'Stone'", refusal({.erosion = "species: Acid"}));
    expect_in("bodies.0.erosion.species: missing", refusal({.erosion = "detail: 2"}));
    expect_in("s.yaml:6:26: chemistry.mechanism.reactions.0: 'Stone' is a solid, and gas does not settle on bodies",
              refusal({.reaction = "equation: Acid => Stone + Salt, rate: 1"}));
    expect_in("no reaction takes 'Stone'", refusal({.reaction = "equation: Acid => Salt, rate: 1"}));
    expect_in("'Stone' and 'Iron' are both solids",
              refusal({.species = "Acid, Salt, {name: Stone, molar-density: 30 mol/m^3}, {name: Iron, molar-density: 9}",
                       .reaction = "equation: Acid + Stone + Iron => Salt, rate: 1"}));
    expect_in("s.yaml:6:54: chemistry.mechanism.reactions.0.rate: '1/s' does not fit a reaction of order 1 on a surface; expected m/s",
              refusal({.reaction = "equation: Acid + Stone => Salt, rate: 2 1/s"}));
    expect_in("'Stone' is a solid, whose rate goes with the area of its surface", refusal({.reaction = "equation: Acid + Stone => Salt, rate: 2, orders: {Stone: 2}"}));
    expect_in("'Stone' is a solid and has no concentration in the gas", refusal({.reaction = "equation: Acid + Stone => Salt, rate: 2*Stone"}));
    expect_in("molar-density: not positive", refusal({.species = "Acid, Salt, {name: Stone, molar-density: -1}"}));
    expect_in("emitters.0.species.Stone: 'Stone' is a solid: bodies are made of it, and the gas holds none", refusal({.emitted = "Acid: 1, Stone: 1"}));
    expect_in("chemistry.ambient.Stone: 'Stone' is a solid", refusal({.chemistry = "ambient: {Stone: 1},"}));
    expect_in("chemistry.heat: 'Stone' is a solid", refusal({.chemistry = "heat: 3*Stone,"}));
    expect_in("bodies.0.erosion: particles do not eat bodies; expected gas.method: grid", refusal({.method = "hybrid"}));
    expect_in("bodies.0.erosion: nothing reacts under gas.method smoke", refusal({.method = "smoke"}));
    expect_in("bodies.0.erosion.loose: ", refusal({.erosion = "species: Stone, loose: fall"}));
    expect_in("bodies.0.erosion.detail: ", refusal({.erosion = "species: Stone, detail: 0.2"}));
    expect_in("bodies.0.erosion.grain.scale: ", refusal({.erosion = "species: Stone, grain: {scale: 0}"}));
}

TEST(ErosionScenes, a_scene_survives_its_own_dump) {
    const Scene scene = parse_scene("phlo: 1\n"
                                    "gas: {method: grid}\n"
                                    "chemistry: {mechanism: {species: [A, P, {name: S, molar-density: 30}], reactions: [{equation: A + S => P, rate: 1}]}}\n"
                                    "emitters: [{shape: {sphere: {radius: 0.2}}, position: [0, 0, 0.5], species: {A: 1}}]\n"
                                    "bodies:\n"
                                    "- shape: {sculpture: {smooth: 2 cm, detail: 24, parts: [{shape: {sphere: {radius: 0.2}}, scale: [1, 1, 1.5]},\n"
                                    "    {shape: {box: {size: [0.1, 0.1, 0.1]}}, position: [0, 0, 0.3], carve: true}]}}\n"
                                    "  position: [0, 0, 0.5]\n"
                                    "  erosion: {species: S, loose: vanish, grain: {strength: 2}}\n", "s.yaml", {});
    const std::string text = dump_scene(scene);
    expect_in("sculpture", text);
    expect_in("loose: vanish", text);
    const Scene again = parse_scene(text, "again.yaml", {});
    EXPECT_EQ(dump_scene(again), text);
    EXPECT_EQ(scene_hash(again), scene_hash(scene));
}

TEST(ErosionScenes, sculptures_without_anything_are_refused) {
    const auto refused = [](const std::string& parts) {
        return test::complaint([&] {
            parse_scene("phlo: 1\ngas: {method: smoke}\nemitters: [{shape: {sphere: {radius: 0.2}}, position: [0, 0, 0.5]}]\nbodies:\n- {shape: {sculpture: {parts: " +
                            parts + "}}, position: [0, 0, 0.5]}\n", "s.yaml", {});
        });
    };
    expect_in("no part that adds something", refused("[{shape: {sphere: {radius: 0.2}}, carve: true}]"));
    expect_in("nothing is left of it", refused("[{shape: {sphere: {radius: 0.1}}}, {shape: {sphere: {radius: 0.2}}, carve: true}]"));
    expect_in("s.yaml:5:", refused("[{shape: {mesh: {file: a.obj}}}]"));
}

}  // namespace
}  // namespace phlo::scene
