// A field at one place: trilinear, for particles. Beyond the outermost centres a field continues with its edge value, so ghosts are not read.
//
//   const Vec3f at = cells_from_world(domain, position);
//   float kelvin = sample(temperature, at);
//   Vec3f u = sample(velocity, at);
//
// For whole registers of places: sample_pack.h.
#pragma once
#include "field/domain.h"
#include "field/mac.h"
#include "field/trilinear.h"

namespace phlo::particles {

/// Continuous cell coordinates: the centre of cell (0, 0, 0) is at (0, 0, 0).
inline Vec3f cells_from_world(const field::Domain& domain, const Vec3f& p) { return Vec3f(domain.grid_from_world(Vec3d(p))); }

/// `extent` entries on each axis.
inline float sample(const field::Grid& grid, Vec3f p, const Vec3i& extent) {
    const auto split = [](float x, int n, float& t) {
        const float inside = std::min(std::max(x, 0.0f), float(n - 1));
        const int whole = std::min(int(inside), std::max(n - 2, 0));
        t = inside - float(whole);
        return whole;
    };
    float tx, ty, tz;
    const int i = split(p.x, extent.x, tx), j = split(p.y, extent.y, ty), k = split(p.z, extent.z, tz);
    const std::ptrdiff_t sx = extent.x > 1, sy = extent.y > 1 ? grid.layout().stride_y() : 0, sz = extent.z > 1 ? grid.layout().stride_z() : 0;
    const float* q = grid.row(j, k) + i;
    return field::trilinear(tx, ty, tz, [&](int a, int b, int c) { return q[a * sx + b * sy + c * sz]; });
}

inline float sample(const field::Grid& grid, const Vec3f& p) { return sample(grid, p, grid.layout().cells()); }

/// `p` in cell coordinates; component x at face i lies half a cell before the centre of cell i.
inline Vec3f sample(const field::MacGrid& u, const Vec3f& p) {
    const field::Layout& layout = u.layout();
    return {sample(u.x, {p.x + 0.5f, p.y, p.z}, face_extent(layout, 0)), sample(u.y, {p.x, p.y + 0.5f, p.z}, face_extent(layout, 1)),
            sample(u.z, {p.x, p.y, p.z + 0.5f}, face_extent(layout, 2))};
}

}  // namespace phlo::particles
