#include "models/gridless_fire/stochastic.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "base/random_pack.h"
#include "models/gridless_fire/composition.h"

namespace phlo::models {
namespace {

using simd::Float;
using simd::Int;

/// Draws of one particle in one step; what each is for.
enum Draw { velocity_draw, frequency_draw, decay_draw };

/// A register of columns: whole ones straight from memory, the last through a copy.
template <class Body>
void for_each_register(std::size_t count, const Body& body) {
    for (std::size_t i = 0; i < count; i += simd::width) body(i, int(std::min(count - i, std::size_t(simd::width))));
}

PHLO_INLINE Float load(std::span<const float> column, std::size_t i, int lanes) {
    if (lanes == simd::width) return simd::load(&column[i]);
    alignas(64) float part[simd::width] = {};
    for (int l = 0; l < lanes; ++l) part[l] = column[i + std::size_t(l)];
    return simd::load(part);
}
PHLO_INLINE void store(std::span<float> column, std::size_t i, int lanes, Float value) {
    if (lanes == simd::width) simd::store(&column[i], value);
    else simd::store(&column[i], value, simd::first_lanes(lanes));
}

PHLO_INLINE WordPack words(const RandomKey& key, std::span<const std::uint32_t> id, std::size_t i, int lanes, int draw) {
    alignas(64) int part[simd::width] = {};
    for (int l = 0; l < lanes; ++l) part[l] = int(id[i + std::size_t(l)]);
    const Int ids(PHLO_SIMD(_mm512_load_si512(part), _mm256_load_si256(reinterpret_cast<const __m256i*>(part))));
    return philox({ids, Int(draw), Int(int(key.step)), Int(int(key.stream))}, key.seed);
}

}  // namespace

void draw_normals(const RandomKey& key, std::span<const std::uint32_t> id, const Columns3& normal) {
    for_each_register(id.size(), [&](std::size_t i, int lanes) {
        const WordPack w = words(key, id, i, lanes, velocity_draw);
        const auto [a, b] = normal_pair(w[0], w[1]);
        const auto [c, unused] = normal_pair(w[2], w[3]);
        store(normal.x, i, lanes, a), store(normal.y, i, lanes, b), store(normal.z, i, lanes, c);
    });
}

void step_velocity(double dt, const VelocityStep& step, const Columns3& velocity) {
    const Float rate(float(-0.75 * langevin_c0 * dt)), variance(2.0f / 3), one(1.0f);
    for_each_register(velocity.x.size(), [&](std::size_t i, int lanes) {
        const Float e = exp(rate * load(step.omega, i, lanes));
        const Float size = sqrt(variance * load(step.k, i, lanes) * max(fma(-e, e, one), Float(0.0f)));
        const auto component = [&](std::span<const float> mean, std::span<const float> normal, std::span<float> u) {
            const Float m = load(mean, i, lanes);
            store(u, i, lanes, fma(size, load(normal, i, lanes), fma(e, load(u, i, lanes) - m, m)));
        };
        component(step.mean.x, step.normal.x, velocity.x);
        component(step.mean.y, step.normal.y, velocity.y);
        component(step.mean.z, step.normal.z, velocity.z);
    });
}

void step_frequency(double dt, const RandomKey& key, std::span<const std::uint32_t> id, std::span<const float> mean, std::span<float> omega) {
    const Float rate(float(-frequency_c3 * dt)), one(1.0f);
    for_each_register(omega.size(), [&](std::size_t i, int lanes) {
        const WordPack w = words(key, id, i, lanes, frequency_draw), more = words(key, id, i, lanes, frequency_draw + 256);
        const Float m = load(mean, i, lanes), e = exp(rate * m);
        const Float scale = max(m * (one - e) * Float(0.125f), Float(1e-30f));
        // Eight degrees of freedom: one off its centre, one at it, and six as three exponential numbers.
        const auto [a, b] = normal_pair(w[0], w[1]);
        const Float off = a + sqrt(load(omega, i, lanes) * e / scale);
        const Float six = Float(-2.0f) * log(uniform_inside(w[2]) * uniform_inside(w[3]) * uniform_inside(more[0]));
        store(omega, i, lanes, scale * fma(off, off, fma(b, b, six)));
    });
}

void step_composition(double dt, const RandomKey& key, std::span<const std::uint32_t> id, double chi, std::span<float> composition) {
    const Float ticks = float(ticks_per_second * dt), least = float(chi), spread = float(0.01 * chi), one = 1.0f;
    for_each_register(composition.size(), [&](std::size_t i, int lanes) {
        const Float factor = exp(ticks * log(fma(spread, uniform(words(key, id, i, lanes, decay_draw)[0]), least)));
        store(composition, i, lanes, min(factor * load(composition, i, lanes), one));
    });
}

}  // namespace phlo::models
