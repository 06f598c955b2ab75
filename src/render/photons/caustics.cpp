#include "render/photons/caustics.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/parallel_items.h"
#include "render/volumes/interior_flight.h"

namespace phlo::render {
namespace {

constexpr float pi = std::numbers::pi_v<float>, far_away = 1e30f;

/// The plane across the sun's light, in squares; those that clear triangles may lie in.
struct SunPattern {
    static constexpr int size = 128;
    Sides side;
    float low_u = 0, low_v = 0, square = 0;  ///< [m]
    float height = 0;                        ///< along the light, above everything [m]
    std::vector<int> squares;

    SunPattern(const Surfaces& surfaces, const Vec3f& to_sun) : side(to_sun) {
        float high_u = -far_away, high_v = -far_away;
        low_u = low_v = far_away, height = -far_away;
        const auto for_clear = [&](const auto& visit) {
            surfaces.for_each_triangle([&](const Vec3f& a, const Vec3f& b, const Vec3f& c, const Material& material) {
                if (!material.clear()) return;
                const float u[3] = {dot(a, side.u), dot(b, side.u), dot(c, side.u)}, v[3] = {dot(a, side.v), dot(b, side.v), dot(c, side.v)};
                visit(std::min({u[0], u[1], u[2]}), std::max({u[0], u[1], u[2]}), std::min({v[0], v[1], v[2]}), std::max({v[0], v[1], v[2]}),
                      std::max({dot(a, to_sun), dot(b, to_sun), dot(c, to_sun)}));
            });
        };
        for_clear([&](float u0, float u1, float v0, float v1, float top) {
            low_u = std::min(low_u, u0), high_u = std::max(high_u, u1), low_v = std::min(low_v, v0), high_v = std::max(high_v, v1);
            height = std::max(height, top);
        });
        if (!(high_u > low_u)) return;
        square = 1.0001f * std::max(high_u - low_u, high_v - low_v) / size;
        std::vector<char> held(std::size_t(size) * size);
        for_clear([&](float u0, float u1, float v0, float v1, float) {
            for (int j = int((v0 - low_v) / square); j <= int((v1 - low_v) / square); ++j)
                for (int i = int((u0 - low_u) / square); i <= int((u1 - low_u) / square); ++i) held[std::size_t(j * size + i)] = 1;
        });
        for (int n = 0; n < size * size; ++n)
            if (held[std::size_t(n)]) squares.push_back(n);
    }
};

bool meets_box(const Ray& ray, const Vec3f& low, const Vec3f& high) {
    float from = 0, to = far_away;
    for (int axis = 0; axis < 3; ++axis) {
        const float inverse = 1 / ray.direction[axis], a = (low[axis] - ray.origin[axis]) * inverse, b = (high[axis] - ray.origin[axis]) * inverse;
        from = std::max(from, std::min(a, b)), to = std::min(to, std::max(a, b));
    }
    return from <= to;
}

}  // namespace

/// What one group of photons leaves behind.
struct CausticMap::Tally {
    std::vector<Photon> photons;
};

class CausticMap::Tracer {
public:
    /// `spread`: tangent of the apparent radius of what shines.
    Tracer(const RenderScene& scene, const Medium& medium, float spread, Tally& tally)
        : scene_(scene), medium_(medium), spread_(spread), tally_(tally) {}

    void follow(const Ray& ray, const Inside& inside, const Vec3f& power, RandomStream& random, int borders = 0) const {
        Ray now = ray;
        Inside in = inside;
        Vec3f left = power;
        const float start = strength(power);
        for (int n = borders; n < 32; ++n) {
            const auto hit = scene_.surfaces.hit(now, in);
            if (!hit) return;
            left = left * scene_.surfaces.passed(in, now, hit->distance);
            if (!scene_.volume.empty()) left *= std::exp(-medium_.depth(now, hit->distance));
            const Material& material = *hit->material;
            if (!material.clear()) {
                if (n == 0 || !material.diffuse()) return;
                // A disc's light and a smooth hill's are as wide if the hill's radius is the square root of two times the disc's.
                tally_.photons.push_back({hit->point, left, hit->normal, std::numbers::sqrt2_v<float> * hit->distance * spread_ / scene_.surfaces.interior(in).ior});
                return;
            }
            if (strength(left) < 0.02f * start) {
                if (random.next() * 0.02f * start >= strength(left)) return;
                left = left * (0.02f * start / strength(left));
            }
            if (material.cloudy && hit->inside) return;
            Bounce on = bounce(*hit, now.direction, random, Carried::power);
            if (material.cloudy) {
                // What enters it comes out in all directions.
                on = {on_side(*hit, mirrored(now.direction, hit->normal), true), Vec3f(fresnel(-dot(now.direction, hit->normal), hit->ratio)), only_way};
            } else if (material.dielectric() && n < split) {
                const float share = fresnel(-dot(now.direction, hit->normal), hit->ratio);
                const Vec3f back = on_side(*hit, mirrored(now.direction, hit->normal), true);
                Inside there = in;
                const Ray aside = scene_.surfaces.onward(*hit, back, there);
                follow(aside, there, left * share, random, n + 1);
                if (!(share < 1)) return;
                on = {on_side(*hit, refracted(now.direction, hit->normal, hit->ratio), false), Vec3f(1 - share), only_way};
            }
            left = left * on.weight;
            now = scene_.surfaces.onward(*hit, on.direction, in);
        }
    }

private:
    static constexpr int split = 2;  // borders at which both parts go on
    static float strength(const Vec3f& power) { return std::max({power.x, power.y, power.z}); }

    const RenderScene& scene_;
    const Medium& medium_;
    float spread_;
    Tally& tally_;
};

CausticMap::CausticMap(const RenderScene& scene, const Medium& medium, const CausticSettings& settings) {
    const Surfaces& surfaces = scene.surfaces;
    const Lights& lights = scene.lights;
    Vec3f low(far_away), high(-far_away);
    surfaces.for_each_triangle([&](const Vec3f& a, const Vec3f& b, const Vec3f& c, const Material& material) {
        if (material.clear()) low = min(low, min(a, min(b, c))), high = max(high, max(a, max(b, c)));
    });
    if (!(high.x >= low.x)) return;
    constexpr int groups = 64;
    const auto collect = [&](float spread, const auto& shoot) {
        sum_in_order(
            groups,
            [&](int group) {
                Tally tally;
                shoot(group, Tracer(scene, medium, spread, tally));
                return tally;
            },
            [&](const Tally& tally) { photons_.insert(photons_.end(), tally.photons.begin(), tally.photons.end()); });
    };
    if (!(lights.sun == Vec3f())) {
        const SunPattern pattern(surfaces, lights.to_sun);
        const int across = std::max(1, int(std::lround(std::sqrt(double(settings.photons) / double(std::max<std::size_t>(1, pattern.squares.size())))))), each = across * across;
        const float step = pattern.square / float(across);
        const Vec3f power = lights.sun * (step * step);
        collect(lights.sun_spread, [&](int group, const Tracer& tracer) {
            for (std::size_t s = std::size_t(group); s < pattern.squares.size(); s += groups) {
                const int square = pattern.squares[s], i = square % SunPattern::size, j = square / SunPattern::size;
                RandomStream random({.seed = settings.seed, .stream = 0xca51}, std::uint32_t(square));
                for (int n = 0; n < each; ++n) {
                    const float u = pattern.low_u + float(i) * pattern.square + (float(n % across) + random.next()) * step;
                    const float v = pattern.low_v + float(j) * pattern.square + (float(n / across) + random.next()) * step;
                    const Vec3f from = pattern.side.u * u + pattern.side.v * v + lights.to_sun * (pattern.height + 0.01f * pattern.square);
                    tracer.follow({from, -lights.to_sun}, {}, power, random);
                }
            }
        });
    }
    for (std::size_t l = 0; l < lights.lamps.size(); ++l) {
        constexpr int tries = 6;  // most do not meet the box of what is clear, which costs little
        const Lamp& lamp = lights.lamps[l];
        const Inside around = surfaces.around(lamp.position);
        const int each = settings.photons / groups * tries;
        collect(0, [&](int group, const Tracer& tracer) {  // a lamp's size is in where its photons start
            for (int n = 0; n < each; ++n) {
                RandomStream random({.seed = settings.seed, .step = std::uint32_t(group), .stream = 0xca52 + std::uint32_t(l)}, std::uint32_t(n));
                const Emission photon = emit(lamp, random);
                if (meets_box(photon.ray, low, high)) tracer.follow(photon.ray, around, photon.power / float(each * groups), random);
            }
        });
    }
    if (photons_.empty()) return;
    // Not so wide that looking a place up would take long: what flew far is dim, and soft anyway.
    std::vector<float> radii;
    for (std::size_t n = 0; n < photons_.size(); n += 16) radii.push_back(photons_[n].radius);
    std::ranges::nth_element(radii, radii.begin() + std::ptrdiff_t(radii.size() / 2));
    const float least = typical_distance(settings.gathered);
    radius_ = std::max(least, 2 * radii[radii.size() / 2]);
    for (Photon& photon : photons_) photon.radius = std::clamp(photon.radius, least, radius_);
    sort();
}

/// To the nearest few photons, around most of them.
float CausticMap::typical_distance(int neighbours) const {
    // A part of them is enough to know: of every few photons one, and as many fewer neighbours.
    const std::size_t step = std::max<std::size_t>(1, photons_.size() * 8 / (100'000 * std::size_t(neighbours))), count = photons_.size() / step;
    const int probes = std::min<int>(100, int(count));
    neighbours = std::min(std::max(8, int(std::size_t(neighbours) / step)), int(count) - 1);
    if (neighbours < 1) return 1e-3f;
    std::vector<float> distances(static_cast<std::size_t>(probes));
    parallel_for(probes, [&](int n) {
        const Vec3f at = photons_[photons_.size() * std::size_t(n) / std::size_t(probes)].point;
        std::vector<float> nearest;  // a heap with the farthest on top
        for (std::size_t p = 0; p < photons_.size(); p += step) {
            const Vec3f way = photons_[p].point - at;
            const float d2 = dot(way, way);
            if (int(nearest.size()) > neighbours) {
                if (d2 >= nearest.front()) continue;
                std::ranges::pop_heap(nearest), nearest.pop_back();
            }
            nearest.push_back(d2), std::ranges::push_heap(nearest);
        }
        distances[std::size_t(n)] = std::sqrt(nearest.front());
    });
    std::ranges::sort(distances);
    return std::max(distances[std::size_t(probes) * 6 / 10], 1e-6f);
}

Vec3i CausticMap::cell_of(const Vec3f& point) const {
    const Vec3f p = point / (2 * radius_);
    return {int(std::floor(p.x)), int(std::floor(p.y)), int(std::floor(p.z))};
}

std::size_t CausticMap::slot(const Vec3i& cell) const {
    const std::uint32_t hash = std::uint32_t(cell.x) * 73856093u ^ std::uint32_t(cell.y) * 19349663u ^ std::uint32_t(cell.z) * 83492791u;
    return hash & (std::uint32_t(starts_.size() - 1) - 1);
}

void CausticMap::sort() {
    std::size_t slots = 1;
    while (slots < photons_.size() / 8 + 1) slots *= 2;
    starts_.assign(slots + 1, 0);
    for (const Photon& photon : photons_) ++starts_[slot(cell_of(photon.point)) + 1];
    for (std::size_t n = 1; n <= slots; ++n) starts_[n] += starts_[n - 1];
    std::vector<std::uint32_t> next(starts_.begin(), starts_.end() - 1);
    std::vector<Photon> sorted(photons_.size());
    for (const Photon& photon : photons_) sorted[next[slot(cell_of(photon.point))]++] = photon;
    photons_ = std::move(sorted);
}

Vec3f CausticMap::on(const Hit& hit) const {
    if (photons_.empty()) return {};
    // Cells are as wide as the disc that is looked at: it lies in two of them along each axis.
    const Vec3i low = cell_of(hit.point - Vec3f(radius_)), high = cell_of(hit.point + Vec3f(radius_));
    Vec3f sum;
    for (int k = low.z; k <= high.z; ++k)
        for (int j = low.y; j <= high.y; ++j)
            for (int i = low.x; i <= high.x; ++i) {
                const Vec3i cell(i, j, k);
                const std::size_t s = slot(cell);
                for (std::uint32_t n = starts_[s]; n < starts_[s + 1]; ++n) {
                    const Photon& photon = photons_[n];
                    const Vec3f way = photon.point - hit.point;
                    const float r2 = photon.radius * photon.radius, d2 = dot(way, way), out = dot(way, hit.normal);
                    if (!(d2 < r2) || !(dot(photon.normal, hit.normal) > 0.3f) || out * out > 0.25f * r2) continue;
                    if (cell_of(photon.point) != cell) continue;
                    const float share = 1 - d2 / r2;
                    sum += photon.power * (share * share / r2);
                }
            }
    return sum * (3 / (pi * pi));
}

Vec3d CausticMap::power() const {
    Vec3d sum;
    for (const Photon& photon : photons_) sum += Vec3d(photon.power);
    return sum;
}

}  // namespace phlo::render
