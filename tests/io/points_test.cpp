#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "base/parallel.h"
#include "base/random.h"
#include "complaint.h"
#include "fixture.h"
#include "io/cache.h"
#include "io/vdb.h"
#include "scratch_dir.h"

using namespace phlo;

namespace {

/// Points all over the domain and beyond, several to a voxel, with something of every type.
field::Points cloud(std::size_t count) {
    field::Points points{.name = "soot"};
    std::vector<float> temperature;
    std::vector<std::int32_t> number;
    std::vector<Vec3f> spin;
    for (std::size_t n = 0; n < count; ++n) {
        const auto u = uniform4({.seed = 3}, std::uint32_t(n)), w = uniform4({.seed = 4}, std::uint32_t(n));
        points.position.push_back({-0.6f + u[0] * 1.3f, 0.9f + u[1] * 1.2f, 1.9f + u[2] * 2.2f});
        points.radius.push_back(0.01f + 0.02f * u[3]);
        points.velocity.push_back({w[0] - 0.5f, w[1], -w[2]});
        points.id.push_back((std::uint64_t(n) << 33) + 5);  // beyond 32 bits
        temperature.push_back(300 + 1000 * u[3]);
        number.push_back(std::int32_t(n) - 7);
        spin.push_back({w[3], u[0], -w[0]});
    }
    points.columns = {{"temperature", temperature}, {"number", number}, {"spin", spin}};
    return points;
}

}  // namespace

TEST(points, come_back_in_their_order_with_all_they_have) {
    const test::ScratchDir dir;
    test::LatticeFrame frame = test::small_frame();
    frame.points.push_back(cloud(5000));
    frame.points.push_back({.name = "none"});
    io::write_frame(dir.path / "a.vdb", frame);
    const field::Frame back = io::read_frame(dir.path / "a.vdb");
    EXPECT_EQ(back.volumes.size(), 2u);
    ASSERT_EQ(back.points.size(), 2u);
    EXPECT_EQ(back.find_points("none")->size(), 0u);
    const field::Points &before = frame.points[0], &after = *back.find_points("soot");
    ASSERT_EQ(after.size(), before.size());
    for (std::size_t n = 0; n < after.size(); ++n) ASSERT_LT(length(after.position[n] - before.position[n]), 1e-6f) << n;
    EXPECT_EQ(after.radius, before.radius);
    EXPECT_EQ(after.velocity, before.velocity);
    EXPECT_EQ(after.id, before.id);
    EXPECT_EQ(after.columns, before.columns);
}

TEST(points, any_order_survives_and_makes_no_difference_to_what_they_are) {
    const test::ScratchDir dir;
    test::LatticeFrame frame = test::small_frame();
    frame.points.push_back(cloud(1000));
    std::reverse(frame.points[0].position.begin(), frame.points[0].position.end());
    std::rotate(frame.points[0].id.begin(), frame.points[0].id.begin() + 321, frame.points[0].id.end());
    io::write_frame(dir.path / "a.vdb", frame);
    const field::Frame back = io::read_frame(dir.path / "a.vdb");
    EXPECT_EQ(back.points[0].id, frame.points[0].id);
    for (std::size_t n = 0; n < 1000; ++n) ASSERT_LT(length(back.points[0].position[n] - frame.points[0].position[n]), 1e-6f) << n;
    // A second time through the disk changes nothing at all.
    io::write_frame(dir.path / "b.vdb", back);
    EXPECT_EQ(io::read_frame(dir.path / "b.vdb").points[0].columns, back.points[0].columns);
}

TEST(points, without_ids_and_velocities_have_none) {
    const test::ScratchDir dir;
    test::LatticeFrame frame = test::small_frame();
    frame.points.push_back({.name = "dust", .position = {{0, 1.5f, 2.5f}}, .radius = {0.1f}});
    io::write_frame(dir.path / "a.vdb", frame);
    const field::Points dust = io::read_frame(dir.path / "a.vdb").points.at(0);
    EXPECT_EQ(dust.size(), 1u);
    EXPECT_TRUE(dust.id.empty() && dust.velocity.empty() && dust.columns.empty());
}

TEST(points, bytes_depend_on_the_frame_alone) {
    const test::ScratchDir dir;
    test::LatticeFrame frame = test::small_frame();
    frame.points.push_back(cloud(60000));
    io::write_frame(dir.path / "a.vdb", frame);
    const ThreadLimit limit(1);
    io::write_frame(dir.path / "b.vdb", frame);
    EXPECT_EQ(test::file_text(dir.path / "a.vdb"), test::file_text(dir.path / "b.vdb"));
}

TEST(points, info_counts_them_and_names_what_they_have) {
    const test::ScratchDir dir;
    test::LatticeFrame frame = test::small_frame();
    frame.points.push_back(cloud(1234));
    io::write_frame(dir.path / "a.vdb", frame);
    const io::FileInfo info = io::file_info(dir.path / "a.vdb");
    ASSERT_EQ(info.grids.size(), 4u);
    const io::GridInfo& grid = *std::find_if(info.grids.begin(), info.grids.end(), [](const auto& g) { return g.name == "soot"; });
    EXPECT_EQ(grid.points, 1234u);
    EXPECT_EQ(grid.attributes, (std::vector<std::string>{"P", "pscale", "id", "v", "number", "spin", "temperature"}));
    const auto& radius = frame.points[0].radius;
    EXPECT_EQ(float(grid.least), *std::min_element(radius.begin(), radius.end()));
    EXPECT_EQ(float(grid.most), *std::max_element(radius.begin(), radius.end()));
    EXPECT_NE(io::describe(info).find("1234 points with P, pscale, id, v, number"), std::string::npos) << io::describe(info);
    EXPECT_NE(io::to_json(info).find("\"points\":1234"), std::string::npos);
}

TEST(points, alone_they_are_a_cache_too) {
    const test::ScratchDir dir;
    field::Frame frame;
    frame.number = 3;
    frame.points.push_back(cloud(500));
    io::write_cache_frame(dir.path, frame);
    const field::Frame back = io::read_cache_frame(dir.path, 3);
    EXPECT_TRUE(back.volumes.empty() && !back.velocity && !back.world);
    EXPECT_EQ(back.points.at(0).id, frame.points[0].id);
    for (std::size_t n = 0; n < 500; ++n) ASSERT_LT(length(back.points[0].position[n] - frame.points[0].position[n]), 2e-6f);
    const field::Bounds box = back.bounds();  // of the points and their radii
    EXPECT_NEAR(box.lower.z, 1.9, 0.06);
    EXPECT_NEAR(box.upper.z, 4.1, 0.06);
    EXPECT_NE(io::describe(io::cache_info(dir.path)).find("500 points"), std::string::npos);
    // One point has no extent that a voxel could be made of.
    frame.points[0] = {.name = "one", .position = {{1, 2, 3}}, .radius = {0.1f}};
    io::write_cache_frame(dir.path, frame);
    EXPECT_LT(length(io::read_cache_frame(dir.path, 3).points.at(0).position[0] - Vec3f(1, 2, 3)), 1e-6f);
}

TEST(points, what_is_not_finite_is_refused_by_name) {
    const test::ScratchDir dir;
    test::LatticeFrame frame = test::small_frame();
    const auto complaint = [&] { return test::complaint<RunError>([&] { io::write_frame(dir.path / "a.vdb", frame); }); };
    frame.points.push_back(cloud(10));
    std::get<std::vector<float>>(frame.points[0].columns["temperature"])[4] = std::numeric_limits<float>::quiet_NaN();
    EXPECT_NE(complaint().find("temperature of point 4 in 'soot' is not finite"), std::string::npos) << complaint();
    frame.points[0] = cloud(10);
    frame.points[0].position[2].y = std::numeric_limits<float>::infinity();
    EXPECT_NE(complaint().find("the position of point 2"), std::string::npos);
    frame.points[0] = cloud(10);
    frame.points[0].velocity[3].z = std::numeric_limits<float>::quiet_NaN();
    EXPECT_NE(complaint().find("the velocity of point 3"), std::string::npos);
}
