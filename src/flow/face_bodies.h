// Faces beside bodies: how far off they are, whose they are, and how fast the body moves there.
#pragma once
#include <algorithm>

#include "flow/solids.h"

namespace phlo::flow {

inline Vec3i unit(int axis) {
    Vec3i e;
    e[axis] = 1;
    return e;
}

/// At the centre of a face: the mean of the cells on its two sides.
inline float face_distance(const Solids& solids, int axis, const Vec3i& f) {
    const Vec3i low = f - unit(axis);
    return 0.5f * (solids.distance(low.x, low.y, low.z) + solids.distance(f.x, f.y, f.z));
}

/// The body that a point belongs to: the one whose surface is nearest, or that it is deepest in.
inline const Solids::Placed& owner(const Solids& solids, const Vec3d& p) {
    const Solids::Placed* best = &solids.placed.front();
    double least = 1e300;
    for (const Solids::Placed& b : solids.placed) {
        if (solids.placed.size() == 1) break;
        const double d = b.signed_distance(p);
        if (d < least) least = d, best = &b;
    }
    return *best;
}

/// At the face's centre, where solids.velocity of a cut face is the mean over the covered part.
inline float body_velocity(const field::Domain& domain, const Solids& solids, int axis, const Vec3i& f) {
    const bool some_turn = std::any_of(solids.placed.begin(), solids.placed.end(), [](const auto& p) { return p.angular != Vec3d(); });
    if (!some_turn) return solids.velocity[axis](f.x, f.y, f.z);
    const Vec3d p = domain.face_center(axis, f.x, f.y, f.z);
    return float(owner(solids, p).velocity_at(p)[axis]);
}

/// 1 over the share of the way from a free face to one in a body that lies before the body; that share is held to [nearest, 1].
inline float wall_slope(const Solids& solids, int axis, const Vec3i& free, const Vec3i& stuck, float nearest) {
    const float outside = face_distance(solids, axis, free), inside = std::min(face_distance(solids, axis, stuck), 0.f);
    if (!(outside > 0)) return 1 / nearest;
    return 1 / std::clamp(outside / (outside - inside), nearest, 1.f);
}

}  // namespace phlo::flow
