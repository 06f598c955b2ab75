#include "render/photons/photons.h"

#include <cmath>

#include "base/parallel_items.h"
#include "optics/phase.h"
#include "render/volumes/grid_walk.h"
#include "render/volumes/interior_flight.h"
#include "render/volumes/lattice.h"
#include "render/photons/photon_sources.h"

namespace phlo::render {
namespace {

constexpr double pi = std::numbers::pi;
constexpr float far_away = 1e30f;
constexpr int groups = 32;  // photons are followed in groups of fixed size, whose sums are added in order

}  // namespace

void PhotonLedger::add(const PhotonLedger& o) {
    emitted += o.emitted, absorbed_by_gas += o.absorbed_by_gas, absorbed_by_surfaces += o.absorbed_by_surfaces;
    absorbed_by_liquids += o.absorbed_by_liquids;
    escaped += o.escaped, roulette += o.roulette;
}

/// What one group of photons leaves behind.
struct PhotonMap::Tally {
    std::vector<Vec3f> gas, ground, corners;
    PhotonLedger ledger;
};

/// Follows photons of one group.
class PhotonMap::Tracer {
public:
    Tracer(const PhotonMap& map, const RenderScene& scene, const Medium& medium, const PhotonSources& sources, Tally& tally)
        : map_(map),
          scene_(scene),
          medium_(medium),
          sources_(sources),
          tally_(tally),
          eye_(scene.camera.position()) {}

    /// A photon with `share` of its source's power.
    void follow(const PhotonStart& from, float share, RandomStream& random) {
        Ray ray = from.ray;
        Vec3f power = from.power * share;
        Inside inside = from.from_outside ? Inside() : scene_.surfaces.around(ray.origin);
        bool in_gas = from.counts, on_surfaces = from.counts;
        tally_.ledger.emitted += Vec3d(power);
        const float start = strength(power);
        if (!(start > 0)) return;
        for (int bounce = 0; bounce < 10000; ++bounce) {
            const optics::Interior& filled = scene_.surfaces.interior(inside);
            const InteriorFlight flight = scene_.surfaces.flight(ray, inside, power, random);
            const auto hit = scene_.surfaces.hit(ray, inside, flight.way);
            const bool scattered = !hit && flight.way < far_away;
            Medium::Point gas;
            float way = hit ? hit->distance : std::min(flight.way, far_away);
            const bool collided = medium_.track(ray, way, random, [&](const Medium::Point& p, float majorant, float t) {
                if (!(random.next() * majorant < p.extinction)) return false;
                gas = p, way = t;
                return true;
            });
            if (in_gas) leave_in_gas(ray, way, power);
            if (filled.ior > 1) {
                const Vec3f kept = power * (scattered && !collided ? flight.scattered(way) : way < far_away ? flight.passed(way) : Vec3f(1.f));
                tally_.ledger.absorbed_by_liquids += Vec3d(power - kept);
                power = kept;
            }
            if (collided) {
                const Vec3f kept = power * gas.scattering / gas.extinction;
                tally_.ledger.absorbed_by_gas += Vec3d(power - kept);
                power = kept;
                ray = {ray.origin + ray.direction * way,
                       direction_around(ray.direction, optics::sample_phase(medium_.anisotropy(), random.next()), random.next())};
                on_surfaces = true;
            } else if (scattered) {
                ray = {ray.origin + ray.direction * way,
                       direction_around(ray.direction, optics::sample_phase(filled.anisotropy, random.next()), random.next())};
                on_surfaces = true;
            } else if (hit) {
                if (on_surfaces && (hit->material->diffuse() || hit->material->cloudy)) leave_on_surface(*hit, power);
                // Floor beyond the ball that light from outside meets first is accounted for otherwise.
                const bool beyond = from.from_outside && bounce == 0 && hit->ground && sources_.beyond(hit->point);
                const Bounce on = bounce_off_cloudy(*hit, ray.direction, random);
                const Vec3f kept = beyond ? Vec3f() : power * on.weight;
                tally_.ledger.absorbed_by_surfaces += Vec3d(power - kept);
                if (beyond) return;
                power = kept;
                ray = scene_.surfaces.onward(*hit, on.direction, inside);
                on_surfaces = on_surfaces || on.density != only_way;  // the caustic map has what clear surfaces alone send on
            } else {
                tally_.ledger.escaped += Vec3d(power);
                return;
            }
            in_gas = true;
            // Russian roulette once a photon is weak.
            const float left = strength(power) / start;
            if (left >= 0.2f) continue;
            const float chance = std::max(left / 0.2f, 0.02f);
            if (random.next() >= chance) {
                tally_.ledger.roulette += Vec3d(power);
                return;
            }
            tally_.ledger.roulette += Vec3d(power) * (1 - 1 / double(chance));
            power = power / chance;
        }
        tally_.ledger.roulette += Vec3d(power);
    }

private:
    static float strength(const Vec3f& power) { return std::max({power.x, power.y, power.z}); }

    /// Light along a flight: into every coarse cell by the way in it.
    void leave_in_gas(const Ray& ray, float distance, const Vec3f& power) {
        if (map_.gas_.empty()) return;
        const Vec3f start = (ray.origin - map_.origin_) / map_.h_;
        const float g = medium_.anisotropy();
        walk_cells(map_.count_, start, ray.direction, distance / map_.h_, [&](const Vec3i& cell, float from, float to) {
            const Vec3f middle = map_.origin_ + (start + ray.direction * (0.5f * (from + to))) * map_.h_;
            const float share = g == 0 ? 0.0795774715f : optics::phase(dot(ray.direction, normalized(eye_ - middle)), g);
            tally_.gas[map_.index(cell.x, cell.y, cell.z)] += power * (share * (to - from));
        });
    }

    void leave_on_surface(const Hit& hit, const Vec3f& power) {
        if (!hit.ground) {
            for (std::size_t c = 0; c < 3; ++c) tally_.corners[std::size_t(hit.corners[c])] += power * hit.weights[c];
            return;
        }
        const float x = (hit.point.x - map_.ground_low_.x) / map_.ground_step_, y = (hit.point.y - map_.ground_low_.y) / map_.ground_step_;
        constexpr int n = ground_nodes;
        if (!(x >= 0 && y >= 0 && x < n - 1 && y < n - 1)) return;  // too far away to be seen again
        const int i = int(x), j = int(y);
        const float fx = x - float(i), fy = y - float(j);
        for (int b = 0; b < 2; ++b)
            for (int a = 0; a < 2; ++a) tally_.ground[std::size_t((j + b) * n + i + a)] += power * ((a ? fx : 1 - fx) * (b ? fy : 1 - fy));
    }

    const PhotonMap& map_;
    const RenderScene& scene_;
    const Medium& medium_;
    const PhotonSources& sources_;
    Tally& tally_;
    Vec3f eye_;
};

PhotonMap::PhotonMap(const RenderScene& scene, const Medium& medium, const EmissionSampler& fire, const PhotonSettings& settings) {
    const field::Domain& domain = scene.volume.room;
    const Vec3d size = domain.size();
    const double longest = std::max({size.x, size.y, size.z});
    // Coarse cells of a size of their own: they need not fit the volume's cells, but never are smaller.
    h_ = float(std::max(longest / settings.cells, domain.h));
    scale_ = float(domain.h) / h_;
    origin_ = Vec3f(domain.origin);
    shift_ = Vec3f(scene.volume.shift()) + Vec3f(0.5f);
    for (int axis = 0; axis < 3; ++axis) count_[axis] = std::max(1, int(std::ceil(size[axis] / double(h_) - 1e-4)));
    if (!scene.volume.empty()) gas_.resize(index(0, 0, count_.z));
    const double widest = longest_side(scene.bounds);
    ground_low_ = Vec3f(scene.bounds.center() - Vec3d(1.5 * widest));
    ground_step_ = float(3 * widest / (ground_nodes - 1));
    ground_.resize(std::size_t(ground_nodes) * ground_nodes);
    corners_.resize(scene.surfaces.corner_areas().size());

    const PhotonSources sources(scene, fire);
    const auto counts = sources.counts(settings.photons, groups);
    const auto follow = [&](int group) {
        Tally tally;
        tally.gas.resize(gas_.size()), tally.ground.resize(ground_.size()), tally.corners.resize(corners_.size());
        Tracer tracer(*this, scene, medium, sources, tally);
        for (std::uint32_t kind = 0; kind < PhotonSources::kinds; ++kind)
            for (int n = 0; n < counts[kind] / groups; ++n) {
                RandomStream random({.seed = settings.seed, .step = std::uint32_t(group), .stream = 0xf070 + kind}, std::uint32_t(n));
                if (const auto start = sources.start(kind, random)) tracer.follow(*start, 1 / float(counts[kind]), random);
            }
        return tally;
    };
    const float gas_scale = 1 / (h_ * h_), ground_scale = 1 / (ground_step_ * ground_step_ * float(pi));  // a way in coarse cells over h^3
    sum_in_order(groups, follow, [&](const Tally& tally) {
        ledger_.add(tally.ledger);
        for (std::size_t n = 0; n < gas_.size(); ++n) gas_[n] += tally.gas[n] * gas_scale;
        for (std::size_t n = 0; n < ground_.size(); ++n) ground_[n] += tally.ground[n] * ground_scale;
        for (std::size_t n = 0; n < corners_.size(); ++n)
            corners_[n] += tally.corners[n] / std::max(1e-12f, scene.surfaces.corner_areas()[n] * float(pi));
    });
}

Vec3f PhotonMap::in_gas(const Vec3f& grid_point) const {
    if (gas_.empty()) return {};
    // Quadratic B-spline over the cell and its neighbours; beyond the edge the outermost cell counts.
    const Vec3f p = (grid_point + shift_) * scale_;
    Vec3f w[3];
    Vec3i cell;
    for (int axis = 0; axis < 3; ++axis) {
        cell[axis] = std::clamp(int(p[axis]), 0, count_[axis] - 1);
        const float t = std::clamp(p[axis] - float(cell[axis]) - 0.5f, -0.5f, 0.5f);
        w[0][axis] = 0.5f * (0.5f - t) * (0.5f - t), w[1][axis] = 0.75f - t * t, w[2][axis] = 0.5f * (0.5f + t) * (0.5f + t);
    }
    Vec3f sum;
    for (int c = 0; c < 3; ++c)
        for (int b = 0; b < 3; ++b)
            for (int a = 0; a < 3; ++a) {
                const Vec3i q = min(max(cell + Vec3i(a - 1, b - 1, c - 1), Vec3i()), count_ - Vec3i(1));
                sum += gas_[index(q.x, q.y, q.z)] * (w[a].x * w[b].y * w[c].z);
            }
    return sum;
}

Vec3f PhotonMap::on(const Hit& hit) const {
    Vec3f sum;
    if (!hit.ground) {
        for (std::size_t c = 0; c < 3; ++c) sum += corners_[std::size_t(hit.corners[c])] * hit.weights[c];
        return sum;
    }
    const float x = (hit.point.x - ground_low_.x) / ground_step_, y = (hit.point.y - ground_low_.y) / ground_step_;
    constexpr int n = ground_nodes;
    if (!(x >= 0 && y >= 0 && x < n - 1 && y < n - 1)) return {};
    const int i = int(x), j = int(y);
    const float fx = x - float(i), fy = y - float(j);
    for (int b = 0; b < 2; ++b)
        for (int a = 0; a < 2; ++a) sum += ground_[std::size_t((j + b) * n + i + a)] * ((a ? fx : 1 - fx) * (b ? fy : 1 - fy));
    return sum;
}

}  // namespace phlo::render
