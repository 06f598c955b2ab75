#include "models/liquid/friction.h"

#include <fmt/format.h>

#include "flow/extend.h"
#include "models/liquid/liquid_motion.h"

namespace phlo::models {
namespace {

constexpr int layers_of_air = 2;        ///< faces beyond the surface whose cubes may hold liquid

/// Pressure for what friction has changed, on top of the one found before; that one stays what is kept for the next step.
void project_again(LiquidState& liquid, double dt) {
    const LiquidParams& params = liquid.setup.liquid;
    field::MacGrid& u = liquid.flow.edit_velocity();
    field::Grid &first = liquid.flow.idle_grid(2), &pressure = liquid.projector.edit_pressure();
    first = pressure;
    // Walls were let go where the first pressure would pull: this one is only a part of the whole.
    const flow::FreeSurfaceReport again = liquid.projector.project(
        {.h = liquid.h(), .tolerance = params.pressure_tolerance, .max_iterations = params.pressure_iterations, .divergence = liquid.wanted_divergence, .let_go = false}, u,
        [&](const field::Grid& q) { liquid.flow.press_bodies(q, dt); });
    std::swap(first, pressure);
    constrain_velocity(liquid.flow.solids(), u);
    liquid.pressure.iterations += again.iterations;
    liquid.pressure.divergence_max = again.divergence_max, liquid.pressure.divergence_rms = again.divergence_rms;
}

}  // namespace

void apply_friction(LiquidState& liquid, double dt) {
    const LiquidParams& params = liquid.setup.liquid;
    const flow::Solids& solids = liquid.flow.solids();
    field::MacGrid& u = liquid.flow.edit_velocity();
    extend_velocity({.h = liquid.h(), .layers = layers_of_air, .open = solids.present() ? &solids.aperture : nullptr, .tiles = &liquid.tiles}, liquid.wet, u, liquid.march);
    if (!liquid.viscosity) liquid.viscosity.emplace(liquid.flow.domain());
    const field::Grid* nu = nullptr;
    if (liquid.mixture.any()) {
        mixed_viscosity(liquid.mixture, params.viscosities(), liquid.flow.idle_grid(1));
        nu = &liquid.flow.idle_grid(1);
    }
    liquid.friction = liquid.viscosity->solve({.dt = dt, .nu = params.viscosity_now(), .nu_grid = nu, .walls_stick = params.walls_stick, .tolerance = params.friction_tolerance,
                                               .max_iterations = params.friction_iterations},
                                              liquid.flow.walls(), solids, liquid.phi, u);
    if (!liquid.friction.converged)
        liquid.warnings->once("friction", fmt::format("the viscosity solve stopped at a residual of {:.1e} after {} iterations (t = {:.3f} s); "
                                                      "raise liquid.friction.iterations", liquid.friction.residual, liquid.friction.iterations, liquid.flow.time()));
    project_again(liquid, dt);
}

}  // namespace phlo::models
