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

bool stop_at_bodies(const LiquidAround& around, const Vec3f& from, Vec3f& position, Vec3f& velocity) {
    // A path that touches a body is at least as long as the distances of its ends to it together (flow/markers.cpp).
    const float reach = length(position - from) + float((2 * around.contacts->reach() + 1) * around.domain.h);
    if (around.body_distance(from) + around.body_distance(position) >= reach) return false;
    Vec3f to = around.cells(position);
    const auto contact = around.contacts->hold(around.cells(from), to);
    if (!contact) return false;
    stop(contact->normal, contact->velocity, velocity);
    position = Vec3f(around.domain.origin + (Vec3d(to) + Vec3d(0.5)) * around.domain.h);
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

Met meet_solids(const LiquidAround& around, const Vec3f& from, Vec3f& position, Vec3f& velocity) {
    Met met = around.contacts != nullptr && around.contacts->any() && stop_at_bodies(around, from, position, velocity) ? Met::solid : Met::nothing;
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
