#include "models/liquid/liquid_state.h"

#include "flow/level_set.h"
#include "models/liquid/substance.h"

namespace phlo::models {

LiquidState::LiquidState(const Shot& shot, const LiquidSetup& given)
    : setup(given),
      flow(shot, {.gravity = given.liquid.gravity(0), .fluid_density = given.liquid.least_density(), .liquid = true}),
      phi(flow.layout(), float(distance_band * h())),
      wet(flow.layout()),
      projector(flow.layout()),
      mixture(flow.layout(), given.liquid.count()),
      warmth(flow.layout(), given.liquid.heat.any() ? 2 : 1),
      temperatures(temperature_span(shot, given)),
      law(given, temperatures),
      tiles(flow.layout()),
      old_tiles(flow.layout(), true) {
    if (!warmth.any()) return;
    const Shares all = warm(temperatures.share(*given.liquid.heat.temperature));
    for (std::size_t k = 0; k < 2; ++k) warmth.share[k].fill(all[k]);
}

// One heat capacity for all: that of the first liquid.
double LiquidState::joules() const {
    return setup.liquid.density_now() * find_liquid_substance(setup.liquid.substance)->heat_capacity * (temperatures.hottest - temperatures.coldest);
}

double LiquidState::volume() const {
    return flow::inside_volume(h(), phi, open(), solid_distance());
}

flow::MarkerParams LiquidState::marker_params() const {
    const SurfaceMarkerParams& given = setup.liquid.markers;
    return {.h = h(), .per_cell = given.per_cell, .outside = given.outside, .reseed_interval = given.reseed_interval,
            .seed = flow.shot().seed, .solid_distance = solid_distance(), .solids = flow.solids().present() ? &flow.solids() : nullptr};
}

flow::LiquidParticleParams LiquidState::particle_params() const {
    flow::LiquidParticleParams params{.domain = flow.domain(), .per_axis = setup.liquid.particles.per_axis, .band = setup.liquid.particles.band, .seed = flow.shot().seed};
    // Where particles make the surface, none may begin at it, and none is too far out.
    if (particles_make_surface()) params.seed_depth = 1, params.max_height = flow::no_band, params.max_share = 3;
    return params;
}

std::size_t LiquidState::bytes() const {
    return flow.bytes() + phi.bytes() + wet.bytes() + markers.bytes() + particles.bytes() + transfer.bytes() + projector.bytes() + carried.bytes() +
           march.bytes() + phlo::particles::bytes_of(drops) + white.bytes() + mixture.bytes() + warmth.bytes() + (viscosity ? viscosity->bytes() : 0);
}

}  // namespace phlo::models
