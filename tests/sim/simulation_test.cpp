#include "sim/simulation.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "complaint.h"
#include "scratch_dir.h"

namespace phlo::sim {
namespace {

scene::Scene small_scene(const std::vector<std::string>& changes = {}, const std::string& preset = "plume-sphere") {
    std::vector<std::string> overrides{"domain.resolution=20"};
    overrides.insert(overrides.end(), changes.begin(), changes.end());
    return scene::load_scene(preset, {.overrides = overrides});
}

/// The exact state as the bytes of its checkpoint.
std::string bits(const Simulation& simulation, const test::ScratchDir& dir) {
    simulation.save(dir.path / "bits.bin");
    return test::file_text(dir.path / "bits.bin");
}

TEST(Simulation, begins_at_the_first_frame_and_counts_on) {
    Simulation simulation(small_scene({"time.first_frame=1001"}));
    EXPECT_EQ(simulation.frame(), 1001);
    EXPECT_EQ(simulation.snapshot().number, 1001);
    EXPECT_EQ(simulation.advance().frame, 1002);
    EXPECT_NEAR(simulation.time(), 1.0 / 24, 1e-12);
    EXPECT_EQ(simulation.snapshot().metadata.at("scene"), "plume-sphere");
}

TEST(Simulation, steps_of_a_frame_are_the_frames_of_a_run) {
    const test::ScratchDir dir;
    Simulation frames(small_scene()), seconds(small_scene());
    for (int n = 0; n < 3; ++n) frames.advance(), seconds.advance(1.0 / 24);
    EXPECT_EQ(bits(frames, dir), bits(seconds, dir));
}

TEST(Simulation, a_frame_in_parts_is_the_frame_as_a_whole) {
    for (const char* preset : {"plume-sphere", "explosion-1", "torch", "ball-fire", "column-collapse", "view-adaptive"}) {
        std::vector<std::string> changes{"time.fixed_step=0.01"};
        if (const std::string name = preset; name != "torch" && name != "ball-fire") changes.push_back("domain.resolution=24");
        const scene::Scene scene = scene::load_scene(preset, {.overrides = changes});
        Simulation whole(scene), parts(scene);
        int ends = 0;
        for (int n = 0; n < 3; ++n) {
            whole.advance();
            do ++ends, parts.go_on([] { return true; });
            while (parts.begun());
            EXPECT_EQ(parts.frame(), whole.frame()) << preset;
            EXPECT_EQ(parts.stats().substeps, whole.stats().substeps) << preset;
            EXPECT_NEAR(parts.stats().dt, whole.stats().dt, 1e-12) << preset;
            EXPECT_EQ(parts.stats().seconds.entries().size(), whole.stats().seconds.entries().size()) << preset;
            for (const auto& [quantity, entries] : whole.stats().ledger)
                for (const auto& [entry, value] : entries) EXPECT_NEAR(parts.stats().ledger.at(quantity).at(entry), value, 1e-9 + 1e-6 * std::abs(value)) << preset << ": " << quantity << ", " << entry;
        }
        EXPECT_GE(ends, 6) << preset << ": it has ended between sub-steps";
        EXPECT_NEAR(parts.snapshot().time, whole.snapshot().time, 1e-12) << preset;
    }
}

TEST(Simulation, a_setting_that_changes_within_a_frame_acts_on_the_rest_of_it) {
    Simulation simulation(small_scene({"time.fixed_step=0.01"}));
    simulation.advance();
    simulation.go_on([] { return true; });
    ASSERT_TRUE(simulation.begun());
    EXPECT_EQ(simulation.frame(), 2);
    EXPECT_NEAR(simulation.time(), 1.0 / 24 + 0.01, 1e-9);
    simulation.edit(small_scene({"time.fixed_step=0.01", "gas.cooling=3"}));
    EXPECT_TRUE(simulation.begun());
    simulation.go_on({});
    EXPECT_FALSE(simulation.begun());
    EXPECT_EQ(simulation.frame(), 3);
    EXPECT_NEAR(simulation.time(), 2.0 / 24, 1e-9);
    EXPECT_NEAR(simulation.snapshot().time, 2.0 / 24, 1e-9);
}

TEST(Simulation, goes_on_by_any_time_and_the_scene_follows) {
    const std::vector<std::string> moving{"bodies.0.position={keys: [[0, [-0.9, 0, 0.8]], [1, [0.3, 0, 0.8]]]}"};
    Simulation simulation(small_scene(moving));
    EXPECT_EQ(simulation.time(), 0);
    for (const double step : {0.01, 0.1, 0.033}) simulation.advance(step);
    EXPECT_NEAR(simulation.time(), 0.143, 1e-12);
    EXPECT_EQ(simulation.frame(), 4);
    const field::Frame frame = simulation.snapshot();
    EXPECT_NEAR(frame.time, 0.143, 1e-12);
    // The ball is keyframed: it stands where it does by any other steps to this time.
    Simulation fine(small_scene(moving));
    for (int n = 0; n < 11; ++n) fine.advance(0.013);
    const auto center = [](const field::Frame& f) {
        Vec3d sum;
        for (const Vec3f& p : f.surfaces.at(0).mesh.points) sum += Vec3d(p);
        return sum / double(f.surfaces.at(0).mesh.points.size());
    };
    EXPECT_LT(length(center(frame) - center(fine.snapshot())), 1e-6);
    EXPECT_NEAR(length(center(frame) - center(Simulation(small_scene(moving)).snapshot())), 0.143 * 1.2, 1e-4);
}

TEST(Simulation, goes_on_bit_by_bit_after_an_edit_that_changes_nothing) {
    const test::ScratchDir dir;
    Simulation whole(small_scene()), edited(small_scene());
    for (int frame = 0; frame < 6; ++frame) whole.advance();
    for (int frame = 0; frame < 3; ++frame) edited.advance();
    EXPECT_TRUE(edited.edit(small_scene()).empty());
    EXPECT_EQ(edited.frame(), whole.scene().shot.time.first_frame + 3);
    for (int frame = 0; frame < 3; ++frame) edited.advance();
    EXPECT_EQ(bits(edited, dir), bits(whole, dir));
}

TEST(Simulation, an_edit_acts_from_where_it_is_made_and_names_the_keys) {
    const test::ScratchDir dir;
    Simulation plain(small_scene()), cooled(small_scene());
    for (int frame = 0; frame < 3; ++frame) plain.advance(), cooled.advance();
    EXPECT_EQ(bits(plain, dir), bits(cooled, dir));
    const std::vector<scene::Change> changes = cooled.edit(small_scene({"gas.cooling=3"}));
    ASSERT_EQ(changes.size(), 1u);
    EXPECT_EQ(changes[0].path, "gas.cooling");
    plain.advance(), cooled.advance();
    const auto hottest = [](const Simulation& simulation) { return simulation.stats().ledger.at("density").at("now"); };
    EXPECT_GT(hottest(plain), 0);
    EXPECT_NE(bits(plain, dir), bits(cooled, dir));
    EXPECT_EQ(cooled.scene().shot.time.fps, plain.scene().shot.time.fps);
}

TEST(Simulation, an_edit_that_needs_another_grid_is_refused_and_changes_nothing) {
    const test::ScratchDir dir;
    Simulation simulation(small_scene());
    simulation.advance();
    const std::string before = bits(simulation, dir);
    const std::string message = test::complaint<InputError>([&] { simulation.edit(small_scene({"domain.resolution=24"})); });
    EXPECT_NE(message.find("domain.resolution"), std::string::npos) << message;
    EXPECT_EQ(bits(simulation, dir), before);
}

TEST(Simulation, a_changed_scene_takes_over_what_it_knows_by_name) {
    const test::ScratchDir dir;
    Simulation fed(small_scene({}, "campfire")), more(small_scene({"emitters.0.strength=0.5"}, "campfire"));
    for (int frame = 0; frame < 3; ++frame) fed.advance();
    fed.save(dir.path / "state.bin");
    more.restore(dir.path / "state.bin");
    EXPECT_EQ(more.frame(), fed.frame());
    more.advance();
    EXPECT_EQ(more.stats().ledger.at("total 2 S1 + S3").at("start"), fed.stats().ledger.at("total 2 S1 + S3").at("now"));
}

TEST(Simulation, warnings_belong_to_their_run) {
    const auto hurried = small_scene({"time.max_substeps=1", "time.cfl=0.01", "gas.buoyancy.temperature=1"}, "plume");
    Simulation first(hurried), second(hurried);
    for (int frame = 0; frame < 3; ++frame) first.advance();
    EXPECT_TRUE(first.warnings().contains("max_substeps"));
    EXPECT_TRUE(second.warnings().empty());
    for (int frame = 0; frame < 3; ++frame) second.advance();
    EXPECT_TRUE(second.warnings().contains("max_substeps")) << "the same warning is said again in another run";
}

TEST(Simulation, a_still_snapshot_lacks_the_velocity_and_nothing_else) {
    Simulation simulation(scene::load_scene("plume-sphere", {.overrides = {"domain.resolution=16"}}));
    simulation.advance();
    const field::Frame whole = simulation.snapshot(), still = simulation.still_snapshot();
    EXPECT_TRUE(whole.velocity);
    EXPECT_FALSE(still.velocity);
    EXPECT_EQ(still.number, whole.number);
    EXPECT_EQ(still.surfaces.size(), whole.surfaces.size());
    ASSERT_EQ(still.volumes.size(), whole.volumes.size());
    for (std::size_t n = 0; n < whole.volumes.size(); ++n) EXPECT_TRUE(std::ranges::equal(still.volumes[n].grid->storage(), whole.volumes[n].grid->storage())) << whole.volumes[n].name;
}

}  // namespace
}  // namespace phlo::sim
