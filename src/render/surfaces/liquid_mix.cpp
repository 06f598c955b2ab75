#include "render/surfaces/liquid_mix.h"

#include <algorithm>
#include <cmath>

namespace phlo::render {
namespace {

/// How fast diffuse light fades [1/m].
float fading(const optics::Interior& interior, int colour) {
    const float reduced = interior.scattering[colour] * (1 - interior.anisotropy);
    return std::sqrt(3 * interior.absorption[colour] * (interior.absorption[colour] + reduced));
}

/// What a layer over something that sends back `below` sends back: `own` were it endless, `way` its depth times twice its fading [kubelka1948].
float over(float own, float way, float below) {
    const float least = std::max(own, 1e-4f);
    const float x = (below - least) / (below - 1 / least) * std::exp(-way);
    return (least - x / least) / (1 - x);
}

}  // namespace

Vec3f half_space_albedo(const optics::Interior& interior) {
    Vec3f result;
    for (int c = 0; c < 3; ++c) {
        const float reduced = interior.scattering[c] * (1 - interior.anisotropy), gamma = std::sqrt(interior.absorption[c] / (interior.absorption[c] + reduced));
        result[c] = (1 - gamma) / (1 + gamma) * (1 - gamma / (3 * (1 + gamma)));
    }
    return result;
}

LiquidMix::LiquidMix(const optics::Interior& first, std::vector<field::LiquidShare> shares, std::span<const optics::Interior> others)
    : interiors_{first}, shares_(std::move(shares)) {
    interiors_.insert(interiors_.end(), others.begin(), others.end());
    for (const optics::Interior& one : interiors_) densest_ = std::max({densest_, one.extinction().x, one.extinction().y, one.extinction().z});
    if (!shares_.empty()) step_ = float(0.5 * shares_.front().volume.domain.h);
}

optics::Interior LiquidMix::at(const Vec3f& point) const {
    optics::Interior mixed = interiors_.front();
    float rest = 1, turned = 0, scattered = 0;
    Vec3f absorption, scattering;
    const auto add = [&](const optics::Interior& one, float share) {
        absorption += one.absorption * share, scattering += one.scattering * share;
        const float much = (one.scattering.x + one.scattering.y + one.scattering.z) * share;
        scattered += much, turned += much * one.anisotropy;
    };
    for (std::size_t k = 0; k < shares_.size(); ++k) {
        const float share = std::min(rest, shares_[k].at(point));
        add(interiors_[k + 1], share), rest -= share;
    }
    add(interiors_.front(), rest);
    mixed.absorption = absorption, mixed.scattering = scattering;
    if (scattered > 0) mixed.anisotropy = turned / scattered;
    return mixed;
}

Vec3f LiquidMix::depth(const Ray& ray, float way) const {
    if (shares_.empty()) return interiors_.front().extinction() * way;
    constexpr int most = 512;
    const int steps = std::clamp(int(std::ceil(way / (2 * step_))), 1, most);
    Vec3f sum;
    for (int n = 0; n < steps; ++n) sum += at(ray.origin + ray.direction * (way * (float(n) + 0.5f) / float(steps))).extinction();
    return sum * (way / float(steps));
}

Vec3f LiquidMix::albedo(const Vec3f& point, const Vec3f& inward) const {
    constexpr int most = 24;
    constexpr float unseen = 6;   // e^-6 of what is deeper comes back
    std::vector<optics::Interior> layers;
    float thinnest = 0;
    for (int n = 0; n < most && thinnest < unseen; ++n) {
        layers.push_back(at(point + inward * (step_ * (float(n) + 0.5f))));
        const optics::Interior& layer = layers.back();
        thinnest += 2 * step_ * std::min({fading(layer, 0), fading(layer, 1), fading(layer, 2)});
        if (shares_.empty()) break;
    }
    Vec3f result = half_space_albedo(layers.back());
    for (auto layer = layers.rbegin(); layer != layers.rend(); ++layer) {
        const Vec3f own = half_space_albedo(*layer);
        for (int c = 0; c < 3; ++c) result[c] = over(own[c], 2 * step_ * fading(*layer, c), result[c]);
    }
    return result;
}

}  // namespace phlo::render
