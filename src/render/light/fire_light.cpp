#include "render/light/fire_light.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "base/parallel.h"
#include "field/trilinear.h"
#include "optics/phase.h"
#include "render/volumes/scattering.h"

namespace phlo::render {
namespace {

constexpr int finest_blocks = 24;  // along the domain's longest side
constexpr float scattered_on =
    0.7f;  // of the light that smoke scatters, this share still reaches surfaces (half from afar, all from within)
constexpr float close_enough = 1.6f;  // a lamp is looked at as a whole from this many of its blocks away

/// First and second moments of power.
struct Moments {
    Vec3d power;
    double weight = 0, square = 0;
    Vec3d first;

    void add(const Vec3d& p, const Vec3d& at) {
        const double w = p.x + p.y + p.z;
        power += p, weight += w, first += at * w, square += dot(at, at) * w;
    }
    void add(const Moments& m) { power += m.power, weight += m.weight, first += m.first, square += m.square; }
};

/// How much of the light has scattered once, a few times, often: what absorbs leaves little of the latter.
std::array<Vec3f, 3> octave_shares(const Vec3f& albedo) {
    std::array<Vec3f, 3> share;
    Vec3f kept(1.f), sum;
    for (std::size_t o = 0; o < share.size(); ++o) {
        share[o] = kept * sun_octaves[o].weight;
        sum += share[o], kept = kept * albedo;
    }
    for (Vec3f& s : share) s = {s.x / sum.x, s.y / sum.y, s.z / sum.z};
    return share;
}

}  // namespace

FireLight::FireLight(const OpticalVolume& volume) {
    if (!volume.glows() || volume.empty()) return;
    const field::Domain& domain = volume.domain;
    const Vec3i n = volume.room.cells, shift = volume.shift();
    const int factor = (std::max({n.x, n.y, n.z}) + finest_blocks - 1) / finest_blocks;
    Vec3i count((n.x + factor - 1) / factor, (n.y + factor - 1) / factor, (n.z + factor - 1) / factor);
    std::vector<Moments> moments(std::size_t(count.x) * std::size_t(count.y) * std::size_t(count.z));
    const double cell_share = 4 * std::numbers::pi * domain.h * domain.h * domain.h;
    parallel_for(count.z, [&](int bz) {
        for (int k = std::max(0, bz * factor - shift.z); k < std::min((bz + 1) * factor - shift.z, domain.cells.z); ++k)
            for (int j = 0; j < domain.cells.y; ++j)
                for (int i = 0; i < domain.cells.x; ++i) {
                    const Vec3f light = volume.emission_of(i, j, k);
                    if (!(light.x + light.y + light.z > 0)) continue;
                    const auto block =
                        std::size_t((i + shift.x) / factor) +
                        std::size_t(count.x) * (std::size_t((j + shift.y) / factor) + std::size_t(count.y) * std::size_t(bz));
                    moments[block].add(Vec3d(light) * cell_share, domain.cell_center(i, j, k) - domain.origin);
                }
    });
    float size = float(domain.h * factor);
    for (;;) {
        Level level{count, size, {}};
        for (const Moments& m : moments) {
            Lamp lamp;
            if (m.weight > 0) {
                const Vec3d middle = m.first / m.weight;
                const double spread = std::max(0.0, m.square / m.weight - dot(middle, middle)) + 0.25 * domain.h * domain.h;
                lamp = {Vec3f(m.power), Vec3f(domain.origin + middle), float(spread * 5 / 3)};
            }
            level.lamps.push_back(lamp);
        }
        levels_.push_back(std::move(level));
        if (std::max({count.x, count.y, count.z}) <= 2) break;
        const Vec3i half((count.x + 1) / 2, (count.y + 1) / 2, (count.z + 1) / 2);
        std::vector<Moments> coarse(std::size_t(half.x) * std::size_t(half.y) * std::size_t(half.z));
        for (std::size_t b = 0; b < moments.size(); ++b) {
            const int x = int(b) % count.x, y = int(b) / count.x % count.y, z = int(b) / (count.x * count.y);
            coarse[std::size_t(x / 2) + std::size_t(half.x) * (std::size_t(y / 2) + std::size_t(half.y) * std::size_t(z / 2))].add(
                moments[b]);
        }
        moments = std::move(coarse), count = half, size *= 2;
    }
}

Vec3d FireLight::power() const {
    Vec3d sum;
    if (!levels_.empty())
        for (const Lamp& lamp : levels_.back().lamps) sum += Vec3d(lamp.power);
    return sum;
}

/// Walks down the tree: visit(lamp) for each block that is small for its distance.
template <class Visit>
void FireLight::for_lamps_near(const Vec3f& point, const Visit& visit) const {
    const auto descend = [&](const auto& self, std::size_t l, const Vec3i& block) -> void {
        const Level& level = levels_[l];
        const Lamp& lamp = level.at(block);
        if (!(lamp.power.x + lamp.power.y + lamp.power.z > 0)) return;
        const Vec3f way = lamp.position - point;
        const float reach = close_enough * level.size;
        if (l == 0 || dot(way, way) > reach * reach) return visit(lamp);
        const Vec3i last = min(block * 2 + Vec3i(1), levels_[l - 1].count - Vec3i(1));
        for (int z = block.z * 2; z <= last.z; ++z)
            for (int y = block.y * 2; y <= last.y; ++y)
                for (int x = block.x * 2; x <= last.x; ++x) self(self, l - 1, {x, y, z});
    };
    if (levels_.empty()) return;
    const Vec3i top = levels_.back().count;
    for (int z = 0; z < top.z; ++z)
        for (int y = 0; y < top.y; ++y)
            for (int x = 0; x < top.x; ++x) descend(descend, levels_.size() - 1, {x, y, z});
}

/// Light of the fire that a point of the smoke scatters towards the eye, before the smoke's colour: once, a few times, often.
FireLight::Octaves FireLight::scattered(const SkyLight& sky, const Vec3f& point, const Vec3f& eye, float anisotropy) const {
    const Vec3f away = normalized(point - eye);
    Octaves sum{};
    for_lamps_near(point, [&](const Lamp& lamp) {
        const Vec3f way = lamp.position - point;
        const float distance_squared = dot(way, way), depth = sky.depth_between(point, lamp.position).total();
        const float cosine = distance_squared > 0 ? dot(way, away) / std::sqrt(distance_squared) : 0.f;
        // A ball's light: exact outside it and in its middle, where the mean radiance is 3 P / (4 pi R)^2.
        const float fluence = 1 / (4 * std::numbers::pi_v<float> * (distance_squared + lamp.radius_squared / 3));
        for (std::size_t o = 0; o < sun_octaves.size(); ++o) {
            const Octave& octave = sun_octaves[o];
            sum[o] += lamp.power * (fluence * optics::phase(cosine, anisotropy * octave.rounding) * fast_exp(-octave.thinning * depth));
        }
    });
    return sum;
}

/// The lamps are as coarse as every second cell of the sky's light, and so is their light: it is found there and carried between.
void FireLight::shine_into(SkyLight& sky, const Vec3f& eye, float anisotropy) const {
    if (empty() || sky.empty()) return;
    const Vec3i n = sky.count(), half((n.x + 1) / 2 + 1, (n.y + 1) / 2 + 1, (n.z + 1) / 2 + 1);
    const auto gas_within = [&](const Vec3i& c, int reach) {
        const Vec3i low = max(c - Vec3i(reach), Vec3i()), high = min(c + Vec3i(reach), n - Vec3i(1));
        for (int z = low.z; z <= high.z; ++z)
            for (int y = low.y; y <= high.y; ++y)
                for (int x = low.x; x <= high.x; ++x)
                    if (sky.extinction(x, y, z) > 0) return true;
        return false;
    };
    // Nodes at the cells with even numbers, and one more behind the last.
    const auto index = [&](int i, int j, int k) { return std::size_t(i) + std::size_t(half.x) * (std::size_t(j) + std::size_t(half.y) * std::size_t(k)); };
    std::vector<Octaves> nodes(index(0, 0, half.z));
    parallel_for(half.y * half.z, [&](int row) {
        const int j = row % half.y, k = row / half.y;
        for (int i = 0; i < half.x; ++i)
            if (const Vec3i at = Vec3i(i, j, k) * 2; gas_within(at, 3)) nodes[index(i, j, k)] = scattered(sky, sky.center(at.x, at.y, at.z), eye, anisotropy);
    });
    parallel_for(n.y * n.z, [&](int row) {
        const int j = row % n.y, k = row / n.y;
        for (int i = 0; i < n.x; ++i) {
            if (!gas_within({i, j, k}, 1)) continue;
            const std::array<Vec3f, 3> share = octave_shares(sky.albedo(i, j, k));
            Vec3f sum;
            for (std::size_t o = 0; o < share.size(); ++o)
                sum += share[o] * field::trilinear(0.5f * float(i % 2), 0.5f * float(j % 2), 0.5f * float(k % 2), [&](int a, int b, int c) {
                           return nodes[index(i / 2 + a, j / 2 + b, k / 2 + c)][o];
                       });
            sky.add(i, j, k, sum);
        }
    });
}

Vec3f FireLight::arriving(const Vec3f& point, const Vec3f& normal, const SkyLight& gas,
                          const std::function<bool(const Vec3f&, float)>& blocked) const {
    Vec3f sum;
    for_lamps_near(point, [&](const Lamp& lamp) {
        const Vec3f way = lamp.position - point;
        const float distance = length(way), facing = dot(way, normal);
        if (!(facing > 0)) return;
        const Vec3f direction = way / distance;
        if (blocked(direction, distance)) return;
        const float spread = distance * distance + lamp.radius_squared / 3;
        const SkyLight::Depth depth = gas.depth_between(point, lamp.position);
        // What is scattered is not lost: most of it arrives from around the lamp.
        const float straight = fast_exp(-depth.scattered), passed = fast_exp(-depth.absorbed) * (straight + scattered_on * (1 - straight));
        sum += lamp.power * (facing / distance / (4 * std::numbers::pi_v<float> * spread) * passed);
    });
    return sum / std::numbers::pi_v<float>;
}

}  // namespace phlo::render
