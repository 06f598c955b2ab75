#include "geom/surface_samples.h"

#include <gtest/gtest.h>

#include <memory>

namespace phlo::geom {
namespace {

struct Case {
    const char* name;
    Shape shape;
    double tolerance;  ///< of a sample's distance to the surface [m]
    double step = 1e-3;  ///< a way out that meets no other part of the surface [m]
};

std::vector<Case> shapes() {
    const auto mesh = std::make_shared<const ClosedMesh>(Shape(Capsule{.radius = 0.1, .height = 0.3}).tessellate(48), "capsule");
    return {{"sphere", Sphere{.radius = 0.3}, 1e-12},
            {"box", Box{.size = {0.4, 0.2, 0.7}}, 1e-12},
            {"rounded box", Box{.size = {0.4, 0.3, 0.7}, .rounding = 0.05}, 1e-12},
            {"capsule", Capsule{.radius = 0.15, .height = 0.4}, 1e-12},
            {"cylinder", Cylinder{.radius = 0.2, .height = 0.5}, 1e-12},
            {"cup", Cup{.radius = 0.2, .height = 0.5, .wall = 0.05, .base = 0.08, .flare = 0.07}, 1e-12, 1e-7},
            {"mesh", Mesh{mesh}, 1e-6}};
}

double mesh_area(const field::TriangleMesh& mesh) {
    double area = 0;
    for (const Vec3i& t : mesh.triangles) {
        const Vec3d a(mesh.points[std::size_t(t.x)]), b(mesh.points[std::size_t(t.y)]), c(mesh.points[std::size_t(t.z)]);
        area += length(cross(b - a, c - a)) / 2;
    }
    return area;
}

TEST(surface_samples, area_is_that_of_a_fine_tessellation) {
    for (const Case& c : shapes()) EXPECT_NEAR(surface_area(c.shape) / mesh_area(c.shape.tessellate(384)), 1, 2e-4) << c.name;
}

TEST(surface_samples, lie_on_the_surface_with_its_outward_normal) {
    for (const Case& c : shapes()) {
        const auto samples = surface_samples(c.shape, 2000, {.seed = 3});
        EXPECT_EQ(double(samples.size()), std::round(2000 * surface_area(c.shape))) << c.name;
        for (const SurfaceSample& s : samples) {
            EXPECT_NEAR(c.shape.signed_distance(s.point), 0, c.tolerance) << c.name;
            EXPECT_NEAR(length(s.normal), 1, 1e-12) << c.name;
            EXPECT_NEAR(c.shape.signed_distance(s.point + s.normal * c.step), c.step, 0.02 * c.step) << c.name;
        }
    }
}

/// The divergence theorem by Monte Carlo: the mean of n over the surface is zero, and the area times the mean of p . n is three volumes.
TEST(surface_samples, are_uniform_over_the_area) {
    for (const Case& c : shapes()) {
        const auto samples = surface_samples(c.shape, 40000, {.seed = 11});
        Vec3d normal;
        double flux = 0;
        Vec3d second;  // of p_i n_i: each is one volume
        for (const SurfaceSample& s : samples) normal += s.normal, flux += dot(s.point, s.normal), second += s.point * s.normal;
        const double n = double(samples.size()), area = surface_area(c.shape);
        EXPECT_LT(length(normal) / n, 0.01) << c.name;
        EXPECT_NEAR(area * flux / n / (3 * c.shape.volume()), 1, 0.01) << c.name;
        for (int axis = 0; axis < 3; ++axis) EXPECT_NEAR(area * second[axis] / n / c.shape.volume(), 1, 0.03) << c.name << " axis " << axis;
    }
}

TEST(surface_samples, are_the_same_for_the_same_key_and_others_for_another) {
    const Shape ball = Sphere{.radius = 0.2};
    const auto one = surface_samples(ball, 500, {.seed = 5}), same = surface_samples(ball, 500, {.seed = 5}),
               other = surface_samples(ball, 500, {.seed = 6});
    ASSERT_EQ(one.size(), same.size());
    int equal = 0;
    for (std::size_t n = 0; n < one.size(); ++n) {
        EXPECT_EQ(one[n].point, same[n].point);
        equal += one[n].point == other[n].point;
    }
    EXPECT_LT(equal, 2);
}

}  // namespace
}  // namespace phlo::geom
