#include "models/liquid/thin_bodies.h"

#include <algorithm>
#include <limits>

#include "particles/sample.h"

namespace phlo::models {
namespace {

constexpr int max_thickness = 2;   ///< of walls that are asked for [cells]: the level set ends in thicker ones by itself
constexpr double min_slope = 0.5;  ///< of the distance behind a wall that is crossed rather than grazed: a ball's side is no thin wall
constexpr int narrowings = 12;     ///< each leaves two thirds of the way on which the middle of a wall is sought

}  // namespace

ThinBodies::ThinBodies(const field::Domain& domain, const field::Grid& phi, const field::Grid& distance, std::vector<geom::Placement> placements)
    : domain_(domain), phi_(phi), distance_(distance), placements_(std::move(placements)) {}

double ThinBodies::exact_distance(const Vec3d& p) const {
    double least = std::numeric_limits<double>::infinity();
    for (const geom::Placement& placed : placements_) least = std::min(least, placed.body->shape.quick_distance(placed.pose.local_from_world(p), domain_.h));
    return least;
}

/// Whether there is liquid on this side of the body that `inside` may be in.
bool ThinBodies::is_before_wall(Vec3d inside, const Vec3d& back) const {
    for (int cell = 0; cell <= max_thickness; ++cell, inside += back * domain_.h)
        if (exact_distance(inside) >= 0) return particles::sample(phi_, Vec3f(domain_.grid_from_world(inside))) < 0;
    return false;
}

double ThinBodies::operator()(const Vec3d& inside, const Vec3d& surface) const {
    const double h = domain_.h, near = double(particles::sample(distance_, Vec3f(domain_.grid_from_world(surface))));
    if (near > h || near < -0.25 * h) return 1;   // most points: far from bodies, or well in one
    const Vec3d way = surface - inside;
    const double behind = exact_distance(surface), step = 0.01 * h;
    if (behind <= 0 || exact_distance(inside) + behind >= length(way)) return 1;   // in the body, or no room for one in between
    const Vec3d forward = normalized(way);
    if (behind - exact_distance(surface - forward * step) < min_slope * step || !is_before_wall(inside, -forward)) return 1;
    double low = 0, high = 1;   // across a wall the distance falls to its middle, then rises
    for (int n = 0; n < narrowings; ++n) {
        const double third = (high - low) / 3;
        if (exact_distance(inside + way * (low + third)) < exact_distance(inside + way * (high - third))) high -= third;
        else low += third;
    }
    const double middle = 0.5 * (low + high);
    return exact_distance(inside + way * middle) < 0 ? middle : 1;
}

}  // namespace phlo::models
