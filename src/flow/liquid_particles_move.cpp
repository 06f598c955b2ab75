// Particles through the velocity field, in the box and past bodies.
#include <algorithm>
#include <bit>
#include <cmath>

#include "base/error.h"
#include "flow/body_contacts.h"
#include "flow/liquid_particles.h"
#include "flow/marker_packs.h"
#include "particles/columns.h"
#include "particles/sample_pack.h"

namespace phlo::flow {
namespace {

using simd::Float;
using simd::Float3;
using simd::Mask;

constexpr float inset = 1e-3f;  ///< particles keep this far from the box's walls [cells]

PHLO_INLINE Float3 ahead(const Float3& p, Float s, const Float3& v) { return {fma(s, v.x, p.x), fma(s, v.y, p.y), fma(s, v.z, p.z)}; }

PHLO_INLINE Float3 end_of_path(const particles::MacPackSampler& velocity, Trace trace, Float scale, const Float3& p) {
    const Float3 first = velocity(p.x, p.y, p.z), middle = ahead(p, Float(0.5f) * scale, first),
                 second = velocity(middle.x, middle.y, middle.z);
    if (trace == Trace::rk2) return ahead(p, scale, second);
    const Float3 late = ahead(p, Float(0.75f) * scale, second),
                 third = velocity(late.x, late.y, late.z);  // Ralston's, as the grid's traces
    return ahead(ahead(ahead(p, Float(2.0f / 9) * scale, first), Float(3.0f / 9) * scale, second), Float(4.0f / 9) * scale, third);
}

/// A chunk's worth of particles that were moved, before anything has held them.
struct Moved {
    alignas(64) float x[simd::width], y[simd::width], z[simd::width];
    unsigned near_bodies = 0;  ///< bit l: lane l must be looked at
};

class Mover {
public:
    Mover(const ParticleMotion& how, const field::MacGrid& u, LiquidParticles& set)
        : how_(how),
          h_(how.domain.h),
          cells_(u.layout().cells()),
          velocity_(u),
          contacts_(how.domain, how.before, how.after),
          set_(set),
          gone_(set.count(), 0) {
        PHLO_CHECK(!contacts_.any() || how.solid_distance != nullptr);
        if (how.walls != nullptr) open_ = open_walls(*how.walls);
    }

    PassedParticles run() {
        std::vector<PassedParticles> of_chunk((set_.count() + marker_chunk - 1) / marker_chunk);
        for_each_marker_chunk(set_.count(), [&](int c, std::size_t first, std::size_t last) {
            for (std::size_t n = first; n < last; n += simd::width) {
                const int lanes = int(std::min(last - n, std::size_t(simd::width)));
                Moved to;
                trace(n, lanes, to);
                for (int l = 0; l < lanes; ++l)
                    place(n + std::size_t(l), {to.x[l], to.y[l], to.z[l]}, (to.near_bodies >> l & 1) != 0, of_chunk[std::size_t(c)]);
            }
        });
        PassedParticles all;
        for (const PassedParticles& some : of_chunk) all.held += some.held, all.left += some.left;
        if (all.left > 0) particles::remove_marked(gone_, set_);
        return all;
    }

private:
    void trace(std::size_t n, int lanes, Moved& to) const {
        const Float3 p{load_lanes(&set_.x[n], lanes), load_lanes(&set_.y[n], lanes), load_lanes(&set_.z[n], lanes)};
        const Float scale(float(how_.dt / h_));
        Float3 end = end_of_path(velocity_, how_.trace, scale, p);
        unsigned flying = 0;
        for (int l = 0; l < lanes; ++l) flying |= unsigned(set_.flying[n + std::size_t(l)] != 0) << l;
        store(to.x, end.x), store(to.y, end.y), store(to.z, end.z);
        for (; flying; flying &= flying - 1) {
            const int l = std::countr_zero(flying);
            const std::size_t own = n + std::size_t(l);
            const float way = float(how_.dt / h_);
            to.x[l] = set_.x[own] + way * set_.u[own], to.y[l] = set_.y[own] + way * set_.v[own], to.z[l] = set_.z[own] + way * set_.w[own];
        }
        if (!contacts_.any()) return;
        // Seen from a body no path is longer than its own length and the body's way together. Where the body is farther from its end than
        // that, it was not met. Distances between cell centres may be wrong by a cell.
        end = {simd::load(to.x), simd::load(to.y), simd::load(to.z)};
        const Float3 path{end.x - p.x, end.y - p.y, end.z - p.z};
        const Float most = sqrt(fma(path.x, path.x, fma(path.y, path.y, path.z * path.z))) + Float(float(contacts_.reach()) + 1);
        const Float distance = particles::PackSampler(*how_.solid_distance, cells_)(end.x, end.y, end.z) * Float(float(1 / h_));
        to.near_bodies = simd::bits(distance <= min(most, Float(float(solid_band))));
    }

    void place(std::size_t n, Vec3f to, bool near_bodies, PassedParticles& passed) {
        const Vec3f from(set_.x[n], set_.y[n], set_.z[n]);
        Vec3f v(set_.u[n], set_.v[n], set_.w[n]);
        bool held = false;
        constexpr int rounds = 3;  // where a body meets a wall each may push a particle into the other
        for (int round = 0; round < rounds; ++round) {
            if (near_bodies)
                if (const auto contact = contacts_.hold(from, to)) {
                    v -= contact->normal * std::min(dot(v - contact->velocity, contact->normal), 0.0f);
                    held = true;
                }
            const int met = keep_in_box(to, v);
            if (met < 0) {
                ++passed.left, gone_[n] = 1;
                return;
            }
            held = held || met > 0;
            if (met == 0 || !near_bodies) break;
            if (round + 1 == rounds && !contacts_.free_way(to, to) && contacts_.free_way(from, from))
                to = from;  // no way out of the corner
        }
        passed.held += held;
        set_.x[n] = to.x, set_.y[n] = to.y, set_.z[n] = to.z;
        if (held) set_.u[n] = v.x, set_.v[n] = v.y, set_.w[n] = v.z;
    }

    /// Returns how many walls were met; -1: it left through an open one.
    int keep_in_box(Vec3f& to, Vec3f& v) const {
        int met = 0;
        for (int axis = 0; axis < 3; ++axis) {
            const float lower = -0.5f + inset, upper = float(cells_[axis]) - 0.5f - inset;
            if (to[axis] >= lower && to[axis] <= upper) continue;
            const bool above = to[axis] > upper;
            if (open_[std::size_t(2 * axis + above)]) return -1;
            to[axis] = above ? upper : lower, v[axis] = above ? std::min(v[axis], 0.0f) : std::max(v[axis], 0.0f);
            ++met;
        }
        return met;
    }

    const ParticleMotion& how_;
    double h_;
    Vec3i cells_;
    particles::MacPackSampler velocity_;
    BodyContacts contacts_;
    LiquidParticles& set_;
    std::array<bool, 6> open_{};
    std::vector<std::uint8_t> gone_;
};

}  // namespace

PassedParticles move_particles(const ParticleMotion& how, const field::MacGrid& u, LiquidParticles& set) {
    return Mover(how, u, set).run();
}

}  // namespace phlo::flow
