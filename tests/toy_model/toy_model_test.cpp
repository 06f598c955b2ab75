// A model that only this test knows: its folder, and one line in scene/model_list.h. Everything else of the program takes it as it is.
#include <gtest/gtest.h>

#include "complaint.h"
#include "io/cache.h"
#include "scene/scene.h"
#include "scratch_dir.h"
#include "sim/run.h"
#include "sim/run_directory.h"

namespace phlo {
namespace {

const std::string text = "phlo: 1\nname: sparks\ntime: {frames: 12, fps: 10, checkpoints: 5}\ntoy: {count: 3, speed: 5}\n";

TEST(ToyModel, is_chosen_by_its_key) {
    EXPECT_TRUE(std::holds_alternative<models::ToySetup>(scene::parse_scene(text, "s.yaml").model));
    EXPECT_TRUE(std::holds_alternative<models::GasSetup>(scene::parse_scene("phlo: 1\n", "s.yaml").model)) << "the first model is the usual one";
    EXPECT_EQ(test::complaint([] { scene::parse_scene(text + "gas: {cooling: 1}\n", "s.yaml"); }),
              "s.yaml:4:1: toy: the scene asks for 'gas' already; expected one of the two: a scene has one model");
}

TEST(ToyModel, has_its_own_keys_and_checks_and_none_of_another_models) {
    EXPECT_EQ(std::get<models::ToySetup>(scene::parse_scene(text, "s.yaml").model).toy.count, 3);
    EXPECT_NE(test::complaint([] { scene::parse_scene(text + "emitters: []\n", "s.yaml"); }).find("emitters: unknown key"), std::string::npos);
    EXPECT_NE(test::complaint([] { scene::parse_scene(text + "domain: {resolution: 9}\n", "s.yaml"); }).find("domain: unknown key"), std::string::npos);
    EXPECT_EQ(test::complaint([] { scene::parse_scene(text + "bodies: [{shape: sphere}]\n", "s.yaml"); }), "s.yaml:5:9: bodies: sparks meet no bodies; expected none");
    EXPECT_NE(scene::help_scene().find("how many sparks"), std::string::npos);
    EXPECT_NE(scene::json_schema().find("\"toy\":"), std::string::npos);
    EXPECT_EQ(scene::estimate(scene::parse_scene(text, "s.yaml")).particles, 3);
}

TEST(ToyModel, survives_a_dump_and_names_changes) {
    const scene::Scene scene = scene::parse_scene(text, "s.yaml"), again = scene::parse_scene(scene::dump_scene(scene), "dump.yaml");
    EXPECT_EQ(scene::dump_scene(again), scene::dump_scene(scene));
    const auto changes = scene::changed_keys(scene::dump_scene(scene), scene::parse_scene(text, "s.yaml", {.overrides = {"toy.speed=7"}}));
    ASSERT_EQ(changes.size(), 1u);
    EXPECT_EQ(changes[0].path, "toy.speed");
}

TEST(ToyModel, runs_writes_frames_of_points_and_goes_on_from_a_frame) {
    const test::ScratchDir dir;
    const scene::Scene scene = scene::parse_scene(text, "s.yaml");
    std::vector<std::string> words;
    const auto listen = [&](const models::FrameStats& stats) {
        words.push_back(stats.words);
        return true;
    };
    sim::run(scene, {.out = dir / "whole"}, listen);
    ASSERT_EQ(words.size(), 12u);
    EXPECT_EQ(words[1], "at 0.45 m");   // 5/10 - 9.81/200
    const std::string stats = test::file_text(dir / "whole/stats.jsonl");
    EXPECT_NE(stats.find("\"spark\":{\"speed\":"), std::string::npos) << stats;
    EXPECT_EQ(sim::RunDirectory{dir / "whole"}.checkpoints(), (std::vector<int>{5, 10, 12}));

    const field::Frame frame = io::read_cache_frame(dir / "whole/cache", 2);
    ASSERT_EQ(frame.points.size(), 1u);
    EXPECT_EQ(frame.points[0].size(), 3u);
    EXPECT_NEAR(frame.points[0].position[0].z, 0.45095, 1e-5);

    sim::run(scene, {.out = dir / "branch", .resume_frame = 5, .from = dir / "whole"}, listen);
    EXPECT_EQ(test::file_text(dir / "branch/checkpoint/state.bin"), test::file_text(dir / "whole/checkpoint/state.bin"));
    EXPECT_EQ(io::cached_frames(dir / "branch/cache").size(), 12u);
}

}  // namespace
}  // namespace phlo
