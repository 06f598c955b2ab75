// The scene file's words for a liquid and its emitters.
#include "models/liquid/liquid_params.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "models/liquid/substance.h"

namespace phlo::models {

using config::Choice;
using config::Table;

namespace {

std::vector<Choice<std::string>> substance_choices() {
    std::vector<Choice<std::string>> choices;
    for (const LiquidSubstance& one : liquid_substances()) choices.push_back({one.name, one.name, one.help});
    return choices;
}

const Table<SurfaceMarkerParams>& marker_table() {
    using M = SurfaceMarkerParams;
    static const auto table =
        Table<M>("markers", "Particles on both sides of the surface that keep its level set right.")
            .key("per_cell", &M::per_cell, {.min = 4, .max = 256, .help = "on each side: 16 for speed, 64 as in the paper"})
            .key("outside", &M::outside, {.help = "markers in the air too"})
            .key("reseed", &M::reseed_interval, {.min = 1, .max = 100000, .help = "sub-steps from one reseeding to the next"});
    return table;
}

const Table<OtherLiquid>& other_liquid_table() {
    using O = OtherLiquid;
    static const auto table = Table<O>("other", "A liquid that mixes with the first; emitters pour it by its substance.")
                                  .choice("substance", &O::substance, substance_choices(), {.help = "gives density and viscosity, and the look"})
                                  .key("density", &O::density, {.unit = "kg/m^3", .above = 0, .help = "none: the substance's"})
                                  .key("viscosity", &O::viscosity, {.unit = "m^2/s", .min = 0, .help = "nu, of thickness; none: the substance's"});
    return table;
}

const Table<LiquidHeatParams>& liquid_heat_table() {
    using H = LiquidHeatParams;
    static const auto table =
        Table<H>("heat", "Liquids that are warm here and cold there, and thin or thick by it.")
            .key("temperature", &H::temperature, {.unit = "K", .above = 0, .help = "of what no emitter says otherwise; none: liquids have no temperature"})
            .key("surroundings", &H::surroundings, {.unit = "K", .above = 0, .help = "what the surface cools to; none: heat.temperature"})
            .key("cooling", &H::cooling, {.unit = "W/(m^2 K)", .min = 0, .help = "through the surface: still air 10, glowing lava 100, 0 keeps all heat"})
            .key("thickening", &H::thickening, {.help = "viscosity over that at 20 degC, an expression of T [K] such as \"exp(6000*(1/T - 1/293))\"; none: as the substance does"});
    return table;
}

const Table<CarrierParams>& carrier_table() {
    using C = CarrierParams;
    static const auto table =
        Table<C>("particles", "Particles that carry the velocity (velocity: apic) or make the surface (surface: particles).")
            .key("per_axis", &C::per_axis, {.min = 1, .max = 4, .help = "2 along each side of a cell are 8 in it"})
            .key("band", &C::band, {.min = 2, .max = 3.5, .help = "cells below the surface that hold particles; deeper water is the grid's alone"});
    return table;
}

}  // namespace

double LiquidParams::density_now() const { return density.value_or(find_liquid_substance(substance)->density); }
double LiquidParams::viscosity_now() const { return viscosity.value_or(find_liquid_substance(substance)->viscosity); }

std::vector<std::string> LiquidParams::substances() const {
    std::vector<std::string> all{substance};
    for (const OtherLiquid& other : others) all.push_back(other.substance);
    return all;
}
std::vector<double> LiquidParams::densities() const {
    std::vector<double> all{density_now()};
    for (const OtherLiquid& other : others) all.push_back(other.density.value_or(find_liquid_substance(other.substance)->density));
    return all;
}
std::vector<double> LiquidParams::viscosities() const {
    std::vector<double> all{viscosity_now()};
    for (const OtherLiquid& other : others) all.push_back(other.viscosity.value_or(find_liquid_substance(other.substance)->viscosity));
    return all;
}
double LiquidParams::least_density() const { return std::ranges::min(densities()); }

int liquid_of(const LiquidParams& liquid, const LiquidEmitter& emitter) {
    if (emitter.substance.empty()) return 0;
    const std::vector<std::string> all = liquid.substances();
    const auto found = std::ranges::find(all, emitter.substance);
    return found == all.end() ? -1 : int(found - all.begin());
}

double tension_step(const LiquidParams& liquid, double h) {
    return std::sqrt(liquid.least_density() * h * h * h / (2 * std::numbers::pi * liquid.tension));
}

double wave_step(double gravity, double h) { return 0.5 * std::sqrt(h / gravity); }

bool feels_friction(double nu, double dt, double h) { return nu * dt >= 1e-3 * h * h; }

const Table<LiquidParams>& liquid_table() {
    using L = LiquidParams;
    static const auto pressure =
        Table<L>("pressure", "How exactly the flow is kept free of compression.")
            .key("tolerance", &L::pressure_tolerance, {.above = 0, .max = 1, .help = "relative residual"})
            .key("iterations", &L::pressure_iterations, {.min = 1, .max = 100000, .help = "most iterations of one solve"});
    static const auto friction =
        Table<L>("friction", "How exactly the friction of a viscous liquid is found.")
            .key("tolerance", &L::friction_tolerance, {.above = 0, .max = 1, .help = "error of the velocity, in parts of it"})
            .key("iterations", &L::friction_iterations, {.min = 1, .max = 100000, .help = "most iterations of one solve"});
    static const auto table =
        Table<L>("liquid", "Water, milk, honey: a liquid with a free surface.")
            .choice("substance", &L::substance, substance_choices(), {.help = "gives density and viscosity, and the look"})
            .list("others", &L::others, other_liquid_table(), {.help = "liquids that mix with it, such as [{substance: milk}]; up to three"})
            .choice("surface", &L::surface,
                    {{"particle-level-set", SurfaceTracking::particle_level_set, "smooth, and keeps its volume"},
                     {"level-set", SurfaceTracking::level_set, "smooth and fast; thin parts get lost"},
                     {"particles", SurfaceTracking::particles, "around particles: many drops, rougher"}},
                    {.help = "how the surface is followed"})
            .choice("velocity", &L::velocity,
                    {{"grid", VelocityCarrier::grid, "smooth"}, {"apic", VelocityCarrier::apic, "carried by particles: livelier splashes"}},
                    {.help = "what carries the velocity"})
            .key("gravity", &L::gravity, {.unit = "m/s^2", .help = "in any direction; may be keyframed"})
            .key("density", &L::density, {.unit = "kg/m^3", .above = 0, .help = "none: the substance's"})
            .key("viscosity", &L::viscosity, {.unit = "m^2/s", .min = 0, .help = "nu, of thickness; none: the substance's"})
            .key("tension", &L::tension, {.unit = "N/m", .min = 0, .help = "surface tension, water has 0.073; small cells then need short steps"})
            .table("heat", &L::heat, liquid_heat_table())
            .choice("walls", &L::walls_stick, {{"slip", false, "it slides along"}, {"stick", true, "it clings to them"}},
                    {.help = "what a viscous liquid does at the walls of the box"})
            .choice("sealed_air", &L::sealed_air,
                    {{"empty", flow::SealedAir::empty, "bubbles close"}, {"incompressible", flow::SealedAir::incompressible, "bubbles keep their volume"}},
                    {.help = "air that is shut in"})
            .table("markers", &L::markers, marker_table())
            .key("drops", &L::drops, {.help = "surface particle-level-set: drops too small for the grid fly by themselves"})
            .table("whitewater", &L::whitewater, whitewater_table())
            .table("particles", &L::particles, carrier_table())
            .table("adapt", &L::adapt, adapt_table())
            .key("volume_rate", &L::volume_rate, {.unit = "1/s", .min = 0, .max = 1000, .help = "how fast lost or gained volume is mended; 0: not"})
            .group("pressure", pressure)
            .group("friction", friction);
    return table;
}

const Table<LiquidEmitter>& liquid_emitter_table() {
    using E = LiquidEmitter;
    static const auto table = [] {
        Table<E> made("emitter", "A region where liquid is, comes from, or goes.");
        add_place_keys(made)
            .choice("mode", &E::mode,
                    {{"start", LiquidMode::start, "full of liquid at the first frame"},
                     {"pour", LiquidMode::pour, "always full, of liquid with this velocity"},
                     {"drain", LiquidMode::drain, "liquid that gets into it is gone"}},
                    {.help = "what it does"})
            .key("substance", &E::substance, {.help = "which of the scene's liquids; none: liquid.substance"})
            .key("velocity", &E::velocity, {.unit = "m/s", .help = "of the liquid in it; may be keyframed"})
            .key("temperature", &E::temperature, {.unit = "K", .above = 0, .help = "of the liquid in it; none: liquid.heat.temperature; may be keyframed"})
            .key("strength", &E::strength, {.min = 0, .help = "0 is off, anything else on; keyframe it"})
            .check(check_place<E>);
        return made;
    }();
    return table;
}

}  // namespace phlo::models
