#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "base/parallel.h"
#include "base/simd.h"
#include "flow/markers.h"
#include "particles/slabs.h"

namespace phlo::flow {
namespace {

using field::Layout;
using simd::Float;

int cell_of(float x, int n) { return std::clamp(int(std::floor(x + 0.5f)), 0, n - 1); }

/// One byte a cell of a layout.
using Flags = std::vector<std::uint8_t>;

/// Keeps the flags of cells whose neighbours along an axis, up to two cells away, have theirs too. Beyond walls there is nothing to ask.
void erode(const Layout& layout, int axis, Flags& flags) {
    const Flags before = flags;
    const Vec3i n = layout.cells();
    const std::ptrdiff_t step = axis == 0 ? 1 : axis == 1 ? layout.stride_y() : layout.stride_z();
    parallel_for(n.z, [&](int k) {
        for (int j = 0; j < n.y; ++j)
            for (int i = 0; i < n.x; ++i) {
                const int at = axis == 0 ? i : axis == 1 ? j : k;
                const std::ptrdiff_t own = layout.offset(i, j, k);
                std::uint8_t all = before[std::size_t(own)];
                for (int d = 1; d <= 2; ++d) {
                    if (at - d >= 0) all &= before[std::size_t(own - d * step)];
                    if (at + d < n[axis]) all &= before[std::size_t(own + d * step)];
                }
                flags[std::size_t(own)] = all;
            }
    });
}

}  // namespace

void spheres_level_set(std::span<const float> x, std::span<const float> y, std::span<const float> z, double radius, double h, field::Grid& phi) {
    const Layout& layout = phi.layout();
    const Vec3i cells = layout.cells();
    PHLO_CHECK(x.size() == y.size() && x.size() == z.size());
    const float reach = float(radius) + 1.5f;
    phi.fill(1.5f * float(h));

    // Deep inside, where every cell within two has a particle, only the sign counts: most particles are there.
    Flags deep(layout.size(), 0);
    const auto cell = [&](std::size_t p) { return layout.offset(cell_of(x[p], cells.x), cell_of(y[p], cells.y), cell_of(z[p], cells.z)); };
    const bool covers = radius >= 0.866;
    for (std::size_t p = 0; p < x.size() && covers; ++p) deep[std::size_t(cell(p))] = 1;
    for (int axis = 0; axis < 3 && covers; ++axis) erode(layout, axis, deep);
    std::vector<int> drawn;
    for (std::size_t p = 0; p < x.size(); ++p)
        if (const std::ptrdiff_t at = cell(p); deep[std::size_t(at)]) phi.storage()[std::size_t(at)] = -float(radius * h);
        else drawn.push_back(int(p));

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
                        simd::store(row + i, value, simd::first_lanes(i1 - i));
                    }
                }
        }
    });
}

}  // namespace phlo::flow
