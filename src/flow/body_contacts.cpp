#include "flow/body_contacts.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"

namespace phlo::flow {

BodyContacts::BodyContacts(const field::Domain& domain, std::span<const geom::Placement> before, std::span<const geom::Placement> after)
    : domain_(domain), before_(before), after_(after) {
    PHLO_CHECK(before.size() == after.size());
    for (std::size_t b = 0; b < after.size(); ++b) {
        PHLO_CHECK(before[b].body == after[b].body);
        const geom::Bounds box = after[b].body->shape.bounds();
        for (int corner = 0; corner < 8; ++corner) {
            const Vec3d p{corner & 1 ? box.upper.x : box.lower.x, corner & 2 ? box.upper.y : box.lower.y,
                          corner & 4 ? box.upper.z : box.lower.z};
            reach_ = std::max(reach_, length(after[b].pose.world_from_local(p) - before[b].pose.world_from_local(p)) / domain.h);
        }
    }
}

/// Sphere tracing: as far as half the skin, so that a point that keeps its distance passes.
BodyContacts::Walk BodyContacts::walk(const geom::Shape& shape, const Vec3d& from, const Vec3d& to) const {
    const double way = length(to - from), near = 0.5 * skin * domain_.h, min_step = 0.8 * near;
    double gone = 0;
    for (;;) {
        const Vec3d p = way > 0 ? from + (to - from) * (gone / way) : from;
        const double room = shape.quick_distance(p, way - gone + near);
        if (room < near) return {way > 0 ? gone / way : 0, true};
        if (room - near >= way - gone) return {};
        gone = std::min(gone + std::max(room - near, min_step), way);
    }
}

Vec3d BodyContacts::normal(const geom::Shape& shape, const Vec3d& p) const {
    const double e = 0.01 * domain_.h;
    const auto slope = [&](const Vec3d& step) { return shape.signed_distance(p + step) - shape.signed_distance(p - step); };
    const Vec3d g{slope({e, 0, 0}), slope({0, e, 0}), slope({0, 0, e})};
    const double size = length(g);
    return size > 0 ? g / size : Vec3d(0, 0, 1);
}

std::optional<BodyContact> BodyContacts::hold(std::size_t b, const Vec3f& from, Vec3f& to) const {
    const geom::Shape& shape = after_[b].body->shape;
    Vec3d p = before_[b].pose.local_from_world(world(from)), end = after_[b].pose.local_from_world(world(to));
    const double keep = skin * domain_.h, way = length(end - p);
    if (shape.quick_distance(end, way + keep) > way + keep) return {};

    bool met = false;
    Vec3d outward;
    constexpr int max_tries = 3;
    for (int n = 0; n < max_tries; ++n) {  // it may begin in the body, or nearer than points should be
        const double room = shape.signed_distance(p);
        if (room >= 0.75 * keep) break;
        outward = normal(shape, p), p += outward * (keep - room), met = true;
    }
    // A body that moves far in a step takes what is in its way along as it lies: pressed together on the surface it would be lost as water.
    const bool swept = length(after_[b].pose.world_from_local(p) - before_[b].pose.world_from_local(p)) > domain_.h;
    for (int n = 0;; ++n) {
        const Walk went = walk(shape, p, end);
        if (!went.met) {
            p = end;
            break;
        }
        met = true;
        if (swept) {
            outward = normal(shape, p + (end - p) * went.reached);
            break;
        }
        p += (end - p) * went.reached;
        outward = normal(shape, p);
        p += outward * std::max(keep - shape.signed_distance(p), 0.0);
        if (n == max_tries) break;
        end -= outward * std::min(dot(end - p, outward), 0.0);
    }
    if (!met) return {};
    const Vec3d now = after_[b].pose.world_from_local(p);
    to = Vec3f(domain_.grid_from_world(now));
    return BodyContact{Vec3f(after_[b].pose.rotation(outward)), Vec3f(after_[b].velocity_at(now))};
}

std::optional<BodyContact> BodyContacts::hold(const Vec3f& from, Vec3f& to) const {
    std::optional<BodyContact> last;
    constexpr int rounds = 3;  // out of one body may be into another
    for (int round = 0; round < rounds; ++round) {
        bool met = false;
        for (std::size_t b = 0; b < after_.size(); ++b) {
            const Vec3f wanted = to;
            if (const auto contact = hold(b, from, to)) last = contact, met = met || length(to - wanted) > 0.5f * float(skin);
        }
        if (!met || after_.size() == 1) break;
    }
    return last;
}

bool BodyContacts::free_way(const Vec3f& from, const Vec3f& to) const {
    for (const geom::Placement& p : after_)
        if (walk(p.body->shape, p.pose.local_from_world(world(from)), p.pose.local_from_world(world(to))).met) return false;
    return true;
}

}  // namespace phlo::flow
