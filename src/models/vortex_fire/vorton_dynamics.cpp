#include "models/vortex_fire/vorton_dynamics.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "base/error.h"
#include "base/parallel.h"
#include "base/simd.h"
#include "particles/bins.h"

namespace phlo::models {
namespace {

using simd::Float;

constexpr int chunk = 4096;   ///< particles of one task

template <class Body>
void for_chunks(std::size_t count, const Body& body) {
    parallel_for(int((count + chunk - 1) / chunk), [&](int c) {
        const std::size_t first = std::size_t(c) * chunk;
        body(first, std::min(count, first + chunk));
    });
}

template <class Value>
Vec3d sum_of(std::size_t count, const Value& value) {
    return parallel_reduce(int((count + chunk - 1) / chunk), Vec3d(), [&](int c) {
        Vec3d part;
        for (std::size_t i = std::size_t(c) * chunk; i < std::min(count, std::size_t(c + 1) * chunk); ++i) part += value(i);
        return part;
    }, [](Vec3d a, const Vec3d& b) { return a + b; });
}

Vec3f curl(const VelocityGradient& g) { return {g.z.y - g.y.z, g.x.z - g.z.x, g.y.x - g.x.y}; }

/// What the neighbour sums read of the sources, in the order of the bins; a pack more than there are, so that any of them may begin one.
struct Sources {
    enum Column { x, y, z, gx, gy, gz, volume, lift, columns };
    std::array<std::vector<float>, columns> of;

    Sources(const VortonDynamicsParams& params, const VortonColumns& vortons, std::span<const int> order) {
        for (std::vector<float>& column : of) column.assign(order.size() + std::size_t(simd::width), 0);
        for_chunks(order.size(), [&](std::size_t first, std::size_t last) {
            for (std::size_t s = first; s < last; ++s) {
                const std::size_t i = std::size_t(order[s]);
                const Vec3f &p = vortons.position[i], &g = vortons.strength[i];
                const float v = vortons.volume[i];
                const double warmth = vortons.temperature.empty() ? 0 : double(vortons.temperature[i]) - params.ambient_temperature;
                const float values[columns] = {p.x, p.y, p.z, g.x, g.y, g.z, v, v * float(params.lift * warmth)};
                for (std::size_t c = 0; c < columns; ++c) of[c][s] = values[c];
            }
        });
    }
};

/// Σ over the neighbours of one place.
struct NeighbourSums {
    Float strength[3], volume, slope[2];   ///< η Γ, η V, and V b ∇η along x and y

    NeighbourSums() : strength{0.0f, 0.0f, 0.0f}, volume(0.0f), slope{0.0f, 0.0f} {}

    PHLO_INLINE void add(const Sources& from, int s, int last, const Vec3f& place, float per_reach_squared) {
        const auto load = [&](Sources::Column c) { return simd::load(from.of[c].data() + s); };
        const Float rx = Float(place.x) - load(Sources::x), ry = Float(place.y) - load(Sources::y), rz = Float(place.z) - load(Sources::z);
        const Float inside = simd::max(Float(1.0f) - fma(rx, rx, fma(ry, ry, rz * rz)) * Float(per_reach_squared), Float(0.0f));
        const Float w = simd::select(simd::first_lanes(last - s), inside, Float(0.0f)), w2 = w * w, eta = w2 * w, lifted = w2 * load(Sources::lift);
        strength[0] = fma(eta, load(Sources::gx), strength[0]), strength[1] = fma(eta, load(Sources::gy), strength[1]), strength[2] = fma(eta, load(Sources::gz), strength[2]);
        volume = fma(eta, load(Sources::volume), volume);
        slope[0] = fma(lifted, rx, slope[0]), slope[1] = fma(lifted, ry, slope[1]);
    }
    static float total(Float lanes) {
        alignas(64) float each[simd::width];
        simd::store(each, lanes);
        float sum = 0;
        for (const float lane : each) sum += lane;
        return sum;
    }
};

}  // namespace

void add_neighbour_rates(const VortonDynamicsParams& params, const VortonColumns& vortons, std::span<Vec3f> rates) {
    const std::size_t count = vortons.position.size();
    PHLO_CHECK(params.reach > 0 && vortons.volume.size() == count && rates.size() == count);
    PHLO_CHECK(vortons.temperature.empty() || vortons.temperature.size() == count);
    particles::Bins bins;
    bins.build(vortons.position, params.reach);
    const Sources sources(params, vortons, bins.order());
    const double R2 = params.reach * params.reach, norm = 315 / (64 * std::numbers::pi * R2 * params.reach);
    const float per_reach_squared = float(1 / R2), exchange = float(norm * 22 * params.viscosity / R2);   // 2 ν/ε²
    const float steepness = float(-6 * norm / R2);                                                        // ∇η = -6 r/R² (1 - (r/R)²)²
    for_chunks(count, [&](std::size_t first, std::size_t last) {
        for (std::size_t t = first; t < last; ++t) {
            const std::size_t i = std::size_t(bins.order()[t]);
            NeighbourSums sums;
            bins.for_each_range(vortons.position[i], [&](int from, int to) {
                for (int s = from; s < to; s += simd::width) sums.add(sources, s, to, vortons.position[i], per_reach_squared);
            });
            const float v = vortons.volume[i], near = NeighbourSums::total(sums.volume);
            const Vec3f given(NeighbourSums::total(sums.strength[0]), NeighbourSums::total(sums.strength[1]), NeighbourSums::total(sums.strength[2]));
            const float bx = steepness * NeighbourSums::total(sums.slope[0]), by = steepness * NeighbourSums::total(sums.slope[1]);
            rates[i] += (given * v - vortons.strength[i] * near) * exchange + Vec3f(by, -bx, 0) * v;   // ∇b × ẑ
        }
    });
}

void balance(std::span<const Vec3f> strength, std::span<Vec3f> change) {
    PHLO_CHECK(strength.size() == change.size());
    const Vec3d excess = sum_of(change.size(), [&](std::size_t i) { return Vec3d(change[i]); });
    const double all = sum_of(change.size(), [&](std::size_t i) { return Vec3d(double(length(strength[i])), 0, 0); }).x;
    if (!(all > 0)) return;
    for_chunks(change.size(), [&](std::size_t first, std::size_t last) {
        for (std::size_t i = first; i < last; ++i) change[i] -= Vec3f(excess * (double(length(strength[i])) / all));
    });
}

void VortonDynamics::find_rates(const VortonColumns& vortons, VortonRates& rates) {
    const std::size_t count = vortons.position.size();
    rates.velocity.resize(count), rates.gradient.resize(count), rates.strength.resize(count);
    tree_.build({.position = vortons.position, .strength = vortons.strength, .core_radius = params_.core_radius}, {.theta = params_.theta});
    tree_.at_vortons(rates.velocity, rates.gradient);
    for_chunks(count, [&](std::size_t first, std::size_t last) {
        for (std::size_t i = first; i < last; ++i) {
            const VelocityGradient& g = rates.gradient[i];
            const Vec3f& gamma = vortons.strength[i];
            rates.strength[i] = g.x * gamma.x + g.y * gamma.y + g.z * gamma.z;
        }
    });
    if (params_.reach > 0 && (params_.viscosity > 0 || params_.lift != 0)) add_neighbour_rates(params_, vortons, rates.strength);
    balance(vortons.strength, rates.strength);
}

void VortonDynamics::advance(const VortonColumns& vortons, double dt) {
    const std::size_t count = vortons.position.size();
    VortonRates rates;
    std::vector<Vec3f> moved(count), changed(count);
    constexpr double keep[] = {0, -5.0 / 9, -153.0 / 128}, use[] = {1.0 / 3, 15.0 / 16, 8.0 / 15};
    for (int stage = 0; stage < 3; ++stage) {
        find_rates(vortons, rates);
        if (stage == 0 && params_.relaxation_rate > 0) relax(dt, rates.gradient, vortons.strength);
        const float a = float(keep[stage]), b = float(use[stage]), step = float(dt);
        for_chunks(count, [&](std::size_t first, std::size_t last) {
            for (std::size_t i = first; i < last; ++i) {
                moved[i] = moved[i] * a + rates.velocity[i] * step;
                changed[i] = changed[i] * a + rates.strength[i] * step;
                vortons.position[i] += moved[i] * b, vortons.strength[i] += changed[i] * b;
            }
        });
    }
}

void VortonDynamics::relax(double dt, std::span<const VelocityGradient> gradient, std::span<Vec3f> strength) const {
    PHLO_CHECK(gradient.size() == strength.size());
    const float share = float(-std::expm1(-params_.relaxation_rate * dt));
    std::vector<Vec3f> change(strength.size());
    for_chunks(strength.size(), [&](std::size_t first, std::size_t last) {
        for (std::size_t i = first; i < last; ++i) {
            const Vec3f omega = curl(gradient[i]), &gamma = strength[i];
            const float size = length(omega);
            if (size > 0) change[i] = (omega * (length(gamma) / size) - gamma) * share;
        }
    });
    balance(strength, change);
    for_chunks(strength.size(), [&](std::size_t first, std::size_t last) {
        for (std::size_t i = first; i < last; ++i) strength[i] += change[i];
    });
}

}  // namespace phlo::models
