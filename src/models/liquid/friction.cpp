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
    extend_velocity({.h = liquid.h(), .layers = layers_of_air, .open = solids.present() ? &solids.aperture : nullptr,
                     .sloping = layers_of_air, .tiles = &liquid.tiles}, liquid.wet, u, liquid.march);
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
}

}  // namespace phlo::models
