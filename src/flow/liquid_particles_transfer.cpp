// Particles to faces and back.
#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "base/gather_pairs.h"
#include "flow/liquid_particles.h"
#include "flow/marker_packs.h"
#include "particles/sample_pack.h"

namespace phlo::flow {
namespace {

using field::Grid;
using field::Layout;
using simd::Float;
using simd::Float3;
using simd::Int;

/// Particles by the blocks of 8 x 8 rows they lie in. What a block's particles reach lies in it or one row beyond it: of every two blocks
/// along y and along z one can be filled at a time, in four turns, and no two tasks of a turn touch one face. Sums run in the order of
/// turns and particles.
class RowBlocks {
public:
    static constexpr int side = 8;  ///< rows

    RowBlocks(const Layout& layout, const LiquidParticles& set)
        : along_y_((layout.ny() + side - 1) / side), along_z_((layout.nz() + side - 1) / side), order_(set.count()) {
        std::vector<int> block(set.count());
        const auto index = [](float at, int n) { return std::clamp(int(std::floor(at + 0.5f)), 0, n - 1) / side; };
        for_each_marker_chunk(set.count(), [&](int, std::size_t first, std::size_t last) {
            for (std::size_t p = first; p < last; ++p) block[p] = index(set.y[p], layout.ny()) + along_y_ * index(set.z[p], layout.nz());
        });
        start_.assign(std::size_t(along_y_) * std::size_t(along_z_) + 1, 0);
        for (const int b : block) ++start_[std::size_t(b) + 1];
        for (std::size_t b = 1; b < start_.size(); ++b) start_[b] += start_[b - 1];
        std::vector<int> next(start_.begin(), start_.end() - 1);
        for (std::size_t p = 0; p < block.size(); ++p) order_[std::size_t(next[std::size_t(block[p])]++)] = int(p);
    }

    /// fill(particles of a block) in parallel.
    template <class Fill>
    void for_each(const Fill& fill) const {
        for (int turn = 0; turn < 4; ++turn) {
            const int oy = turn & 1, oz = turn >> 1, ny = (along_y_ - oy + 1) / 2, nz = (along_z_ - oz + 1) / 2;
            parallel_for(
                ny * nz,
                [&](int n) {
                    const auto b = std::size_t(2 * (n % ny) + oy + along_y_ * (2 * (n / ny) + oz));
                    fill(std::span(order_).subspan(std::size_t(start_[b]), std::size_t(start_[b + 1] - start_[b])));
                },
                Share::one_by_one);
        }
    }

private:
    int along_y_, along_z_;
    std::vector<int> order_, start_;
};

/// Where a coordinate lies between entries 0 to n - 1; beyond them at the nearest.
struct Between {
    int low;
    float t;
    Between(float at, int n) {
        const float inside = std::min(std::max(at, 0.0f), float(n - 1));
        low = std::min(int(inside), std::max(n - 2, 0));
        t = inside - float(low);
    }
};

/// Adds one component of some particles to its faces.
class Scatter {
public:
    Scatter(const Layout& layout, int axis, const LiquidParticles& set, float* sums)
        : layout_(layout), extent_(face_extent(layout, axis)), set_(set), columns_(set.component(axis)), sums_(sums) {
        shift_[axis] = 0.5f;
    }

    void operator()(std::span<const int> those) const {
        const std::ptrdiff_t sy = 2 * layout_.stride_y(), sz = 2 * layout_.stride_z();
        for (const int n : those) {
            const auto p = std::size_t(n);
            const float px = set_.x[p] + shift_.x, py = set_.y[p] + shift_.y, pz = set_.z[p] + shift_.z;
            const Between x(px, extent_.x), y(py, extent_.y), z(pz, extent_.z);
            const float slope[3] = {columns_[1][p], columns_[2][p], columns_[3][p]};
            // What the particle says about the first of the eight faces. Offsets are to its true place, not to where it was held.
            const float first =
                columns_[0][p] + slope[0] * (float(x.low) - px) + slope[1] * (float(y.low) - py) + slope[2] * (float(z.low) - pz);
            float* at = sums_ + 2 * layout_.offset(x.low, y.low, z.low);
            const __m128 along_x = _mm_setr_ps(1 - x.t, 1 - x.t, x.t, x.t), step = _mm_setr_ps(1, 0, 1, 0);
            const __m128 said = _mm_setr_ps(first, 1, first + slope[0], 1);
            const auto add = [&](float* to, float weight, float more) {  // two faces side by side: momentum, weight, momentum, weight
                const __m128 value = _mm_fmadd_ps(_mm_set1_ps(more), step, said);
                _mm_storeu_ps(to, _mm_fmadd_ps(_mm_mul_ps(along_x, _mm_set1_ps(weight)), value, _mm_loadu_ps(to)));
            };
            add(at, (1 - y.t) * (1 - z.t), 0);
            add(at + sy, y.t * (1 - z.t), slope[1]);
            add(at + sz, (1 - y.t) * z.t, slope[2]);
            add(at + sy + sz, y.t * z.t, slope[1] + slope[2]);
        }
    }

private:
    Layout layout_;
    Vec3i extent_;
    Vec3f shift_;  ///< from cell coordinates to entries of the component
    const LiquidParticles& set_;
    std::array<const float*, 4> columns_;
    float* sums_;
};

/// The share of a face's velocity that particles have, from its depth [cells].
float share_at_depth(double band, float depth) {
    const float s = std::clamp(float(band) - 0.5f - depth, 0.0f, 1.0f);
    return s * s * (3 - 2 * s);
}

/// Rows that particles may have added to: those with a particle in this row of cells or in one beside it.
void mark_rows(const Layout& layout, const LiquidParticles& set, std::vector<std::uint8_t>& rows) {
    const int ny = layout.ny() + 1, nz = layout.nz() + 1;
    std::vector<std::uint8_t> cells(std::size_t(ny) * std::size_t(nz), 0);
    for (std::size_t p = 0; p < set.count(); ++p) {
        const int j = std::clamp(int(std::floor(set.y[p] + 0.5f)), 0, ny - 2), k = std::clamp(int(std::floor(set.z[p] + 0.5f)), 0, nz - 2);
        cells[std::size_t(j) + std::size_t(ny) * std::size_t(k)] = 1;
    }
    rows.assign(cells.size(), 0);
    for (int k = 0; k < nz; ++k)
        for (int j = 0; j < ny; ++j)
            for (int dk = -1; dk <= 1; ++dk)
                for (int dj = -1; dj <= 1; ++dj)
                    if (j + dj >= 0 && j + dj < ny && k + dk >= 0 && k + dk < nz &&
                        cells[std::size_t(j + dj) + std::size_t(ny) * std::size_t(k + dk)])
                        rows[std::size_t(j) + std::size_t(ny) * std::size_t(k)] = 1;
}

template <class Body>
void for_each_marked_row(const Layout& layout, const std::vector<std::uint8_t>& rows, const Body& body) {
    const int ny = layout.ny() + 1;
    parallel_for(layout.nz() + 1, [&](int k) {
        for (int j = 0; j < ny; ++j)
            if (rows[std::size_t(j) + std::size_t(ny) * std::size_t(k)]) body(j, k);
    });
}

void take_means(const ToGrid& how, int axis, const std::vector<std::uint8_t>& rows, const std::vector<float>& sums, Grid& u) {
    const Layout& layout = u.layout();
    const Vec3i extent = face_extent(layout, axis);
    const std::ptrdiff_t s = axis == 0 ? 1 : axis == 1 ? layout.stride_y() : layout.stride_z();
    const bool banded = how.band < no_band;
    const float per_cell = banded ? float(-0.5 / how.h) : 0.0f, inverse_full = float(1 / how.full_weight);
    for_each_marked_row(layout, rows, [&](int j, int k) {
        if (j >= extent.y || k >= extent.z) return;
        const float* sum = sums.data() + 2 * layout.offset(0, j, k);
        const float* phi = banded ? how.phi->row(j, k) : nullptr;
        float* row = u.row(j, k);
        for (int i = 0; i < extent.x; ++i) {
            const float weight = sum[2 * i + 1];
            if (!(weight > 0)) continue;
            float share = std::min(weight * inverse_full, 1.0f);
            if (banded) share *= share_at_depth(how.band, per_cell * (phi[i] + phi[i - s]));
            row[i] += share * (sum[2 * i] / weight - row[i]);
        }
    });
}

/// The trilinear value of one component at a register of places, and its derivatives. Where a place is beyond the outermost entries the
/// field goes on as it is there, with no derivative along that axis.
class GradientSampler {
public:
    GradientSampler(const Grid& u, int axis) : u_(u), extent_(face_extent(u.layout(), axis)) { shift_[axis] = 0.5f; }

    struct Value {
        Float value, dx, dy, dz;
        Float least, most;  ///< of the eight entries around
    };
    PHLO_INLINE Value operator()(Float x, Float y, Float z) const {
        const Axis ax(x, shift_.x, extent_.x), ay(y, shift_.y, extent_.y), az(z, shift_.z, extent_.z);
        const Layout& layout = u_.layout();
        const auto sy = int(layout.stride_y()), sz = int(layout.stride_z());
        const simd::LaneOffsets at(ax.low + ay.low * Int(sy) + az.low * Int(sz));
        const float* origin = u_.row(0, 0);
        Float value[4], slope[4], least, most;
        for (int n = 0; n < 4; ++n) {
            Float low, high;
            simd::gather_pairs(origin + (n & 1) * sy + (n >> 1) * sz, at, low, high);
            least = n == 0 ? min(low, high) : min(least, min(low, high)), most = n == 0 ? max(low, high) : max(most, max(low, high));
            slope[n] = high - low;
            value[n] = fma(ax.t, slope[n], low);
        }
        const auto between = [](Float a, Float b, Float t) { return fma(t, b - a, a); };
        const Float near = between(value[0], value[1], ay.t), far = between(value[2], value[3], ay.t);
        return {between(near, far, az.t), ax.within * between(between(slope[0], slope[1], ay.t), between(slope[2], slope[3], ay.t), az.t),
                ay.within * between(value[1] - value[0], value[3] - value[2], az.t), az.within * (far - near), least, most};
    }

private:
    struct Axis {
        Int low;
        Float t, within;
        PHLO_INLINE Axis(Float at, float shift, int n) {
            const Float p = at + Float(shift), last(float(n - 1)), inside = clamp(p, Float(0.0f), last);
            const Float whole = min(floor(inside), Float(std::max(float(n - 2), 0.0f)));
            within = n > 1 ? select(p == inside, Float(1.0f), Float(0.0f)) : Float(0.0f);
            t = inside - whole;
            low = to_int(whole);
        }
    };
    const Grid& u_;
    Vec3i extent_;
    Vec3f shift_;
};

/// Places less than a cell below the surface moved to that depth, along the slope of the level set; others, and those where it has no clear slope or
/// that are far out in the air, as they are.
Float3 below_surface(const Grid& phi, float per_cell, const Float3& p) {
    constexpr float depth = 1, farthest = 2.5f;
    const particles::PackSampler level(phi, phi.layout().cells());
    const Float scale(per_cell), half(0.5f), zero(0.0f), way = fma(level(p.x, p.y, p.z), scale, Float(depth));
    if (!simd::any(way > zero)) return p;
    const Float3 slope{(level(p.x + half, p.y, p.z) - level(p.x - half, p.y, p.z)) * scale,
                       (level(p.x, p.y + half, p.z) - level(p.x, p.y - half, p.z)) * scale,
                       (level(p.x, p.y, p.z + half) - level(p.x, p.y, p.z - half)) * scale};
    const Float steepness = fma(slope.x, slope.x, fma(slope.y, slope.y, slope.z * slope.z));
    const Float by = select((way > zero) & (way < Float(farthest)) & (steepness > Float(0.1f)), -way / sqrt(steepness), zero);
    return {fma(by, slope.x, p.x), fma(by, slope.y, p.y), fma(by, slope.z, p.z)};
}

}  // namespace

std::size_t TransferScratch::bytes() const {
    std::size_t all = rows.capacity();
    for (const std::vector<float>& s : sums) all += s.capacity() * sizeof(float);
    return all;
}

void to_grid(const ToGrid& how, const LiquidParticles& set, field::MacGrid& u, TransferScratch& scratch) {
    PHLO_CHECK(how.band == no_band || (how.phi != nullptr && how.phi->layout() == u.layout()));
    if (set.count() == 0) return;
    const Layout& layout = u.layout();
    mark_rows(layout, set, scratch.rows);
    const RowBlocks blocks(layout, set);
    for (int axis = 0; axis < 3; ++axis) {
        std::vector<float>& sums = scratch.sums[std::size_t(axis)];
        if (sums.size() != 2 * layout.size()) sums.assign(2 * layout.size(), 0.0f);
        blocks.for_each(Scatter(layout, axis, set, sums.data()));
        take_means(how, axis, scratch.rows, sums, u[axis]);
        for_each_marked_row(layout, scratch.rows,
                            [&](int j, int k) { std::fill_n(sums.begin() + 2 * layout.offset(0, j, k), 2 * (layout.nx() + 2), 0.0f); });
    }
}

void from_grid(const FromGrid& how, const field::MacGrid& u, LiquidParticles& set) {
    const GradientSampler samplers[3] = {{u.x, 0}, {u.y, 1}, {u.z, 2}};
    const std::array<std::vector<float>*, 4> columns[3] = {set.component(0), set.component(1), set.component(2)};
    for_each_pack(set.count(), [&](std::size_t n, int lanes) {
        const Float3 p{load_lanes(&set.x[n], lanes), load_lanes(&set.y[n], lanes), load_lanes(&set.z[n], lanes)};
        const Float3 from = how.phi != nullptr ? below_surface(*how.phi, float(1 / how.h), p) : p;
        for (std::size_t axis = 0; axis < 3; ++axis) {
            const GradientSampler::Value f = samplers[axis](from.x, from.y, from.z);
            Float here = f.value;
            if (how.phi != nullptr) {  // continued, but not far beyond what is around
                const GradientSampler::Value plain = samplers[axis](p.x, p.y, p.z);
                here = fma(f.dx, p.x - from.x, fma(f.dy, p.y - from.y, fma(f.dz, p.z - from.z, here)));
                const Float more = Float(0.5f) * (f.most - f.least);
                here = clamp(here, min(f.least, plain.least) - more, max(f.most, plain.most) + more);
            }
            alignas(64) float own[simd::width];
            store(own, load_lanes(&(*columns[axis][0])[n], lanes));
            const Float found[4] = {here, f.dx, f.dy, f.dz};
            for (std::size_t c = 0; c < 4; ++c) store_lanes(&(*columns[axis][c])[n], found[c], lanes);
            for (int l = 0; l < lanes; ++l)
                if (set.flying[n + std::size_t(l)]) {
                    (*columns[axis][0])[n + std::size_t(l)] = own[l] + float(how.gain[int(axis)]);
                    for (std::size_t c = 1; c < 4; ++c) (*columns[axis][c])[n + std::size_t(l)] = 0;
                }
        }
    });
}

}  // namespace phlo::flow
