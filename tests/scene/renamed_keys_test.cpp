// Scenes written for older programs: their keys still mean what they meant.
#include <gtest/gtest.h>

#include "scene/changes.h"
#include "scene/scene.h"

namespace phlo::scene {
namespace {

std::string with_chemistry(const std::string& keys) {
    return "phlo: 1\ndomain: {size: [1, 1, 1], resolution: 16}\nemitters: [{shape: {sphere: {radius: 0.2}}, position: [0, 0, 0.5], species: {S1: 1, S2: 1}}]\n"
           "gas: {method: hybrid}\nchemistry: {mechanism: campfire, " + keys + "}\n";
}
const std::string before = with_chemistry("least: 2e-5, coolest: 400 K, particles: {most: 3, least: 0.02, fewest: 2}");
const std::string now = with_chemistry("min_concentration: 2e-5, min_temperature: 400 K, particles: {max_amount: 3, min_amount: 0.02, min_carriers: 2}");

TEST(renamed_keys, a_scene_with_the_old_names_is_the_same_scene) {
    const Scene old = parse_scene(before, "before.yaml", {}), today = parse_scene(now, "now.yaml", {});
    EXPECT_EQ(dump_scene(old), dump_scene(today));
    EXPECT_EQ(scene_hash(old), scene_hash(today));
    EXPECT_EQ(std::get<models::GasSetup>(today.model).chemistry.hybrid.particles.min_carriers, 2);
    EXPECT_EQ(dump_scene(parse_scene(now, "now.yaml", {.overrides = {"chemistry.coolest=400 K", "chemistry.particles.most=3"}})), dump_scene(today));
}

TEST(renamed_keys, a_run_of_the_old_program_is_no_other_scene) {
    const Scene today = parse_scene(now, "now.yaml", {});
    std::string dump = dump_scene(today);
    for (const auto& [name, formerly] : {std::pair{"min_concentration:", "least:"}, {"min_temperature:", "coolest:"}, {"max_amount:", "most:"},
                                         {"min_amount:", "least:"}, {"min_carriers:", "fewest:"}})
        dump.replace(dump.find(name), std::string(name).size(), formerly);
    EXPECT_TRUE(changed_keys(dump, today).empty());
    dump.replace(dump.find("fewest: 2"), 9, "fewest: 3");
    const std::vector<Change> changes = changed_keys(dump, today);
    ASSERT_EQ(changes.size(), 1u);
    EXPECT_EQ(changes[0].path, "chemistry.particles.min_carriers");
}

}  // namespace
}  // namespace phlo::scene
