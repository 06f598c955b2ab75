#include "geom/marching_cubes.h"

#include <gtest/gtest.h>

#include <cstring>
#include <functional>
#include <map>
#include <numbers>
#include <set>

#include "base/parallel.h"
#include "base/random.h"
#include "brute_force.h"
#include "geom/marching_cubes_table.h"

namespace phlo::geom {
namespace {

using field::Domain;
using field::Grid;
using field::TriangleMesh;

constexpr double pi = std::numbers::pi;

Grid level_set(const Domain& domain, const std::function<double(const Vec3d&)>& distance) {
    Grid phi((field::Layout(domain.cells)));
    for (int k = -1; k <= domain.cells.z; ++k)
        for (int j = -1; j <= domain.cells.y; ++j)
            for (int i = -1; i <= domain.cells.x; ++i) phi(i, j, k) = float(distance(domain.cell_center(i, j, k)));
    return phi;
}

std::function<double(const Vec3d&)> ball(const Vec3d& center, double radius) {
    return [=](const Vec3d& p) { return length(p - center) - radius; };
}

/// Points whose triangles do not form one ring around them.
int pinched_points(const TriangleMesh& mesh) {
    std::vector<std::map<int, int>> ring(mesh.points.size());   // from each neighbour to the next one around the point
    for (const Vec3i& t : mesh.triangles)
        for (int c = 0; c < 3; ++c) ring[std::size_t(t[c])][t[(c + 1) % 3]] = t[(c + 2) % 3];
    int bad = 0;
    for (const auto& around : ring) {
        if (around.empty()) { ++bad; continue; }
        std::size_t steps = 0;
        int at = around.begin()->first;
        do {
            const auto next = around.find(at);
            if (next == around.end()) break;
            at = next->second, ++steps;
        } while (at != around.begin()->first && steps <= around.size());
        bad += steps != around.size();
    }
    return bad;
}

int euler_characteristic(const TriangleMesh& mesh) { return int(mesh.points.size()) - int(mesh.triangles.size()) / 2; }

double mesh_area(const TriangleMesh& mesh) {
    double total = 0;
    for (const Vec3i& t : mesh.triangles) {
        const auto at = [&](int c) { return Vec3d(mesh.points[std::size_t(t[c])]); };
        total += length(cross(at(1) - at(0), at(2) - at(0))) / 2;
    }
    return total;
}

double smallest_area(const TriangleMesh& mesh) {
    double least = 1e300;
    for (const Vec3i& t : mesh.triangles) {
        const auto at = [&](int c) { return Vec3d(mesh.points[std::size_t(t[c])]); };
        least = std::min(least, length(cross(at(1) - at(0), at(2) - at(0))) / 2);
    }
    return least;
}

void expect_closed(const TriangleMesh& mesh) {
    EXPECT_EQ(unmatched_edges(mesh), 0);
    EXPECT_EQ(pinched_points(mesh), 0);
}

TEST(marching_cubes, euler_characteristic_tells_sphere_torus_and_two_blobs_apart) {
    const Domain domain{{24, 28, 32}, {-0.6, -0.7, -0.8}, 0.05};
    const auto torus = [](const Vec3d& p) { return std::hypot(std::hypot(p.x, p.y) - 0.35, p.z) - 0.15; };
    const auto blobs = [](const Vec3d& p) { return std::min(length(p - Vec3d(0, 0, 0.4)), length(p + Vec3d(0, 0, 0.4))) - 0.25; };
    const TriangleMesh one = marching_cubes(domain, level_set(domain, ball({0.01, 0.02, 0}, 0.45)));
    const TriangleMesh ring = marching_cubes(domain, level_set(domain, torus));
    const TriangleMesh two = marching_cubes(domain, level_set(domain, blobs));
    for (const TriangleMesh* mesh : {&one, &ring, &two}) expect_closed(*mesh);
    EXPECT_EQ(euler_characteristic(one), 2);
    EXPECT_EQ(euler_characteristic(ring), 0);
    EXPECT_EQ(euler_characteristic(two), 4);
}

TEST(marching_cubes, volume_and_area_of_a_sphere_converge_at_second_order) {
    double volume_error[3], area_error[3];
    for (int n = 0; n < 3; ++n) {
        const int cells = 16 << n;
        const Domain domain{Vec3i(cells), {-0.5, -0.5, -0.5}, 1.0 / cells};
        const TriangleMesh mesh = marching_cubes(domain, level_set(domain, ball({0.013, 0.007, -0.011}, 0.37)));
        volume_error[n] = std::fabs(mesh_volume(mesh) / (4 * pi / 3 * std::pow(0.37, 3)) - 1);
        area_error[n] = std::fabs(mesh_area(mesh) / (4 * pi * 0.37 * 0.37) - 1);
    }
    for (int n = 0; n < 2; ++n) {
        EXPECT_GT(std::log2(volume_error[n] / volume_error[n + 1]), 1.8) << volume_error[n] << " " << volume_error[n + 1];
        EXPECT_GT(std::log2(area_error[n] / area_error[n + 1]), 1.8) << area_error[n] << " " << area_error[n + 1];
    }
    EXPECT_LT(volume_error[2], 1.2e-3);
}

TEST(marching_cubes, every_random_grid_gives_a_closed_manifold) {
    for (unsigned trial = 0; trial < 4000; ++trial) {
        const auto random = [&](unsigned id, unsigned index) { return uniform4({.seed = trial, .stream = 5}, id, index); };
        const auto shape = random(0, 9);
        const Domain domain{{1 + int(shape[0] * 5), 1 + int(shape[1] * 5), 1 + int(shape[2] * 5)}, {}, 1};
        Grid phi((field::Layout(domain.cells)));
        for (int k = 0; k < domain.cells.z; ++k)
            for (int j = 0; j < domain.cells.y; ++j)
                for (int i = 0; i < domain.cells.x; ++i) {
                    const float r = random(unsigned(i + 8 * j + 64 * k), 0)[0];
                    // Every fourth grid has few values, zeros and ties among them; a part of all has much more air than liquid.
                    phi(i, j, k) = trial % 4 == 0 ? float(int(r * 5) - 2) : r - 0.2f - 0.6f * shape[3];
                }
        field::extend_into_ghosts(phi, domain.cells);
        const TriangleMesh mesh = marching_cubes(domain, phi);
        ASSERT_EQ(unmatched_edges(mesh), 0) << "trial " << trial;
        ASSERT_EQ(pinched_points(mesh), 0) << "trial " << trial;
        if (!mesh.triangles.empty()) {
            ASSERT_GT(mesh_volume(mesh), 0) << "trial " << trial;
            ASSERT_GT(smallest_area(mesh), 0) << "trial " << trial;
        }
    }
}

TEST(marching_cubes, every_case_of_the_table_keeps_its_triangles_off_the_faces) {
    const CubeTable& table = CubeTable::get();
    const auto faces_of = [](int e) { return 1u << (2 * ((e / 4 + 1) % 3) + (e & 1)) | 1u << (2 * ((e / 4 + 2) % 3) + (e >> 1 & 1)); };
    for (unsigned inside = 0; inside < 256; ++inside)
        for (unsigned joined = 0; joined < 64; ++joined) {
            std::map<std::pair<int, int>, int> sides;
            for (const CubeTable::Triangle& t : table.at(inside, joined).triangles)
                for (std::size_t c = 0; c < 3; ++c) ++sides[std::minmax(int(t[c]), int(t[(c + 1) % 3]))];
            for (const auto& [side, count] : sides) {
                ASSERT_LE(count, 2);
                const bool shared_face = side.second < 12 && (faces_of(side.first) & faces_of(side.second));
                ASSERT_FALSE(count == 2 && shared_face) << inside << " " << joined;
            }
        }
}

TEST(marching_cubes, the_saddle_decides_whether_two_corners_meet) {
    const Domain domain{{2, 2, 1}, {}, 1};
    const auto pieces = [&](float in, float out) {
        Grid phi((field::Layout(domain.cells)));
        phi(0, 0, 0) = phi(1, 1, 0) = in, phi(1, 0, 0) = phi(0, 1, 0) = out;
        field::extend_into_ghosts(phi, domain.cells);
        const TriangleMesh mesh = marching_cubes(domain, phi);
        expect_closed(mesh);
        return euler_characteristic(mesh) / 2;   // each piece is a ball
    };
    EXPECT_EQ(pieces(-1, 0.5f), 1);
    EXPECT_EQ(pieces(-0.5f, 1), 2);
}

TEST(marching_cubes, water_in_a_box_is_shut_at_the_walls) {
    const Domain domain{{7, 5, 6}, {1, 2, 3}, 0.1};
    const TriangleMesh full = marching_cubes(domain, level_set(domain, [](const Vec3d&) { return -1.0; }));
    expect_closed(full);
    EXPECT_EQ(euler_characteristic(full), 2);
    EXPECT_NEAR(mesh_volume(full), 7 * 5 * 6 * 1e-3, 1e-5);
    // Half full, the surface tilted: it meets the walls at its own height, and caps lie in the walls.
    const auto height = [](double x, double y) { return 3.3 + 0.21 * (x - 1) - 0.13 * (y - 2); };
    const TriangleMesh half = marching_cubes(domain, level_set(domain, [&](const Vec3d& p) { return p.z - height(p.x, p.y); }));
    expect_closed(half);
    EXPECT_GT(smallest_area(half), 0);
    const double exact = 0.7 * 0.5 * (0.3 + 0.21 * 0.35 - 0.13 * 0.25);
    EXPECT_NEAR(mesh_volume(half), exact, 3e-4 * exact);
    int on_surface = 0;
    for (const Vec3f& point : half.points) {
        const Vec3d p(point);
        const bool on_wall = std::min({p.x - 1, 1.7 - p.x, p.y - 2, 2.5 - p.y, p.z - 3}) < 1.1e-4;
        const bool at_surface = std::fabs(p.z - height(p.x, p.y)) < 5e-5;   // a bevel's width
        on_surface += at_surface;
        EXPECT_TRUE(on_wall || at_surface) << p.x << " " << p.y << " " << p.z;
        EXPECT_LT(p.z, height(p.x, p.y) + 5e-5);
    }
    EXPECT_GE(on_surface, 9 * 7);   // one above each column of cells, and around them along the walls
}

TEST(marching_cubes, the_number_of_threads_changes_nothing) {
    const Domain domain{{40, 33, 37}, {}, 1};
    const Grid phi = level_set(domain, [](const Vec3d& p) { return std::sin(0.7 * p.x) + std::sin(0.5 * p.y + 1) + std::sin(0.6 * p.z); });
    const TriangleMesh many = marching_cubes(domain, phi);
    const ThreadLimit limit(1);
    const TriangleMesh one = marching_cubes(domain, phi);
    expect_closed(one);
    ASSERT_EQ(one.points.size(), many.points.size());
    EXPECT_EQ(std::memcmp(one.points.data(), many.points.data(), one.points.size() * sizeof(Vec3f)), 0);
    EXPECT_EQ(one.triangles, many.triangles);
}

TEST(marching_cubes, nothing_inside_gives_no_mesh) {
    const Domain domain{{4, 4, 4}, {}, 1};
    const TriangleMesh mesh = marching_cubes(domain, level_set(domain, [](const Vec3d&) { return 1.0; }));
    EXPECT_TRUE(mesh.points.empty() && mesh.triangles.empty());
}

}  // namespace
}  // namespace phlo::geom
