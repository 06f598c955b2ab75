// What bodies do to the viscosity of the liquid around them.
#include <algorithm>
#include <cmath>

#include "base/parallel.h"
#include "flow/face_bodies.h"
#include "flow/viscosity_system.h"

namespace phlo::flow {
namespace {

using field::MacGrid;

constexpr float nearest_wall = 0.01f;  ///< theta is held to [this, 1]

}  // namespace

bool ViscousSystem::near_body(const Solids& solids, int j, int k) const {
    if (!solids.present()) return false;
    for (const int kk : {k - 1, k})
        for (const int jj : {j - 1, j}) {
            if (jj < 0 || kk < 0) continue;
            const Solids::Span s = solids.span[row_index(jj, kk)];
            if (s.first < s.last) return true;
        }
    return false;
}

/// Finds the faces that bodies hold, and gives those their velocity that liquid sticks to. A face in part open belongs to a body that liquid
/// sticks to if its centre does.
void ViscousSystem::classify_faces(const Solids& solids, MacGrid& u) {
    if (!solids.present()) {
        for (auto& kinds : kind_) kinds.clear();
        return;
    }
    const auto no_slip = [](const Solids::Placed& p) { return p.body->no_slip; };
    const bool some = std::any_of(solids.placed.begin(), solids.placed.end(), no_slip), all = std::all_of(solids.placed.begin(), solids.placed.end(), no_slip);
    for (auto& kinds : kind_) kinds.assign(layout_.size(), std::uint8_t(Face::free));
    parallel_for(layout_.nz() + 1, [&](int k) {
        for (int axis = 0; axis < 3; ++axis) {
            const Vec3i extent = field::face_extent(layout_, axis);
            if (k >= extent.z) continue;
            for (int j = 0; j < extent.y; ++j) {
                const Solids::Span s = solids.span[row_index(j, k)];
                for (int i = s.first; i <= std::min(s.last, extent.x - 1) && s.first < s.last; ++i) {
                    const bool closed = solids.aperture[axis](i, j, k) == 0;
                    if (!closed && !(some && face_distance(solids, axis, {i, j, k}) <= 0)) continue;
                    const bool stuck = some && (all || owner(solids, domain_.face_center(axis, i, j, k)).body->no_slip);
                    if (stuck) u[axis](i, j, k) = body_velocity(domain_, solids, axis, {i, j, k});
                    if (stuck || closed) kind_[std::size_t(axis)][std::size_t(layout_.offset(i, j, k))] = std::uint8_t(stuck ? Face::stuck : Face::held);
                }
            }
        }
    });
}

/// The two faces of a cell along each axis.
void ViscousSystem::weigh_cells_at_bodies(const Solids& solids, int j, int k, std::vector<Stress>& moved) {
    float* plain = cell_.row(j, k);
    std::uint8_t& differs = cell_differs_[row_index(j, k)];
    for (int i = 0; i < layout_.nx(); ++i)
        for (int axis = 0; axis < 3 && plain[i] != 0; ++axis) {
            const Vec3i low(i, j, k), high = low + unit(axis);
            const bool stuck_low = face(axis, low.x, low.y, low.z) == Face::stuck, stuck_high = face(axis, high.x, high.y, high.z) == Face::stuck;
            if (!stuck_low && !stuck_high) continue;
            if (differs == 0)
                for (int a = 0; a < 3; ++a) std::copy_n(plain, layout_.nx() + 1, cell_stuck_[a].row(j, k));
            differs = 1;
            const float slope = stuck_low && stuck_high ? 0.f : stuck_low ? wall_slope(solids, axis, high, low, nearest_wall) : wall_slope(solids, axis, low, high, nearest_wall);
            float& weight = cell_stuck_[axis](i, j, k);
            weight *= slope * slope;
            const float tau = -weight * (body_velocity(domain_, solids, axis, high) - body_velocity(domain_, solids, axis, low));
            if (tau != 0) moved.push_back({std::uint8_t(3 + axis), std::int16_t(i), std::int16_t(j), std::int16_t(k), tau});
        }
}

/// The four faces around an edge: with one of them in a body along which liquid slips there is no shear.
void ViscousSystem::weigh_edges_at_bodies(const Solids& solids, int along, int j, int k, std::vector<Stress>& moved) {
    const int b = (along + 1) % 3, c = (along + 2) % 3;
    float* lead = edge_[along].row(j, k);
    for (int i = 0; i < layout_.nx() + (along != 0); ++i) {
        if (lead[i] == 0) continue;
        const Vec3i at(i, j, k), before_c = at - unit(c), before_b = at - unit(b);
        const Face kinds[4] = {face(b, before_c.x, before_c.y, before_c.z), face(b, i, j, k), face(c, before_b.x, before_b.y, before_b.z), face(c, i, j, k)};
        const auto any = [&](Face kind) { return std::any_of(kinds, kinds + 4, [&](Face f) { return f == kind; }); };
        if (any(Face::held)) {
            drop_edge(along, i, j, k);
            continue;
        }
        if (!any(Face::stuck)) continue;
        float& second = second_edges(along, j, k)[i];
        const auto slope = [&](int axis, const Vec3i& before, Face low, Face high) {
            if (low != Face::stuck && high != Face::stuck) return 1.f;
            if (low == Face::stuck && high == Face::stuck) return 0.f;
            return low == Face::stuck ? wall_slope(solids, axis, at, before, nearest_wall) : wall_slope(solids, axis, before, at, nearest_wall);
        };
        lead[i] *= slope(b, before_c, kinds[0], kinds[1]);
        second *= slope(c, before_b, kinds[2], kinds[3]);
        const auto change = [&](int axis, const Vec3i& before) { return body_velocity(domain_, solids, axis, at) - body_velocity(domain_, solids, axis, before); };
        const float tau = -(lead[i] * change(b, before_c) + second * change(c, before_b));
        if (tau != 0) moved.push_back({std::uint8_t(along), std::int16_t(i), std::int16_t(j), std::int16_t(k), tau});
    }
}

// The strain next to a moving body is that of u - w, w being the body's velocity continued into the liquid, since a rigid motion has none
// itself. A applied to u has the velocity of the covered faces in it instead; the stresses in `moved` are the difference.
void ViscousSystem::add_motion(MacGrid& residual) const {
    for (const Stress& stress : moved_) {
        const Vec3i at(stress.i, stress.j, stress.k);
        const auto push = [&](int axis, const Vec3i& f, float force) {
            if (inverse_[axis](f.x, f.y, f.z) != 0) residual[axis](f.x, f.y, f.z) += force;
        };
        if (stress.kind >= 3) {
            const int axis = stress.kind - 3;
            push(axis, at, stress.tau), push(axis, at + unit(axis), -stress.tau);
            continue;
        }
        const int along = stress.kind, b = (along + 1) % 3, c = (along + 2) % 3;
        const float lead = edge_row(along, b, at.y, at.z)[at.x] * stress.tau, second = edge_row(along, c, at.y, at.z)[at.x] * stress.tau;
        push(b, at, -lead), push(b, at - unit(c), lead);
        push(c, at, -second), push(c, at - unit(b), second);
    }
}

}  // namespace phlo::flow
