#include "field/frame.h"

#include <gtest/gtest.h>

namespace phlo::field {
namespace {

TEST(frame, bounds_are_the_world_or_the_box_of_everything) {
    Frame frame;
    EXPECT_TRUE(frame.bounds().empty());
    const Domain room{.cells = {4, 5, 6}, .origin = {0, 0, 0}, .h = 0.5}, part{.cells = {1, 1, 1}, .origin = {1, 1, 1}, .h = 0.5};
    frame.volumes.push_back({.name = "density", .domain = part, .room = room});
    EXPECT_EQ(frame.bounds(), (Bounds{{0, 0, 0}, {2, 2.5, 3}}));
    frame.points.push_back({.name = "sparks", .position = {{-1, 0, 1}, {0, 0, 5}}, .radius = {0.5f, 0.25f}});
    EXPECT_EQ(frame.bounds(), (Bounds{{-1.5, -0.5, 0}, {2, 2.5, 5.25}}));
    frame.surfaces.push_back({.name = "plate", .mesh = {.points = {{0, 7, 0}, {3, 0, 0}}, .triangles = {}}});
    EXPECT_EQ(frame.bounds(), (Bounds{{-1.5, -0.5, 0}, {3, 7, 5.25}}));
    frame.velocity = {.domain = room, .room = {.cells = {1, 1, 1}, .origin = {0, 0, -2}, .h = 1}, .faces = nullptr};
    EXPECT_EQ(frame.bounds().lower.z, -2);
    frame.world = Bounds{{0, 0, 0}, {1, 1, 1}};
    EXPECT_EQ(frame.bounds(), *frame.world);
}

TEST(frame, columns_are_found_by_name_and_type) {
    const Points points{.name = "sparks",
                        .position = {{0, 0, 0}},
                        .radius = {1},
                        .columns = {{"kind", std::vector<std::int32_t>{3}}, {"temperature", std::vector<float>{900}}}};
    ASSERT_NE(points.column<float>("temperature"), nullptr);
    EXPECT_EQ(points.column<float>("temperature")->at(0), 900);
    EXPECT_EQ(points.column<float>("kind"), nullptr);
    EXPECT_EQ(points.column<std::int32_t>("kind")->at(0), 3);
    EXPECT_EQ(points.column<Vec3f>("nothing"), nullptr);
}

}  // namespace
}  // namespace phlo::field
