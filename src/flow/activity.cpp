#include "flow/activity.h"

#include "base/simd.h"

namespace phlo::flow {
namespace {

using simd::Float;
using simd::Mask;

/// What the cells of one row share.
struct Rows {
    const float *x, *y, *z;       ///< velocity of row (j, k)
    const float *x_y, *y_y, *z_y; ///< of row (j + 1, k)
    const float *x_z, *y_z, *z_z; ///< of row (j, k + 1)
    const float *y_yz, *z_yz;     ///< of row (j + 1, k + 1)
};

PHLO_INLINE Mask fast_cells(const Rows& r, int i, Float fast) {
    return max(abs(simd::load(r.x + i)), max(abs(simd::load(r.y + i)), abs(simd::load(r.z + i)))) > fast;
}

/// Rotation around the edges at the upper side of each cell.
PHLO_INLINE Mask turning_cells(const Rows& r, int i, Float turning) {
    const auto at = [](const float* row, int n) { return simd::load(row + n); };
    const Float x1 = at(r.x, i + 1), y1 = at(r.y_y, i), z1 = at(r.z_z, i);
    const Float around_x = (at(r.z_yz, i) - z1) - (at(r.y_yz, i) - y1);
    const Float around_y = (at(r.x_z, i + 1) - x1) - (at(r.z_z, i + 1) - z1);
    const Float around_z = (at(r.y_y, i + 1) - y1) - (at(r.x_y, i + 1) - x1);
    return max(abs(around_x), max(abs(around_y), abs(around_z))) > turning;
}

}  // namespace

TileSet stirred_tiles(const field::MacGrid& u, double dt, double h, const Calm& calm) {
    const Float fast(float(calm.displacement * h / dt)), turning(float(calm.rotation * h / dt));
    const Vec3i n = u.layout().cells();
    return TileSet::where(u.layout(), [&](const CellBox& box) {
        const int last_x = std::min(box.upper.x, n.x - 1);   // the last cells have no neighbour to turn against
        for (int k = box.lower.z; k < box.upper.z; ++k)
            for (int j = box.lower.y; j < box.upper.y; ++j) {
                const Rows r{u.x.row(j, k),     u.y.row(j, k),     u.z.row(j, k),     u.x.row(j + 1, k),     u.y.row(j + 1, k),    u.z.row(j + 1, k),
                             u.x.row(j, k + 1), u.y.row(j, k + 1), u.z.row(j, k + 1), u.y.row(j + 1, k + 1), u.z.row(j + 1, k + 1)};
                const bool inner = j + 1 < n.y && k + 1 < n.z;
                Mask stirred = simd::no_lanes();
                for (int i = box.lower.x; i < box.upper.x; i += simd::width) {
                    stirred = stirred | (fast_cells(r, i, fast) & simd::first_lanes(box.upper.x - i));
                    if (inner) stirred = stirred | (turning_cells(r, i, turning) & simd::first_lanes(last_x - i));
                }
                if (any(stirred)) return true;
            }
        return false;
    });
}

}  // namespace phlo::flow
