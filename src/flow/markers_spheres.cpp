#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "base/parallel.h"
#include "base/simd.h"
#include "flow/marker_packs.h"
#include "flow/markers.h"
#include "flow/surface_cells.h"
#include "particles/slabs.h"

namespace phlo::flow {

using field::Layout;
using simd::Float;

void spheres_level_set(std::span<const float> x, std::span<const float> y, std::span<const float> z, double radius, double h,
                       field::Grid& phi) {
    const Layout& layout = phi.layout();
    const Vec3i cells = layout.cells();
    PHLO_CHECK(x.size() == y.size() && x.size() == z.size() && radius * radius >= 0.75);
    const float reach = float(radius) + 1.5f;

    const SurfaceCells near(layout, x, y, z, 2);
    parallel_for(cells.z, [&](int k) {
        for (int j = 0; j < cells.y; ++j) {
            const std::uint8_t* deep = near.deep_row(j, k);
            float* row = phi.row(j, k);
#pragma omp simd
            for (int i = 0; i < cells.x; ++i) row[i] = (deep[i] ? -float(radius) : 1.5f) * float(h);
        }
    });
    const std::vector<int> drawn = near.drawn(0);

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
