#include "models/vortex_fire/vortex_stages.h"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace phlo::models
