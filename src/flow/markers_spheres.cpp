#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "base/parallel.h"
#include "base/simd.h"
#include "flow/marker_packs.h"
#include "flow/markers.h"
#include "particles/slabs.h"

namespace phlo::flow {
namespace {

using field::Layout;
using simd::Float;

int cell_of(float x, int n) { return std::clamp(int(std::floor(x + 0.5f)), 0, n - 1); }

/// One byte a grid entry. Those of ghosts are 1: beyond walls there is nothing to ask.
using Flags = std::vector<std::uint8_t>;

template <class Body>
void for_each_row(const Layout& layout, const Body& body) {
    parallel_for(layout.nz(), [&](int k) {
        for (int j = 0; j < layout.ny(); ++j) body(j, k, std::size_t(layout.offset(0, j, k)));
    });
}

/// Keeps the flags of cells whose neighbours along an axis, up to two cells away, have theirs too.
void erode(const Layout& layout, std::ptrdiff_t step, Flags& flags) {
    const Flags before = flags;
    for_each_row(layout, [&](int, int, std::size_t at) {
        const std::uint8_t* from = before.data() + at;
        std::uint8_t* to = flags.data() + at;
#pragma omp simd
        for (int i = 0; i < layout.nx(); ++i)
            to[i] = std::uint8_t(from[i] & from[i - step] & from[i + step] & from[i - 2 * step] & from[i + 2 * step]);
    });
}

/// Cells deep inside: every cell within two of them has a particle. Only the sign counts there, and most particles are there.
Flags find_deep(const Layout& layout, const std::vector<int>& cell) {
    Flags deep(layout.size(), 1);
    for_each_row(layout, [&](int, int, std::size_t at) { std::fill_n(deep.begin() + std::ptrdiff_t(at), layout.nx(), std::uint8_t(0)); });
    for (const int c : cell) deep[std::size_t(c)] = 1;
    for (const std::ptrdiff_t step : {std::ptrdiff_t(1), layout.stride_y(), layout.stride_z()}) erode(layout, step, deep);
    return deep;
}

}  // namespace

void spheres_level_set(std::span<const float> x, std::span<const float> y, std::span<const float> z, double radius, double h,
                       field::Grid& phi) {
    const Layout& layout = phi.layout();
    const Vec3i cells = layout.cells();
    PHLO_CHECK(x.size() == y.size() && x.size() == z.size() && radius * radius >= 0.75);
    const float reach = float(radius) + 1.5f;

    std::vector<int> cell(x.size());
    for_each_marker_chunk(x.size(), [&](int, std::size_t first, std::size_t last) {
        for (std::size_t p = first; p < last; ++p)
            cell[p] = int(layout.offset(cell_of(x[p], cells.x), cell_of(y[p], cells.y), cell_of(z[p], cells.z)));
    });
    const Flags deep = find_deep(layout, cell);
    for_each_row(layout, [&](int j, int k, std::size_t at) {
        float* row = phi.row(j, k);
#pragma omp simd
        for (int i = 0; i < cells.x; ++i) row[i] = (deep[at + std::size_t(i)] ? -float(radius) : 1.5f) * float(h);
    });
    std::vector<std::vector<int>> of_chunk((x.size() + marker_chunk - 1) / marker_chunk);
    for_each_marker_chunk(x.size(), [&](int c, std::size_t first, std::size_t last) {
        for (std::size_t p = first; p < last; ++p)
            if (!deep[std::size_t(cell[p])]) of_chunk[std::size_t(c)].push_back(int(p));
    });
    std::vector<int> drawn;
    for (const auto& some : of_chunk) drawn.insert(drawn.end(), some.begin(), some.end());

    const auto planes_of = [&](int n) {
        const float at = z[std::size_t(drawn[std::size_t(n)])];
        return particles::PlaneRange{int(std::ceil(at - reach)), int(std::floor(at + reach)) + 1};
    };
    particles::for_each_slab(cells.z, int(drawn.size()), planes_of, [&](int first, int end, std::span<const int> those) {
        const Float scale{float(h)}, r{float(radius)};
        for (const int n : those) {
            const auto p = std::size_t(drawn[std::size_t(n)]);
            const int i0 = std::max(int(std::ceil(x[p] - reach)), 0), i1 = std::min(int(std::floor(x[p] + reach)) + 1, cells.x);
            const int j0 = std::max(int(std::ceil(y[p] - reach)), 0), j1 = std::min(int(std::floor(y[p] + reach)) + 1, cells.y);
            for (int k = std::max(int(std::ceil(z[p] - reach)), first); k < std::min(int(std::floor(z[p] + reach)) + 1, end); ++k)
                for (int j = j0; j < j1; ++j) {
                    const float dy = float(j) - y[p], dz = float(k) - z[p], square = dy * dy + dz * dz;
                    if (square > reach * reach) continue;
                    float* row = phi.row(j, k);
                    for (int i = i0; i < i1; i += simd::width) {
                        const Float dx = simd::to_float(simd::lane_index() + simd::Int(i)) - Float(x[p]);
                        const Float value = min((simd::sqrt(fma(dx, dx, Float(square))) - r) * scale, simd::load(row + i));
                        // Lanes beyond the sphere's reach hold its distance too; a masked store takes many times as long.
                        if (i + simd::width <= cells.x) simd::store(row + i, value);
                        else simd::store(row + i, value, simd::first_lanes(cells.x - i));
                    }
                }
        }
    });
}

}  // namespace phlo::flow
