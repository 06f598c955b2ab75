#include "render/photons/photon_sources.h"

#include <cmath>
#include <numbers>

namespace phlo::render {
namespace {

constexpr double pi = std::numbers::pi;

double brightness(const Vec3d& light) { return 0.2126 * light.x + 0.7152 * light.y + 0.0722 * light.z; }

Vec3f uniform_direction(RandomStream& random) {
    const float z = 1 - 2 * random.next();
    return direction_around({0, 0, 1}, z, random.next());
}

}  // namespace

PhotonSources::PhotonSources(const RenderScene& scene, const EmissionSampler& fire_sampler) : scene_(scene), fire_(fire_sampler) {
    middle_ = Vec3f(scene.bounds.center());
    const double r = 0.75 * length(scene.bounds.size());
    radius_ = float(r);
    if (!fire_.empty()) power_[fire] = fire_.total() * (4 * pi);
    power_[sun] = Vec3d(scene.lights.sun) * (pi * r * r);
    constexpr int directions = 256;
    for (const Lights::Ray& ray : scene.lights.rays(directions)) power_[sky] += Vec3d(ray.radiance) * (4 * pi * pi * r * r / directions);
    for (const Lamp& lamp : scene.lights.lamps) {
        power_[lamps] += lamp.power();
        lamp_sums_.push_back(float(brightness(power_[lamps])));
    }
    power_[bodies] = scene.glow.power();
    for (float& sum : lamp_sums_) sum /= float(brightness(power_[lamps]));
}

std::array<int, PhotonSources::kinds> PhotonSources::counts(int photons, int groups) const {
    std::array<double, kinds> shares{};
    double all = 0;
    for (std::uint32_t k = 0; k < kinds; ++k) all += shares[k] = std::sqrt(brightness(power_[k]));
    std::array<int, kinds> result{};
    if (!(all > 0)) return result;
    for (std::uint32_t k = 0; k < kinds; ++k) result[k] = int(photons * shares[k] / all) / groups * groups;
    return result;
}

std::optional<PhotonStart> PhotonSources::start(std::uint32_t kind, RandomStream& random) const {
    if (kind == fire) {
        const auto [position, emission] = fire_.sample(random);
        return PhotonStart{{position, uniform_direction(random)}, emission * (4 * float(pi))};
    }
    if (kind == lamps) {
        const float u = random.next();
        std::size_t n = 0;
        while (n + 1 < lamp_sums_.size() && u >= lamp_sums_[n]) ++n;
        const float chance = lamp_sums_[n] - (n > 0 ? lamp_sums_[n - 1] : 0.f);
        const Emission e = emit(scene_.lights.lamps[n], random);
        return PhotonStart{e.ray, e.power / chance, false};
    }
    if (kind == bodies) {
        const Emission e = scene_.glow.emit(scene_.surface_offset(), random);
        return PhotonStart{e.ray, e.power};
    }
    return from_outside(kind, random);
}

/// Through a disc across the direction, in front of the ball.
std::optional<PhotonStart> PhotonSources::from_outside(std::uint32_t kind, RandomStream& random) const {
    const Lights& lights = scene_.lights;
    Vec3f from = lights.to_sun;
    float density = 1 / (4 * float(pi));
    if (kind == sky && lights.map) {
        const float u = random.next(), v = random.next();
        const EnvironmentMap::Drawn drawn = lights.map->sample(u, v);
        from = lights.from_map(drawn.direction), density = drawn.density;
    } else if (kind == sky) {
        from = uniform_direction(random);
    }
    const Sides side(from);
    const float r = radius_ * std::sqrt(random.next()), angle = 2 * float(pi) * random.next();
    Vec3f start = middle_ + from * radius_ + side.u * (r * std::cos(angle)) + side.v * (r * std::sin(angle));
    if (const auto& ground = scene_.surfaces.ground(); ground && from.z < 0) {
        // Up from the floor: inside the ball photons do that themselves, outside it is as bright as an open floor.
        const Vec3f on_floor = start - from * ((start.z - ground->height) / from.z);
        if (!beyond(on_floor)) return std::nullopt;
        start = on_floor - from * scene_.surface_offset();
    } else if (ground && start.z < ground->height) {
        return std::nullopt;  // nothing shines from under a floor
    }
    const float disc = float(pi) * radius_ * radius_;
    if (kind == sky) return PhotonStart{{start, -from}, lights.radiance(from) * (disc / density), true, true};
    // Points of the sun's disc.
    const float s = lights.sun_spread * std::sqrt(random.next()), turn = 2 * float(pi) * random.next();
    const Vec3f to = normalized(from + side.u * (s * std::cos(turn)) + side.v * (s * std::sin(turn)));
    return PhotonStart{{start, -to}, lights.sun * disc, false, true};
}

}  // namespace phlo::render
