#include "models/gas/soot.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/parallel.h"
#include "base/simd.h"
#include "particles/sample_pack.h"

namespace phlo::models {
namespace {

constexpr std::uint32_t soot_stream = 0x736f6f74;
constexpr int chunk = 4096;   ///< particles that one task moves

using simd::Float;
using simd::Mask;

/// What happens to the cells of a box that cool.
class Cooling {
public:
    Cooling(const SootParams& params, const CoolingGas& gas)
        : gas_(gas), threshold_(float(params.threshold - gas.ambient)), volume_(float(gas.domain.h * gas.domain.h * gas.domain.h)) {}

    /// use(i, j, k, a κ ΔT, κ ΔT).
    template <class Use>
    void for_each_cell(const flow::CellBox& box, Use&& use) const {
        std::vector<float> formula(gas_.per_kelvin_in_row ? std::size_t(box.upper.x - box.lower.x) : 0);
        for (int k = box.lower.z; k < box.upper.z; ++k)
            for (int j = box.lower.y; j < box.upper.y; ++j) {
                const float *was = gas_.before->row(j, k), *is = gas_.after->row(j, k);
                bool known = !gas_.per_kelvin_in_row;
                for (int i = box.lower.x; i < box.upper.x; ++i) {
                    if (i % simd::width == 0 && !any(min(simd::load(is + i), Float(threshold_)) < min(simd::load(was + i), Float(threshold_)))) {
                        i += simd::width - 1;
                        continue;
                    }
                    const float drop = std::min(was[i], threshold_) - std::min(is[i], threshold_);
                    if (!(drop > 0)) continue;
                    if (!known) gas_.per_kelvin_in_row(j, k, box.lower.x, box.upper.x, formula.data()), known = true;
                    const float each = (formula.empty() ? float(gas_.per_kelvin) : std::max(formula[std::size_t(i - box.lower.x)], 0.0f)) * drop;
                    if (each > 0) use(i, j, k, float(gas_.amount) * each, each);
                }
            }
    }

    /// n of a cell, on average.
    float number(int i, int j, int k, float spent, float each) const {
        float seen = 0;
        for (const field::Grid* d : gas_.visible) seen += std::max((*d)(i, j, k), 0.0f);
        const float share = spent > 1e-4f ? -std::expm1(-spent) / spent : 1 - 0.5f * spent;
        return each * seen * volume_at(i, j, k) * share;
    }

    /// Takes what the particles of a box stand for off the fields; returns what that was, by field [mol].
    std::vector<double> take(const flow::CellBox& box) const {
        std::vector<double> taken(gas_.visible.size(), 0);
        if (gas_.amount <= 0) return taken;
        for_each_cell(box, [&](int i, int j, int k, float spent, float) {
            const float kept = std::exp(-spent);
            for (std::size_t f = 0; f < taken.size(); ++f) {
                float& here = (*gas_.visible[f])(i, j, k);
                if (!(here > 0)) continue;
                const float now = here * kept;
                taken[f] += (double(here) - double(now)) * double(volume_at(i, j, k));
                here = now;
            }
        });
        return taken;
    }

private:
    float volume_at(int i, int j, int k) const { return gas_.room == nullptr ? volume_ : volume_ * (*gas_.room)(i, j, k); }

    const CoolingGas& gas_;
    float threshold_, volume_;
};

}  // namespace

float SootParticles::radius(std::size_t i, const SootParams& params) const {
    return float(params.radius) * std::sqrt(std::max(0.0f, life[i] / span[i]));
}

double usual_amount(const SootParams& params, double per_kelvin, double ambient) {
    const double range = params.threshold - ambient;
    return per_kelvin > 0 && range > 0 ? std::numbers::ln2 / (per_kelvin * range) : 0;
}

SootReport form_soot(const SootParams& params, const CoolingGas& gas, const RandomKey& key, SootParticles& soot) {
    const std::vector<flow::CellBox> boxes = gas.tiles->runs();
    const Cooling cooling(params, gas);
    const RandomKey numbers{key.seed, key.step, key.stream ^ soot_stream};
    std::vector<SootParticles> formed(boxes.size());
    const long most = std::max(0l, params.limit - long(soot.count()));   // a box with more than that is left out as a whole
    parallel_for(int(boxes.size()), [&](int b) {
        SootParticles& made = formed[std::size_t(b)];
        cooling.for_each_cell(boxes[std::size_t(b)], [&](int i, int j, int k, float spent, float each) {
            const float mean = cooling.number(i, j, k, spent, each);
            if (!(mean > 0) || long(made.count()) > most) return;
            const std::uint32_t cell = std::uint32_t(i + gas.domain.cells.x * (j + gas.domain.cells.y * k));
            const int number = int(std::min(mean, float(most + 1)) + uniform4(numbers, cell)[0]);
            for (int n = 0; n < number; ++n) {
                const auto u = uniform4(numbers, cell, std::uint32_t(n + 1));
                const Vec3d p = gas.domain.origin + Vec3d(i + double(u[0]), j + double(u[1]), k + double(u[2])) * gas.domain.h;
                const float life = float(params.life) * (0.5f + u[3]);
                made.x.push_back(float(p.x)), made.y.push_back(float(p.y)), made.z.push_back(float(p.z));
                made.life.push_back(life), made.span.push_back(life);
            }
        });
    });
    SootReport report;
    std::size_t accepted = 0;
    for (; accepted < boxes.size(); ++accepted) {
        const SootParticles& made = formed[accepted];
        report.limited = long(soot.count() + made.count()) > params.limit;
        if (report.limited) break;
        report.number += long(made.count());
        particles::append(made, soot);
    }
    std::vector<std::vector<double>> taken(accepted);
    parallel_for(int(accepted), [&](int b) { taken[std::size_t(b)] = cooling.take(boxes[std::size_t(b)]); });
    report.taken.assign(gas.visible.size(), 0);
    for (const std::vector<double>& of_box : taken)
        for (std::size_t f = 0; f < of_box.size(); ++f) report.taken[f] += of_box[f];
    return report;
}

void remember(const flow::TileSet& tiles, const field::Grid& now, field::Grid& before) {
    tiles.for_each_run([&](const flow::CellBox& box) {
        for (int k = box.lower.z; k < box.upper.z; ++k)
            for (int j = box.lower.y; j < box.upper.y; ++j) std::copy(now.row(j, k) + box.lower.x, now.row(j, k) + box.upper.x, before.row(j, k) + box.lower.x);
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
