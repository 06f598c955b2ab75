#include "models/gas/soot.h"

#include <algorithm>
#include <cmath>

#include "base/parallel.h"
#include "base/simd.h"
#include "particles/sample_pack.h"

namespace phlo::models {
namespace {

constexpr std::uint32_t soot_stream = 0x736f6f74;
constexpr int chunk = 4096;   ///< particles that one task moves

using simd::Float;
using simd::Mask;

}  // namespace

float SootParticles::radius(std::size_t i, const SootParams& params) const {
    return float(params.radius) * std::sqrt(std::max(0.0f, life[i] / span[i]));
}

Births form_soot(const SootParams& params, const field::Domain& domain, const field::Grid& before, const field::Grid& after, double ambient,
               std::span<const field::Grid* const> densities, const flow::TileSet& tiles, const RandomKey& key, SootParticles& soot) {
    if (params.per_kelvin <= 0) return {};
    const std::vector<flow::CellBox> boxes = tiles.runs();
    std::vector<SootParticles> formed(boxes.size());
    const float threshold = float(params.threshold - ambient), scale = float(params.per_kelvin * domain.h * domain.h * domain.h);
    parallel_for(int(boxes.size()), [&](int b) {
        const flow::CellBox& box = boxes[std::size_t(b)];
        SootParticles& made = formed[std::size_t(b)];
        for (int k = box.lower.z; k < box.upper.z; ++k)
            for (int j = box.lower.y; j < box.upper.y; ++j) {
                const float *was = before.row(j, k), *is = after.row(j, k);
                for (int i = box.lower.x; i < box.upper.x; ++i) {
                    if (i % simd::width == 0 && !any(simd::load(was + i) >= Float(threshold))) {
                        i += simd::width - 1;
                        continue;
                    }
                    if (!(was[i] >= threshold && is[i] < threshold)) continue;
                    const std::uint32_t cell = std::uint32_t(i + domain.cells.x * (j + domain.cells.y * k));
                    const RandomKey numbers{key.seed, key.step, key.stream ^ soot_stream};
                    float density = 0;
                    for (const field::Grid* d : densities) density += std::max((*d)(i, j, k), 0.0f);
                    const float mean = scale * (was[i] - is[i]) * density;
                    const int number = int(mean + uniform4(numbers, cell)[0]);
                    for (int n = 0; n < number; ++n) {
                        const auto u = uniform4(numbers, cell, std::uint32_t(n + 1));
                        const Vec3d p = domain.origin + Vec3d(i + double(u[0]), j + double(u[1]), k + double(u[2])) * domain.h;
                        const float life = float(params.life) * (0.5f + u[3]);
                        made.x.push_back(float(p.x)), made.y.push_back(float(p.y)), made.z.push_back(float(p.z));
                        made.life.push_back(life), made.span.push_back(life);
                    }
                }
            }
    });
    Births births;
    for (const SootParticles& made : formed) {
        births.limited = long(soot.count() + made.count()) > params.limit;
        if (births.limited) break;
        births.number += long(made.count());
        particles::append(made, soot);
    }
    return births;
}

void remember_hot(const SootParams& params, const field::Grid& now, double ambient, const flow::TileSet& tiles, field::Grid& hot) {
    const float threshold = float(params.threshold - ambient), cold = std::min(0.0f, threshold - 1);
    tiles.for_each_run([&](const flow::CellBox& box) {
        for (int k = box.lower.z; k < box.upper.z; ++k)
            for (int j = box.lower.y; j < box.upper.y; ++j) {
                const float* from = now.row(j, k);
                float* to = hot.row(j, k);
                for (int i = box.lower.x; i < box.upper.x; i += simd::width) {
                    // Nearly everywhere nothing was and nothing is hot: looking is cheaper than writing.
                    if (!any((simd::load(from + i) >= Float(threshold)) | ~(simd::load(to + i) == Float(cold)))) continue;
                    for (int l = i; l < std::min(i + simd::width, box.upper.x); ++l) to[l] = from[l] >= threshold ? from[l] : cold;
                }
            }
    });
}

void drift(const field::Domain& domain, const field::MacGrid& u, const flow::Solids* solids, double dt, SootParticles& soot) {
    const field::Layout& layout = u.layout();
    const particles::MacPackSampler velocity(u);
    const bool bodies = solids != nullptr && solids->present();
    const particles::PackSampler distance(bodies ? solids->distance : u.x, layout.cells());
    const Vec3f origin = Vec3f(domain.origin + Vec3d(0.5 * domain.h)), upper(domain.upper()), lower(domain.origin);
    const Float per_h{float(1 / domain.h)}, step{float(dt)}, half{float(0.5 * dt)};
    std::vector<std::uint8_t> dead(soot.count(), 0);
    parallel_for(int((soot.count() + chunk - 1) / chunk), [&](int c) {
        const std::size_t first = std::size_t(c) * chunk, last = std::min(soot.count(), first + chunk);
        for (std::size_t i = first; i < last; i += simd::width) {
            // The last pack of a chunk may be short: it works on a copy.
            float buffer[3][simd::width] = {};
            const std::size_t lanes = std::min(last - i, std::size_t(simd::width));
            const bool whole = lanes == std::size_t(simd::width);
            const std::vector<float>* columns[] = {&soot.x, &soot.y, &soot.z};
            for (int a = 0; a < 3 && !whole; ++a) std::copy_n(columns[a]->data() + i, lanes, buffer[a]);
            const Float x = simd::load(whole ? soot.x.data() + i : buffer[0]), y = simd::load(whole ? soot.y.data() + i : buffer[1]),
                        z = simd::load(whole ? soot.z.data() + i : buffer[2]);
            const Float cx = (x - Float(origin.x)) * per_h, cy = (y - Float(origin.y)) * per_h, cz = (z - Float(origin.z)) * per_h;
            const Float half_h = half * per_h;
            const simd::Float3 here = velocity(cx, cy, cz);
            const simd::Float3 there = velocity(fma(half_h, here.x, cx), fma(half_h, here.y, cy), fma(half_h, here.z, cz));
            Float nx = fma(step, there.x, x), ny = fma(step, there.y, y), nz = fma(step, there.z, z);
            if (bodies) {
                const Float d = distance((nx - Float(origin.x)) * per_h, (ny - Float(origin.y)) * per_h, (nz - Float(origin.z)) * per_h);
                const Mask out = Float(0.0f) < d;
                nx = select(out, nx, x), ny = select(out, ny, y), nz = select(out, nz, z);
            }
            const Mask in = (Float(lower.x) < nx) & (nx < Float(upper.x)) & (Float(lower.y) < ny) & (ny < Float(upper.y)) & (Float(lower.z) < nz) & (nz < Float(upper.z));
            const unsigned inside = simd::bits(in);
            for (std::size_t l = 0; l < lanes; ++l) dead[i + l] = !((inside >> l) & 1);
            simd::store(buffer[0], nx), simd::store(buffer[1], ny), simd::store(buffer[2], nz);
            std::copy_n(buffer[0], lanes, soot.x.data() + i), std::copy_n(buffer[1], lanes, soot.y.data() + i), std::copy_n(buffer[2], lanes, soot.z.data() + i);
        }
    });
    particles::remove_marked(dead, soot);
}

void age(double dt, SootParticles& soot) {
    std::vector<std::uint8_t> dead(soot.count());
    const float less = float(dt);
    for (std::size_t i = 0; i < dead.size(); ++i) dead[i] = !((soot.life[i] -= less) > 0);
    particles::remove_marked(dead, soot);
}

}  // namespace phlo::models
