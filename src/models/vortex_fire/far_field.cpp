#include "models/vortex_fire/far_field.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/simd.h"

namespace phlo::models {
namespace {

using simd::Float;

constexpr int smallest = 4, largest = 16;   ///< nodes along a cluster's side
constexpr int sparse = 4;                   ///< nodes between places at which the velocity is computed

int blocks_of(int nodes, int side) { return (nodes + side - 1) / side; }

VortexCluster make_cluster(const VortexLattice& lattice, const NodeValues<4>& vorticity, const NodeRows& filled, const Vec3i& first) {
    const Vec3i last = min(first + Vec3i(smallest), lattice.cells);
    VortexCluster cluster;
    Vec3f middle;   // from the first node, in nodes
    for (int k = first.z; k < last.z; ++k)
        for (int j = first.y; j < last.y; ++j) {
            const NodeRows::Range x = filled(j, k);
            for (int i = std::max(first.x, x.first); i < std::min(last.x, x.last); ++i) {
                const float* w = vorticity.node(i, j, k);
                const Vec3f omega(w[0], w[1], w[2]), at(float(i - first.x), float(j - first.y), float(k - first.z));
                const float strong = length(omega);
                cluster.weight += strong, middle += at * strong, cluster.strength += omega;
                for (int a = 0; a < 3; ++a)
                    for (int b = 0; b < 3; ++b) cluster.moment[std::size_t(3 * a + b)] += at[a] * omega[b];
            }
        }
    if (!(cluster.weight > 0)) return cluster;
    middle = middle / cluster.weight;
    const auto h = float(lattice.h), volume = h * h * h;
    for (int a = 0; a < 3; ++a)
        for (int b = 0; b < 3; ++b) {
            float& moment = cluster.moment[std::size_t(3 * a + b)];
            moment = (moment - middle[a] * cluster.strength[b]) * h * volume;   // about the middle
        }
    cluster.strength *= volume;
    cluster.middle = lattice.node_position(first.x, first.y, first.z) + middle * h;
    return cluster;
}

/// One that stands for several.
VortexCluster joined(std::span<const VortexCluster* const> parts) {
    VortexCluster all;
    Vec3f middle;
    for (const VortexCluster* one : parts) all.weight += one->weight, middle += one->middle * one->weight;
    if (!(all.weight > 0)) return all;
    all.middle = middle / all.weight;
    for (const VortexCluster* one : parts) {
        if (!(one->weight > 0)) continue;
        const Vec3f d = one->middle - all.middle;
        all.strength += one->strength;
        for (int a = 0; a < 3; ++a)
            for (int b = 0; b < 3; ++b) all.moment[std::size_t(3 * a + b)] += one->moment[std::size_t(3 * a + b)] + d[a] * one->strength[b];
    }
    return all;
}

/// Weights of the sparse places -1, 0, 1, 2 around a node that lies t between 0 and 1 [catmull1974].
std::array<float, 4> cubic_weights(float t) {
    const float t2 = t * t, t3 = t2 * t;
    return {0.5f * (-t + 2 * t2 - t3), 0.5f * (2 - 5 * t2 + 3 * t3), 0.5f * (t + 4 * t2 - 3 * t3), 0.5f * (t3 - t2)};
}

/// The plane of ghosts beyond one side of the box.
struct Side {
    int axis, a, b, at;   ///< its axis, the two along it, and the ghosts' index
};

void set_side(const VortexLattice& lattice, const VortexClusters& clusters, const Side& side, std::array<field::Grid, 3>& u) {
    const Vec3i n = lattice.cells;
    const int count_a = (n[side.a] - 1) / sparse + 4, count_b = (n[side.b] - 1) / sparse + 4;   // one before, two after
    std::vector<Vec3f> places, velocity(std::size_t(count_a) * std::size_t(count_b));
    for (int q = 0; q < count_b; ++q)
        for (int p = 0; p < count_a; ++p) {
            Vec3i node;
            node[side.axis] = side.at, node[side.a] = (p - 1) * sparse, node[side.b] = (q - 1) * sparse;
            places.push_back(lattice.node_position(node.x, node.y, node.z));
        }
    far_velocity(clusters.seen_from(side.axis, side.at), places, velocity);
    parallel_for(n[side.b], [&](int q) {
        const auto wb = cubic_weights(float(q % sparse) / sparse);
        for (int p = 0; p < n[side.a]; ++p) {
            const auto wa = cubic_weights(float(p % sparse) / sparse);
            Vec3f sum;
            for (int y = 0; y < 4; ++y)
                for (int x = 0; x < 4; ++x)
                    sum += velocity[std::size_t(q / sparse + y) * std::size_t(count_a) + std::size_t(p / sparse + x)] * (wa[std::size_t(x)] * wb[std::size_t(y)]);
            Vec3i node;
            node[side.axis] = side.at, node[side.a] = p, node[side.b] = q;
            for (int c = 0; c < 3; ++c) u[std::size_t(c)](node.x, node.y, node.z) = sum[c];
        }
    });
}

}  // namespace

VortexClusters::VortexClusters(const VortexLattice& lattice, const NodeValues<4>& vorticity, const NodeRows& filled) {
    for (int side = smallest; side <= largest; side *= 2) {
        Level level{.side = side, .blocks = {blocks_of(lattice.cells.x, side), blocks_of(lattice.cells.y, side), blocks_of(lattice.cells.z, side)}, .cluster = {}};
        const Level* parts = levels_.empty() ? nullptr : &levels_.back();
        level.cluster.resize(std::size_t(level.blocks.x) * std::size_t(level.blocks.y) * std::size_t(level.blocks.z));
        parallel_for(level.blocks.z, [&](int k) {
            std::size_t next = std::size_t(k) * std::size_t(level.blocks.y) * std::size_t(level.blocks.x);
            for (int j = 0; j < level.blocks.y; ++j)
                for (int i = 0; i < level.blocks.x; ++i) {
                    const Vec3i block(i, j, k);
                    VortexCluster& here = level.cluster[next++];
                    if (!parts) {
                        here = make_cluster(lattice, vorticity, filled, block * smallest);
                        continue;
                    }
                    std::array<const VortexCluster*, 8> eight;
                    std::size_t count = 0;
                    for (int part = 0; part < 8; ++part)
                        if (const Vec3i of = block * 2 + Vec3i(part & 1, part >> 1 & 1, part >> 2); of.x < parts->blocks.x && of.y < parts->blocks.y && of.z < parts->blocks.z)
                            eight[count++] = &(*parts)(of);
                    here = joined({eight.data(), count});
                }
        });
        levels_.push_back(std::move(level));
    }
}

void VortexClusters::collect(std::size_t level, const Vec3i& block, int axis, int at, std::vector<VortexCluster>& seen) const {
    const Level& here = levels_[level];
    const VortexCluster& cluster = here(block);
    if (cluster.weight == 0) return;
    const int first = block[axis] * here.side, away = at < first ? first - at : at - (first + here.side - 1);
    if (level == 0 || away >= 2 * here.side) return seen.push_back(cluster);
    const Level& parts = levels_[level - 1];
    for (int part = 0; part < 8; ++part)
        if (const Vec3i of = block * 2 + Vec3i(part & 1, part >> 1 & 1, part >> 2); of.x < parts.blocks.x && of.y < parts.blocks.y && of.z < parts.blocks.z)
            collect(level - 1, of, axis, at, seen);
}

std::vector<VortexCluster> VortexClusters::seen_from(int axis, int at) const {
    std::vector<VortexCluster> seen;
    const Vec3i n = levels_.back().blocks;
    for (int k = 0; k < n.z; ++k)
        for (int j = 0; j < n.y; ++j)
            for (int i = 0; i < n.x; ++i) collect(levels_.size() - 1, {i, j, k}, axis, at, seen);
    return seen;
}

void far_velocity(std::span<const VortexCluster> clusters, std::span<const Vec3f> places, std::span<Vec3f> velocity) {
    const int packs = (int(places.size()) + simd::width - 1) / simd::width;
    parallel_for(packs, [&](int pack) {
        alignas(64) float px[simd::width], py[simd::width], pz[simd::width];
        const int first = pack * simd::width, count = std::min(simd::width, int(places.size()) - first);
        for (int l = 0; l < simd::width; ++l) {
            const Vec3f& p = places[std::size_t(first + std::min(l, count - 1))];
            px[l] = p.x, py[l] = p.y, pz[l] = p.z;
        }
        const Float x = simd::load(px), y = simd::load(py), z = simd::load(pz);
        Float ux(0.0f), uy(0.0f), uz(0.0f);
        for (const VortexCluster& c : clusters) {
            const Float rx = x - Float(c.middle.x), ry = y - Float(c.middle.y), rz = z - Float(c.middle.z);
            const Float per_r2 = Float(1.0f) / fma(rx, rx, fma(ry, ry, rz * rz)), per_r3 = per_r2 * sqrt(per_r2), five = Float(3.0f) * per_r3 * per_r2;
            const Float gx(c.strength.x), gy(c.strength.y), gz(c.strength.z);
            const std::array<float, 9>& m = c.moment;
            const Float mx = fma(rx, Float(m[0]), fma(ry, Float(m[3]), rz * Float(m[6])));
            const Float my = fma(rx, Float(m[1]), fma(ry, Float(m[4]), rz * Float(m[7])));
            const Float mz = fma(rx, Float(m[2]), fma(ry, Float(m[5]), rz * Float(m[8])));
            ux += per_r3 * (gy * rz - gz * ry + Float(m[5] - m[7])) + five * (my * rz - mz * ry);
            uy += per_r3 * (gz * rx - gx * rz + Float(m[6] - m[2])) + five * (mz * rx - mx * rz);
            uz += per_r3 * (gx * ry - gy * rx + Float(m[1] - m[3])) + five * (mx * ry - my * rx);
        }
        simd::store(px, ux), simd::store(py, uy), simd::store(pz, uz);
        constexpr auto per_sphere = float(1 / (4 * std::numbers::pi));
        for (int l = 0; l < count; ++l) velocity[std::size_t(first + l)] = Vec3f(px[l], py[l], pz[l]) * per_sphere;
    });
}

void set_far_velocity(const VortexLattice& lattice, const VortexClusters& clusters, std::array<field::Grid, 3>& u) {
    for (int axis = 0; axis < 3; ++axis)
        for (const int at : {-1, lattice.cells[axis]}) set_side(lattice, clusters, {axis, (axis + 1) % 3, (axis + 2) % 3, at}, u);
}

}  // namespace phlo::models
