// The net outflow of cells, as all projections count it: the open part of each face with the fluid's velocity, the covered part with the
// body's.
//
//   outflow_row(solids, u, j, k, row.data());     // row[i] = h div u of cell (i, j, k)
#pragma once
#include "field/mac.h"
#include "flow/solids.h"

namespace phlo::flow {

/// Is some face of a cell of the row not fully open?
inline bool is_special_row(const Solids& solids, const field::Layout& layout, int j, int k) {
    return solids.present() && solids.special_row[std::size_t(k) * std::size_t(layout.ny()) + std::size_t(j)] != 0;
}

inline bool has_open_face(const Solids& solids, int i, int j, int k) {
    const field::MacGrid& a = solids.aperture;
    return a.x(i, j, k) + a.x(i + 1, j, k) + a.y(i, j, k) + a.y(i, j + 1, k) + a.z(i, j, k) + a.z(i, j, k + 1) > 0;
}

/// out[i] = net outflow of cell (i, j, k) in velocity units: h div u.
inline void outflow_row(const Solids& solids, const field::MacGrid& u, int j, int k, float* __restrict out) {
    const field::Layout& layout = u.layout();
    const float *__restrict x = u.x.row(j, k), *__restrict y0 = u.y.row(j, k), *__restrict y1 = u.y.row(j + 1, k);
    const float *__restrict z0 = u.z.row(j, k), *__restrict z1 = u.z.row(j, k + 1);
    if (!is_special_row(solids, layout, j, k)) {
#pragma omp simd
        for (int i = 0; i < layout.nx(); ++i) out[i] = (x[i + 1] - x[i]) + (y1[i] - y0[i]) + (z1[i] - z0[i]);
        return;
    }
    const field::MacGrid &a = solids.aperture, &w = solids.velocity;
    const auto mixed = [&](const field::Grid& aperture, const field::Grid& body, const float* fluid, int i, int jj, int kk) {
        const float open = aperture(i, jj, kk);
        return open * fluid[i] + (1 - open) * body(i, jj, kk);
    };
    for (int i = 0; i < layout.nx(); ++i)
        out[i] = (mixed(a.x, w.x, x, i + 1, j, k) - mixed(a.x, w.x, x, i, j, k)) +
                 (mixed(a.y, w.y, y1, i, j + 1, k) - mixed(a.y, w.y, y0, i, j, k)) +
                 (mixed(a.z, w.z, z1, i, j, k + 1) - mixed(a.z, w.z, z0, i, j, k));
}

}  // namespace phlo::flow
