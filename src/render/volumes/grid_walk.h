// The cells of a uniform grid that a straight way crosses, in order [amanatides1987].
//
//   walk_cells(count, start, direction, length, [&](const Vec3i& cell, float from, float to) { ... });   // all in cells
#pragma once
#include <algorithm>
#include <cmath>

#include "base/vec.h"

namespace phlo::render {

template <class Visit>
void walk_cells(const Vec3i& count, const Vec3f& start, const Vec3f& direction, float length, const Visit& visit) {
    float enter = 0, leave = length;
    Vec3f inverse;
    for (int axis = 0; axis < 3; ++axis) {
        inverse[axis] = 1 / (std::fabs(direction[axis]) < 1e-9f ? 1e-9f : direction[axis]);
        const float a = -start[axis] * inverse[axis], b = (float(count[axis]) - start[axis]) * inverse[axis];
        enter = std::max(enter, std::min(a, b)), leave = std::min(leave, std::max(a, b));
    }
    if (!(enter < leave)) return;
    Vec3i cell, forward;
    Vec3f next;
    for (int axis = 0; axis < 3; ++axis) {
        cell[axis] = std::clamp(int(start[axis] + direction[axis] * enter), 0, count[axis] - 1);
        forward[axis] = inverse[axis] > 0 ? 1 : -1;
        next[axis] = (float(cell[axis] + (forward[axis] > 0)) - start[axis]) * inverse[axis];
    }
    for (float t = enter; t < leave;) {
        const int axis = next.x < next.y ? (next.x < next.z ? 0 : 2) : (next.y < next.z ? 1 : 2);
        const float exit = std::min(next[axis], leave);
        if (exit > t) visit(cell, t, exit);
        t = exit;
        cell[axis] += forward[axis];
        if (cell[axis] < 0 || cell[axis] >= count[axis]) return;
        next[axis] += std::fabs(inverse[axis]);
    }
}

}  // namespace phlo::render
