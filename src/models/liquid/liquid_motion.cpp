#include "models/liquid/liquid_motion.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "base/parallel.h"
#include "flow/balance.h"
#include "flow/extend.h"
#include "flow/level_set.h"
#include "flow/turning.h"
#include "models/liquid/airborne.h"
#include "models/liquid/mixing.h"
#include "models/liquid/particle_carriers.h"
#include "models/liquid/pouring.h"

namespace phlo::models {
namespace {

constexpr int sloping_layers = 3;   ///< of air, that the next transport looks at: constant from the surface on they would slow what spins

/// u += change on faces with liquid on one side at least.
void accelerate(const Vec3d& change, const field::Grid& phi, const flow::TileSet& tiles, field::MacGrid& u) {
    for (int axis = 0; axis < 3; ++axis) {
        const float add = float(change[axis]);
        if (add == 0) continue;
        const field::Layout& layout = phi.layout();
        const std::ptrdiff_t s = axis == 0 ? 1 : axis == 1 ? layout.stride_y() : layout.stride_z();
        tiles.for_each_run([&](const flow::CellBox& box) {
            Vec3i last = box.upper;
            if (last[axis] == layout.cells()[axis]) ++last[axis];
            for (int k = box.lower.z; k < last.z; ++k)
                for (int j = box.lower.y; j < last.y; ++j) {
                    float* __restrict v = u[axis].row(j, k);
                    const float *above = phi.row(j, k), *below = above - s;
#pragma omp simd
                    for (int i = box.lower.x; i < last.x; ++i) v[i] += above[i] < 0 || below[i] < 0 ? add : 0.f;
                }
        });
    }
}

void scale(float factor, field::Grid& q) {
    const Vec3i n = q.layout().cells();
    parallel_for(n.z, [&](int k) {
        for (int j = 0; j < n.y; ++j) {
            float* row = q.row(j, k);
#pragma omp simd
            for (int i = 0; i < n.x; ++i) row[i] *= factor;
        }
    });
}

/// The divergence that brings the volume back to what it should be [1/s].
double mending_divergence(LiquidState& liquid, double dt) {
    if (liquid.setup.liquid.volume_rate == 0) return 0;
    const double volume = liquid.volume(), missing = liquid.book.expected() - volume - volume_of(liquid.drops);
    liquid.loss.look(missing, volume, dt);
    const double divergence = models::mending_divergence({.rate = liquid.setup.liquid.volume_rate, .volume = volume, .missing = missing, .losing = liquid.loss.rate,
                                                          .speed = liquid.flow.fastest(), .gravity = length(liquid.setup.liquid.gravity(liquid.flow.time()))}, dt);
    liquid.loss.mending = divergence * volume;
    return divergence;
}

}  // namespace

double coming_speed(LiquidState& liquid) {
    const LiquidParams& params = liquid.setup.liquid;
    const double cfl = liquid.flow.shot().time.cfl, h = liquid.h();
    const double speed = std::max(liquid.flow.fastest(), pouring_speed(liquid)), g = length(params.gravity(liquid.flow.time()));
    // The step dt in which a liquid with this speed, pulled by g, crosses cfl cells: (speed + g dt) dt = cfl h.
    const double pulled = 0.5 * (speed + std::sqrt(speed * speed + 4 * g * cfl * h));
    return std::max(pulled, cfl * h / std::min(wave_step(g, h), tension_step(params, h)));
}

void move_liquid_bodies(LiquidState& liquid, double dt) {
    liquid.bodies_before = liquid.flow.placements();
    liquid.flow.move_bodies(dt);
    liquid.bodies_after = liquid.flow.free_bodies().placements(liquid.flow.time() + dt);
    if (liquid.flow.solids().present()) constrain_velocity(liquid.flow.solids(), liquid.flow.edit_velocity());   // it carries the surface now
}

/// To where the liquid is now, and the faces beside it. MacCormack's scheme, which the gas uses, makes a froth of the surface: half of the error that it takes off there is of the velocity's continuation into
/// the air, which is no smooth field.
void carry_velocity(LiquidState& liquid, double dt) {
    flow::TileSet tiles = flow::inside_tiles(liquid.wet);
    tiles.dilate(1);
    liquid.flow.advect_velocity(flow::Scheme::cubic, flow::Trace::rk2, dt, tiles);
}

void add_liquid_forces(LiquidState& liquid, double dt) {
    field::MacGrid& u = liquid.flow.next_velocity();
    liquid.carried = u;
    const Vec3d gravity = liquid.setup.liquid.gravity(liquid.flow.time());
    liquid.flow.set_gravity(gravity);
    accelerate(gravity * dt, liquid.wet, liquid.tiles, u);
    push_by_density(liquid, dt, u);
    push_poured(liquid, dt, u);
}

void project_liquid(LiquidState& liquid, double dt) {
    const LiquidParams& params = liquid.setup.liquid;
    const double h = liquid.h();
    field::MacGrid& u = liquid.flow.adopt_next_velocity();
    liquid.projector.set_up(liquid.flow.walls(), liquid.flow.solids(), liquid.wet, params.sealed_air);
    flow::FreeBodies& bodies = liquid.flow.free_bodies();
    if (bodies.any()) liquid.projector.couple(bodies.pressure_terms(liquid.flow.surroundings(), liquid.flow.solids()));

    flow::FreeSurfaceParams how{.h = h, .tolerance = params.pressure_tolerance, .max_iterations = params.pressure_iterations,
                                .least_pull = 0.05 * length(params.gravity(liquid.flow.time())) * dt};
    if (!bodies.any() && liquid.last_dt > 0) {   // q = dt p / (rho h) of the last step, for this one's length
        if (dt != liquid.last_dt) scale(float(dt / liquid.last_dt), liquid.projector.edit_pressure());
        how.guess = &liquid.projector.pressure();
    }
    field::Grid& divergence = liquid.flow.idle_grid(0);
    const double mending = mending_divergence(liquid, dt);
    divergence.fill(float(mending));
    const double returned = take_drops_back(liquid, dt, u, divergence);
    const bool widened = liquid.particles_make_surface() && widen_crowds(liquid, dt, divergence) > 0;
    how.divergence = liquid.wanted_divergence = mending != 0 || returned > 0 || widened ? &divergence : nullptr;
    if (mending != 0) liquid.ledger.record("volume", "mended", mending * dt * liquid.volume());
    if (params.tension > 0) {
        field::Grid& kappa = liquid.flow.idle_grid(1);
        curvature(h, liquid.phi, flow::band_tiles(liquid.phi, 2 * h), kappa);
        how.tension = dt * params.tension / params.least_density();
        how.curvature = &kappa;
    }
    liquid.pressure = liquid.projector.project(how, u, [&](const field::Grid& q) { liquid.flow.press_bodies(q, dt); });
    constrain_velocity(liquid.flow.solids(), u);
    liquid.last_dt = dt;
    if (!liquid.pressure.converged && liquid.pressure.iterations >= params.pressure_iterations)
        liquid.warnings->once("pressure", fmt::format("the pressure solve stopped at a relative residual of {:.1e} after {} iterations (t = {:.3f} s); "
                                                      "raise liquid.pressure.iterations", liquid.pressure.residual, liquid.pressure.iterations, liquid.flow.time()));
}

void project_again(LiquidState& liquid, double dt, double reference) {
    const LiquidParams& params = liquid.setup.liquid;
    field::MacGrid& u = liquid.flow.edit_velocity();
    field::Grid &first = liquid.flow.idle_grid(2), &pressure = liquid.projector.edit_pressure();
    first = pressure;
    // Walls were let go where the first pressure would pull: this one is only a part of the whole.
    const flow::FreeSurfaceReport again = liquid.projector.project(
        {.h = liquid.h(), .tolerance = params.pressure_tolerance, .max_iterations = params.pressure_iterations, .divergence = liquid.wanted_divergence, .let_go = false,
         .reference = reference}, u,
        [&](const field::Grid& q) { liquid.flow.press_bodies(q, dt); });
    std::swap(first, pressure);
    constrain_velocity(liquid.flow.solids(), u);
    liquid.pressure.iterations += again.iterations;
    liquid.pressure.divergence_max = again.divergence_max, liquid.pressure.divergence_rms = again.divergence_rms;
}

void turn_with_flow(LiquidState& liquid, double dt) {
    const std::array<field::Grid*, 2> spare{&liquid.flow.idle_grid(1), &liquid.flow.idle_grid(2)};
    add_turn({.dt = dt, .h = liquid.h()}, liquid.wet, liquid.flow.solids(), liquid.tiles, liquid.carried, spare, liquid.march, liquid.flow.edit_velocity());
}

void extend_beyond_surface(LiquidState& liquid, double dt) {
    field::MacGrid& u = liquid.flow.edit_velocity();
    const double cells = std::max(liquid.flow.shot().time.cfl, liquid.flow.fastest() * dt / liquid.h());
    flow::TileSet tiles = liquid.tiles;
    tiles |= liquid.old_tiles;   // nothing old stays behind
    const flow::Solids& solids = liquid.flow.solids();
    extend_velocity({.h = liquid.h(), .layers = int(std::ceil(2 * cells)) + 2, .open = solids.present() ? &solids.aperture : nullptr, .min_open = 0.15f, .sloping = sloping_layers,
                     .tiles = &tiles},
                    liquid.wet, u, liquid.march);
    enforce_walls(liquid.flow.walls(), u);
    constrain_velocity(solids, u);
    balance_extension({.h = liquid.h()}, liquid.flow.walls(), solids, liquid.wet, tiles, liquid.flow.idle_grid(0), u);
}

}  // namespace phlo::models
