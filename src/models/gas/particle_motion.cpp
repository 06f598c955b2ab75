#include "models/gas/particle_motion.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "base/parallel.h"
#include "models/gas/particle_places.h"
#include "particles/sample.h"

namespace phlo::models {
namespace {

constexpr double air = 0.029;       ///< molar mass [kg/mol]
constexpr double margin = 0.02;     ///< distance that is kept from bodies and closed walls [cells]

struct Kick {
    Vec3f step, velocity;
};

/// Over dt towards the terminal velocity u + a τ, written so that nothing is lost where τ is long and that velocity is far away.
Kick drag(const Vec3f& v, const Vec3f& u, const Vec3f& a, double tau, double dt) {
    if (tau <= 1e-6 * dt) return {u * float(dt), u};
    const double x = dt / tau, lost = -std::expm1(-x), lag = lost / x;   // 1 - e^-x, and that over x
    const double rest = x < 1e-3 ? 0.5 - x / 6 : (1 - lag) / x;
    const Vec3f departure = u - v;
    return {(v + departure * float(1 - lag) + a * float(rest * dt)) * float(dt), v + departure * float(lost) + a * float(lag * dt)};
}

/// τ over the amount, of a species [s/mol].
double response_of(const MotionParams& params, std::uint8_t s) {
    if (s < params.kinds.size() && params.kinds[s].response_per_mol) return *params.kinds[s].response_per_mol;
    const double molar = s < params.molar_mass.size() && params.molar_mass[s] > 0 ? params.molar_mass[s] : air;
    return params.response / params.reference * molar / air;
}

Vec3f force_on(const MotionParams& params, std::uint8_t s) {
    return Vec3f(s < params.kinds.size() && params.kinds[s].force ? *params.kinds[s].force : params.force);
}

Vec3d outward(const field::Domain& domain, const flow::Solids* solids, const Vec3f& p) {
    const float e = float(0.05 * domain.h);
    Vec3d n;
    for (int axis = 0; axis < 3; ++axis) {
        Vec3f a = p, b = p;
        a[axis] -= e, b[axis] += e;
        n[axis] = body_distance(domain, solids, b) - body_distance(domain, solids, a);
    }
    const double size = length(n);
    return size > 0 ? n / size : Vec3d(0, 0, 1);
}

/// Out of a body along its distance's slope; false if it does not lead out.
bool push_out(const field::Domain& domain, const flow::Solids* solids, Vec3f& p) {
    const double keep = margin * domain.h;
    for (int turn = 0; turn < 12; ++turn) {
        const double d = body_distance(domain, solids, p);
        if (d >= 0.5 * keep) return true;
        p += Vec3f(outward(domain, solids, p) * (keep - d));
    }
    return body_distance(domain, solids, p) > 0;
}

/// The last place on the way to `step` outside bodies, and the share of the way that was gone. As far at a time as no body can be.
std::pair<Vec3f, float> walk(const field::Domain& domain, const flow::Solids* solids, const Vec3f& from, const Vec3f& step) {
    const double whole = double(length(step)), keep = 0.5 * margin * domain.h;
    double gone = 0;
    Vec3f here = from;
    for (int turn = 0; turn < 100 && gone < whole; ++turn) {
        const double d = body_distance(domain, solids, here), sure = d > 2 * domain.h ? d - domain.h : d;
        gone = std::min(whole, gone + std::max(0.9 * sure, keep));
        const Vec3f next = from + step * float(gone / whole);
        if (body_distance(domain, solids, next) < keep) return {here, float(gone / whole)};
        here = next;
    }
    return {here, whole > 0 ? float(gone / whole) : 1.0f};
}

}  // namespace

Vec3f slide(const field::Domain& domain, const flow::Solids* solids, const Vec3f& position, const Vec3f& step) {
    if (solids == nullptr || !solids->present()) return position + step;
    Vec3f start = position;
    if (body_distance(domain, solids, start) <= 0 && !push_out(domain, solids, start)) return position;
    const auto [stop, gone] = walk(domain, solids, start, step);
    if (gone >= 1) return stop;
    // What is left of the step goes on along the surface.
    const Vec3d n = outward(domain, solids, stop), rest = Vec3d(step) * double(1 - gone);
    const Vec3f along = Vec3f(rest - n * std::min(0.0, dot(rest, n)));
    Vec3f end = walk(domain, solids, stop, along).first;
    return push_out(domain, solids, end) ? end : stop;
}

MotionReport move(const ParticleStream& stream, const MotionParams& params, double dt, MaterialParticles& particles) {
    const field::Domain& domain = stream.domain;
    const int count = particles.count(), chunk_size = 128, chunks = (count + chunk_size - 1) / chunk_size;
    std::vector<std::uint8_t> gone(std::size_t(count), 0);
    const Vec3d lower = domain.origin + Vec3d(margin * domain.h), upper = domain.upper() - Vec3d(margin * domain.h);
    const double pushed = parallel_sum(chunks, [&](int chunk) {
        double carried = 0;
        for (int i = chunk * chunk_size; i < std::min(count, (chunk + 1) * chunk_size); ++i) {
            const std::size_t at = std::size_t(i);
            Vec3f &x = particles.position[at], &v = particles.velocity[at];
            if (particles.body[at] >= 0) {
                PHLO_CHECK(stream.solids != nullptr && std::size_t(particles.body[at]) < stream.solids->placed.size());
                const Vec3f before = x;
                x = Vec3f(stream.solids->placed[std::size_t(particles.body[at])].pose.world_from_local(Vec3d(particles.anchor[at])));
                if (dt > 0) v = (x - before) / float(dt);
                continue;
            }
            const std::uint8_t s = particles.species[at];
            const double tau = response_of(params, s) * particles.amount[at];
            const Vec3f start = particles::cells_from_world(domain, x);
            Vec3f push = force_on(params, s);
            if (stream.acceleration != nullptr) push += particles::sample(*stream.acceleration, start) * float(params.external);
            const Kick guess = drag(v, particles::sample(*stream.velocity, start), push, tau, 0.5 * dt);
            const Kick kick = drag(v, particles::sample(*stream.velocity, particles::cells_from_world(domain, x + guess.step)), push, tau, dt);
            if (stream.solids != nullptr && stream.solids->present() && body_distance(domain, stream.solids, x) <= 0) ++carried;
            x = slide(domain, stream.solids, x, kick.step);
            v = kick.velocity;
            for (int axis = 0; axis < 3; ++axis)
                for (const bool high : {false, true}) {
                    const double wall = high ? domain.upper()[axis] : domain.origin[axis];
                    if (high ? double(x[axis]) < wall : double(x[axis]) > wall) continue;
                    if (stream.walls[std::size_t(2 * axis + high)].kind == flow::WallKind::closed) {
                        x[axis] = float(high ? upper[axis] : lower[axis]);
                        v[axis] = 0;
                    } else {
                        gone[at] = 1;
                    }
                }
            // A wall may have pushed it back into a body.
            if (!gone[at] && body_distance(domain, stream.solids, x) <= 0) push_out(domain, stream.solids, x);
        }
        return carried;
    });

    MotionReport report;
    report.pushed = long(pushed);
    report.left.assign(256, 0);
    for (std::size_t i = 0; i < gone.size(); ++i)
        if (gone[i]) report.left[particles.species[i]] += particles.amount[i], ++report.gone;
    if (report.gone > 0) particles::remove_marked(gone, particles);
    return report;
}

}  // namespace phlo::models
