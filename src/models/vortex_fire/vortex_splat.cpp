#include "models/vortex_fire/vortex_splat.h"

#include <cmath>

namespace phlo::models {
namespace {

constexpr int slab_planes = 4;   ///< M4' reaches one plane below and two above: slabs of one colour never meet

/// Vortons of each slab, in their order.
struct SlabLists {
    std::vector<int> start, order;
};

SlabLists sort_into_slabs(const VortexLattice& lattice, const NodeFinder& finder, const std::vector<Vec3f>& position, float margin) {
    const int slabs = (lattice.cells.z + 1 + slab_planes - 1) / slab_planes;
    const int count = int(position.size());
    std::vector<std::uint16_t> slab_of(position.size());
    constexpr int chunk = 4096;
    parallel_for((count + chunk - 1) / chunk, [&](int c) {
        for (int p = c * chunk; p < std::min(count, (c + 1) * chunk); ++p) {
            const Vec3f& at = position[std::size_t(p)];
            const int plane = int(std::floor(finder.nodes_from_world(at).z)) + 1;   // -1 at the lowest wall
            slab_of[std::size_t(p)] = finder.near(at, margin) ? std::uint16_t(plane / slab_planes) : std::uint16_t(slabs);
        }
    });
    SlabLists lists;
    lists.start.assign(std::size_t(slabs) + 2, 0);
    for (const std::uint16_t s : slab_of) ++lists.start[std::size_t(s) + 1];
    for (std::size_t s = 1; s < lists.start.size(); ++s) lists.start[s] += lists.start[s - 1];
    lists.order.resize(position.size());
    std::vector<int> next(lists.start.begin(), lists.start.end() - 1);
    for (int p = 0; p < count; ++p) lists.order[std::size_t(next[slab_of[std::size_t(p)]]++)] = p;
    lists.start.pop_back();   // what is outside
    return lists;
}

void splat_strength(const Vec3f& at, const Vec3f& omega, NodeValues<4>& vorticity) {
    const int i = int(std::floor(at.x)), j = int(std::floor(at.y)), k = int(std::floor(at.z));
    float wx[4], wy[4], wz[4];
    m4_prime(at.x - float(i), wx), m4_prime(at.y - float(j), wy), m4_prime(at.z - float(k), wz);
    float line[16];   // one row of the kernel: four nodes of four channels
    for (int n = 0; n < 4; ++n) line[4 * n] = wx[n] * omega.x, line[4 * n + 1] = wx[n] * omega.y, line[4 * n + 2] = wx[n] * omega.z, line[4 * n + 3] = 0;
    float* corner = vorticity.node(i - 1, j - 1, k - 1);
    for (int c = 0; c < 4; ++c)
        for (int b = 0; b < 4; ++b) {
            float* __restrict row = corner + b * vorticity.stride_y() + c * vorticity.stride_z();
            const float w = wy[b] * wz[c];
#pragma omp simd
            for (int n = 0; n < 16; ++n) row[n] += w * line[n];
        }
}

void splat_matter(const Vec3f& at, const float (&amount)[8], NodeValues<8>& matter) {
    const int i = int(std::floor(at.x)), j = int(std::floor(at.y)), k = int(std::floor(at.z));
    const float x = at.x - float(i), y = at.y - float(j), z = at.z - float(k);
    float* corner = matter.node(i, j, k);
    for (int c = 0; c < 2; ++c)
        for (int b = 0; b < 2; ++b) {
            float* __restrict row = corner + b * matter.stride_y() + c * matter.stride_z();
            const float w = (b ? y : 1 - y) * (c ? z : 1 - z);
#pragma omp simd
            for (int n = 0; n < 8; ++n) {
                row[n] += (w * (1 - x)) * amount[n];
                row[8 + n] += (w * x) * amount[n];
            }
        }
}

}  // namespace

void splat_vortons(const VortexLattice& lattice, const Vortons& vortons, const FireMatter& air, NodeRows& filled, NodeValues<4>& vorticity, NodeValues<8>& matter) {
    if (!vorticity.resize(lattice)) clear_rows(filled, vorticity);
    if (!matter.resize(lattice)) clear_rows(filled, matter);
    NodeRows cells;   // that hold vortons, by their lowest node
    cells.fit(lattice);
    const NodeFinder finder(lattice);
    const SlabLists slabs = sort_into_slabs(lattice, finder, vortons.position, 0.5f);
    const float per_volume = float(1 / lattice.cell_volume());
    const auto fill_slab = [&](int s) {
        for (int n = slabs.start[std::size_t(s)]; n < slabs.start[std::size_t(s) + 1]; ++n) {
            const auto p = std::size_t(slabs.order[std::size_t(n)]);
            const Vec3f at = finder.nodes_from_world(vortons.position[p]);
            cells.include(int(std::floor(at.x)), int(std::floor(at.y)), int(std::floor(at.z)));   // rows of its own planes: no other slab's
            splat_strength(at, vortons.strength[p] * per_volume, vorticity);
            const float share = vortons.volume[p] * per_volume;
            const float amount[8] = {share, share * (vortons.temperature[p] - air.temperature), share * vortons.fuel[p], share * vortons.flame[p],
                                     share * vortons.smoke[p], share * (air.oxygen - vortons.oxygen[p]), share * vortons.lit[p], 0};
            splat_matter(at, amount, matter);
        }
    };
    const int count = int(slabs.start.size()) - 1;
    for (int colour = 0; colour < 2; ++colour)
        parallel_for((count + 1 - colour) / 2, [&](int s) { fill_slab(2 * s + colour); }, Share::one_by_one);
    filled = cells.grown(1, 2);   // as far as M4' reaches
}

void fold_ghosts(NodeValues<4>& vorticity, NodeValues<8>& matter) {
    constexpr int ghost = NodeValues<4>::ghost;
    const Vec3i n = vorticity.cells();
    for (int axis = 0; axis < 3; ++axis) {
        const int a = (axis + 1) % 3, b = (axis + 2) % 3;
        parallel_for(n[b] + 2 * ghost, [&](int plane) {
            for (int row = -ghost; row < n[a] + ghost; ++row)
                for (int depth = 1; depth <= ghost; ++depth)
                    for (const bool high : {false, true}) {
                        Vec3i from, to;
                        from[a] = to[a] = row, from[b] = to[b] = plane - ghost;
                        from[axis] = high ? n[axis] - 1 + depth : -depth;
                        to[axis] = high ? n[axis] - depth : depth - 1;
                        float *w = vorticity.node(from.x, from.y, from.z), *m = matter.node(from.x, from.y, from.z);
                        float *w_to = vorticity.node(to.x, to.y, to.z), *m_to = matter.node(to.x, to.y, to.z);
                        for (int c = 0; c < 3; ++c) w_to[c] += c == axis ? w[c] : -w[c], w[c] = 0;
                        for (int c = 0; c < 8; ++c) m_to[c] += m[c], m[c] = 0;
                    }
        });
    }
}

void normalise_matter(float least, const NodeRows& filled, NodeValues<8>& matter) {
    filled.each([&](int j, int k, NodeRows::Range x) {
        float* at = matter.node(x.first, j, k);
        for (int i = x.first; i < x.last; ++i, at += 8) {
            const float volume = at[MatterChannel::volume], scale = 1 / std::max(volume, least);
#pragma omp simd
            for (int c = 0; c < 8; ++c) at[c] *= scale;
            at[MatterChannel::volume] = volume;
        }
    });
}

}  // namespace phlo::models
