// What one vorton does to a pack of targets: velocity and, on request, its gradient.
//
//   InducedPack sum = {};
//   add_vorton<true>(x, y, z, vorton, sigma_squared, sum);               // 4π u and 4π ∇u
//
// The core is the high-order algebraic one [winckelmans1993]: with r = x - x_j and q = r² + σ²,
//   4π u = f Γ × r,        f = (r² + 5/2 σ²) / q^(5/2) = q^(-3/2) (1 + 3/2 σ²/q),
//   4π ∂u_i/∂x_j = f_1 (Γ × r)_i r_j + f ε_ikj Γ_k,        f_1 = f'/r = -3 q^(-5/2) (1 + 5/2 σ²/q).
// It differs from a point by 15/8 (σ/r)⁴ far away, where the Gaussian core does by e^(-r²/2σ²), but takes a root where that takes an error
// function: the near kernel is the price of the whole tree. The gradient has no trace, nor has its sum: the last diagonal entry is made from
// the others.
//
// Only for sources that are compiled for each CPU.
#pragma once
#include <algorithm>
#include <numbers>
#include <span>

#include "base/simd.h"
#include "models/vortex_fire/tree_velocity.h"

namespace phlo::models {

/// 32 bytes: a vorton is one load line for all targets.
struct alignas(32) PackedVorton {
    float x = 0, y = 0, z = 0;     ///< [m]
    float gx = 0, gy = 0, gz = 0;  ///< Γ [m³/s]
};

struct InducedPack {
    simd::Float u[3];
    simd::Float spin[3];   ///< Σ f Γ: the antisymmetric part of the gradient
    simd::Float outer[8];  ///< Σ f_1 (Γ × r)_i r_j: xx, xy, xz, yx, yy, yz, zx, zy
};

template <bool with_gradient>
PHLO_INLINE void add_vorton(simd::Float x, simd::Float y, simd::Float z, const PackedVorton& v, simd::Float sigma_squared, InducedPack& sum) {
    using simd::Float;
    const Float rx = x - Float(v.x), ry = y - Float(v.y), rz = z - Float(v.z);
    const Float q = fma(rx, rx, fma(ry, ry, fma(rz, rz, sigma_squared)));
    const Float i = Float(1.0f) / q, core = sigma_squared * i, i3 = i * sqrt(i);
    const Float f = i3 * fma(Float(1.5f), core, Float(1.0f));
    const Float cx = Float(v.gy) * rz - Float(v.gz) * ry, cy = Float(v.gz) * rx - Float(v.gx) * rz, cz = Float(v.gx) * ry - Float(v.gy) * rx;
    sum.u[0] = fma(cx, f, sum.u[0]), sum.u[1] = fma(cy, f, sum.u[1]), sum.u[2] = fma(cz, f, sum.u[2]);
    if constexpr (with_gradient) {
        sum.spin[0] = fma(Float(v.gx), f, sum.spin[0]), sum.spin[1] = fma(Float(v.gy), f, sum.spin[1]), sum.spin[2] = fma(Float(v.gz), f, sum.spin[2]);
        const Float f1 = i3 * i * fma(Float(-7.5f), core, Float(-3.0f));
        const Float dx = cx * f1, dy = cy * f1, dz = cz * f1;
        sum.outer[0] = fma(dx, rx, sum.outer[0]), sum.outer[1] = fma(dx, ry, sum.outer[1]), sum.outer[2] = fma(dx, rz, sum.outer[2]);
        sum.outer[3] = fma(dy, rx, sum.outer[3]), sum.outer[4] = fma(dy, ry, sum.outer[4]), sum.outer[5] = fma(dy, rz, sum.outer[5]);
        sum.outer[6] = fma(dz, rx, sum.outer[6]), sum.outer[7] = fma(dz, ry, sum.outer[7]);
    }
}

/// ∂u_i/∂x_j (times 4π) of the sum, row by row; the trace is 0 to the bit of one rounding.
PHLO_INLINE void gradient_of(const InducedPack& sum, simd::Float g[9]) {
    // ε_ikj Γ_k: row x is (0, -Γz, Γy), row y (Γz, 0, -Γx), row z (-Γy, Γx, 0)
    g[0] = sum.outer[0], g[1] = sum.outer[1] - sum.spin[2], g[2] = sum.outer[2] + sum.spin[1];
    g[3] = sum.outer[3] + sum.spin[2], g[4] = sum.outer[4], g[5] = sum.outer[5] - sum.spin[0];
    g[6] = sum.outer[6] - sum.spin[1], g[7] = sum.outer[7] + sum.spin[0], g[8] = -(sum.outer[0] + sum.outer[4]);
}

/// A pack of targets; the last one again where there are no more.
struct TargetPack {
    simd::Float x, y, z;
    TargetPack(const PackedVorton* first, int count) {
        alignas(64) float at[3][simd::width];
        for (int l = 0; l < simd::width; ++l) {
            const PackedVorton& p = first[std::min(l, count - 1)];
            at[0][l] = p.x, at[1][l] = p.y, at[2][l] = p.z;
        }
        x = simd::load(at[0]), y = simd::load(at[1]), z = simd::load(at[2]);
    }
};

/// Where results go.
struct InducedResults {
    std::span<Vec3f> velocity;
    std::span<VelocityGradient> gradient;
    float per_length = 1;   ///< of the frame in which they were computed
};

/// Writes lane l to place index[l].
template <bool with_gradient>
void hand_out(const simd::Float u[3], const simd::Float g[9], const int* index, int count, const InducedResults& results) {
    alignas(64) float lanes[12][simd::width];
    const float unit = float(1 / (4 * std::numbers::pi)) * results.per_length * results.per_length;
    for (int c = 0; c < 3; ++c) simd::store(lanes[c], u[c] * simd::Float(unit));
    if constexpr (with_gradient)
        for (int c = 0; c < 9; ++c) simd::store(lanes[3 + c], g[c] * simd::Float(unit * results.per_length));
    for (int l = 0; l < count; ++l) {
        const std::size_t i = std::size_t(index[l]);
        results.velocity[i] = {lanes[0][l], lanes[1][l], lanes[2][l]};
        if constexpr (with_gradient)
            results.gradient[i] = {{lanes[3][l], lanes[4][l], lanes[5][l]}, {lanes[6][l], lanes[7][l], lanes[8][l]}, {lanes[9][l], lanes[10][l], lanes[11][l]}};
    }
}

/// Neighbours in an array of vortons.
struct VortonRange {
    int first = 0, last = 0;
};

/// What all vortons of some ranges do to a pack of targets.
template <bool with_gradient>
InducedPack sum_of_ranges(const TargetPack& at, const PackedVorton* vortons, std::span<const VortonRange> ranges, simd::Float sigma_squared) {
    using simd::Float;
    InducedPack sum;
    for (Float* part : {sum.u, sum.spin}) part[0] = part[1] = part[2] = Float(0.0f);
    for (Float& part : sum.outer) part = Float(0.0f);
    const Float x = at.x, y = at.y, z = at.z;
    for (const VortonRange& range : ranges)
        for (const PackedVorton *v = vortons + range.first, *end = vortons + range.last; v != end; ++v) add_vorton<with_gradient>(x, y, z, *v, sigma_squared, sum);
    return sum;
}

}  // namespace phlo::models
