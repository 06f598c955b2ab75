#include "models/liquid/flight.h"

namespace phlo::models {
namespace {

constexpr double sphere_drag = 0.5, air_to_water = 1.2e-3;   ///< coefficient of spheres at Re of 1e3 to 1e5; ratio of densities
constexpr float friction = 0.5f;                             ///< Coulomb's, of water on solids

/// A surface with normal n that moves with velocity w stops what moves into it.
void stop(const Vec3f& n, const Vec3f& w, Vec3f& velocity) {
    const Vec3f relative = velocity - w;
    const float into = -dot(relative, n);
    if (into <= 0) return;
    const Vec3f along = relative + n * into;
    const float speed = length(along);
    velocity = w + (speed > 0 ? along * std::max(0.0f, 1 - friction * into / speed) : Vec3f());
}

bool leave_bodies(const LiquidAround& around, Vec3f& position, Vec3f& velocity) {
    const float depth = -around.body_distance(position);
    if (!(depth > 0)) return false;
    const Vec3f at = around.cells(position);
    Vec3f slope;
    for (int a = 0; a < 3; ++a) {
        Vec3f half;
        half[a] = 0.5f;
        slope[a] = particles::sample(around.solids->distance, at + half) - particles::sample(around.solids->distance, at - half);
    }
    const float steep = length(slope);
    if (!(steep > 0.1f * float(around.domain.h))) return true;   // deep inside: stays until the body has passed
    const Vec3f n = slope / steep;
    stop(n, particles::sample(around.solids->velocity, at), velocity);
    position += n * (depth + 1e-3f * float(around.domain.h));
    return true;
}

}  // namespace

void fly(const Flying& how, double dt, float radius, Vec3f& position, Vec3f& velocity) {
    const double per_metre = how.air_drag * 0.375 * sphere_drag * air_to_water / double(radius);
    const Vec3d before(velocity), pushed = before + how.gravity * dt;
    const Vec3d after = pushed / (1 + per_metre * length(pushed) * dt);
    position = Vec3f(Vec3d(position) + (before + after) * (0.5 * dt));
    velocity = Vec3f(after);
}

Met meet_solids(const LiquidAround& around, Vec3f& position, Vec3f& velocity) {
    Met met = around.has_bodies() && leave_bodies(around, position, velocity) ? Met::solid : Met::nothing;
    const Vec3d lower = around.domain.origin, upper = around.domain.upper();
    for (int a = 0; a < 3; ++a)
        for (int s = 0; s < 2; ++s) {
            const bool beyond = s == 0 ? double(position[a]) < lower[a] : double(position[a]) > upper[a];
            if (!beyond) continue;
            if (around.walls[std::size_t(2 * a + s)].kind == flow::WallKind::open) return Met::open_wall;
            Vec3f n;
            n[a] = s == 0 ? 1.0f : -1.0f;
            stop(n, {}, velocity);
            position[a] = float(s == 0 ? lower[a] : upper[a]) + n[a] * 1e-3f * float(around.domain.h);
            met = Met::solid;
        }
    return met;
}

}  // namespace phlo::models
