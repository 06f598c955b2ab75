#include "render/volumes/carried_noise.h"

#include <cmath>
#include <numbers>

#include "base/parallel.h"

namespace phlo::render {
namespace {

constexpr float cells_a_step = 2;
constexpr int most_steps = 24;

/// Where gas at `p` is `seconds` later, if the flow stays as it is; midpoint rule.
Vec3f traced(const VectorLattice& velocity, const Vec3f& start, float seconds, int steps) {
    Vec3f p = start;
    const float dt = seconds / float(steps);
    for (int n = 0; n < steps; ++n) p += velocity.sample(p + velocity.sample(p) * (0.5f * dt)) * dt;
    return p;
}

float fastest(const VectorLattice& velocity) {
    const Vec3i n = velocity.cells();
    return float(parallel_max(n.z, 0, [&](int k) {
        float most = 0;
        for (int j = 0; j < n.y; ++j)
            for (int i = 0; i < n.x; ++i) most = std::max(most, length(velocity(i, j, k)));
        return double(most);
    }));
}

/// 1 where the pattern is as drawn, turned or stretched; falls as it is squeezed, by the mean square of its gradients' growth.
float kept_of(const VectorLattice& offset, const Vec3i& c) {
    float square = 0;
    for (int axis = 0; axis < 3; ++axis) {
        Vec3i step, unit;
        step[axis] = 1, unit[axis] = 1;
        const Vec3f change = (offset.nearest(c + step) - offset.nearest(c - step)) * 0.5f + Vec3f(unit);
        square += dot(change, change) / 3;
    }
    return 1 / (1 + 0.5f * std::max(0.f, square - 1));
}

}  // namespace

VectorLattice cells_per_second(const field::FaceVelocity& velocity) {
    const Vec3i n = velocity.domain.cells;
    const field::MacGrid& v = *velocity.faces;
    const float scale = float(0.5 / velocity.domain.h);
    VectorLattice result(n);
    parallel_for(n.z, [&](int k) {
        for (int j = 0; j < n.y; ++j)
            for (int i = 0; i < n.x; ++i)
                result(i, j, k) =
                    Vec3f(v.x(i, j, k) + v.x(i + 1, j, k), v.y(i, j, k) + v.y(i, j + 1, k), v.z(i, j, k) + v.z(i, j, k + 1)) * scale;
    });
    return result;
}

CarriedNoise::CarriedNoise(const VectorLattice& velocity, const std::function<bool(int, int, int)>& wanted, const Params& params) {
    const Vec3i n = velocity.cells();
    const float speed = fastest(velocity);
    for (std::size_t p = 0; p < phases_.size(); ++p) {
        Phase& phase = phases_[p];
        const double lives = params.time / params.period + 0.5 * double(p), life = std::floor(lives), part = lives - life;
        const float age = float((part - 0.5) * params.period);  // since the middle of its life
        const int steps = std::clamp(int(std::ceil(speed * std::fabs(age) / cells_a_step)), 1, most_steps);
        phase.weight = float(std::sin(std::numbers::pi * part));
        phase.seed = (std::uint32_t(params.seed) * 0x9E3779B1u + std::uint32_t(std::int64_t(life))) * 2 + std::uint32_t(p);
        phase.offset = VectorLattice(n), phase.kept = VectorLattice(n);
        parallel_for(n.z, [&](int k) {
            for (int j = 0; j < n.y; ++j)
                for (int i = 0; i < n.x; ++i)
                    if (const Vec3f here{Vec3i(i, j, k)}; wanted(i, j, k))
                        phase.offset(i, j, k) = traced(velocity, here, -age, steps) - here;
        });
        parallel_for(n.z, [&](int k) {
            for (int j = 0; j < n.y; ++j)
                for (int i = 0; i < n.x; ++i) phase.kept(i, j, k).x = kept_of(phase.offset, {i, j, k});
        });
    }
}

}  // namespace phlo::render
