#include "examples.h"

#include "geom/marching_cubes.h"
#include "models/liquid/adaptive.h"
#include "models/liquid/adaptive_levels.h"
#include "models/liquid/films.h"
#include "models/liquid/landing.h"
#include "models/liquid/liquid.h"
#include "models/liquid/mixture.h"
#include "models/liquid/substance.h"
#include "models/liquid/thick_body.h"
#include "models/liquid/thin_bodies.h"
#include "models/liquid/view_levels.h"
#include "models/liquid/viscosity_law.h"

namespace phlo::models {


void liquid_example(const Shot& shot, const LiquidSetup& s) {
    using field::Frame;
    Liquid liquid(shot, {.liquid = s.liquid, .emitters = s.emitters});
    FrameStats stats = liquid.advance(1.0 / 24);
    Frame frame = liquid.show();
}

void adaptive_example(const Shot& shot, const LiquidSetup& s) {
    using field::Frame;
    AdaptiveLiquid liquid(shot, {.liquid = {.adapt = {.mode = AdaptMode::surface}}, .emitters = s.emitters});
    FrameStats stats = liquid.advance(1.0 / 24);
    Frame frame = liquid.show();
}

void adaptive_levels_example(const field::Blocks& blocks, const field::Domain& domain, const field::BlockField<float>& phi, const flow::BlockVelocity& u, double dt) {
    std::vector<Holds> holds = what_cells_hold(blocks, domain.h, phi, u, dt);
    std::vector<std::int8_t> levels = levels_by_surface({.domain = domain, .base = blocks.base(), .depth = blocks.depth(), .holds = holds});
    field::balance(blocks.base(), levels);
}

void view_levels_example(const LevelQuery& query, const AdaptParams& params, const field::Domain& domain, double time, double fps) {
    std::vector<Sight> sights = sights_around(params.view, domain, time, 1 / fps);
    std::vector<std::int8_t> levels = levels_by_view(query, params, sights);
    field::balance(query.base, levels);
}

void films_example(const flow::Walls& walls, const flow::Solids& solids, const Vec3d& gravity, double h, const field::Grid& phi, field::Grid& wet) {
    count_films(walls, solids, gravity, h, phi, wet);
}

void landing_example(LiquidState& liquid) { Unslowed unslowed(liquid); }

void thick_body_example(const flow::Solids& solids, double h, const Vec3i& cell, const Vec3f& normal) {
    bool thick = is_thick(solids, h, cell, normal);
}

void thin_bodies_example(const field::Domain& domain, const field::Grid& phi, const flow::Solids& solids, const std::vector<geom::Placement>& placements) {
    using geom::marching_cubes;
    field::TriangleMesh mesh = marching_cubes(domain, phi, ThinBodies(domain, phi, solids.distance, placements));
}

void mixture_example(const field::Layout& layout, double dt, double h, const field::MacGrid& u, const field::Grid& phi, const flow::TileSet& tiles, field::Grid& slopes,
                     const field::Grid* open, const std::vector<double>& wanted) {
    Mixture mixture(layout, 2);
    carry_shares({.dt = dt, .h = h}, u, phi, tiles, {}, slopes, mixture);
    continue_shares(phi, h, mixture);
    std::vector<double> m3 = volumes(mixture, phi, h, open);
    mend_shares(wanted, 0.1, h, open, mixture);
}

void viscosity_law_example(const Shot& shot, const LiquidSetup& setup) {
    TemperatureSpan span = temperature_span(shot, setup);
    ViscosityLaw law(setup, span);
    float nu = std::exp(law.log_viscosity(0, float(span.share(330))));
}

void landing_example(const LiquidState& liquid, double cfl, double h, double speed) {
    double dt = longest_step_to_landing(liquid, cfl * h / speed);
}

void substance_example() {
    const LiquidSubstance* honey = find_liquid_substance("honey");
    double nu = honey->viscosity;
}


}  // namespace phlo::models
