#include "render/live/finer_mesh.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

using namespace phlo;
using namespace phlo::render;

namespace {

/// Two triangles of 3 m by 1 m.
SmoothMesh board() {
    const Vec3f up(0, 0, 1);
    return {{{{0, 0, 0}, up}, {{3, 0, 0}, up}, {{3, 1, 0}, up}, {{0, 1, 0}, up}}, {{0, 1, 2}, {0, 2, 3}}};
}

Vec3f point(const SmoothMesh& mesh, int corner) { return mesh.corners[std::size_t(corner)].point; }

double area_of(const SmoothMesh& mesh) {
    double sum = 0;
    for (const Vec3i& t : mesh.triangles) {
        const Vec3f n = cross(point(mesh, t.y) - point(mesh, t.x), point(mesh, t.z) - point(mesh, t.x));
        EXPECT_GT(n.z, 0) << "turned over";
        sum += 0.5 * double(n.z);
    }
    return sum;
}

}  // namespace

TEST(finer_mesh, no_edge_is_longer_and_the_surface_is_the_same) {
    const SmoothMesh mesh = finer_mesh(board(), 0.25f);
    for (const Vec3i& t : mesh.triangles)
        for (int c = 0; c < 3; ++c) EXPECT_LE(length(point(mesh, t[(c + 1) % 3]) - point(mesh, t[c])), 0.25f);
    EXPECT_NEAR(area_of(mesh), 3, 1e-5);
    for (const SmoothMesh::Corner& c : mesh.corners) EXPECT_EQ(c.normal, Vec3f(0, 0, 1));
}

TEST(finer_mesh, neighbours_share_their_edges_without_gaps) {
    const SmoothMesh mesh = finer_mesh(board(), 0.25f);
    std::map<std::pair<int, int>, int> uses;
    for (const Vec3i& t : mesh.triangles)
        for (int c = 0; c < 3; ++c) ++uses[std::minmax(t[c], t[(c + 1) % 3])];
    for (const auto& [edge, count] : uses) {
        const Vec3f a = point(mesh, edge.first), b = point(mesh, edge.second);
        const bool rim = (a.x == b.x && (a.x == 0 || a.x == 3)) || (a.y == b.y && (a.y == 0 || a.y == 1));
        EXPECT_EQ(count, rim ? 1 : 2) << a.x << ", " << a.y << " to " << b.x << ", " << b.y;
    }
}

TEST(finer_mesh, small_triangles_stay_and_huge_ones_do_not_become_millions) {
    EXPECT_EQ(finer_mesh(board(), 4).triangles.size(), 2u);
    const std::size_t many = finer_mesh(board(), 1e-4f, 1000).triangles.size();
    EXPECT_GT(many, 250u);
    EXPECT_LT(many, 2000u);
}
