// Drops and whitewater inside the liquid model: a jet of water strikes a pool.
#include <gtest/gtest.h>

#include "base/parallel.h"
#include "models/liquid/liquid.h"

namespace phlo::models {
namespace {

Shot small_tank() {
    Shot shot;
    shot.domain.size = {0.5, 0.5, 0.6}, shot.domain.origin = {-0.25, -0.25, 0}, shot.domain.resolution = 20;
    for (WallParams& wall : shot.domain.walls) wall.kind = WallKind::closed;
    shot.time.cfl = 1;
    return shot;
}

LiquidSetup jet() {
    LiquidSetup setup;
    LiquidEmitter pool, nozzle;
    pool.name = "pool", pool.shape = geom::Box{.size = {2, 2, 0.3}};
    nozzle.name = "nozzle", nozzle.shape = geom::Box{.size = {0.12, 0.12, 0.1}}, nozzle.motion.position = Curve<Vec3d>(Vec3d(0.02, 0.01, 0.35));
    nozzle.mode = LiquidMode::pour, nozzle.velocity = Curve<Vec3d>(Vec3d(1, 0, -5));
    setup.emitters = {pool, nozzle};
    setup.liquid.whitewater.amount = 1;
    return setup;
}

/// All that the next step depends on: the cells of fields, and the sets of particles.
std::vector<char> bytes_of(Liquid& liquid) {
    std::vector<char> bytes;
    const Vec3i n = liquid.domain().cells;
    for (const field::Grid* grid : {&liquid.phi(), &liquid.velocity().x, &liquid.velocity().y, &liquid.velocity().z})
        for (int k = 0; k < n.z; ++k)
            for (int j = 0; j < n.y; ++j) {
                const char* row = reinterpret_cast<const char*>(grid->row(j, k));
                bytes.insert(bytes.end(), row, row + std::size_t(n.x) * sizeof(float));
            }
    for (const StateView::Block& block : liquid.state().blocks) {
        const std::vector<char> saved = block.save();
        bytes.insert(bytes.end(), saved.begin(), saved.end());
    }
    return bytes;
}

constexpr double frame = 1.0 / 60;

TEST(liquid_splash, what_is_thrown_and_born_is_on_the_ledger) {
    Liquid liquid(small_tank(), jet());
    long most_drops = 0, most_white = 0;
    for (int f = 0; f < 9; ++f) {
        const FrameStats stats = liquid.advance(frame);
        const auto closes = [&](const char* quantity, std::initializer_list<const char*> flows, double tolerance) {
            auto entries = stats.ledger.at(quantity);
            double sum = entries["start"];
            for (const char* flow : flows) sum += entries[flow];
            EXPECT_NEAR(sum, entries["now"], tolerance) << quantity << ", frame " << f;
        };
        closes("drops", {"thrown", "returned", "left"}, 1e-9);
        closes("whitewater", {"born", "dissolved", "left"}, 0);
        most_drops = std::max(most_drops, stats.particles.at("drops"));
        most_white = std::max(most_white, stats.particles.at("spray") + stats.particles.at("foam") + stats.particles.at("bubbles"));
        EXPECT_LT(std::fabs(stats.number("volume_drift")), 0.06);
    }
    EXPECT_GT(most_drops, 3);
    EXPECT_GT(most_white, 100);
    const field::Frame shown = liquid.show();
    EXPECT_NE(shown.find_points("foam"), nullptr);
    EXPECT_TRUE(liquid.warnings.said().empty());
}

TEST(liquid_splash, a_restart_and_any_number_of_threads_give_the_same_bits) {
    const auto run = [](int threads, bool restart) {
        const ThreadLimit limit(threads);
        auto liquid = std::make_unique<Liquid>(small_tank(), jet());
        for (int f = 0; f < 5; ++f) {
            liquid->advance(frame);
            if (!restart || f != 3) continue;
            auto next = std::make_unique<Liquid>(small_tank(), jet());
            StateView from = liquid->state(), to = next->state();
            for (std::size_t n = 0; n < from.fields.size(); ++n) std::ranges::copy(from.fields[n].values, to.fields[n].values.begin());
            for (std::size_t n = 0; n < from.numbers.size(); ++n) *to.numbers[n].value = *from.numbers[n].value;
            for (std::size_t n = 0; n < from.blocks.size(); ++n) to.blocks[n].load(from.blocks[n].save());
            liquid = std::move(next);
        }
        return bytes_of(*liquid);
    };
    const std::vector<char> reference = run(1, false);
    EXPECT_TRUE(run(2, false) == reference);
    EXPECT_TRUE(run(2, true) == reference);
}

TEST(liquid_splash, a_reached_limit_is_said) {
    LiquidSetup setup = jet();
    setup.liquid.whitewater.limit = 20;
    Liquid liquid(small_tank(), setup);
    double kept_out = 0;
    for (int f = 0; f < 2; ++f) kept_out += liquid.advance(frame).ledger["whitewater"]["not_born"];
    EXPECT_GT(kept_out, 0);
    const auto said = liquid.warnings.said();
    ASSERT_TRUE(said.contains("whitewater"));
    EXPECT_NE(said.find("whitewater")->second.find("liquid.whitewater.limit"), std::string::npos);
}

TEST(liquid_splash, still_water_throws_nothing) {
    LiquidSetup setup = jet();
    setup.emitters.pop_back();
    Liquid liquid(small_tank(), setup);
    for (int f = 0; f < 3; ++f) {
        const FrameStats stats = liquid.advance(frame);
        for (const char* kind : {"drops", "spray", "foam", "bubbles"}) EXPECT_EQ(stats.particles.at(kind), 0) << kind;
    }
}

}  // namespace
}  // namespace phlo::models
