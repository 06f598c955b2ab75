#include "geom/sampled_solid.h"

#include <gtest/gtest.h>

#include <numbers>

#include "base/error.h"
#include "brute_force.h"
#include "complaint.h"
#include "geom/mass.h"
#include "geom/sculpture.h"
#include "geom/shape.h"

namespace phlo::geom {
namespace {

constexpr double pi = std::numbers::pi;
const Shape ball(Sphere{.radius = 0.3});

TEST(sampled_solid, volume_and_mass_are_those_of_the_shape_to_second_order) {
    const auto error = [](double spacing) { return std::fabs(SampledSolid(ball, spacing).volume() / ball.volume() - 1); };
    EXPECT_LT(error(0.02), 0.01);
    EXPECT_LT(error(0.01), error(0.02) / 3);
    const Shape sampled(Sampled{std::make_shared<SampledSolid>(ball, 0.01)});
    const MassProperties own = mass_properties(sampled, 500), exact = mass_properties(ball, 500);
    EXPECT_NEAR(own.mass / exact.mass, 1, 0.005);
    EXPECT_NEAR(own.moments.x / exact.moments.x, 1, 0.01);
}

TEST(sampled_solid, distance_is_the_shapes_inside_and_outside_of_the_lattice) {
    const SampledSolid solid(ball, 0.01);
    Points points(0.8);
    for (int n = 0; n < 200; ++n) {
        const Vec3d p = points.next();
        if (length(p) < 0.05) continue;   // the lattice rounds the centre off
        const bool inside = solid.lattice.bounds().contains(p);   // beyond, two ways that need not be in line are added
        EXPECT_NEAR(solid.signed_distance(p), length(p) - 0.3, inside ? 0.002 : 0.12);
    }
}

TEST(sampled_solid, surface_is_closed_and_nothing_is_left_of_what_is_all_outside) {
    SampledSolid solid(ball, 0.02);
    EXPECT_EQ(unmatched_edges(solid.surface()), 0);
    EXPECT_NEAR(mesh_volume(solid.surface()), solid.volume(), 1e-6);
    EXPECT_NEAR(solid.area() / (4 * pi * 0.09), 1, 0.01);
    for (float& d : solid.distance.storage()) d = 1;
    solid.update();
    EXPECT_TRUE(solid.gone());
    EXPECT_EQ(solid.volume(), 0);
}

TEST(sculpture, parts_that_do_not_touch_keep_their_volumes_and_carving_takes_away) {
    const Sculpture apart{.parts = {{.shape = Sphere{.radius = 0.1}, .position = {-0.2, 0, 0}}, {.shape = Box{.size = {0.2, 0.2, 0.2}}, .position = {0.2, 0, 0}}},
                          .smooth = 0.02};
    EXPECT_NEAR(sculpt(apart)->volume() / (4.0 / 3 * pi * 1e-3 + 8e-3), 1, 0.01);
    const Sculpture hollow{.parts = {{.shape = Sphere{.radius = 0.2}}, {.shape = Sphere{.radius = 0.1}, .carves = true}}, .smooth = 0};
    EXPECT_NEAR(sculpt(hollow)->volume() / (4.0 / 3 * pi * 7e-3), 1, 0.01);
}

TEST(sculpture, stretched_parts_and_smooth_joints_are_where_they_should_be) {
    const Sculpture egg{.parts = {{.shape = Sphere{.radius = 0.1}, .scale = {1, 2, 0.5}}}, .smooth = 0};
    EXPECT_NEAR(sculpt(egg)->volume() / (4.0 / 3 * pi * 1e-3), 1, 0.01);
    EXPECT_NEAR(signed_distance(egg, {0, 0.2, 0}), 0, 1e-9);
    Sculpture joint{.parts = {{.shape = Sphere{.radius = 0.1}, .position = {-0.09, 0, 0}}, {.shape = Sphere{.radius = 0.1}, .position = {0.09, 0, 0}}}, .smooth = 0};
    const double sharp = sculpt(joint)->volume();
    joint.smooth = 0.05;
    EXPECT_GT(sculpt(joint)->volume(), 1.005 * sharp);
    EXPECT_NEAR(signed_distance(joint, {0, 0, 0}), -0.01 - 0.05 / 4, 1e-9);   // the parabola's depth is a quarter of its width
}

/// Blocks that are judged as a whole change nothing.
TEST(sculpture, its_surface_is_the_zero_of_its_distance) {
    const Sculpture figure{.parts = {{.shape = Capsule{.radius = 0.05, .height = 0.4}},
                                     {.shape = Sphere{.radius = 0.09}, .position = {0, 0, 0.28}},
                                     {.shape = Capsule{.radius = 0.03, .height = 0.3}, .position = {0.1, 0, 0.1}, .rotation = {0, 1, 0}},
                                     {.shape = Box{.size = {0.5, 0.5, 0.1}}, .position = {0, 0, -0.25}, .carves = true}},
                           .smooth = 0.03};
    const auto mesh = sculpt(figure);
    for (const Vec3f& p : mesh->triangles().points) EXPECT_NEAR(signed_distance(figure, Vec3d(p)), 0, 1e-3);
}

}  // namespace
}  // namespace phlo::geom
