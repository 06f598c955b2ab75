// The scene file's words for the gas and its emitters.
#include "models/gas/gas_params.h"

namespace phlo::models {

using config::Table;

namespace {

const Table<flow::Turbulence>& turbulence_table() {
    using T = flow::Turbulence;
    static const auto table =
        Table<T>("turbulence", "Swirls that are stirred into the gas inside: a charge then bursts into billows, not into a ball.")
            .key("speed", &T::speed, {.unit = "m/s", .min = 0, .max = 1e4, .help = "of the swirls, root mean square; with mode start at once, else so much each second"})
            .key("scale", &T::scale, {.unit = "m", .above = 0, .help = "size of the largest swirls"})
            .key("change", &T::change, {.unit = "1/s", .min = 0, .help = "how fast the pattern changes"})
            .key("octaves", &T::octaves, {.min = 1, .max = 10, .help = "layers of detail, each half as large as the one before"})
            .key("seed", &T::seed, {.min = 0, .help = "another number, another pattern"});
    return table;
}

}  // namespace

const Table<GasParams>& gas_table() {
    static const auto transport =
        Table<GasParams>("transport", "How quantities are carried along.")
            .choice("scalars", &GasParams::scalar_transport,
                    {{"trilinear", ScalarTransport::trilinear, "smeared, fastest"},
                     {"cubic", ScalarTransport::cubic, "sharper, never overshoots"},
                     {"maccormack", ScalarTransport::maccormack, "crisp"},
                     {"conserving", ScalarTransport::conserving, "amounts stay to round-off"}},
                    {.help = "density and temperature"})
            .choice("velocity", &GasParams::velocity_transport,
                    {{"trilinear", VelocityTransport::trilinear, "damps vortices"},
                     {"cubic", VelocityTransport::cubic, "sharper, never overshoots"},
                     {"maccormack", VelocityTransport::maccormack, "crisp"}},
                    {.help = "velocity"})
            .choice("trace", &GasParams::trace, {{"rk2", TraceOrder::rk2, "midpoint rule"}, {"rk3", TraceOrder::rk3, "three stages"}},
                    {.help = "how paths are traced back"});
    static const auto buoyancy =
        Table<GasParams>("buoyancy", "Upward acceleration: temperature * (T - ambient) - density * d - mass * (rho - rho of air).")
            .key("density", &GasParams::density_weight, {.unit = "m/s^2", .help = "alpha: pull downward per unit of density"})
            .key("mass", &GasParams::mass_weight,
                 {.unit = "m^4/(kg s^2)", .help = "pull downward per kg/m^3 that species weigh more than the air they displace; g / rho by default"})
            .key("air", &GasParams::air_molar_mass, {.unit = "kg/mol", .above = 0, .help = "molar mass of the air that species displace"})
            .key("temperature", &GasParams::temperature_lift, {.unit = "m/(s^2 K)", .help = "beta: lift per kelvin above ambient"});
    static const auto diffusion =
        Table<GasParams>("diffusion", "Spreading by molecular motion.")
            .key("density", &GasParams::density_diffusion, {.unit = "m^2/s", .min = 0, .help = "of density"})
            .key("temperature", &GasParams::temperature_diffusion, {.unit = "m^2/s", .min = 0, .help = "of temperature"});
    static const auto pressure =
        Table<GasParams>("pressure", "How exactly the flow is kept free of compression.")
            .key("tolerance", &GasParams::pressure_tolerance, {.above = 0, .max = 1, .help = "relative residual"})
            .key("iterations", &GasParams::pressure_iterations, {.min = 1, .max = 100000, .help = "most iterations of one solve"});
    static const auto table =
        Table<GasParams>("gas", "What fills the domain and how it moves.")
            .choice("method", &GasParams::method, {{"smoke", GasMethod::smoke, "one density and a temperature on a grid"},
                     {"grid", GasMethod::grid, "chemistry: every species in every cell"},
                     {"hybrid", GasMethod::hybrid, "chemistry: reactants on particles, what is seen on the grid"}},
                    {.help = "the model"})
            .group("transport", transport)
            .key("ambient_temperature", &GasParams::ambient_temperature, {.unit = "K", .above = 0, .help = "of the still gas around"})
            .group("buoyancy", buoyancy)
            .key("vorticity", &GasParams::vorticity, {.min = 0, .help = "strength of vorticity confinement: keeps small swirls alive"})
            .key("viscosity", &GasParams::viscosity, {.unit = "m^2/s", .min = 0, .help = "nu: thickness of the gas"})
            .group("diffusion", diffusion)
            .key("cooling", &GasParams::cooling, {.unit = "1/s", .min = 0, .help = "rate towards the ambient temperature"})
            .key("dissolve", &GasParams::dissolve, {.unit = "1/s", .min = 0, .help = "rate at which density vanishes"})
            .key("expansion", &GasParams::expansion, {.unit = "1/s", .help = "divergence prescribed inside emitters"})
            .group("pressure", pressure)
            .key("gravity", &GasParams::gravity, {.unit = "m/s^2", .help = "on free bodies, downward"})
            .key("air_density", &GasParams::air_density,
                 {.unit = "kg/m^3", .above = 0, .help = "mass of the gas that pushes free bodies and takes heat from hot ones"})
            .key("activity", &GasParams::activity_threshold,
                 {.min = 0, .help = "density below which a tile counts as empty; 0: all work"});
    return table;
}

const Table<Emitter>& emitter_table() {
    using Velocity = std::optional<Curve<Vec3d>>;
    static const auto table = [] {
        Table<Emitter> made("emitter", "A region that gives off smoke and heat.");
        add_source_keys(made)
            .key("density", &Emitter::density, {.min = 0, .help = "of smoke; method smoke"})
            .names("species", &Emitter::species, {.unit = "mol/m^3", .min = 0, .help = "concentrations; methods grid and hybrid"})
            .key("temperature", &Emitter::temperature, {.unit = "K", .min = 0, .help = "of the gas; the ambient temperature if not given"})
            .property<Velocity>(
                "velocity", [](const Emitter& e) { return e.sets_velocity ? Velocity(e.velocity) : Velocity(); },
                [](Emitter& e, Velocity velocity) {
                    e.sets_velocity = velocity.has_value();
                    e.velocity = velocity.value_or(Vec3d());
                },
                {.unit = "m/s", .help = "of the gas inside, and of particles that it feeds; none: left to the flow"})
            .key("scatter", &Emitter::scatter, {.unit = "m/s", .min = 0, .help = "particles start with up to so much more in any direction: sparks; method hybrid"});
        add_source_edge_keys(made).table("turbulence", &Emitter::turbulence, turbulence_table());
        return made;
    }();
    return table;
}

}  // namespace phlo::models
