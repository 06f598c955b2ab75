#include "models/gas/vortices.h"

#include <algorithm>
#include <cmath>

#include "base/parallel.h"
#include "models/gas/particle_places.h"
#include "particles/sample.h"
#include "particles/slabs.h"

namespace phlo::models {
namespace {

constexpr std::uint32_t vortex_stream = 0x766f7274;

/// Direction in which the rate rises around particle i: Σ (r_j - r_i) ∇w_j over its neighbours; zero where it is flat.
Vec3d slope_of_rate(const MaterialParticles& particles, const Effects& effects, const particles::Bins& bins, const Influence& influence, std::size_t i) {
    Vec3d slope;
    bins.for_each_range(particles.position[i], [&](int first, int last) {
        for (int s = first; s < last; ++s) {
            const std::size_t j = std::size_t(bins.order()[std::size_t(s)]);
            if (j >= effects.rate.size()) continue;
            const Vec3f d = particles.position[j] - particles.position[i];
            const float d2 = dot(d, d);
            if (d2 <= influence.radius_squared) slope += Vec3d(d) * ((effects.rate[j] - effects.rate[i]) * double(influence.shape(d2)));
        }
    });
    return slope;
}

}  // namespace

Births spawn(const VortexParams& params, const Surroundings& gas, const MaterialParticles& particles, const Effects& effects, double influence_radius,
             const RandomKey& key, VortexParticles& vortices) {
    if (std::ranges::none_of(effects.vortices, [](double v) { return v > 0; })) return {};
    particles::Bins bins;
    const Influence influence(influence_radius);
    bins.build(particles.position, influence_radius * 1.0001);
    const RandomKey numbers{key.seed, key.step, key.stream ^ vortex_stream};
    Births births;
    for (std::size_t i = 0; i < effects.vortices.size(); ++i) {
        const int number = int(std::min(std::max(0.0, effects.vortices[i]), double(params.limit) + 1) + double(uniform4(numbers, particles.id[i])[0]));
        if (number == 0 || !(effects.vortex_strength[i] > 0)) continue;
        const Vec3d slope = slope_of_rate(particles, effects, bins, influence, i);
        if (dot(slope, slope) <= 0) continue;
        const Vec3f vorticity(slope * (effects.vortex_strength[i] / length(slope)));
        for (int n = 0; n < number; ++n) {
            births.limited = vortices.count() >= params.limit;
            if (births.limited) return births;
            Vec3f place = particles.position[i];
            for (std::uint32_t attempt = 0; attempt < 8; ++attempt) {
                const Vec3f p = in_sphere(particles.position[i], influence_radius, uniform4(numbers, particles.id[i], std::uint32_t(n) * 8 + attempt + 1));
                if (!in_gas(gas.domain, gas.solids, p)) continue;
                place = p;
                break;
            }
            vortices.position.push_back(place), vortices.vorticity.push_back(vorticity), vortices.life.push_back(float(params.life));
            ++births.number;
        }
    }
    return births;
}

void drift(const field::Domain& domain, const field::MacGrid& u, const flow::Solids* solids, double dt, VortexParticles& vortices) {
    std::vector<std::uint8_t> dead(std::size_t(vortices.count()), 0);
    parallel_for((vortices.count() + 63) / 64, [&](int chunk) {
        for (int v = chunk * 64; v < std::min(vortices.count(), (chunk + 1) * 64); ++v) {
            Vec3f& x = vortices.position[std::size_t(v)];
            const Vec3f middle = x + particles::sample(u, particles::cells_from_world(domain, x)) * float(0.5 * dt);
            x += particles::sample(u, particles::cells_from_world(domain, middle)) * float(dt);
            dead[std::size_t(v)] = (vortices.life[std::size_t(v)] -= float(dt)) <= 0 || !in_gas(domain, solids, x);
        }
    });
    particles::remove_marked(dead, vortices);
}

void stir(const VortexParams& params, const field::Domain& domain, double dt, const flow::Solids* solids, const VortexParticles& vortices,
          field::MacGrid& u) {
    if (vortices.count() == 0) return;
    const bool cut = solids != nullptr && solids->present();
    const double radius = params.radius / domain.h;   // all in cells from here on
    const float decay = float(2 / (radius * radius)), radius_squared = float(radius * radius), push = float(dt * params.confinement * domain.h);
    std::vector<Vec3f> centers;
    for (const Vec3f& p : vortices.position) centers.push_back(particles::cells_from_world(domain, p));

    const auto planes_of = [&](int v) {
        const double z = double(centers[std::size_t(v)].z);
        return particles::PlaneRange{int(std::floor(z - radius)), int(std::ceil(z + radius)) + 2};
    };
    const std::vector<float> all_open(std::size_t(2 * radius) + 3, 1.0f);
    // Faces reach one plane farther than cells.
    particles::for_each_slab(domain.cells.z + 1, vortices.count(), planes_of, [&](int first_plane, int end_plane, std::span<const int> those) {
        std::vector<float> along;
        for (const int v : those) {
            const Vec3f omega = vortices.vorticity[std::size_t(v)];
            for (int axis = 0; axis < 3; ++axis) {
                Vec3f c = centers[std::size_t(v)];
                c[axis] += 0.5f;   // in entries of this component
                Vec3i first, last;
                for (int a = 0; a < 3; ++a) {   // walls are left alone
                    first[a] = std::max(a == axis ? 1 : 0, int(std::ceil(double(c[a]) - radius)));
                    last[a] = std::min(domain.cells[a], int(std::floor(double(c[a]) + radius)) + 1);
                }
                const auto bell = [&](int a, int at) { return std::exp(-decay * (c[a] - float(at)) * (c[a] - float(at))); };
                along.clear();
                for (int i = first.x; i < last.x; ++i) along.push_back(bell(0, i));
                for (int k = std::max(first.z, first_plane); k < std::min(last.z, end_plane); ++k)
                    for (int j = first.y; j < last.y; ++j) {
                        float* __restrict row = u[axis].row(j, k) + first.x;
                        const float* __restrict open = (cut ? solids->aperture[axis].row(j, k) : all_open.data()) + (cut ? first.x : 0);
                        const float across = push * bell(1, j) * bell(2, k), y = c.y - float(j), z = c.z - float(k);
                        const float* __restrict weight = along.data();
#pragma omp simd
                        for (int i = 0; i < last.x - first.x; ++i) {
                            const float x = c.x - float(first.x + i), d2 = x * x + y * y + z * z;
                            const float turn = axis == 0 ? y * omega.z - z * omega.y : axis == 1 ? z * omega.x - x * omega.z : x * omega.y - y * omega.x;
                            const float f = across * weight[i] * turn / std::sqrt(std::max(d2, 1e-12f));
                            row[i] += d2 < radius_squared && open[i] > 0 ? f : 0.0f;
                        }
                    }
            }
        }
    });
}

}  // namespace phlo::models
