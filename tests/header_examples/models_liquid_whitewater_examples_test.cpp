#include "examples.h"

#include "models/liquid/drops.h"
#include "models/liquid/flight.h"
#include "models/liquid/liquid_around.h"
#include "models/liquid/whitewater.h"
#include "models/shot/ledger.h"

namespace phlo::models {

void liquid_around_example(const field::Domain& domain, const field::Grid& phi, const field::MacGrid& u, const flow::Solids& solids,
                           const flow::BodyContacts& contacts, const flow::Walls& walls,
                           const Vec3d& g, double dt, std::uint32_t steps, std::uint64_t seed, const Vec3f& position) {
    LiquidAround around{.domain = domain, .phi = &phi, .u = &u, .solids = &solids, .contacts = &contacts, .walls = walls, .gravity = g, .dt = dt, .step = steps,
                        .seed = seed};
    float depth = -around.level(position);
    Vec3f n = around.normal(position);
}

void flight_example(const LiquidAround& around, double dt, float radius, const Vec3f& from, Vec3f& position, Vec3f& velocity) {
    fly({.gravity = around.gravity, .air_drag = 1}, dt, radius, position, velocity);
    if (meet_solids(around, from, position, velocity) == Met::open_wall) return;
}

void whitewater_example(const WhitewaterParams& params, const LiquidAround& around, field::Frame& frame) {
    Whitewater white;
    WhitewaterCounts counts = move_whitewater(params, around, white);
    counts += form_whitewater(params, around, white);
    for (field::Points& set : show_whitewater(white)) frame.points.push_back(std::move(set));
}

void drops_example(const flow::MarkerParams& markers_params, const LiquidAround& around, flow::Markers& markers, Drops& drops, field::MacGrid& u,
                   field::Grid& divergence, const field::Domain& domain, const field::Grid& phi, field::Surface& liquid, Mixture& mixture, Mixture& warmth, Ledger& ledger) {
    ledger.record("volume", "to drops", throw_drops(markers_params, around, mixture, warmth, markers, drops));
    double gone = fly_drops({.air_drag = 1}, around, drops);
    double back = return_drops(around, drops, u, divergence, mixture, warmth);
    add_drops(drops, domain, phi, liquid.mesh, liquid.velocity);
}

}  // namespace phlo::models
