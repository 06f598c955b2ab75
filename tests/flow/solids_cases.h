// Bodies and measures that the tests of solids share.
#pragma once
#include <functional>
#include <numbers>
#include <vector>

#include "flow/solids.h"

namespace phlo::flow {

inline field::Domain unit_domain(int n) { return {.cells = {n, n, n}, .origin = {0, 0, 0}, .h = 1.0 / n}; }

inline geom::Body ball(const Vec3d& center, double radius) {
    return {.name = "ball", .shape = geom::Sphere{.radius = radius}, .motion = {.position = Curve<Vec3d>(center)}};
}

/// All of space below the plane through `point` with the given Euler angles: its normal is the turned z axis.
inline geom::Body half_space(const Vec3d& point, const Vec3d& angles) {
    const Vec3d down = geom::Rotation::from_euler(angles)({0, 0, -10});
    return {.name = "half space",
            .shape = geom::Box{.size = {20, 20, 20}},
            .motion = {.position = Curve<Vec3d>(point + down), .rotation = Curve<Vec3d>(angles)}};
}

inline geom::Body plate(const Vec3d& point, const Vec3d& angles, double thickness, double width = 20) {
    return {.name = "plate",
            .shape = geom::Box{.size = {width, width, thickness}},
            .motion = {.position = Curve<Vec3d>(point), .rotation = Curve<Vec3d>(angles)}};
}

inline Solids at_rest(const field::Domain& domain, const std::vector<geom::Body>& bodies) {
    Solids solids;
    rasterize(domain, bodies, 0, solids);
    return solids;
}

/// The part of a cell's boundary that is the body's surface, as an area vector out of the fluid, in cells' faces: what the open
/// parts of the six faces leave missing.
inline Vec3d wall_vector(const Solids& solids, int i, int j, int k) {
    const field::MacGrid& a = solids.aperture;
    return {double(a.x(i, j, k)) - double(a.x(i + 1, j, k)), double(a.y(i, j, k)) - double(a.y(i, j + 1, k)),
            double(a.z(i, j, k)) - double(a.z(i, j, k + 1))};
}

inline void for_each_cell(const field::Domain& domain, const std::function<void(int, int, int)>& visit) {
    for (int k = 0; k < domain.cells.z; ++k)
        for (int j = 0; j < domain.cells.y; ++j)
            for (int i = 0; i < domain.cells.x; ++i) visit(i, j, k);
}

inline bool identical(const field::Grid& a, const field::Grid& b) {
    return std::equal(a.storage().begin(), a.storage().end(), b.storage().begin(), b.storage().end());
}

inline bool identical(const Solids& a, const Solids& b) {
    const auto same = [&](const field::MacGrid& l, const field::MacGrid& r) {
        return identical(l.x, r.x) && identical(l.y, r.y) && identical(l.z, r.z);
    };
    return identical(a.distance, b.distance) && same(a.aperture, b.aperture) && same(a.velocity, b.velocity) &&
           identical(a.volume, b.volume) && a.special_row == b.special_row && a.sticky_row == b.sticky_row;
}

}  // namespace phlo::flow
