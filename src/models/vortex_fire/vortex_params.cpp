// The scene file's words for a vortex fire and its emitters.
#include "models/vortex_fire/vortex_params.h"

namespace phlo::models {

using config::Table;

namespace {

const Table<CombustionParams>& combustion_table() {
    using P = CombustionParams;
    static const auto table =
        Table<P>("combustion", "Fuel becomes flame, flame becomes smoke, and heat is released.")
            .key("rate", &P::rate, {.unit = "1/s", .min = 0, .help = "A of fuel to flame: A exp(-activation/T); more: more intense flames"})
            .key("activation", &P::activation_temperature, {.unit = "K", .min = 0, .help = "activation temperature of fuel to flame; less: it catches fire colder"})
            .key("smoke_rate", &P::smoke_rate, {.unit = "1/s", .min = 0, .help = "A of flame to smoke: A exp(-(T/smoke_temperature)^2); less: taller flames"})
            .key("smoke_temperature", &P::smoke_temperature, {.unit = "K", .above = 0, .help = "below which flame turns to smoke"})
            .key("heat", &P::heat_of_combustion, {.unit = "J/kg", .min = 0, .help = "released by fuel; more: the fire rises faster"})
            .key("heat_capacity", &P::heat_capacity, {.unit = "J/(kg K)", .above = 0, .help = "of the gas"})
            .key("radiation", &P::radiation, {.min = 0, .max = 1e-6, .help = "loss c (T^4 - T_ambient^4) [1/(K^3 s)]; 1e-10 cools gas of 2000 K by 1600 K a second"})
            .key("oxygen_per_fuel", &P::oxygen_per_fuel, {.min = 0, .max = 100, .help = "mass of oxygen that burns with a unit of fuel; if oxygen is finite"})
            .key("ambient_oxygen", &P::ambient_oxygen, {.above = 0, .max = 1, .help = "share of oxygen in clean air"})
            .key("lit_time", &P::lit_time, {.unit = "s", .above = 0, .help = "for how long the blue of fuel that just caught fire is seen"});
    return table;
}

const Table<TracerParams>& tracer_table() {
    using P = TracerParams;
    static const auto table = Table<P>("tracers", "The points that are seen. They start inside emitters.")
                                  .key("count", &P::count, {.min = 0, .max = 2e7, .help = "at most; the oldest make room for new ones"})
                                  .key("life", &P::life, {.unit = "s", .above = 0, .help = "of the longest-lived"})
                                  .key("radius", &P::radius, {.unit = "m", .above = 0, .help = "of a tracer where it is drawn"});
    return table;
}

const Table<FireBoxParams>& box_table() {
    using P = FireBoxParams;
    static const auto table = Table<P>("box", "Where the fire may be; without corners, wherever it goes.")
                                  .key("lower", &P::lower, {.unit = "m", .help = "lower corner"})
                                  .key("upper", &P::upper, {.unit = "m", .help = "upper corner"})
                                  .key("closed", &P::closed, {.help = "true: walls, and the air inside is all there is"});
    return table;
}

}  // namespace

const Table<VortexFireParams>& vortex_fire_table() {
    using P = VortexFireParams;
    static const auto table =
        Table<P>("vortex", "Fire by vortex particles: vortons carry vorticity, heat, fuel, flame and smoke; tracers show them.")
            .choice("velocity", &P::velocity,
                    {{"grid", VortexVelocity::grid, "Poisson's equation on a lattice that follows the fire: real time"},
                     {"tree", VortexVelocity::tree, "Biot and Savart's integral by a tree code: small scenes, the reference"}},
                    {.help = "how velocity comes from vorticity"})
            .key("spacing", &P::spacing, {.unit = "m", .above = 0, .help = "between vortons: the smallest swirls"})
            .key("max_vortons", &P::max_vortons, {.min = 64, .max = 2e7, .help = "at most; the weakest are let go"})
            .key("max_cells", &P::max_cells, {.min = 4096, .max = 1e9, .help = "of the lattice; farther away the fire is let go"})
            .table("tracers", &P::tracers, tracer_table())
            .key("remesh", &P::remesh, {.min = 1, .max = 1000, .help = "steps from one remeshing of vortons to the next"})
            .key("quiet", &P::quiet, {.min = 0, .max = 0.5, .help = "share of the greatest vorticity under which it is let go"})
            .key("lift", &P::lift, {.unit = "m/(s^2 K)", .help = "upward acceleration per kelvin; less: flames rise slower and curl more"})
            .key("viscosity", &P::viscosity, {.unit = "m^2/s", .min = 0, .help = "nu: smooths small swirls"})
            .key("eddies", &P::eddies, {.min = 0, .max = 1, .help = "C of the eddy viscosity (C spacing)^2 |vorticity|: swirls too small to be seen take energy from the others"})
            .key("cleaning", &P::cleaning, {.unit = "1/s", .min = 0, .help = "rate at which vorticity loses its divergence"})
            .key("theta", &P::theta, {.min = 0.1, .max = 1.2, .help = "opening angle of the tree; less: exacter"})
            .key("tolerance", &P::tolerance, {.above = 0, .max = 0.1, .help = "relative residual of the velocity on the lattice"})
            .key("gravity", &P::gravity, {.unit = "m/s^2", .help = "on free bodies, downward"})
            .key("air_density", &P::air_density, {.unit = "kg/m^3", .above = 0, .help = "of the air"})
            .key("ambient_temperature", [](auto& p) -> auto& { return p.combustion.ambient_temperature; }, {.unit = "K", .above = 0, .help = "of the air"})
            .table("combustion", &P::combustion, combustion_table())
            .choice("oxygen", &P::finite_oxygen,
                    {{"endless", false, "there is always enough to burn"}, {"finite", true, "a fire uses it up; fresh air brings more"}},
                    {.help = "finite by default in a closed box"})
            .table("box", &P::box, box_table())
            .key("vortons", &P::show_vortons, {.help = "show the vortons too", .affects = config::Affects::simulation})
            .key("volumes", &P::show_volumes, {.help = "show flame, temperature and density as volumes too", .affects = config::Affects::simulation});
    return table;
}

const Table<FireEmitter>& fire_emitter_table() {
    static const auto table = [] {
        Table<FireEmitter> made("emitter", "A region that gives off fuel and heat.");
        add_source_keys(made)
            .key("fuel", &FireEmitter::fuel, {.min = 0, .max = 1, .help = "share of the gas inside that is fuel"})
            .key("smoke", &FireEmitter::smoke, {.min = 0, .max = 1, .help = "share of the gas inside that is smoke"})
            .key("temperature", &FireEmitter::temperature, {.unit = "K", .above = 0, .help = "of the gas; hot fuel catches fire by itself"})
            .key("velocity", &FireEmitter::velocity, {.unit = "m/s", .help = "of the gas inside; none: left to the flow"})
            .key("stir", &FireEmitter::stir, {.unit = "m/s^2", .min = 0, .help = "acceleration of random swirls, as large as the noise's features"})
            .key("tracers", &FireEmitter::tracers, {.min = 0, .help = "its share of the tracers, beside the other emitters' shares"});
        add_source_edge_keys(made);
        return made;
    }();
    return table;
}

}  // namespace phlo::models
