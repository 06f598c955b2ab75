// Neither the number of threads nor an interruption changes a single bit.
#include <gtest/gtest.h>

#include <memory>

#include "scratch_dir.h"
#include "sim/checkpoint.h"
#include "small_scenes.h"
#include "state_bits.h"
#include "threads.h"

namespace phlo::verify {
namespace {

GasScene busy_scene(models::ScalarTransport transport) {
    GasScene setup = plume(32);
    setup.gas.scalar_transport = transport;
    setup.gas.vorticity = Curve<double>(2.0);
    setup.gas.viscosity = 1e-4;
    setup.gas.density_diffusion = 1e-4;
    setup.gas.cooling = 0.3;
    setup.gas.dissolve = 0.2;
    setup.emitters[0].noise.amplitude = 0.5;
    setup.bodies = {ball(Curve<Vec3d>({{0, {0.2, 0.5, 0.5}}, {1, {0.8, 0.5, 0.5}}}), 0.12)};
    return setup;
}

TEST(Smoke, thread_count_is_bitwise_neutral) {
    for (const auto transport : {models::ScalarTransport::maccormack, models::ScalarTransport::cubic, models::ScalarTransport::conserving}) {
        const auto made_by = [&](int threads) {
            return test::with_threads(threads, [&] {
                auto gas = std::make_unique<Gas>(busy_scene(transport));
                for (int frame = 0; frame < 6; ++frame) gas->advance(1.0 / 24);
                return gas;
            });
        };
        const auto one = made_by(1);
        for (const int threads : {2, 7, 16}) EXPECT_TRUE(state_bits(*one) == state_bits(*made_by(threads))) << threads << " threads";
    }
}

TEST(Smoke, restart_is_bitwise_identical) {
    for (const auto transport : {models::ScalarTransport::maccormack, models::ScalarTransport::conserving}) {
        const test::ScratchDir dir;
        const auto path = dir.path / "state.bin";
        Gas whole(busy_scene(transport));
        for (int frame = 0; frame < 4; ++frame) whole.advance(1.0 / 24);
        sim::save_checkpoint(path, {.frame = 4, .scene_hash = "a", .build = "b"}, whole.state());
        for (int frame = 0; frame < 4; ++frame) whole.advance(1.0 / 24);

        Gas resumed(busy_scene(transport));
        EXPECT_EQ(sim::load_checkpoint(path, resumed.state()).frame, 4);
        for (int frame = 0; frame < 4; ++frame) resumed.advance(1.0 / 24);
        EXPECT_TRUE(state_bits(whole) == state_bits(resumed));
    }
}

}  // namespace
}  // namespace phlo::verify
