#include "geom/contact.h"

#include <algorithm>
#include <cmath>

namespace phlo::geom {
namespace {

constexpr double longest_substep = 1.0 / 480;  ///< [s]
constexpr int iterations = 16;  ///< of the impulses in one sub-step
constexpr double resting_speed = 0.05;  ///< [m/s] what arrives more slowly does not bounce
constexpr double parting = 0.2;  ///< share of an overlap taken away in a sub-step

/// A mover or an obstacle: what has points, and what points may run into.
struct Solid {
    const Shape* shape;
    int mover;  ///< -1: an obstacle
    const Placement* placed;  ///< of an obstacle
    double friction, restitution;
    std::vector<TouchPoint> points;
    Pose pose{};
};

struct Contact {
    int a = -1, b = -1;  ///< movers; b = -1: something that does not give way
    Vec3d point, normal;  ///< normal points from b to a
    Vec3d other_velocity;  ///< at the point, if b = -1 [m/s]
    double gap = 0;  ///< [m]
    double friction = 0, restitution = 0;
    double target = 0;  ///< least normal velocity afterwards [m/s]
    double inverse_mass = 0;  ///< along the normal, at the point [1/kg]
    double pressed = 0;  ///< normal impulse so far [N s]
    Vec3d rubbed{};  ///< friction impulse so far [N s]
};

bool near(const Bounds& a, const Bounds& b, double margin) {
    for (int axis = 0; axis < 3; ++axis)
        if (a.lower[axis] > b.upper[axis] + margin || b.lower[axis] > a.upper[axis] + margin) return false;
    return true;
}

Vec3d outward(const Solid& s, const Vec3d& p) {
    const double e = 1e-4 * length(s.shape->bounds().size());
    const auto distance = [&](const Vec3d& q) { return s.shape->signed_distance(s.pose.local_from_world(q)); };
    const auto slope = [&](const Vec3d& step) { return distance(p + step) - distance(p - step); };
    const Vec3d g{slope({e, 0, 0}), slope({0, e, 0}), slope({0, 0, e})};
    const double size = length(g);
    return size > 0 ? g / size : Vec3d();
}

class Contacts {
public:
    Contacts(std::span<Mover> movers, const Obstacles& around) : movers_(movers), around_(around) {
        for (std::size_t m = 0; m < movers.size(); ++m)
            solids_.push_back(
                {movers[m].shape, int(m), nullptr, movers[m].friction, movers[m].restitution, touch_points(*movers[m].shape)});
        for (const Placement& p : around.placed)
            solids_.push_back({&p.body->shape, -1, &p, around.friction, around.restitution, touch_points(p.body->shape)});
        for (const Mover& m : movers) strongest_pull_ = std::max(strongest_pull_, length(m.acceleration));
    }

    /// Contacts that close within `dt`, or are within `reach` now. Obstacles have moved for `elapsed` seconds.
    void find(double elapsed, double dt, double reach) {
        contacts_.clear();
        for (Solid& s : solids_) s.pose = pose_after(s, elapsed);
        for (const Solid& owner : solids_) {
            if (owner.mover >= 0)
                for (const Plane& plane : around_.planes) meet(owner, plane, dt, reach);
            for (const Solid& other : solids_)
                if (&owner != &other && (owner.mover >= 0 || other.mover >= 0)) meet(owner, other, dt, reach);
        }
    }

    bool touches(int mover) const {
        return std::any_of(contacts_.begin(), contacts_.end(), [&](const Contact& c) { return c.a == mover || c.b == mover; });
    }

    void aim(double dt, bool bounce) {
        for (Contact& c : contacts_) {
            const double arriving = -dot(relative_velocity(c), c.normal);
            c.target = dt > 0 ? -std::max(c.gap, 0.0) / dt : 0.0;
            if (bounce && arriving > std::max(resting_speed, 4 * strongest_pull_ * dt)) c.target = rebound(c, arriving, dt);
            c.inverse_mass = inverse_mass(c, c.normal);
        }
    }

    void solve() {
        for (int round = 0; round < iterations; ++round)
            for (Contact& c : contacts_) {
                const double before = c.pressed, missing = c.target - dot(relative_velocity(c), c.normal);
                c.pressed = std::max(0.0, before + missing / c.inverse_mass);
                give(c, c.normal * (c.pressed - before));
                rub(c);
            }
    }

    void part() {
        for (const Contact& c : contacts_) {
            if (!(c.gap < 0)) continue;
            const double wa = 1 / body(c.a).mass.mass, wb = c.b < 0 ? 0.0 : 1 / body(c.b).mass.mass;
            const Vec3d shift = c.normal * (-parting * c.gap / ((wa + wb) * overlaps(c.a)));
            body(c.a).state.position += shift * wa;
            if (c.b >= 0) body(c.b).state.position -= shift * wb;
        }
    }

private:
    RigidBody& body(int mover) const { return *movers_[std::size_t(mover)].body; }

    Pose pose_after(const Solid& s, double elapsed) const {
        if (s.mover >= 0) return pose(body(s.mover));
        Pose now = s.placed->pose;
        now.position += s.placed->linear * elapsed;
        if (const double angle = length(s.placed->angular) * elapsed; angle > 0)
            now.rotation = Rotation::about(normalized(s.placed->angular), angle) * now.rotation;
        return now;
    }

    /// The speed after a bounce, e |v| but for this: the body turns back at the height `gap`, a little before it touches, and then rises
    /// for a whole sub-step unhindered. The pull's work on both ways is taken off, or each bounce would gain it.
    double rebound(const Contact& c, double arriving, double dt) const {
        const Vec3d& own = movers_[std::size_t(c.a)].acceleration;
        const Vec3d relative = c.b < 0 ? own : own - movers_[std::size_t(c.b)].acceleration;
        const double pull = std::max(0.0, -dot(relative, c.normal)), e2 = c.restitution * c.restitution, v = arriving - pull * dt;
        const double twice_energy = std::max(0.0, e2 * v * v - 2 * pull * std::max(c.gap, 0.0) * (1 - e2));
        return std::sqrt(pull * pull * dt * dt + twice_energy) - pull * dt;
    }

    double overlaps(int mover) const {
        return double(std::count_if(contacts_.begin(), contacts_.end(),
                                    [&](const Contact& c) { return c.gap < 0 && (c.a == mover || c.b == mover); }));
    }

    Vec3d relative_velocity(const Contact& c) const {
        return velocity_at(body(c.a), c.point) - (c.b < 0 ? c.other_velocity : velocity_at(body(c.b), c.point));
    }

    double inverse_mass(const Contact& c, const Vec3d& direction) const {
        double sum = 0;
        for (const int m : {c.a, c.b}) {
            if (m < 0) continue;
            const Vec3d arm = cross(c.point - body(m).state.position, direction);
            sum += 1 / body(m).mass.mass + dot(arm, inverse_inertia(body(m), arm));
        }
        return sum;
    }

    void give(const Contact& c, const Vec3d& impulse) {
        push(body(c.a), c.point, impulse);
        if (c.b >= 0) push(body(c.b), c.point, -impulse);
    }

    /// Friction: stops the sliding, with at most friction x the normal impulse.
    void rub(Contact& c) {
        const Vec3d v = relative_velocity(c), slide = v - c.normal * dot(v, c.normal), before = c.rubbed;
        const double speed = length(slide), most = c.friction * c.pressed;
        if (speed > 1e-12) c.rubbed -= slide / inverse_mass(c, slide / speed);
        if (const double size = length(c.rubbed); size > most) c.rubbed *= most / size;
        give(c, c.rubbed - before);
    }

    void add(Contact c, double friction, double restitution, double dt, double reach) {
        c.friction = std::sqrt(friction * movers_[std::size_t(c.a)].friction);
        c.restitution = std::min(restitution, movers_[std::size_t(c.a)].restitution);
        if (c.gap + dot(relative_velocity(c), c.normal) * dt < reach) contacts_.push_back(c);
    }

    void meet(const Solid& owner, const Plane& plane, double dt, double reach) {
        for (const TouchPoint& t : owner.points) {
            const Vec3d center = owner.pose.world_from_local(t.local);
            const double gap = dot(center, plane.normal) - plane.offset - t.radius;
            add({.a = owner.mover, .point = center - plane.normal * t.radius, .normal = plane.normal, .other_velocity = {}, .gap = gap},
                around_.friction, around_.restitution, dt, reach);
        }
    }

    /// How far the points of a solid may go in dt.
    double travel(const Solid& s, double dt) const {
        const double size = length(s.shape->bounds().size());
        if (s.mover < 0) return (length(s.placed->linear) + length(s.placed->angular) * size) * dt;
        return (length(body(s.mover).state.velocity) + length(angular_velocity(body(s.mover))) * size) * dt;
    }

    /// The points of `owner` against the surface of `other`; one of the two is a mover.
    void meet(const Solid& owner, const Solid& other, double dt, double reach) {
        const double margin = reach + travel(owner, dt) + travel(other, dt);
        if (!near(owner.pose.world_from_local(owner.shape->bounds()), other.pose.world_from_local(other.shape->bounds()), margin)) return;
        for (const TouchPoint& t : owner.points) {
            const Vec3d center = owner.pose.world_from_local(t.local);
            const double gap = other.shape->quick_distance(other.pose.local_from_world(center), margin + t.radius) - t.radius;
            if (gap > margin) continue;
            const Vec3d n = outward(other, center);
            if (n == Vec3d()) continue;
            Contact c{.a = owner.mover, .b = other.mover, .point = center - n * t.radius, .normal = n, .other_velocity = {}, .gap = gap};
            if (owner.mover < 0) c.a = other.mover, c.b = -1, c.normal = -n, c.other_velocity = owner.placed->velocity_at(c.point);
            if (other.mover < 0) c.other_velocity = other.placed->velocity_at(c.point);
            const Solid& second = owner.mover < 0 ? owner : other;
            add(c, second.friction, second.restitution, dt, reach);
        }
    }

    std::span<Mover> movers_;
    const Obstacles& around_;
    std::vector<Solid> solids_;
    std::vector<Contact> contacts_;
    double strongest_pull_ = 0;  ///< [m/s^2]
};

/// Sub-steps so short that nothing passes through anything as thick as itself.
int substeps(std::span<const Mover> movers, double dt) {
    double count = std::ceil(dt / longest_substep);
    for (const Mover& m : movers) {
        const Vec3d size = m.shape->bounds().size();
        const double thin = std::min({size.x, size.y, size.z}), speed = length(m.body->state.velocity) + length(m.acceleration) * dt;
        count = std::max(count, std::ceil(speed * dt / (0.25 * thin)));
    }
    return int(std::clamp(count, 1.0, 1000.0));
}

}  // namespace

void step_contacts(std::span<Mover> movers, const Obstacles& around, double dt) {
    const int parts = substeps(movers, dt);
    const double step = dt / parts;
    Contacts contacts(movers, around);
    std::vector<Vec3d> before(movers.size());
    for (int part = 0; part < parts; ++part) {
        for (std::size_t m = 0; m < movers.size(); ++m) {
            before[m] = movers[m].body->state.velocity;
            movers[m].body->state.velocity += movers[m].acceleration * step;
        }
        contacts.find(part * step, step, 0);
        contacts.aim(step, true);
        contacts.solve();
        for (std::size_t m = 0; m < movers.size(); ++m) {
            RigidBody& body = *movers[m].body;
            // A free fall is a parabola; what touches moves as the contacts allow.
            coast(body, step, contacts.touches(int(m)) ? body.state.velocity : (before[m] + body.state.velocity) * 0.5);
        }
        contacts.part();
    }
}

void stop_at_contacts(std::span<Mover> movers, const Obstacles& around, double reach) {
    Contacts contacts(movers, around);
    contacts.find(0, 0, reach);
    contacts.aim(0, false);
    contacts.solve();
}

}  // namespace phlo::geom
