// The part of a cube where a level set is negative, from the level set's value in the cube's middle and its slopes.
//
//   const Slopes slopes{.ahead = {0.1, 0, 0}, .behind = {0.1, 0, 0}};    // a plane across x
//   double part = part_inside(0.02, slopes);                             // 0.3
//
// Exact for planes. A cube in which the level set bends (a film, an edge) is divided into eight, each with its own plane.
#pragma once
#include <algorithm>
#include <cmath>

namespace phlo::flow {

/// What a level set gains along each axis, over a whole edge of the cube, on either side of the cube's middle.
struct Slopes {
    double ahead[3], behind[3];
};

/// The part of the unit cube [0, 1]^3 where m . y < alpha, m >= 0: the corners' pyramids, in turn added and taken away.
inline double part_below(double mx, double my, double mz, double alpha) {
    const double steepest = std::max({mx, my, mz});
    if (alpha <= 0) return 0;
    if (alpha >= mx + my + mz) return 1;
    const double least = 1e-3 * steepest;  // a plane along an axis, tilted a little: doubles bear the cancellation
    const double m[3] = {std::max(mx, least), std::max(my, least), std::max(mz, least)};
    alpha += 0.5 * (m[0] - mx + m[1] - my + m[2] - mz);
    const auto cube = [](double x) { return x > 0 ? x * x * x : 0.0; };
    double sum = cube(alpha);
    for (int a = 0; a < 3; ++a) sum += cube(alpha - m[a] - m[(a + 1) % 3]) - cube(alpha - m[a]);
    sum -= cube(alpha - m[0] - m[1] - m[2]);
    return std::clamp(sum / (6 * m[0] * m[1] * m[2]), 0.0, 1.0);
}

inline double part_inside(double middle, const Slopes& slopes) {
    const auto& [ahead, behind] = slopes;
    double steepest = 0, bend = 0;
    for (int a = 0; a < 3; ++a) {
        steepest = std::max({steepest, std::fabs(ahead[a]), std::fabs(behind[a])});
        bend = std::max(bend, std::fabs(ahead[a] - behind[a]));
    }
    if (bend < 0.5 * steepest) {
        double m[3], half = 0;
        for (int a = 0; a < 3; ++a) m[a] = 0.5 * std::fabs(ahead[a] + behind[a]), half += 0.5 * m[a];
        return part_below(m[0], m[1], m[2], half - middle);
    }
    double sum = 0;
    for (int octant = 0; octant < 8; ++octant) {  // from the middle to a corner: slopes over half an edge
        double m[3], lowest = middle;
        for (int a = 0; a < 3; ++a) {
            const double slope = octant >> a & 1 ? 0.5 * ahead[a] : -0.5 * behind[a];
            m[a] = std::fabs(slope), lowest += std::min(slope, 0.0);
        }
        sum += part_below(m[0], m[1], m[2], -lowest);
    }
    return sum / 8;
}

}  // namespace phlo::flow
