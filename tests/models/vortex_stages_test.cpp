#include "models/vortex_fire/vortex_stages.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "base/error.h"
#include "models/vortex_fire/follow_box.h"
#include "models/vortex_fire/vortex_fire.h"

namespace phlo::models {
namespace {

VortexSetup burner(int max_vortons) {
    VortexSetup setup;
    setup.vortex.spacing = 0.04, setup.vortex.lift = 0.003;
    setup.vortex.max_vortons = max_vortons;
    setup.vortex.tracers.count = 1000;
    FireEmitter emitter;
    emitter.name = "burner";
    emitter.shape = geom::Sphere{.radius = 0.2};
    emitter.stir = 5.0;
    setup.emitters = {emitter};
    return setup;
}

long most_vortons(int max_vortons) {
    VortexFire fire(Shot(), burner(max_vortons));
    long most = 0;
    for (int frame = 0; frame < 25; ++frame) most = std::max(most, fire.advance(1.0 / 30).particles.at("vortons"));
    return most;
}

TEST(VortexStages, there_are_never_more_vortons_than_allowed) {
    const long wanted = most_vortons(1'000'000);
    ASSERT_GT(wanted, 3000) << "or the bounds below are none";
    for (const int allowed : {2000, 1000}) {
        const long most = most_vortons(allowed);
        EXPECT_LE(most, allowed);
        EXPECT_GT(most, allowed / 2) << "more than need be were let go";
    }
}

/// The frame in which it stops, or -1.
int frame_of_error(VortexFire& fire, int frames, std::string& message) {
    try {
        for (int frame = 0; frame < frames; ++frame) {
            fire.advance(1.0 / 30);
            EXPECT_LT(fire.fields().bytes(), std::size_t(400) << 20);
        }
    } catch (const RunError& error) {
        message = error.what();
        return int(std::lround(fire.time() * 30));
    }
    return -1;
}

TEST(VortexStages, tracers_look_the_same_whether_or_not_a_frame_may_be_stopped) {
    VortexFire alone(Shot(), burner(20'000)), watched(Shot(), burner(20'000));
    watched.enough = [] { return false; };
    int most = 0;
    for (int frame = 0; frame < 12; ++frame) {
        most = std::max(most, alone.advance(0.1).substeps), watched.advance(0.1);
        const field::Frame a = alone.show(), b = watched.show();
        ASSERT_GT(a.points[0].size(), 0u);
        EXPECT_EQ(a.points[0].position, b.points[0].position);
        EXPECT_EQ(a.points[0].columns, b.points[0].columns);
    }
    EXPECT_GT(most, 1) << "or nothing was left out";
}

TEST(VortexStages, a_fire_that_its_fixed_steps_tear_apart_says_so) {
    Shot shot;
    shot.time.fixed_step = 1.0 / 60;
    VortexSetup setup = burner(20'000);
    setup.vortex.lift = VortexFireParams().lift;
    std::string message;
    VortexFire torn(shot, setup);
    EXPECT_GT(frame_of_error(torn, 60, message), 2) << "it begins well";
    EXPECT_NE(message.find("time.fixed_step"), std::string::npos) << message;
    shot.time.fixed_step = 0;
    VortexFire whole(shot, setup);
    EXPECT_EQ(frame_of_error(whole, 10, message), -1) << message;
}

TEST(VortexStages, fixed_steps_that_do_not_divide_a_frame_are_all_as_long) {
    Shot shot;
    shot.time.fixed_step = 0.999999999 / 60;   // else the third would last for 0.03 nanoseconds
    VortexFire fire(shot, burner(20'000));
    shot.time.fixed_step = 1.0 / 60;
    VortexFire exact(shot, burner(20'000));
    for (int frame = 0; frame < 6; ++frame) EXPECT_EQ(fire.advance(1.0 / 30).substeps, exact.advance(1.0 / 30).substeps);
    EXPECT_EQ(fire.vortons().position, exact.vortons().position);
    shot.time.fixed_step = 0.7 / 30;
    VortexFire halved(shot, burner(20'000));
    const FrameStats stats = halved.advance(1.0 / 30);
    EXPECT_EQ(stats.substeps, 2);
    EXPECT_DOUBLE_EQ(stats.dt, 1.0 / 60);
}

TEST(VortexStages, the_box_ends_where_its_cells_do_however_far_a_vorton_flew) {
    const double h = 0.1;
    FollowParams params{.needed = {Vec3d(-1), Vec3d(1)}, .limits = {}, .anchor = {}, .max_cells = 4e5};
    const VortexLattice near = follow({}, h, params);
    params.needed.include(Vec3d(30, 0, 0));
    const VortexLattice far = follow(near, h, params);
    EXPECT_GT(far.cells.x, near.cells.x);
    for (const double distance : {1e3, 1e6, 1e12, 1e30}) {
        params.needed.include(Vec3d(distance, 0, 0));
        const VortexLattice box = follow(far, h, params);
        EXPECT_LE(double(box.cells.x) * box.cells.y * box.cells.z, params.max_cells);
        EXPECT_EQ(box.cells.y, near.cells.y) << "the side that is farthest is cut";
        EXPECT_GT(box.cells.x, 100) << "and no more than need be";
    }
}

}  // namespace
}  // namespace phlo::models
