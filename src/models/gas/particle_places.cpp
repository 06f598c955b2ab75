#include "models/gas/particle_places.h"

#include <numbers>

#include "particles/sample.h"

namespace phlo::models {

double body_distance(const field::Domain& domain, const flow::Solids* solids, const Vec3f& place) {
    if (solids == nullptr || !solids->present()) return 1e30;
    // The interpolated distance is off by less than a cell's diagonal: farther away there is nothing to measure.
    const double near = double(particles::sample(solids->distance, particles::cells_from_world(domain, place)));
    if (near > 2 * domain.h) return near;
    double least = near > 0 ? 3 * domain.h : 1e30;
    for (const flow::Solids::Placed& placed : solids->placed) {
        const geom::Bounds box = placed.body->shape.bounds();
        const Vec3d local = placed.pose.local_from_world(Vec3d(place));
        bool beside = false;
        for (int axis = 0; axis < 3; ++axis)
            beside = beside || local[axis] < box.lower[axis] - 3 * domain.h || local[axis] > box.upper[axis] + 3 * domain.h;
        if (!beside) least = std::min(least, placed.body->shape.signed_distance(local));
    }
    return least;
}

bool in_gas(const field::Domain& domain, const flow::Solids* solids, const Vec3f& place) {
    const Vec3d p(place), upper = domain.upper();
    for (int axis = 0; axis < 3; ++axis)
        if (!(p[axis] > domain.origin[axis] && p[axis] < upper[axis])) return false;
    return body_distance(domain, solids, place) > 0;
}

Vec3f in_sphere(const Vec3f& centre, double radius, const std::array<float, 4>& u) {
    const double r = radius * std::cbrt(double(u[0])), z = 2 * double(u[1]) - 1, angle = 2 * std::numbers::pi * double(u[2]);
    const double side = std::sqrt(std::max(0.0, 1 - z * z));
    return centre + Vec3f(Vec3d(side * std::cos(angle), side * std::sin(angle), z) * r);
}

}  // namespace phlo::models
