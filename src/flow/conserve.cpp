// Symbols: a amount of a cell (in units of a full cell's volume), V its volume, q = a / V its value,
//          phi volume that crosses a face in a sub-step, F = phi x (value at the face) the amount that crosses.
//
// An axis alone compresses even a divergence-free flow. So every sweep also carries the volume: after the sweeps along the
// axes D, V = V0 - sum over D of the difference of phi, and q = a / V stays constant where it was constant.
#include "flow/conserve.h"

#include <cmath>

#include "base/error.h"
#include "flow/conserve_sweep.h"

namespace phlo::flow {
namespace {

/// Amount through a face: the part of the donor's linear profile that leaves in this sub-step.
PHLO_INLINE Float face_amount(Float phi, Float q0, Float v0, Float slope0, Float q1, Float v1, Float slope1) {
    const Float half(0.5f);
    const Float from_below = fma(half - half * (phi / v0), slope0, q0);
    const Float from_above = fma(-half - half * (phi / v1), slope1, q1);
    return phi * select(phi > Float(0.0f), from_below, from_above);
}

/// Amount through a wall face; phi > 0 is along the axis, `inward` +1 at the lower wall and -1 at the upper.
PHLO_INLINE Float wall_amount(Float phi, Float inward, std::optional<float> value, Float q) {
    return value ? phi * select(phi * inward > Float(0.0f), Float(*value), q) : phi * q;
}

void record(Throughput& ledger, Float amount, float inward, int lanes) {
    alignas(64) float f[simd::width];
    simd::store(f, amount);
    for (int l = 0; l < std::min(lanes, simd::width); ++l) (f[l] * inward > 0 ? ledger.in : ledger.out) += double(std::fabs(f[l]));
}

/// One line of cells across x: `cells` cells from offset `at` on, all lanes of a pack side by side.
void sweep_line_across(const Sweep& s, std::ptrdiff_t at, int cells, bool lower_wall, bool upper_wall, int lanes, Throughput& ledger) {
    const std::ptrdiff_t step = stride(s.u.layout(), s.axis);
    float* const a = s.amount.row(0, 0) + at;
    const Mask written = simd::first_lanes(lanes);
    const Float zero(0.0f);

    Float a0 = simd::load(a), v0 = volume_now(s, at), q0 = a0 / v0, slope0 = zero, below = zero;
    if (lower_wall) {
        below = wall_amount(crossing(s, s.axis, at), Float(1.0f), s.lower_value, q0);
        record(ledger, below, 1.0f, lanes);
    }
    Float a1 = zero, v1(1.0f), q1 = zero, d01 = zero;
    if (cells > 1) a1 = simd::load(a + step), v1 = volume_now(s, at + step), q1 = a1 / v1, d01 = difference(s, at + step, q0, q1);
    for (int c = 0; c + 1 < cells; ++c) {
        const std::ptrdiff_t face = at + (c + 1) * step;
        Float a2 = zero, v2(1.0f), q2 = zero, d12 = zero;
        if (c + 2 < cells) {
            a2 = simd::load(a + (c + 2) * step), v2 = volume_now(s, face + step), q2 = a2 / v2;
            d12 = difference(s, face + step, q1, q2);
        }
        const Float slope1 = slope_of(s, face, d01, d12);
        const Float above = face_amount(crossing(s, s.axis, face), q0, v0, slope0, q1, v1, slope1);
        simd::store(a + c * step, a0 - (above - below), written);
        a0 = a1, v0 = v1, q0 = q1, slope0 = slope1, below = above;
        a1 = a2, v1 = v2, q1 = q2, d01 = d12;
    }
    Float above = zero;
    if (upper_wall) {
        above = wall_amount(crossing(s, s.axis, at + cells * step), Float(-1.0f), s.upper_value, q0);
        record(ledger, above, -1.0f, lanes);
    }
    simd::store(a + (cells - 1) * step, a0 - (above - below), written);
}

/// One row along x. Old values are kept in buffers with room for a pack on either side.
struct RowBuffers {
    explicit RowBuffers(int cells)
        : size(std::size_t(cells + 4 * simd::width)), q(size), v(size), d(size), slope(size), f(size) {}
    std::size_t size;
    std::vector<float> q, v, d, slope, f;   // cell c at index width + c; d and f: its lower face
};

void sweep_row(const Sweep& s, std::ptrdiff_t at, int cells, bool lower_wall, bool upper_wall, RowBuffers& row, Throughput& ledger) {
    constexpr int w = simd::width;
    float* const a = s.amount.row(0, 0) + at;
    float *const q = row.q.data() + w, *const v = row.v.data() + w, *const d = row.d.data() + w, *const slope = row.slope.data() + w,
                *const f = row.f.data() + w;
    for (int c = 0; c < cells; c += w) {
        const Float volume = volume_now(s, at + c);
        simd::store(v + c, volume);
        simd::store(q + c, simd::load(a + c) / volume);
    }
    v[-1] = v[cells] = 1, q[-1] = q[cells] = 0;
    for (int c = 0; c < cells; c += w) simd::store(d + c, difference(s, at + c, simd::load(q + c - 1), simd::load(q + c)));
    d[0] = d[cells] = 0;
    for (int c = 0; c < cells; c += w) simd::store(slope + c, slope_of(s, at + c, simd::load(d + c), simd::load(d + c + 1)));
    slope[-1] = slope[cells] = 0;
    for (int c = 0; c < cells; c += w)
        simd::store(f + c, face_amount(crossing(s, 0, at + c), simd::load(q + c - 1), simd::load(v + c - 1), simd::load(slope + c - 1),
                                       simd::load(q + c), simd::load(v + c), simd::load(slope + c)));
    const auto wall = [&](int face, float inward, std::optional<float> value, float inside) {
        float phi = s.u.x.row(0, 0)[at + face] * s.scale;
        if (s.aperture) phi *= s.aperture->x.row(0, 0)[at + face];
        const float amount = phi * (value && phi * inward > 0 ? *value : inside);
        (amount * inward > 0 ? ledger.in : ledger.out) += double(std::fabs(amount));
        return amount;
    };
    f[0] = lower_wall ? wall(0, 1, s.lower_value, q[0]) : 0;
    f[cells] = upper_wall ? wall(cells, -1, s.upper_value, q[cells - 1]) : 0;
    for (int c = 0; c < cells; c += w)
        simd::store(a + c, simd::load(a + c) - (simd::load(f + c + 1) - simd::load(f + c)), simd::first_lanes(cells - c));
}

Throughput sweep(const Sweep& s, const TileSet& tiles) {
    const field::Layout& layout = s.amount.layout();
    const std::vector<CellBox> runs = tiles.runs(s.axis);
    const auto one_run = [&](int r) {
        const CellBox& box = runs[std::size_t(r)];
        const bool lower_wall = box.lower[s.axis] == 0, upper_wall = box.upper[s.axis] == layout.cells()[s.axis];
        const int cells = box.upper[s.axis] - box.lower[s.axis];
        const auto at = [&](int i, int j, int k) { return i + j * layout.stride_y() + k * layout.stride_z(); };
        Throughput ledger;
        if (s.axis == 0) {
            RowBuffers buffers(cells);
            for (int k = box.lower.z; k < box.upper.z; ++k)
                for (int j = box.lower.y; j < box.upper.y; ++j)
                    sweep_row(s, at(box.lower.x, j, k), cells, lower_wall, upper_wall, buffers, ledger);
            return ledger;
        }
        const int other = s.axis == 1 ? 2 : 1;
        for (int o = box.lower[other]; o < box.upper[other]; ++o)
            for (int i = box.lower.x; i < box.upper.x; i += simd::width) {
                const std::ptrdiff_t start = s.axis == 1 ? at(i, box.lower.y, o) : at(i, o, box.lower.z);
                sweep_line_across(s, start, cells, lower_wall, upper_wall, box.upper.x - i, ledger);
            }
        return ledger;
    };
    return parallel_reduce(int(runs.size()), Throughput{}, one_run, [](Throughput a, const Throughput& b) {
        a.in += b.in, a.out += b.out;
        return a;
    });
}

/// The largest fraction of its volume that a cell gives away or loses in any sweep, in either order of the axes, per unit of scale.
double largest_loss(const Sweep& unit, const TileSet& tiles) {
    const std::vector<CellBox> runs = tiles.runs();
    return parallel_max(int(runs.size()), 0.0, [&](int r) {
        const CellBox& box = runs[std::size_t(r)];
        Float most(0.0f);
        for (int k = box.lower.z; k < box.upper.z; ++k)
            for (int j = box.lower.y; j < box.upper.y; ++j)
                for (int i = box.lower.x; i < box.upper.x; i += simd::width) {
                    const field::Layout& layout = unit.u.layout();
                    const std::ptrdiff_t at = i + j * layout.stride_y() + k * layout.stride_z();
                    const Float zero(0.0f);
                    Float out[3], net[3];
                    for (int axis = 0; axis < 3; ++axis) {
                        const Float lower = crossing(unit, axis, at), upper = crossing(unit, axis, at + stride(layout, axis));
                        out[axis] = max(upper, zero) - min(lower, zero);
                        net[axis] = upper - lower;
                    }
                    const Float forward = max(out[0], max(net[0] + out[1], net[0] + net[1] + out[2]));
                    const Float backward = max(out[2], max(net[2] + out[1], net[2] + net[1] + out[0]));
                    const Float loss = max(forward, backward) / full_volume(unit, at);
                    most = max(select(simd::first_lanes(box.upper.x - i), loss, zero), most);
                }
        return double(simd::hmax(most));
    });
}

/// Amounts from values, or back; nothing to do where every cell is full.
void scale_by_volume(const field::Grid* open, const TileSet& tiles, bool to_amounts, field::Grid& amount) {
    if (!open) return;
    tiles.for_each_run([&](const CellBox& box) {
        for (int k = box.lower.z; k < box.upper.z; ++k)
            for (int j = box.lower.y; j < box.upper.y; ++j) {
                float* row = amount.row(j, k);
                const float* volume = open->row(j, k);
                for (int i = box.lower.x; i < box.upper.x; ++i) {
                    const float v = std::max(volume[i], smallest_volume);
                    row[i] = to_amounts ? row[i] * v : row[i] / v;
                }
            }
    });
}

}  // namespace

std::vector<Throughput> transport_together(const Conserving& how, const field::MacGrid& u, std::span<const Companion> fields, const TileSet& active,
                                       field::Grid* share) {
    for (const Companion& one : fields) PHLO_CHECK(one.field->layout() == u.layout());
    TileSet tiles = active;
    tiles.dilate(1);
    const auto sweep_of = [&](const Companion& one, int axis, float scale, const std::array<bool, 3>& done) {
        return Sweep{.u = u, .aperture = how.aperture, .volume = how.volume, .scale = scale, .axis = axis, .done = done,
                     .lower_value = one.boundary[std::size_t(2 * axis)], .upper_value = one.boundary[std::size_t(2 * axis + 1)],
                     .amount = *one.field, .share = share, .bounded = one.leads};
    };
    // A margin for rounding: a cell keeps at least a twentieth of its volume.
    const double loss = largest_loss(sweep_of(fields.front(), 0, 1, {}), tiles);
    const int substeps = std::max(1, int(std::ceil(loss * how.dt / how.h / 0.95)));
    const float scale = float(how.dt / how.h / substeps);
    std::vector<Throughput> totals(fields.size(), Throughput{.substeps = substeps});
    for (const Companion& one : fields) scale_by_volume(how.volume, tiles, true, *one.field);
    for (int sub = 0; sub < substeps; ++sub) {
        const bool x_first = how.x_first == (sub % 2 == 0);
        std::array<bool, 3> done{};
        for (const int axis : x_first ? std::array{0, 1, 2} : std::array{2, 1, 0}) {
            if (share) find_common_share(sweep_of(fields.front(), axis, scale, done), fields, tiles, *share);
            for (std::size_t f = 0; f < fields.size(); ++f) {
                const Throughput crossed = sweep(sweep_of(fields[f], axis, scale, done), tiles);
                totals[f].in += crossed.in, totals[f].out += crossed.out;
            }
            done[std::size_t(axis)] = true;
        }
    }
    for (const Companion& one : fields) scale_by_volume(how.volume, tiles, false, *one.field);
    for (Throughput& total : totals) total.in *= how.h * how.h * how.h, total.out *= how.h * how.h * how.h;
    return totals;
}

Throughput transport_conserving(const Conserving& how, const field::MacGrid& u, const Carried& carried, const TileSet& active) {
    PHLO_CHECK(carried.from && carried.to && carried.from != carried.to);
    copy_tiles(*carried.from, *carried.to, TileSet(u.layout(), true));
    const Companion alone[] = {{carried.to, carried.boundary}};
    return transport_together(how, u, alone, active, nullptr).front();
}

}  // namespace phlo::flow
