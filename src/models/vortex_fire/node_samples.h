// Trilinear samples of the values at nodes, for a register of places at a time: what is the same for all values, where a place lies and its
// weights, is found for all places together; then each place reads its four pairs of nodes.
//
//   const PlaceFinder finder(lattice);
//   PlacePack at;
//   finder.find(positions, 5, at);                     // five places, or as many as a register has lanes
//   const Vec3f u = sample_vector(velocity, at, 3);    // of place 3
//   float m[8];
//   sample_all(matter, at, 3, m);
#pragma once
#include <algorithm>

#include "base/simd_eight.h"
#include "models/vortex_fire/lattice.h"

namespace phlo::models {

struct PlacePack {
    static constexpr int width = simd::width;
    alignas(64) float x[width], y[width], z[width];  ///< from the lowest of the eight nodes around it, in spacings
    alignas(64) int node[width];  ///< that node's number, x fastest, ghosts counted
};

/// Beyond the outermost nodes the edge's value goes on.
class PlaceFinder {
public:
    explicit PlaceFinder(const VortexLattice& lattice)
        : origin_((Vec3d(lattice.first) + Vec3d(0.5)) * lattice.h),
          last_(Vec3f(lattice.cells) - Vec3f(1.0f)),
          per_h_(float(1 / lattice.h)),
          row_(lattice.cells.x + 2 * ghost),
          plane_(row_ * (lattice.cells.y + 2 * ghost)) {}

    PHLO_INLINE void find(const Vec3f* places, int count, PlacePack& to) const {
        for (int l = 0; l < PlacePack::width; ++l) {
            const Vec3f& p = places[std::min(l, count - 1)];
            to.x[l] = p.x, to.y[l] = p.y, to.z[l] = p.z;
        }
        const simd::Float i = split(to.x, origin_.x, last_.x), j = split(to.y, origin_.y, last_.y), k = split(to.z, origin_.z, last_.z);
        simd::store(to.node, (simd::to_int(k) + simd::Int(ghost)) * simd::Int(plane_) +
                                 (simd::to_int(j) + simd::Int(ghost)) * simd::Int(row_) + simd::to_int(i) + simd::Int(ghost));
    }

private:
    static constexpr int ghost = NodeValues<4>::ghost;

    /// The whole number of the node below; what is left stays in `at`.
    PHLO_INLINE simd::Float split(float* at, float origin, float last) const {
        using simd::Float;
        const Float inside = simd::max(simd::min((simd::load(at) - Float(origin)) * Float(per_h_), Float(last)),
                                       Float(0.0f));  // in this order for what is no number
        const Float whole = simd::min(simd::floor(inside), Float(last - 1));
        simd::store(at, inside - whole);
        return whole;
    }

    Vec3f origin_, last_;
    float per_h_;
    int row_, plane_;
};

/// Weighted sums along y and z of two nodes that are neighbours along x: `from` is the lower one's first value, of eight.
template <int channels>
PHLO_INLINE simd::Eight sum_of_rows(const NodeValues<channels>& values, const float* from, float y, float z) {
    using simd::Eight;
    const float far = y * z, above = z - far, beside = y - far, here = 1 - y - above;
    const Eight low = fma(Eight(beside), simd::load_eight(from + values.stride_y()), Eight(here) * simd::load_eight(from));
    const Eight high = fma(Eight(far), simd::load_eight(from + values.stride_z() + values.stride_y()),
                           Eight(above) * simd::load_eight(from + values.stride_z()));
    return low + high;
}

/// The first three of four values at place `l` of the pack.
PHLO_INLINE Vec3f sample_vector(const NodeValues<4>& values, const PlacePack& at, int l) {
    alignas(32) float pair[8];
    simd::store(pair, sum_of_rows(values, values.number(at.node[l]), at.y[l], at.z[l]));
    const float x = at.x[l];
    return {pair[0] + x * (pair[4] - pair[0]), pair[1] + x * (pair[5] - pair[1]), pair[2] + x * (pair[6] - pair[2])};
}

PHLO_INLINE void sample_all(const NodeValues<8>& values, const PlacePack& at, int l, float (&to)[8]) {
    const float* from = values.number(at.node[l]);
    const simd::Eight left = sum_of_rows(values, from, at.y[l], at.z[l]), right = sum_of_rows(values, from + 8, at.y[l], at.z[l]);
    simd::store(to, fma(simd::Eight(at.x[l]), right - left, left));
}

}  // namespace phlo::models
