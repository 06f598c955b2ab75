#include "models/vortex_fire/far_field.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "base/random.h"
#include "models/vortex_fire/vorticity_rates.h"

namespace phlo::models {
namespace {

/// Random vorticity in a column of the box, five nodes away from its sides.
struct Column {
    VortexLattice lattice{.first = {-24, -24, -8}, .cells = {48, 48, 72}, .h = 0.05};
    NodeValues<4> vorticity;
    NodeRows filled;

    Column() {
        vorticity.fit(lattice), filled.fit(lattice);
        for (int k = 5; k < lattice.cells.z - 5; ++k)
            for (int j = 5; j < lattice.cells.y - 5; ++j)
                for (int i = 5; i < lattice.cells.x / 2; ++i) {
                    const auto r = uniform4({.seed = 9}, std::uint32_t(i), std::uint32_t(k * 1000 + j));
                    for (int c = 0; c < 3; ++c) vorticity.node(i, j, k)[c] = r[std::size_t(c)] - 0.45f;
                    filled.include(i, j, k);
                }
    }
    /// The sum over all nodes, in double.
    Vec3d velocity(const Vec3d& place) const {
        Vec3d sum;
        for (int k = 0; k < lattice.cells.z; ++k)
            for (int j = 0; j < lattice.cells.y; ++j)
                for (int i = filled(j, k).first; i < filled(j, k).last; ++i) {
                    const float* w = vorticity.node(i, j, k);
                    const Vec3d r = place - Vec3d(lattice.node_position(i, j, k));
                    sum += cross(Vec3d(double(w[0]), double(w[1]), double(w[2])), r) * (lattice.cell_volume() / std::pow(dot(r, r), 1.5));
                }
        return sum / (4 * std::numbers::pi);
    }
};

TEST(VortexClusters, from_each_side_few_of_them_give_the_velocity_of_all_nodes) {
    const Column column;
    const VortexClusters clusters(column.lattice, column.vorticity, column.filled);
    for (int axis = 0; axis < 3; ++axis)
        for (const int at : {-1, column.lattice.cells[axis]}) {
            Vec3i node = column.lattice.cells / 2;
            node[axis] = at;
            const Vec3f place = column.lattice.node_position(node.x, node.y, node.z);
            const std::vector<VortexCluster> seen = clusters.seen_from(axis, at);
            Vec3f found;
            far_velocity(seen, {&place, 1}, {&found, 1});
            const Vec3d exact = column.velocity(Vec3d(place));
            EXPECT_LT(length(Vec3d(found) - exact), 5e-3 * length(exact)) << "axis " << axis << ", plane " << at;
            EXPECT_LT(seen.size(), 600u) << "of 900 small blocks that hold something";
            EXPECT_GT(seen.size(), 20u);
        }
}

TEST(VortexClusters, no_vorticity_is_seen_twice_or_left_out) {
    const Column column;
    const VortexClusters clusters(column.lattice, column.vorticity, column.filled);
    Vec3d exact;
    for (int k = 0; k < column.lattice.cells.z; ++k)
        for (int j = 0; j < column.lattice.cells.y; ++j)
            for (int i = 0; i < column.lattice.cells.x; ++i)
                for (int c = 0; c < 3; ++c) exact[c] += double(column.vorticity.node(i, j, k)[c]) * column.lattice.cell_volume();
    for (int axis = 0; axis < 3; ++axis) {
        Vec3d sum;
        for (const VortexCluster& one : clusters.seen_from(axis, -1)) sum += Vec3d(one.strength);
        EXPECT_LT(length(sum - exact), 1e-4 * length(exact));
    }
}

/// Velocities that are linear in space, which a trilinear sample finds as they are.
void fill_linear(const VortexLattice& lattice, float factor, NodeValues<4>& values) {
    values.fit(lattice);
    for (int k = -1; k <= lattice.cells.z; ++k)
        for (int j = -1; j <= lattice.cells.y; ++j)
            for (int i = -1; i <= lattice.cells.x; ++i) {
                const Vec3f p = lattice.node_position(i, j, k);
                float* u = values.node(i, j, k);
                u[0] = factor * (0.3f + p.y - 2 * p.z), u[1] = factor * (p.z + 0.5f * p.x), u[2] = factor * (1 - p.x + 0.25f * p.y);
            }
}

TEST(MoveVortons, the_path_is_extrapolated_where_the_lattice_before_reaches) {
    const VortexLattice lattice{.first = {-8, -8, -8}, .cells = {24, 16, 16}, .h = 0.1},
        smaller{.first = {-8, -8, -8}, .cells = {16, 16, 16}, .h = 0.1};
    NodeValues<4> now, before;
    fill_linear(lattice, 1, now), fill_linear(smaller, 0.5f, before);
    Vortons vortons;
    for (std::uint32_t n = 0; n < 37; ++n) {
        const auto r = uniform4({.seed = 3}, n);
        append_vorton(
            vortons,
            {.position = Vec3f(-0.6f + 1.9f * r[0], -0.6f + 1.2f * r[1], -0.6f + 1.2f * r[2]), .strength = {}, .volume = 1, .matter = {}});
    }
    const std::vector<Vec3f> start = vortons.position;
    const double dt = 1e-3, ratio = 0.8;
    move_vortons({lattice, now, smaller, before, ratio}, dt, vortons);
    int known = 0;
    for (std::size_t p = 0; p < start.size(); ++p) {
        const Vec3f& at = start[p];
        const Vec3d u(0.3 + double(at.y) - 2 * double(at.z), double(at.z) + 0.5 * double(at.x), 1 - double(at.x) + 0.25 * double(at.y));
        const bool inside = at.x<0.74f, outside = at.x> 0.76f;  // the last node of the smaller one lies at 0.75
        if (!inside && !outside) continue;
        known += inside;
        const Vec3d expected = u * (inside ? 1 + 0.5 * ratio * 0.5 : 1);
        EXPECT_LT(length(Vec3d(vortons.velocity[p]) - expected), 4e-3) << p;
        EXPECT_LT(length(Vec3d(vortons.position[p]) - Vec3d(at) - Vec3d(vortons.velocity[p]) * dt), 1e-6) << p;
    }
    EXPECT_GT(known, 10);
    EXPECT_LT(known, 30);
}

}  // namespace
}  // namespace phlo::models
