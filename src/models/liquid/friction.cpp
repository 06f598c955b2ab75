#include "models/liquid/friction.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/parallel.h"
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

void find_viscosity(const ViscosityLaw& law, const Mixture& mixture, const Mixture& warmth, field::Grid& nu) {
    const Vec3i n = nu.layout().cells();
    parallel_for(n.z + 2, [&](int plane) {
        const int k = plane - 1;
        for (int j = -1; j <= n.y; ++j)
            for (int i = -1; i <= n.x; ++i) {
                const Vec3i c(std::clamp(i, 0, n.x - 1), std::clamp(j, 0, n.y - 1), std::clamp(k, 0, n.z - 1));
                const float hot = warmth.any() ? warmth.share[1](c.x, c.y, c.z) : 0.f;
                float sum = mixture.any() ? 0.f : law.log_viscosity(0, hot);
                for (std::size_t m = 0; m < mixture.count(); ++m) sum += mixture.share[m](c.x, c.y, c.z) * law.log_viscosity(m, hot);
                nu(i, j, k) = std::exp(sum);
            }
    });
}

void apply_friction(LiquidState& liquid, double dt) {
    const LiquidParams& params = liquid.setup.liquid;
    const flow::Solids& solids = liquid.flow.solids();
    field::MacGrid& u = liquid.flow.edit_velocity();
    extend_velocity({.h = liquid.h(), .layers = layers_of_air, .open = solids.present() ? &solids.aperture : nullptr, .tiles = &liquid.tiles}, liquid.wet, u, liquid.march);
    if (!liquid.viscosity) liquid.viscosity.emplace(liquid.flow.domain());
    const field::Grid* nu = nullptr;
    if (liquid.mixture.any() || liquid.warmth.any()) {
        find_viscosity(liquid.law, liquid.mixture, liquid.warmth, liquid.flow.idle_grid(1));
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
