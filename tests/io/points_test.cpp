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

/// Points all over the domain and beyond, several to a voxel, each with its number as a value.
field::Points cloud(std::size_t count) {
    field::Points points{.name = "soot", .position = {}, .radius = {}, .values = {}};
    for (std::size_t n = 0; n < count; ++n) {
        const auto u = uniform4({.seed = 3}, std::uint32_t(n));
        points.position.push_back({-0.6f + u[0] * 1.3f, 0.9f + u[1] * 1.2f, 1.9f + u[2] * 2.2f});
        points.radius.push_back(0.01f + 0.02f * u[3]);
        points.values["number"].push_back(float(n));
        points.values["temperature"].push_back(300 + 1000 * u[3]);
    }
    return points;
}

}  // namespace

TEST(points, come_back_with_place_radius_and_values) {
    const test::ScratchDir dir;
    field::Frame frame = test::small_frame();
    frame.points.push_back(cloud(5000));
    frame.points.push_back({.name = "none", .position = {}, .radius = {}, .values = {}});
    io::write_frame(dir.path / "a.vdb", frame);
    const field::Frame back = io::read_frame(dir.path / "a.vdb");
    EXPECT_EQ(back.scalars.size(), 2u);
    EXPECT_EQ(back.domain.cells, frame.domain.cells);
    ASSERT_EQ(back.points.size(), 2u);
    EXPECT_EQ(back.find_points("none")->size(), 0u);
    const field::Points &before = frame.points[0], &after = *back.find_points("soot");
    ASSERT_EQ(after.size(), before.size());
    std::vector<bool> seen(before.size());
    for (std::size_t n = 0; n < after.size(); ++n) {
        const auto number = std::size_t(after.values.at("number")[n]);
        ASSERT_FALSE(seen[number]);
        seen[number] = true;
        EXPECT_LT(length(after.position[n] - before.position[number]), 1e-6f);
        EXPECT_EQ(after.radius[n], before.radius[number]);
        EXPECT_EQ(after.values.at("temperature")[n], before.values.at("temperature")[number]);
    }
}

TEST(points, bytes_depend_on_the_frame_alone) {
    const test::ScratchDir dir;
    field::Frame frame = test::small_frame();
    frame.points.push_back(cloud(60000));
    io::write_frame(dir.path / "a.vdb", frame);
    const ThreadLimit limit(1);
    io::write_frame(dir.path / "b.vdb", frame);
    EXPECT_EQ(test::file_text(dir.path / "a.vdb"), test::file_text(dir.path / "b.vdb"));
}

TEST(points, info_counts_them) {
    const test::ScratchDir dir;
    field::Frame frame = test::small_frame();
    frame.points.push_back(cloud(1234));
    io::write_frame(dir.path / "a.vdb", frame);
    const io::FileInfo info = io::file_info(dir.path / "a.vdb");
    ASSERT_EQ(info.grids.size(), 4u);
    const io::GridInfo& grid = *std::find_if(info.grids.begin(), info.grids.end(), [](const auto& g) { return g.name == "soot"; });
    EXPECT_EQ(grid.points, 1234u);
    EXPECT_EQ(grid.attributes, (std::vector<std::string>{"P", "pscale", "number", "temperature"}));
    const auto& radius = frame.points[0].radius;
    EXPECT_EQ(float(grid.least), *std::min_element(radius.begin(), radius.end()));
    EXPECT_EQ(float(grid.most), *std::max_element(radius.begin(), radius.end()));
    EXPECT_NE(io::describe(info).find("1234 points with P, pscale, number, temperature"), std::string::npos) << io::describe(info);
    EXPECT_NE(io::to_json(info).find("\"points\":1234"), std::string::npos);
}

TEST(points, alone_they_are_a_frame_too) {
    const test::ScratchDir dir;
    field::Frame frame = test::small_frame();
    frame.scalars.clear();
    frame.velocity.reset();
    frame.points.push_back(cloud(10));
    io::write_frame(dir.path / "a.vdb", frame);
    const field::Frame back = io::read_frame(dir.path / "a.vdb");
    EXPECT_EQ(back.domain.cells, frame.domain.cells);
    EXPECT_EQ(back.points.at(0).size(), 10u);
}

TEST(points, what_is_not_finite_is_refused_by_name) {
    const test::ScratchDir dir;
    field::Frame frame = test::small_frame();
    frame.points.push_back(cloud(10));
    frame.points[0].values["temperature"][4] = std::numeric_limits<float>::quiet_NaN();
    const std::string message = test::complaint<RunError>([&] { io::write_frame(dir.path / "a.vdb", frame); });
    EXPECT_NE(message.find("temperature of point 4 in 'soot' is not finite"), std::string::npos) << message;
    frame.points[0] = cloud(10);
    frame.points[0].position[2].y = std::numeric_limits<float>::infinity();
    EXPECT_NE(test::complaint<RunError>([&] { io::write_frame(dir.path / "a.vdb", frame); }).find("the position of point 2"),
              std::string::npos);
}
