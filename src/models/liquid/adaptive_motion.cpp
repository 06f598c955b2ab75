#include "models/liquid/adaptive_motion.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/parallel.h"
#include "numerics/block_loops.h"

namespace phlo::models {

using field::Blocks;
using numerics::each_block;

namespace {

/// The same change everywhere: what lies beside no liquid is found anew after the pressure.
void accelerate(const Blocks& blocks, const Vec3d& change, flow::BlockVelocity& u) {
    each_block(blocks, [&](int block) {
        for (int axis = 0; axis < 3; ++axis) {
            const float add = float(change[axis]);
            float* v = u[std::size_t(axis)].block(blocks, block);
            for (std::size_t i = 0; i < Blocks::stored(blocks.level(block)); ++i) v[i] += add;
        }
    });
}

double largest(const Blocks& blocks, const flow::BlockVelocity& u) {
    const std::vector<int>& all = blocks.all();
    return parallel_reduce(int(all.size()), 0.0, [&](int item) {
        float most = 0;
        for (const auto& component : u) {
            const float* x = component.block(blocks, all[std::size_t(item)]);
            const auto count = Blocks::stored(blocks.level(all[std::size_t(item)]));
#pragma omp simd reduction(max : most)
            for (std::size_t i = 0; i < count; ++i) most = std::max(most, std::fabs(x[i]));
        }
        return double(most);
    }, [](double a, double b) { return std::max(a, b); });
}

/// What leaves through open walls [m^3/s].
double outflow(const AdaptiveState& liquid) {
    const Blocks& blocks = liquid.blocks;
    double sum = 0;
    for (const int block : blocks.all())
        for (int face = 0; face < 6; ++face) {
            if (blocks.neighbour(block, face) >= 0 || liquid.shot.domain.walls[std::size_t(face)].kind != WallKind::open) continue;
            const int level = blocks.level(block);
            const double size = liquid.h() * blocks.size(level);
            const float *phi = liquid.phi.block(blocks, block), *v = liquid.u[std::size_t(face / 2)].block(blocks, block);
            numerics::each_at_face(level, face, [&](int, int, int place, int ghost) {
                const double depth = std::clamp(0.5 - double(phi[place]) / size, 0.0, 1.0), out = double(face % 2 == 0 ? -v[place] : v[ghost]);
                sum += depth * std::max(0.0, out) * size * size;
            });
        }
    return sum;
}

}  // namespace

double coming_speed(const AdaptiveState& liquid) {
    const double cfl = liquid.shot.time.cfl, h = liquid.h(), g = length(liquid.setup.liquid.gravity(liquid.time));
    double speed = liquid.fastest;
    for (const LiquidEmitter& emitter : liquid.setup.emitters)
        if (emitter.mode == LiquidMode::pour && emitter.strength(liquid.time) > 0) speed = std::max(speed, length(emitter.velocity(liquid.time)));
    // The step dt in which a liquid with this speed, pulled by g, crosses cfl cells: (speed + g dt) dt = cfl h.
    const double pulled = 0.5 * (speed + std::sqrt(speed * speed + 4 * g * cfl * h));
    return std::max(pulled, cfl * h / wave_step(g, h));
}

void carry_surface(AdaptiveState& liquid, double dt) {
    if (const double left = outflow(liquid) * dt; left > 0) liquid.book.left += left, liquid.ledger.record("volume", "left", -left);
    liquid.transport.start(liquid.blocks, liquid.u, liquid.phi);
    liquid.transport.carry_level_set({.dt = dt, .h = liquid.h(), .fastest = liquid.fastest}, liquid.phi);
    fill_ghosts_around(liquid.blocks, field::centres, field::Seams::one_value, liquid.phi, field::Around::faces);
    redistance(liquid.blocks, {.h = liquid.h(), .band = block_band}, liquid.phi, liquid.march);
}

void carry_velocity(AdaptiveState& liquid, double dt) {
    liquid.transport.carry_velocity({.dt = dt, .h = liquid.h(), .fastest = liquid.fastest}, liquid.phi, liquid.u);
    accelerate(liquid.blocks, liquid.setup.liquid.gravity(liquid.time) * dt, liquid.u);
}

void project_liquid(AdaptiveState& liquid, double dt) {
    const LiquidParams& params = liquid.setup.liquid;
    enforce_walls(liquid.blocks, liquid.walls(), liquid.u);
    liquid.projector.set_up(liquid.walls(), liquid.solids, liquid.blocks, liquid.phi);
    const double volume = liquid.volume();
    const double mending = mending_divergence({.rate = params.volume_rate, .volume = volume, .missing = liquid.book.expected() - volume, .speed = liquid.fastest,
                                               .gravity = length(params.gravity(liquid.time))}, dt);
    if (mending != 0) liquid.ledger.record("volume", "mended", mending * dt * volume);
    liquid.pressure = liquid.projector.project({.h = liquid.h(), .tolerance = params.pressure_tolerance, .max_iterations = params.pressure_iterations,
                                                .divergence = mending, .guess = liquid.last_dt > 0 ? dt / liquid.last_dt : 0}, liquid.u);
    liquid.last_dt = dt;
    if (!liquid.pressure.converged && liquid.pressure.iterations >= params.pressure_iterations)
        liquid.warnings->once("pressure", fmt::format("the pressure solve stopped at a relative residual of {:.1e} after {} iterations (t = {:.3f} s); "
                                                      "raise liquid.pressure.iterations", liquid.pressure.residual, liquid.pressure.iterations, liquid.time));
}

void extend_beyond_surface(AdaptiveState& liquid) {
    liquid.fastest = largest(liquid.blocks, liquid.u);
    // As far as the next step, which cannot be longer than waves allow, may carry the surface, and as far again.
    const double g = length(liquid.setup.liquid.gravity(liquid.time)), longest = std::min(wave_step(g, liquid.h()), 1.0 / liquid.shot.time.fps);
    const double cells = std::min(liquid.shot.time.cfl, (liquid.fastest + g * longest) * longest / liquid.h());
    const flow::BlockExtension how{.h = liquid.h(), .reach = 2 * std::ceil(liquid.shot.time.fixed_step > 0 ? liquid.shot.time.cfl : cells) + 2};
    extend_velocity(liquid.blocks, liquid.walls(), liquid.projector.kind(), how, liquid.phi, liquid.u, liquid.extension);
    liquid.fastest = largest(liquid.blocks, liquid.u);
}

}  // namespace phlo::models
