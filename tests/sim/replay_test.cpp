#include "sim/replay.h"

#include <gtest/gtest.h>

#include "complaint.h"
#include "io/atomic_file.h"
#include "scratch_dir.h"
#include "sim/run.h"

namespace phlo::sim {
namespace {

scene::Scene puff(double cooling = 0.5) {
    return scene::parse_scene("phlo: 1\ndomain: {resolution: 10}\ntime: {frames: 9, checkpoints: 4}\ngas: {}\nemitters: [{shape: {sphere: {radius: 0.2}}, position: [0, 0, 0.3], density: 1, temperature: 500}]\n", "puff.yaml",
                              {.overrides = {"gas.cooling=" + std::to_string(cooling)}});
}

const Progress always = [](const models::FrameStats&) { return true; };

TEST(replay, makes_the_state_that_the_run_had) {
    const test::ScratchDir dir;
    scene::Scene every = puff();
    every.shot.time.checkpoints = 1;
    run(every, {.out = dir.path / "every"}, always);
    run(puff(), {.out = dir.path / "some"}, always);
    int simulated = 0;
    const auto state = replay({dir.path / "some"}, 7, [&](int) { return ++simulated, true; });
    EXPECT_EQ(simulated, 3) << "from the checkpoint of frame 4";
    EXPECT_EQ(io::read_bytes(state), io::read_bytes(RunDirectory{dir.path / "every"}.state_of(7)));
    replay({dir.path / "some"}, 7, [&](int) { return ++simulated, true; });
    EXPECT_EQ(simulated, 3) << "it is kept";
    EXPECT_THROW(replay({dir.path / "some"}, 6, [](int) { return false; }), RunError);
}

TEST(replay, refuses_frames_whose_scene_nobody_knows_any_more) {
    const test::ScratchDir dir;
    run(puff(), {.out = dir.path}, always);
    run(puff(3), {.out = dir.path, .resume_frame = 8, .from = {}}, always);
    EXPECT_NE(test::complaint([&] { replay({dir.path}, 6); }).find("was changed at frame 8"), std::string::npos);
    EXPECT_EQ(replay({dir.path}, 4), RunDirectory{dir.path}.state_of(4)) << "a checkpoint is one whatever happened later";
}

}  // namespace
}  // namespace phlo::sim
