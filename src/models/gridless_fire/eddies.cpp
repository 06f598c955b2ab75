#include "models/gridless_fire/eddies.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/random.h"
#include "base/simd.h"

namespace phlo::models {
namespace {

using simd::Float;

/// cos(2 pi t), t in turns, to a thousandth: by its series in the distance from the nearest whole turn. Free of divergence the swirls are anyway.
PHLO_INLINE Float cos_turns(Float t) {
    t = t - round(t);
    const Float s = t * t;
    Float sum(-21.2f);
    for (const float c : {59.20f, -85.29f, 64.922f, -19.7388f, 1.0f}) sum = fma(sum, s, Float(c));
    return sum;
}

Vec3d direction(float u, float v) {
    const double z = 1 - 2 * double(u), r = std::sqrt(std::max(0.0, 1 - z * z)), angle = 2 * std::numbers::pi * double(v);
    return {r * std::cos(angle), r * std::sin(angle), z};
}

}  // namespace

Eddies::Eddies(const Params& params) : params_(params) {
    double power = 0;
    for (std::size_t m = 0; m < modes; ++m) {
        const auto a = uniform4({params.seed, 0, params.stream}, std::uint32_t(m), 0), b = uniform4({params.seed, 0, params.stream}, std::uint32_t(m), 1);
        Mode& mode = modes_[m];
        const double finer = std::pow(3.0, double(m) / (modes - 1));
        mode.wave = direction((a[0] + float(m)) / modes, a[1]) * (finer / params.size);   // one wave in each of as many equal bands of the sphere
        const double strength = std::pow(finer, -5.0 / 6);                               // Kolmogorov's spectrum, in equal steps of log kappa
        mode.amplitude = normalized(cross(mode.wave, direction(a[2], a[3]))) * strength;
        mode.phase = double(b[0]);
        mode.own = (double(b[1]) - 0.5) * 2 * finer / params.size;
        power += strength * strength / 2;
    }
    for (Mode& mode : modes_) mode.amplitude *= std::sqrt(3 / power);
}

double Eddies::phase_at(const Mode& mode, const Vec3d& place) const {
    const double turns = dot(mode.wave, place - moved_) + mode.phase + mode.own * turned_;
    return turns - std::round(turns);
}

void Eddies::add(const Vec3d& origin, const ConstColumns3& place, double speed, const Columns3& velocity) const {
    if (speed == 0) return;
    struct Packed {
        float wave[3], amplitude[3], phase;
    };
    std::array<Packed, modes> packed;
    for (std::size_t m = 0; m < modes; ++m) {
        for (int a = 0; a < 3; ++a) packed[m].wave[a] = float(modes_[m].wave[a]), packed[m].amplitude[a] = float(speed * modes_[m].amplitude[a]);
        packed[m].phase = float(phase_at(modes_[m], origin));
    }
    const std::size_t count = place.x.size();
    for (std::size_t i = 0; i < count; i += simd::width) {
        const int lanes = int(std::min(count - i, std::size_t(simd::width)));
        alignas(64) float part[6][simd::width] = {};
        const bool whole = lanes == simd::width;
        const std::span<const float> in[6] = {place.x, place.y, place.z, velocity.x, velocity.y, velocity.z};
        Float v[6];
        for (int c = 0; c < 6; ++c) {
            if (!whole)
                for (int l = 0; l < lanes; ++l) part[c][l] = in[c][i + std::size_t(l)];
            v[c] = simd::load(whole ? &in[c][i] : part[c]);
        }
        for (const Packed& mode : packed) {
            const Float wave = cos_turns(fma(Float(mode.wave[0]), v[0], fma(Float(mode.wave[1]), v[1], fma(Float(mode.wave[2]), v[2], Float(mode.phase)))));
            for (int a = 0; a < 3; ++a) v[3 + a] = fma(Float(mode.amplitude[a]), wave, v[3 + a]);
        }
        const simd::Mask those = simd::first_lanes(lanes);
        simd::store(&velocity.x[i], v[3], those), simd::store(&velocity.y[i], v[4], those), simd::store(&velocity.z[i], v[5], those);
    }
}

Vec3d Eddies::at(const Vec3d& place, double speed) const {
    Vec3d u;
    for (const Mode& mode : modes_) u += mode.amplitude * (speed * std::cos(2 * std::numbers::pi * phase_at(mode, place)));
    return u;
}

}  // namespace phlo::models
