#include "flow/curvature.h"

#include <algorithm>
#include <cmath>

namespace phlo::flow {

double scaled_curvature(const field::Grid& phi, int i, int j, int k) {
    const auto at = [&](int di, int dj, int dk) { return double(phi(i + di, j + dj, k + dk)); };
    const double here = at(0, 0, 0);
    const double x = 0.5 * (at(1, 0, 0) - at(-1, 0, 0)), y = 0.5 * (at(0, 1, 0) - at(0, -1, 0)), z = 0.5 * (at(0, 0, 1) - at(0, 0, -1));
    const double xx = at(1, 0, 0) - 2 * here + at(-1, 0, 0), yy = at(0, 1, 0) - 2 * here + at(0, -1, 0), zz = at(0, 0, 1) - 2 * here + at(0, 0, -1);
    const double xy = 0.25 * (at(1, 1, 0) - at(-1, 1, 0) - at(1, -1, 0) + at(-1, -1, 0));
    const double xz = 0.25 * (at(1, 0, 1) - at(-1, 0, 1) - at(1, 0, -1) + at(-1, 0, -1));
    const double yz = 0.25 * (at(0, 1, 1) - at(0, -1, 1) - at(0, 1, -1) + at(0, -1, -1));
    const double slope = x * x + y * y + z * z;
    if (!(slope > 0)) return 0;
    const double bend = x * x * (yy + zz) + y * y * (xx + zz) + z * z * (xx + yy) - 2 * (x * y * xy + x * z * xz + y * z * yz);
    return std::clamp(bend / (slope * std::sqrt(slope)), -2.0, 2.0);
}

}  // namespace phlo::flow
