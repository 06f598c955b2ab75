#include "render/volumes/flash.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "base/parallel_items.h"
#include "chem/expressions/expression.h"
#include "field/trilinear.h"
#include "optics/phase.h"
#include "render/fast_math.h"
#include "render/volumes/grid_walk.h"
#include "render/luminance.h"

namespace phlo::render {
namespace {

constexpr int groups = 32;
constexpr int cells_along = 64;  // of the map, along its longest side
constexpr float far_away = 1e30f, pi = std::numbers::pi_v<float>;

/// The density function, at `size` places from s = 0 to 1.
class DensityTable {
public:
    explicit DensityTable(const FlashLook& look) {
        const std::vector<std::string> names{"s"};
        const std::optional<chem::Expression> given =
            look.density.empty() ? std::nullopt : std::optional(chem::parse_expression(look.density, names, {}, "render.flash.density"));
        for (std::size_t n = 0; n < values_.size(); ++n) {
            const double s = double(n) / (size - 1);
            values_[n] = float(given ? std::max(0.0, given->evaluate({&s, 1})) : std::pow(1 - s, look.falloff));
        }
    }
    float operator()(float s) const {
        const float x = std::clamp(s, 0.f, 1.f) * (size - 1);
        const std::size_t n = std::min(std::size_t(x), values_.size() - 2);
        return values_[n] + (values_[n + 1] - values_[n]) * (x - float(n));
    }

private:
    static constexpr int size = 257;
    std::array<float, size> values_{};
};

/// What passes from somewhere inside a step to its start, in the mean, where the step hides 1 - exp(-depth).
float mean_passed(float depth) { return depth > 1e-3f ? (1 - fast_exp(-depth)) / depth : 1 - 0.5f * depth; }

struct Deposit {
    std::vector<Vec3f> light, flux;
};

}  // namespace

FlashMap::FlashMap(const RenderScene& scene, const Medium& medium, const EmissionSampler& fire, const FlashLook& look, double brightness,
                   int photons) {
    if (fire.empty() || !(look.strength > 0) || !(brightness > 0)) return;
    photons = std::max(1, photons / groups) * groups;
    const field::Domain& domain = scene.volume.room;
    const Vec3d size = domain.size();
    const double longest = std::max({size.x, size.y, size.z}), reach = look.reach.value_or(longest);
    const double margin = std::min(reach, 2 * longest);
    h_ = float((longest + 2 * margin) / cells_along);
    origin_ = Vec3f(domain.origin - Vec3d(margin));
    for (int axis = 0; axis < 3; ++axis) count_[axis] = int(std::ceil((size[axis] + 2 * margin) / double(h_)));
    haze_ = float(look.strength / longest);
    opacity_ = haze_ / float(brightness);
    surfaces_ = float(look.surfaces);
    const DensityTable density(look);
    light_.resize(index(0, 0, count_.z)), flux_.resize(light_.size());

    const auto follow = [&](int group) {
        Deposit part{std::vector<Vec3f>(light_.size()), std::vector<Vec3f>(light_.size())};
        for (int n = 0; n < photons / groups; ++n) {
            RandomStream random({.seed = 1, .step = std::uint32_t(group), .stream = 0xf1a5}, std::uint32_t(n));
            // Spread evenly over the fire, so that pictures of a shot differ by the fire and not by chance.
            const auto [position, emission] = fire.sample((double(n * groups + group) + double(random.next())) / double(photons), random);
            const Medium::Point cell = medium.at(position);
            if (!(cell.extinction > 0)) continue;
            const Vec3f absorbed = Vec3f(cell.extinction) - cell.scattering;
            float energy = luminance(cell.emission) / (luminance(absorbed) * float(brightness));
            Vec3f power = look.color * emission * (4 * pi / float(photons));
            Ray ray{position, direction_around({0, 0, 1}, 1 - 2 * random.next(), random.next())};
            for (int bounce = 0; bounce < 100; ++bounce) {
                Medium::Point gas;
                const auto hit = scene.surfaces.hit(ray);
                float way = hit ? hit->distance : far_away;
                const bool collided = medium.track(ray, way, random, [&](const Medium::Point& p, float majorant, float t) {
                    if (!(random.next() * majorant < p.extinction)) return false;
                    gas = p, way = t;
                    return true;
                });
                if (!collided) {
                    const float end = float(reach) * energy;
                    // The flux goes on a little behind surfaces, so that it is whole in the cells that they cut.
                    walk_cells(count_, (ray.origin - origin_) / h_, ray.direction, std::min(way + 3 * h_, end) / h_,
                               [&](const Vec3i& c, float from, float to) {
                                   const float s = 0.5f * (from + to) * h_ / end;
                                   const Vec3f left = power * density(s);
                                   part.light[index(c.x, c.y, c.z)] += left * std::max(0.f, std::min(to, way / h_) - from);
                                   part.flux[index(c.x, c.y, c.z)] += ray.direction * (luminance(left) * (to - from));
                               });
                    break;
                }
                power = power * gas.scattering / gas.extinction;
                energy *= float(1 - look.loss);
                ray = {ray.origin + ray.direction * way,
                       direction_around(ray.direction, optics::sample_phase(medium.anisotropy(), random.next()), random.next())};
            }
        }
        return part;
    };
    const float scale = 1 / (4 * pi * h_ * h_);
    sum_in_order(groups, follow, [&](const Deposit& part) {
        for (std::size_t n = 0; n < light_.size(); ++n) light_[n] += part.light[n] * scale, flux_[n] += part.flux[n] * scale;
    });
    smooth(light_), smooth(flux_);
}

/// Half of the light stays in its cell, along each axis; the rest goes to the neighbours.
void FlashMap::smooth(std::vector<Vec3f>& values) const {
    for (int axis = 0; axis < 3; ++axis) {
        const std::vector<Vec3f> before = values;
        const int b = (axis + 1) % 3, c = (axis + 2) % 3;
        for (int v = 0; v < count_[c]; ++v)
            for (int u = 0; u < count_[b]; ++u)
                for (int s = 0; s < count_[axis]; ++s) {
                    const auto place = [&](int along) {
                        Vec3i at;
                        at[axis] = std::clamp(along, 0, count_[axis] - 1), at[b] = u, at[c] = v;
                        return index(at.x, at.y, at.z);
                    };
                    values[place(s)] = (before[place(s - 1)] + before[place(s + 1)]) * 0.25f + before[place(s)] * 0.5f;
                }
    }
}

template <class Value>
Value FlashMap::interpolated(const std::vector<Value>& values, const Vec3f& world) const {
    Vec3f p = (world - origin_) / h_ - Vec3f(0.5f);
    Vec3i cell;
    for (int axis = 0; axis < 3; ++axis) {
        if (!(p[axis] > -0.5f && p[axis] < float(count_[axis]) - 0.5f)) return {};
        p[axis] = std::clamp(p[axis], 0.f, float(count_[axis]) - 1.001f);
        cell[axis] = int(p[axis]);
        p[axis] -= float(cell[axis]);
    }
    const auto value = [&](int i, int j, int k) { return values[index(cell.x + i, cell.y + j, cell.z + k)]; };
    return field::trilinear(p.x, p.y, p.z, value);
}

Vec3f FlashMap::at(const Vec3f& world) const { return interpolated(light_, world); }

Vec3f FlashMap::on(const Vec3f& point, const Vec3f& normal) const {
    if (empty() || surfaces_ == 0) return {};
    const Vec3f light = at(point + normal * h_);   // its colour
    const float bright = luminance(light);
    if (!(bright > 0)) return {};
    const float arriving = -4 * pi * dot(interpolated(flux_, point), normal);   // net flux into the surface
    return light * (surfaces_ * std::max(0.f, arriving) / (pi * bright));
}

Segment FlashMap::march(const LitVolume& lit, const Ray& ray, float distance, const MarchParams& params) const {
    if (empty()) return lit.march(ray, distance, params);
    // Where the ray is in the flash's grid; the gas lies inside it.
    float enter = 0, leave = distance;
    for (int axis = 0; axis < 3; ++axis) {
        const float inverse = 1 / (std::fabs(ray.direction[axis]) < 1e-9f ? 1e-9f : ray.direction[axis]);
        const float a = (origin_[axis] - ray.origin[axis]) * inverse, b = a + float(count_[axis]) * h_ * inverse;
        enter = std::max(enter, std::min(a, b)), leave = std::min(leave, std::max(a, b));
    }
    Segment result;
    if (!(enter < leave)) return result;
    const int steps = std::max(1, int(std::ceil((leave - enter) / h_)));
    const float way = (leave - enter) / float(steps);
    for (int s = 0; s < steps && result.transmittance > 1e-3f; ++s) {
        const Vec3f from = ray.origin + ray.direction * (enter + float(s) * way);
        const Segment gas = lit.march({from, ray.direction}, way, params);
        const Vec3f flash = at(from + ray.direction * (params.jitter * way));
        const float gas_depth = -std::log(std::max(gas.transmittance, 1e-30f)), flash_depth = opacity_ * luminance(flash) * way;
        result.radiance += (gas.radiance * mean_passed(flash_depth) + flash * (haze_ * way * mean_passed(gas_depth + flash_depth))) * result.transmittance;
        result.transmittance *= gas.transmittance * fast_exp(-flash_depth);
    }
    return result;
}

}  // namespace phlo::render
