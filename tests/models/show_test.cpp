// What Gas::show() gives: copies of the part where something is, which nobody changes.
#include <gtest/gtest.h>

#include <cstring>
#include <thread>

#include "base/parallel.h"
#include "models/gas/gas.h"

namespace phlo::models {
namespace {

/// A small plume in a tall box, with a ball that turns and flies by.
struct Plume : Shot, GasSetup {};
Plume plume(int n = 40) {
    Plume setup;
    setup.domain.size = {1, 1, 1.5};
    setup.domain.resolution = n;
    Emitter source;
    source.name = "source";
    source.shape = geom::Sphere{.radius = 0.08};
    source.motion.position = Curve<Vec3d>(Vec3d(0.1, 0, 0.2));
    source.temperature = 450.0;
    setup.emitters = {source};
    geom::Body ball{.name = "ball", .shape = geom::Sphere{.radius = 0.1}, .motion = {}};
    ball.motion.position = Curve<Vec3d>({{0.0, {-0.3, 0, 1}}, {1.0, {-0.3, 0.2, 1}}}, Interpolation::linear);
    ball.motion.rotation = Curve<Vec3d>({{0.0, {0, 0, 0}}, {1.0, {0, 0, 2}}}, Interpolation::linear);
    geom::Body post{.name = "post", .shape = geom::Box{.size = {0.1, 0.1, 0.2}}, .motion = {}};
    post.motion.position = Curve<Vec3d>(Vec3d(0.3, 0.3, 0.1));
    setup.bodies = {ball, post};
    return setup;
}

Gas gas_of(const Plume& setup) { return {setup, setup}; }

/// Every number of a frame, one after the other.
std::vector<float> numbers_of(const field::Frame& frame) {
    std::vector<float> all;
    const auto add = [&](const field::Grid& grid) { all.insert(all.end(), grid.storage().begin(), grid.storage().end()); };
    for (const field::Volume& volume : frame.volumes) add(*volume.grid);
    for (int axis = 0; axis < 3; ++axis) add((*frame.velocity->faces)[axis]);
    for (const field::Surface& surface : frame.surfaces)
        for (const Vec3f& p : surface.mesh.points) all.insert(all.end(), {p.x, p.y, p.z});
    return all;
}

bool same_bits(const std::vector<float>& a, const std::vector<float>& b) {
    return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0;
}

TEST(show, a_snapshot_stays_what_it_was_while_the_solver_goes_on_in_another_thread) {
    Gas gas = gas_of(plume());
    for (int frame = 0; frame < 4; ++frame) gas.advance(1.0 / 24);
    const field::Frame snapshot = gas.show();
    const std::vector<float> before = numbers_of(snapshot);
    std::thread solver([&] {
        for (int frame = 0; frame < 4; ++frame) gas.advance(1.0 / 24);
    });
    for (int look = 0; look < 20; ++look) EXPECT_TRUE(same_bits(numbers_of(snapshot), before)) << look;
    solver.join();
    EXPECT_TRUE(same_bits(numbers_of(snapshot), before));
    EXPECT_FALSE(same_bits(numbers_of(gas.show()), before));
}

TEST(show, looking_changes_nothing) {
    Gas looked_at = gas_of(plume()), alone = gas_of(plume());
    for (int frame = 0; frame < 4; ++frame) {
        looked_at.advance(1.0 / 24), alone.advance(1.0 / 24);
        looked_at.show();
    }
    const StateView a = looked_at.state(), b = alone.state();
    for (std::size_t f = 0; f < a.fields.size(); ++f)
        EXPECT_EQ(std::memcmp(a.fields[f].values.data(), b.fields[f].values.data(), a.fields[f].values.size_bytes()), 0)
            << a.fields[f].name;
}

TEST(show, holds_the_part_where_something_is_and_nothing_is_elsewhere) {
    Gas gas = gas_of(plume());
    for (int frame = 0; frame < 6; ++frame) gas.advance(1.0 / 24);
    const field::Frame frame = gas.show();
    EXPECT_EQ(frame.world, gas.domain().bounds());
    ASSERT_EQ(frame.volumes.size(), 2u);
    EXPECT_EQ(frame.volumes[0].name, "density");
    EXPECT_EQ(frame.volumes[1].name, "temperature");
    const field::Volume &density = frame.volumes[0], &temperature = frame.volumes[1];
    EXPECT_EQ(density.room, gas.domain());
    EXPECT_EQ(temperature.domain, density.domain);
    EXPECT_EQ(frame.velocity->domain, density.domain);
    const Vec3i first = cells_between(density.room, density.domain), n = density.domain.cells, all = gas.domain().cells;
    EXPECT_LT(n.x * n.y * n.z, all.x * all.y * all.z * 2 / 3);
    for (int axis = 0; axis < 3; ++axis) EXPECT_EQ(first[axis] % 8, 0);
    for (int k = 0; k < all.z; ++k)
        for (int j = 0; j < all.y; ++j)
            for (int i = 0; i < all.x; ++i) {
                const Vec3i c = Vec3i(i, j, k) - first;
                if (c.x < 0 || c.y < 0 || c.z < 0 || c.x >= n.x || c.y >= n.y || c.z >= n.z) {
                    ASSERT_LE(std::fabs(gas.density()(i, j, k)), density.negligible);
                    ASSERT_LE(std::fabs(gas.excess_temperature()(i, j, k)), temperature.negligible);
                } else {
                    ASSERT_EQ((*density.grid)(c.x, c.y, c.z), gas.density()(i, j, k));
                    ASSERT_EQ((*temperature.grid)(c.x, c.y, c.z), temperature.background + gas.excess_temperature()(i, j, k));
                    for (int axis = 0; axis < 3; ++axis)
                        ASSERT_EQ((*frame.velocity->faces)[axis](c.x, c.y, c.z), gas.velocity()[axis](i, j, k));
                }
            }
}

TEST(show, an_empty_room_is_a_frame_too) {
    Plume setup = plume();
    setup.emitters.clear();
    const field::Frame frame = gas_of(setup).show();
    EXPECT_EQ(frame.volumes.at(0).domain.cells, Vec3i(8, 8, 8));
    EXPECT_EQ(frame.volumes[0].room.cells.x, 27);
}

TEST(show, bodies_that_move_have_velocities_and_others_none) {
    Gas gas = gas_of(plume());
    gas.advance(1.0 / 24);
    const field::Frame frame = gas.show();
    ASSERT_EQ(frame.surfaces.size(), 2u);
    EXPECT_TRUE(frame.surfaces[1].velocity.empty());
    const field::Surface& ball = frame.surfaces[0];
    ASSERT_EQ(ball.velocity.size(), ball.mesh.points.size());
    const Vec3d center(-0.3, 0.2 * gas.time(), 1);
    for (std::size_t n = 0; n < ball.velocity.size(); ++n) {
        const Vec3d expected = Vec3d(0, 0.2, 0) + cross(Vec3d(0, 0, 2), Vec3d(ball.mesh.points[n]) - center);
        ASSERT_LT(length(Vec3d(ball.velocity[n]) - expected), 1e-5);
    }
}

}  // namespace
}  // namespace phlo::models
