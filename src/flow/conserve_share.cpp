// Symbols: q_k value of field k in a cell, b and a its differences to the cells before and after, s_k the slope its own limiter allows.
//
// The common share is theta = min over k of s_k / ((b_k + a_k) / 2). With slopes theta (b_k + a_k) / 2 a face's values are one linear
// combination of the values of three cells, the same for all fields, so linear relations between fields outlive the transport.
#include <algorithm>

#include "base/parallel.h"
#include "flow/conserve_sweep.h"

namespace phlo::flow {
namespace {

/// Differences below this part of the sum of the fields limit nobody else: traces of radicals would flatten every slope.
constexpr float of_weight = 1e-4f;

Float share_at(const Sweep& s, std::span<const Companion> fields, std::ptrdiff_t at) {
    const std::ptrdiff_t step = stride(s.u.layout(), s.axis);
    const Float zero(0.0f), one(1.0f);
    const Float below = one / volume_now(s, at - step), here = one / volume_now(s, at), above = one / volume_now(s, at + step);
    Float sum = zero, share = one;
    for (const Companion& field : fields)
        if (field.leads) sum = sum + abs(simd::load(field.field->row(0, 0) + at));
    const Float least = Float(of_weight) * sum * here;
    for (const Companion& field : fields) {
        if (!field.leads) continue;
        const float* a = field.field->row(0, 0) + at;
        const Float q0 = simd::load(a - step) * below, q1 = simd::load(a) * here, q2 = simd::load(a + step) * above;
        const Float before = difference(s, at, q0, q1), after = difference(s, at + step, q1, q2);
        const Float own = abs(limited_slope(before, after)), central = Float(0.5f) * abs(before + after);
        const Float allowed = own / max(central, Float(1e-30f));
        share = select(least < max(abs(before), abs(after)), min(share, allowed), share);
    }
    return share;
}

}  // namespace

void find_common_share(const Sweep& s, std::span<const Companion> fields, const TileSet& tiles, field::Grid& share) {
    const field::Layout& layout = share.layout();
    const std::vector<CellBox> runs = tiles.runs(s.axis);
    parallel_for(int(runs.size()), [&](int r) {
        const CellBox& box = runs[std::size_t(r)];
        for (int k = box.lower.z; k < box.upper.z; ++k)
            for (int j = box.lower.y; j < box.upper.y; ++j) {
                float* const row = share.row(j, k);
                for (int i = box.lower.x; i < box.upper.x; i += simd::width) {
                    const std::ptrdiff_t at = i + j * layout.stride_y() + k * layout.stride_z();
                    simd::store(row + i, share_at(s, fields, at), simd::first_lanes(box.upper.x - i));
                }
                // The ends of a run have no slope.
                const Vec3i here{0, j, k};
                if (s.axis == 0) row[box.lower.x] = row[box.upper.x - 1] = 0;
                else if (here[s.axis] == box.lower[s.axis] || here[s.axis] == box.upper[s.axis] - 1)
                    std::fill(row + box.lower.x, row + box.upper.x, 0.0f);
            }
    });
}

}  // namespace phlo::flow
