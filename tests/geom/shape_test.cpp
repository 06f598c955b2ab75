#include "geom/shape.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "brute_force.h"

namespace phlo::geom {
namespace {

struct Case {
    const char* name;
    Shape shape;
    double sagitta;  ///< how far its tessellation may lie inside it [m]
};

std::vector<Case> analytic_shapes() {
    return {{"sphere", Sphere{.radius = 0.3}, 4e-4},
            {"box", Box{.size = {0.4, 0.2, 0.7}}, 1e-7},
            {"rounded box", Box{.size = {0.4, 0.3, 0.7}, .rounding = 0.05}, 1e-4},
            {"capsule", Capsule{.radius = 0.15, .height = 0.4}, 2e-4},
            {"cylinder", Cylinder{.radius = 0.2, .height = 0.5}, 2e-4},
            {"cup", Cup{.radius = 0.2, .height = 0.5, .wall = 0.05, .base = 0.08, .flare = 0.07}, 2e-4}};
}

TEST(shape, distance_agrees_with_every_triangle_of_its_surface) {
    for (const Case& c : analytic_shapes()) {
        const field::TriangleMesh mesh = c.shape.tessellate(96);
        Points points(0.6);
        for (int n = 0; n < 100; ++n) {
            const Vec3d p = points.next();
            EXPECT_NEAR(c.shape.signed_distance(p), brute_force_distance(mesh, p), c.sagitta)
                << c.name << " at " << p.x << ' ' << p.y << ' ' << p.z;
        }
    }
}

TEST(shape, distance_grows_by_the_way_walked) {
    for (const Case& c : analytic_shapes()) {
        Points points(0.6);
        const double e = 1e-5;
        for (int n = 0; n < 500; ++n) {
            const Vec3d p = points.next();
            const auto slope = [&](const Vec3d& s) { return (c.shape.signed_distance(p + s) - c.shape.signed_distance(p - s)) / (2 * e); };
            const double size = length(Vec3d(slope({e, 0, 0}), slope({0, e, 0}), slope({0, 0, e})));
            EXPECT_NEAR(size, 1, 1e-5) << c.name;
        }
    }
}

TEST(shape, surface_is_closed_outward_and_encloses_the_volume) {
    for (const Case& c : analytic_shapes()) {
        const field::TriangleMesh coarse = c.shape.tessellate(32), fine = c.shape.tessellate(128);
        EXPECT_EQ(unmatched_edges(coarse), 0) << c.name;
        EXPECT_EQ(unmatched_edges(fine), 0) << c.name;
        EXPECT_NEAR(mesh_volume(fine) / c.shape.volume(), 1, 2e-3) << c.name;
        const double error_coarse = std::fabs(mesh_volume(coarse) - c.shape.volume()),
                     error_fine = std::fabs(mesh_volume(fine) - c.shape.volume());
        EXPECT_LE(error_fine, error_coarse / 12 + 1e-7) << c.name << ": four times finer, sixteen times nearer";
    }
}

TEST(shape, bounds_touch_the_surface_on_every_side) {
    for (const Case& c : analytic_shapes()) {
        Bounds around;
        for (const Vec3f& p : c.shape.tessellate(96).points) around.include(Vec3d(p));
        const Bounds told = c.shape.bounds();
        for (int axis = 0; axis < 3; ++axis) {
            EXPECT_NEAR(told.lower[axis], around.lower[axis], 1e-6) << c.name;
            EXPECT_NEAR(told.upper[axis], around.upper[axis], 1e-6) << c.name;
        }
    }
}

TEST(shape, sizes_without_volume_are_refused) {
    EXPECT_THROW(Shape(Sphere{.radius = 0}), InputError);
    EXPECT_THROW(Shape(Sphere{.radius = std::nan("")}), InputError);
    EXPECT_THROW(Shape(Box{.size = {1, -1, 1}}), InputError);
    EXPECT_THROW(Shape(Box{.size = {1, 1, 0.1}, .rounding = 0.06}), InputError);
    EXPECT_THROW(Shape(Capsule{.radius = 0.1, .height = -1}), InputError);
    EXPECT_THROW(Shape(Cylinder{.radius = 0.1, .height = 0}), InputError);
    EXPECT_THROW(Shape(Cup{.radius = 0.1, .wall = 0.1}), InputError);
    EXPECT_THROW(Shape(Cup{.radius = 0.1, .wall = 0.01, .flare = -0.095}), InputError);
    EXPECT_THROW(Shape(Cup{.height = 0.1, .base = 0.2}), InputError);
    EXPECT_THROW(Shape(Mesh{}), InputError);
    EXPECT_NEAR(Shape().volume(), 4.0 / 3 * std::numbers::pi * 1e-3, 1e-12);
}

}  // namespace
}  // namespace phlo::geom
