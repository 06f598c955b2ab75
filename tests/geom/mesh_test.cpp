#include "geom/mesh.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/parallel.h"
#include "brute_force.h"
#include "complaint.h"
#include "geom/shape.h"
#include "scratch_dir.h"

namespace phlo::geom {
namespace {

using field::TriangleMesh;

std::string as_obj(const TriangleMesh& mesh) {
    std::string text;
    for (const Vec3f& p : mesh.points) text += fmt::format("v {} {} {}\n", p.x, p.y, p.z);
    for (const Vec3i& t : mesh.triangles) text += fmt::format("f {} {} {}\n", t.x + 1, t.y + 1, t.z + 1);
    return text;
}

/// Every triangle with its own three points, as stl has it.
std::string as_stl(const TriangleMesh& mesh) {
    std::string text = "solid test\n";
    for (const Vec3i& t : mesh.triangles) {
        text += "facet normal 0 0 0\nouter loop\n";
        for (int c = 0; c < 3; ++c) {
            const Vec3f p = mesh.points[std::size_t(t[c])];
            text += fmt::format("vertex {:.6e} {:.6e} {:.6e}\n", p.x, p.y, p.z);
        }
        text += "endloop\nendfacet\n";
    }
    return text + "endsolid test\n";
}

TriangleMesh moved(TriangleMesh mesh, const Vec3f& by) {
    for (Vec3f& p : mesh.points) p += by;
    return mesh;
}

TriangleMesh joined(TriangleMesh a, const TriangleMesh& b) {
    const int base = int(a.points.size());
    a.points.insert(a.points.end(), b.points.begin(), b.points.end());
    for (const Vec3i& t : b.triangles) a.triangles.push_back(t + Vec3i(base));
    return a;
}

TriangleMesh inside_out(TriangleMesh mesh) {
    for (Vec3i& t : mesh.triangles) std::swap(t.y, t.z);
    return mesh;
}

TEST(mesh, sphere_from_triangles_is_the_analytic_sphere) {
    const Shape ball(Sphere{.radius = 0.3});
    const Shape mesh(Mesh{std::make_shared<ClosedMesh>(ball.tessellate(96), "ball")});
    Points points(0.5);
    for (int n = 0; n < 2000; ++n) {
        const Vec3d p = points.next();
        EXPECT_NEAR(mesh.signed_distance(p), ball.signed_distance(p), 4e-4);
    }
    EXPECT_NEAR(mesh.volume() / ball.volume(), 1, 3e-3);
}

TEST(mesh, distance_agrees_with_brute_force_at_sharp_edges_too) {
    // A box and a coarse ball: corners and edges are the nearest part of the surface for most points.
    for (const Shape& shape : {Shape(Box{.size = {0.4, 0.2, 0.7}}), Shape(Cylinder{.radius = 0.3, .height = 0.1})}) {
        const TriangleMesh triangles = shape.tessellate(8);
        const ClosedMesh mesh(triangles, "test");
        Points points(0.6);
        for (int n = 0; n < 1000; ++n) {
            const Vec3d p = points.next();
            EXPECT_NEAR(mesh.signed_distance(p), brute_force_distance(triangles, p), 1e-6);
        }
    }
}

TEST(mesh, quick_distance_is_exact_near_and_close_far_away) {
    for (const Shape& shape : {Shape(Box{.size = {0.4, 0.03, 0.7}}), Shape(Sphere{.radius = 0.3})}) {
        const TriangleMesh triangles = shape.tessellate(24);
        const ClosedMesh mesh(triangles, "test");
        Points points(0.4);
        int quick = 0;
        for (int n = 0; n < 2000; ++n) {
            const Vec3d p = points.next();
            const double exact = mesh.signed_distance(p), told = mesh.quick_distance(p, 0.05);
            EXPECT_NEAR(told, exact, std::fabs(exact) < 0.05 ? 1e-12 : 0.01);
            quick += told != exact;
        }
        EXPECT_GT(quick, 50);
    }
}

TEST(mesh, files_are_read_welded_and_scaled) {
    const TriangleMesh capsule = Shape(Capsule{.radius = 0.2, .height = 0.3}).tessellate(24);
    const test::ScratchDir dir;
    const auto from_obj = load_mesh(dir.write("capsule.obj", as_obj(capsule))),
               from_stl = load_mesh(dir.write("capsule.stl", as_stl(capsule)), 10);
    EXPECT_EQ(from_obj->triangles().points.size(), capsule.points.size());
    EXPECT_EQ(from_stl->triangles().points.size(), capsule.points.size());
    EXPECT_NEAR(from_obj->volume(), mesh_volume(capsule), 1e-6);
    EXPECT_NEAR(from_stl->volume() / 1000, mesh_volume(capsule), 1e-6);
}

TEST(mesh, open_surface_is_refused_with_file_and_number_of_edges) {
    TriangleMesh holed = Shape(Sphere{.radius = 0.2}).tessellate(16);
    holed.triangles.erase(holed.triangles.begin() + 20);
    const test::ScratchDir dir;
    const std::string file = dir.write("holed.obj", as_obj(holed)), message = test::complaint([&] { load_mesh(file); });
    EXPECT_NE(message.find(file), std::string::npos) << message;
    EXPECT_NE(message.find("3 open edges"), std::string::npos) << message;
}

TEST(mesh, bad_files_are_refused) {
    EXPECT_NE(test::complaint([] { load_mesh("/nowhere/ball.obj"); }).find("no such mesh file"), std::string::npos);
    const test::ScratchDir dir;
    for (const std::string& file :
         {dir.write("garbage.obj", "this is not a mesh\n"), dir.write("empty.obj", ""), dir.write("scene.txt", "hello")})
        EXPECT_NE(test::complaint([&] { load_mesh(file); }).find(file), std::string::npos);
    EXPECT_NE(test::complaint([] { ClosedMesh({{}, {}}, "none"); }).find("no triangles"), std::string::npos);
    TriangleMesh nan = Shape().tessellate(8);
    nan.points[3].y = std::nanf("");
    EXPECT_NE(test::complaint([&] { ClosedMesh(nan, "nan"); }).find("not finite"), std::string::npos);
    TriangleMesh doubled = Shape(Box{}).tessellate(8);
    doubled = joined(doubled, doubled);
    EXPECT_NE(test::complaint([&] { ClosedMesh(doubled, "doubled"); }).find("more than two"), std::string::npos);
}

TEST(mesh, orientation_of_the_file_does_not_matter) {
    const TriangleMesh ball = Shape(Sphere{.radius = 0.2}).tessellate(16);
    EXPECT_NEAR(ClosedMesh(inside_out(ball), "inside out").volume(), mesh_volume(ball), 1e-6);
    TriangleMesh mixed = ball;
    for (std::size_t t = 0; t < mixed.triangles.size(); t += 3) std::swap(mixed.triangles[t].y, mixed.triangles[t].z);
    EXPECT_NEAR(ClosedMesh(mixed, "mixed").volume(), mesh_volume(ball), 1e-6);
    EXPECT_LT(ClosedMesh(mixed, "mixed").signed_distance({0, 0, 0}), -0.18);
    // Two balls side by side, one of them inside out: both are solid.
    const ClosedMesh two(joined(ball, moved(inside_out(ball), {1, 0, 0})), "two");
    EXPECT_NEAR(two.volume(), 2 * mesh_volume(ball), 1e-6);
    EXPECT_LT(two.signed_distance({1, 0, 0}), 0);
    EXPECT_GT(two.signed_distance({0.5, 0, 0}), 0);
}

TEST(mesh, inner_shell_turned_inward_is_a_cavity) {
    const TriangleMesh outer = Shape(Sphere{.radius = 0.4}).tessellate(32), inner = Shape(Sphere{.radius = 0.2}).tessellate(32);
    const ClosedMesh hollow(joined(outer, inside_out(inner)), "hollow");
    EXPECT_GT(hollow.signed_distance({0.01, 0.02, 0.03}), 0.15);
    EXPECT_LT(hollow.signed_distance({0.3, 0.01, 0.02}), -0.09);
    EXPECT_GT(hollow.signed_distance({0.5, 0.01, 0.02}), 0.09);
    EXPECT_NEAR(hollow.volume(), mesh_volume(outer) - mesh_volume(inner), 1e-6);
}

TEST(mesh, overlapping_shells_are_one_solid) {
    const TriangleMesh ball = Shape(Sphere{.radius = 0.4}).tessellate(32);
    const ClosedMesh both(joined(ball, moved(ball, {0.3f, 0, 0})), "both");
    Points points(0.8);
    for (int n = 0; n < 2000; ++n) {
        const Vec3d p = points.next();
        const double exact = std::min(length(p), length(p - Vec3d(0.3, 0, 0))) - 0.4;
        if (std::fabs(exact) > 4e-3) {
            EXPECT_EQ(both.signed_distance(p) < 0, exact < 0) << p.x << ' ' << p.y << ' ' << p.z;
        }
    }
}

TEST(mesh, distances_do_not_depend_on_the_number_of_threads) {
    const TriangleMesh triangles = Shape(Capsule{.radius = 0.2, .height = 0.3}).tessellate(64);
    const auto ask = [&](int threads) {
        ThreadLimit limit(threads);
        const ClosedMesh mesh(triangles, "capsule");
        std::vector<double> distances(4096);
        parallel_for(64, [&](int row) {
            for (int i = 0; i < 64; ++i)
                distances[std::size_t(row * 64 + i)] = mesh.signed_distance({-0.5 + i / 64.0, -0.5 + row / 64.0, 0.013 * i});
        });
        return distances;
    };
    EXPECT_EQ(ask(1), ask(2));
}

}  // namespace
}  // namespace phlo::geom
