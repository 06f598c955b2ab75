#include "models/liquid/drops.h"

#include <array>
#include <cmath>
#include <numbers>

#include "base/parallel.h"
#include "models/liquid/flight.h"
#include "particles/bins.h"
#include "particles/columns.h"

namespace phlo::models {
namespace {

constexpr double max_radius = 0.75;   ///< of drops that have coalesced [cells]
constexpr double max_poured = 0.1;    ///< into a cell in a step [cells]: more would have to leave it faster than a step can bear
constexpr int chunk = 1024;           ///< drops that one task moves

double sphere_volume(float radius) { return 4.0 / 3 * std::numbers::pi * double(radius) * double(radius) * double(radius); }
float sphere_radius(double volume) { return float(std::cbrt(volume * 3 / (4 * std::numbers::pi))); }

bool liquid(const LiquidAround& around, int i, int j, int k) {
    const Vec3i n = around.domain.cells;
    if (i < 0 || j < 0 || k < 0 || i >= n.x || j >= n.y || k >= n.z) return false;
    return (*around.phi)(i, j, k) < 0 && !(around.has_bodies() && around.solids->covered(i, j, k));
}

/// The lowest of the eight entries around a place, in cells, and what each of them counts in trilinear interpolation.
struct Eight {
    Vec3i first;
    Vec3f part;
    explicit Eight(const Vec3f& at) : first{int(std::floor(at.x)), int(std::floor(at.y)), int(std::floor(at.z))}, part(at - Vec3f(first)) {}
    Vec3i entry(int n) const { return first + Vec3i(n & 1, n >> 1 & 1, n >> 2); }
    double weight(int n) const {
        return double(n & 1 ? part.x : 1 - part.x) * double(n >> 1 & 1 ? part.y : 1 - part.y) * double(n >> 2 ? part.z : 1 - part.z);
    }
};

bool beside_liquid(const LiquidAround& around, const Vec3f& position) {
    const Eight eight(around.cells(position));
    for (int n = 0; n < 8; ++n)
        if (const Vec3i c = eight.entry(n); liquid(around, c.x, c.y, c.z)) return true;
    return false;
}

/// Does friction hold liquid together that is as large as a cell, and as fast? Then it throws no drops, and a marker that was lost is an error of the numbers: honey would sow
/// them over its plate.
bool held_together(const LiquidAround& around, const Vec3f& velocity, const Shares& shares, const Shares& warmth) {
    if (around.law == nullptr) return false;
    float log_viscosity = 0;
    for (std::size_t k = 0; k < shares.size(); ++k)
        if (shares[k] > 0) log_viscosity += shares[k] * around.law->log_viscosity(k, warmth[1]);
    return double(length(velocity)) * around.domain.h < double(std::exp(log_viscosity));
}

/// Shares of a drop for the entries around a place that `allowed` says, of their trilinear weights; none if there is no such entry.
template <class Allowed>
std::array<double, 8> shares(const Eight& eight, const Allowed& allowed) {
    std::array<double, 8> share{};
    double sum = 0;
    for (int n = 0; n < 8; ++n)
        if (allowed(eight.entry(n))) sum += share[std::size_t(n)] = eight.weight(n) + 1e-6;   // an entry without weight may be the only one
    for (double& s : share) s = sum > 0 ? s / sum : 0;
    return share;
}

/// Liquid, and no body so near that what is poured in would have to leave through a slit.
bool takes(const LiquidAround& around, const Vec3i& c) {
    return liquid(around, c.x, c.y, c.z) && !(around.has_bodies() && double(around.solids->distance(c.x, c.y, c.z)) < around.domain.h);
}

/// Into the cells around a place, as much of the volume as they take in this step. Returns how much that is.
double pour(const LiquidAround& around, const Vec3f& at, double volume, const Shares& shares_in, const Shares& warmth_in, field::Grid& divergence, Mixture& mixture, Mixture& warmth) {
    const double cell = std::pow(around.domain.h, 3), most = max_poured / around.dt;
    const Eight eight(at);
    const std::array<double, 8> share = shares(eight, [&](const Vec3i& c) { return takes(around, c); });
    double part = 1;
    for (int n = 0; n < 8; ++n)
        if (share[std::size_t(n)] > 0) {
            const Vec3i c = eight.entry(n);
            const double room = std::max(0.0, most - double(divergence(c.x, c.y, c.z)));
            part = std::min(part, room * cell * around.dt / (share[std::size_t(n)] * volume));
        }
    double poured = 0;
    for (int n = 0; n < 8; ++n)
        if (share[std::size_t(n)] > 0) {
            const Vec3i c = eight.entry(n);
            const double more = part * share[std::size_t(n)] * volume;
            divergence(c.x, c.y, c.z) += float(more / (cell * around.dt));
            if (mixture.any()) mixture.set(c.x, c.y, c.z, mixed(mixture.in_cell(c.x, c.y, c.z), shares_in, more / cell));
            if (warmth.any()) warmth.set(c.x, c.y, c.z, mixed(warmth.in_cell(c.x, c.y, c.z), warmth_in, more / cell));
            poured += more;
        }
    return part == 1 && poured > 0 ? volume : poured;
}

/// The momentum of what was poured.
void push(const LiquidAround& around, const Vec3f& at, const Vec3f& velocity, double volume, field::MacGrid& u) {
    const double cell = std::pow(around.domain.h, 3);
    for (int a = 0; a < 3; ++a) {
        Vec3f face = at;
        face[a] += 0.5f;
        const Eight faces(face);
        const std::array<double, 8> part = shares(faces, [&](const Vec3i& c) {
            if (c[a] <= 0 || c[a] >= around.domain.cells[a]) return false;   // walls have their own velocity
            if (around.has_bodies() && around.solids->aperture[a](c.x, c.y, c.z) == 0) return false;
            Vec3i before = c;
            before[a] -= 1;
            return liquid(around, c.x, c.y, c.z) || liquid(around, before.x, before.y, before.z);
        });
        for (int n = 0; n < 8; ++n)
            if (part[std::size_t(n)] > 0) {
                const Vec3i c = faces.entry(n);
                float& value = u[a](c.x, c.y, c.z);
                const double added = part[std::size_t(n)] * volume;
                value += float(added / (cell + added)) * (velocity[a] - value);
            }
    }
}

/// Drops that touch become one, in the order of the drops.
void coalesce(const LiquidAround& around, Drops& drops) {
    const std::size_t count = particles::count(drops);
    if (count < 2) return;
    const double most = max_radius * around.domain.h;
    particles::Bins bins;
    bins.build(drops.position, 2 * most);
    std::vector<std::uint8_t> gone(count, 0);
    for (std::size_t n = 0; n < count; ++n) {
        if (gone[n]) continue;
        bins.for_each_range(drops.position[n], [&](int first, int last) {
            for (int s = first; s < last; ++s) {
                const auto m = std::size_t(bins.order()[std::size_t(s)]);
                if (m <= n || gone[m]) continue;
                const float touch = drops.radius[n] + drops.radius[m];
                const Vec3f between = drops.position[m] - drops.position[n];
                if (!(dot(between, between) < touch * touch)) continue;
                const double own = sphere_volume(drops.radius[n]), other = sphere_volume(drops.radius[m]);
                const float radius = sphere_radius(own + other), share = float(other / (own + other));
                if (double(radius) > most) continue;
                drops.position[n] += between * share;
                drops.velocity[n] += (drops.velocity[m] - drops.velocity[n]) * share;
                drops.shares[n] = mixed(drops.shares[n], drops.shares[m], other / own);
                drops.warmth[n] = mixed(drops.warmth[n], drops.warmth[m], other / own);
                drops.radius[n] = radius;
                gone[m] = 1;
            }
        });
    }
    particles::remove_marked(gone, drops);
}

}  // namespace

double volume_of(const Drops& drops) {
    double sum = 0;
    for (const float radius : drops.radius) sum += sphere_volume(radius);
    return sum;
}

double volume_of(const Drops& drops, std::vector<Shares> Drops::* column, int which) {
    double sum = 0;
    for (std::size_t n = 0; n < particles::count(drops); ++n) sum += sphere_volume(drops.radius[n]) * double((drops.*column)[n][std::size_t(which)]);
    return sum;
}

double throw_drops(const flow::MarkerParams& params, const LiquidAround& around, const Mixture& mixture, const Mixture& warmth, flow::Markers& markers, Drops& drops) {
    const flow::Drops lost = flow::take_drops(params, around.domain, *around.phi, *around.u, markers);
    const float h = float(around.domain.h), share = sphere_radius(std::pow(around.domain.h, 3) / params.per_cell);
    Drops out;
    for (std::size_t n = 0; n < particles::count(lost); ++n) {
        const Vec3f at = around.cells(lost.position[n]);
        if (beside_liquid(around, lost.position[n])) {   // the water's after all: a marker again
            markers.inside.x.push_back(at.x), markers.inside.y.push_back(at.y), markers.inside.z.push_back(at.z);
            markers.inside.radius.push_back(lost.radius[n] / h);
            continue;
        }
        const Shares liquids = mixture.at(at), warm = warmth.at(at);
        if (held_together(around, lost.velocity[n], liquids, warm)) continue;
        out.position.push_back(lost.position[n]), out.velocity.push_back(lost.velocity[n]), out.radius.push_back(share), out.shares.push_back(liquids), out.warmth.push_back(warm);
    }
    particles::append(out, drops);
    return volume_of(out);
}

double fly_drops(const DropParams& params, const LiquidAround& around, Drops& drops) {
    const Flying flying{.gravity = around.gravity, .air_drag = params.air_drag};
    const std::size_t count = particles::count(drops);
    std::vector<std::uint8_t> left(count, 0);
    parallel_for(int((count + chunk - 1) / chunk), [&](int c) {
        for (std::size_t n = std::size_t(c) * chunk; n < std::min(count, (std::size_t(c) + 1) * chunk); ++n) {
            const Vec3f from = drops.position[n];
            if (around.level(from) < 0) {   // under water, waiting for a cell that takes it
                drops.velocity[n] = around.velocity(drops.position[n]);
                drops.position[n] += drops.velocity[n] * float(around.dt);
            } else {
                fly(flying, around.dt, drops.radius[n], drops.position[n], drops.velocity[n]);
            }
            left[n] = meet_solids(around, from, drops.position[n], drops.velocity[n]) == Met::open_wall;
        }
    });
    double gone = 0;
    for (std::size_t n = 0; n < count; ++n)
        if (left[n]) gone += sphere_volume(drops.radius[n]);
    particles::remove_marked(left, drops);
    coalesce(around, drops);
    return gone;
}

double return_drops(const LiquidAround& around, Drops& drops, field::MacGrid& u, field::Grid& divergence, Mixture& mixture, Mixture& warmth) {
    std::vector<std::uint8_t> back(particles::count(drops), 0);
    double volume = 0;
    for (std::size_t n = 0; n < back.size(); ++n) {
        if (around.level(drops.position[n]) >= drops.radius[n]) continue;
        const Vec3f at = around.cells(drops.position[n]);
        const double own = sphere_volume(drops.radius[n]), poured = pour(around, at, own, drops.shares[n], drops.warmth[n], divergence, mixture, warmth);
        if (!(poured > 0)) continue;
        push(around, at, drops.velocity[n], poured, u);
        back[n] = poured == own;
        if (!back[n]) drops.radius[n] = sphere_radius(own - poured);
        volume += own - (back[n] ? 0 : sphere_volume(drops.radius[n]));
    }
    particles::remove_marked(back, drops);
    return volume;
}

}  // namespace phlo::models
