// The geometry of one cut face and one cut cell, in units of the cell.
#pragma once
#include <array>
#include <cmath>

#include "base/vec.h"

namespace phlo::flow {

struct CutFace {
    float open = 1;  ///< fraction
    float u = 0.5f, v = 0.5f;  ///< centroid of the covered part
};

/// Distances at the corners (u, v) = (0,0), (1,0), (1,1), (0,1), in that order around the face. If two opposite corners are
/// inside, the covered part is taken as connected: a doubtful gap stays shut.
inline CutFace cut_face(const std::array<float, 4>& d) {
    const bool inside[4] = {d[0] < 0, d[1] < 0, d[2] < 0, d[3] < 0};
    const int count = inside[0] + inside[1] + inside[2] + inside[3];
    if (count == 0) return {};
    if (count == 4) return {0, 0.5f, 0.5f};
    constexpr float corner_u[4] = {0, 1, 1, 0}, corner_v[4] = {0, 0, 1, 1};
    float pu[8], pv[8];
    int n = 0;
    for (int a = 0; a < 4; ++a) {
        const int b = (a + 1) % 4;
        if (inside[a]) pu[n] = corner_u[a], pv[n] = corner_v[a], ++n;
        if (inside[a] != inside[b]) {
            const float s = d[std::size_t(a)] / (d[std::size_t(a)] - d[std::size_t(b)]);
            pu[n] = corner_u[a] + s * (corner_u[b] - corner_u[a]), pv[n] = corner_v[a] + s * (corner_v[b] - corner_v[a]), ++n;
        }
    }
    float area2 = 0, mu = 0, mv = 0;  // twice the area, six times the first moments
    for (int a = 0; a < n; ++a) {
        const int b = a + 1 < n ? a + 1 : 0;
        const float cross = pu[a] * pv[b] - pu[b] * pv[a];
        area2 += cross, mu += cross * (pu[a] + pu[b]), mv += cross * (pv[a] + pv[b]);
    }
    if (area2 < 1e-7f) return {1, pu[0], pv[0]};
    return {1 - 0.5f * area2, mu / (3 * area2), mv / (3 * area2)};
}

/// Open volume of a cell whose corners (x fastest) have these distances and whose faces -x +x -y +y -z +z these open fractions:
/// the faces' open parts and the wall, a fan around the mean c of the edges' crossings, enclose V = 1/3 sum_f |c - plane_f| a_f.
inline float cut_volume(const std::array<float, 8>& d, const std::array<float, 6>& open) {
    float cx = 0, cy = 0, cz = 0;
    int crossings = 0;
    for (int corner = 0; corner < 8; ++corner)
        for (int axis = 0; axis < 3; ++axis) {
            if (corner >> axis & 1) continue;
            const int other = corner | 1 << axis;
            const float da = d[std::size_t(corner)], db = d[std::size_t(other)];
            if ((da < 0) == (db < 0)) continue;
            const float s = da / (da - db);
            cx += axis == 0 ? s : float(corner & 1);
            cy += axis == 1 ? s : float(corner >> 1 & 1);
            cz += axis == 2 ? s : float(corner >> 2 & 1);
            ++crossings;
        }
    if (crossings == 0) return d[0] < 0 ? 0.f : 1.f;
    const float scale = 1 / float(crossings);
    cx *= scale, cy *= scale, cz *= scale;
    return (cx * open[0] + (1 - cx) * open[1] + cy * open[2] + (1 - cy) * open[3] + cz * open[4] + (1 - cz) * open[5]) / 3;
}

}  // namespace phlo::flow
