// The scene file's words for the gas, its domain and its emitters.
#include "models/gas/gas_params.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "models/shape_table.h"

namespace phlo::models {

using config::Affects;
using config::Node;
using config::Reader;
using config::Table;
using config::Variant;

field::Domain make_domain(const DomainParams& params) {
    const double longest = std::max({params.size.x, params.size.y, params.size.z});
    const double h = longest / params.resolution;
    const auto cells = [&](double length) { return std::max(1, int(std::lround(length / h))); };
    return {.cells = {cells(params.size.x), cells(params.size.y), cells(params.size.z)}, .origin = params.origin, .h = h};
}

namespace {

const Variant<Wall>& wall_variant() {
    static const auto inflow =
        Table<Wall>("inflow", "Gas blown in through the whole wall.")
            .key("velocity", &Wall::velocity, {.unit = "m/s", .min = 0, .help = "into the domain"})
            .key("density", &Wall::density, {.min = 0, .help = "density of smoke carried in"})
            .key("temperature", &Wall::temperature, {.unit = "K", .above = 0, .help = "carried in; the ambient temperature if not given"})
            .names("species", &Wall::species, {.unit = "mol/m^3", .min = 0, .help = "carried in"});
    static const auto variant =
        Variant<Wall>("wall", "What the flow may do at one side of the domain.")
            .word("open", "gas leaves and enters freely", Wall{.kind = WallKind::open},
                  [](const Wall& w) { return w.kind == WallKind::open; })
            .word("closed", "nothing passes", Wall{.kind = WallKind::closed}, [](const Wall& w) { return w.kind == WallKind::closed; })
            .option(
                "inflow", "gas is blown in", inflow, [](const Wall& w) { return w.kind == WallKind::inflow ? &w : nullptr; },
                [](Wall w, const Node&) {
                    w.kind = WallKind::inflow;
                    return w;
                });
    return variant;
}

template <int side>
constexpr auto wall = [](auto& domain) -> auto& {
    return domain.walls[side];
};

const Table<DomainParams>& walls_table() {
    static const auto table = Table<DomainParams>("walls", "The six sides of the domain.")
                                  .table(wall_names[0], wall<0>, wall_variant(), {.help = "-x"})
                                  .table(wall_names[1], wall<1>, wall_variant(), {.help = "+x"})
                                  .table(wall_names[2], wall<2>, wall_variant(), {.help = "-y"})
                                  .table(wall_names[3], wall<3>, wall_variant(), {.help = "+y"})
                                  .table(wall_names[4], wall<4>, wall_variant(), {.help = "-z"})
                                  .table(wall_names[5], wall<5>, wall_variant(), {.help = "+z"});
    return table;
}

/// Any shape, or `around`: the layer around the body that carries the emitter.
class EmitterShape : public config::Typed<Emitter> {
public:
    EmitterShape() {
        const config::SchemaPtr inner = shape_variant().schema();
        *schema_ = *inner;
        schema_->options.push_back({"around", "the layer around the body it is on", nullptr, nullptr, nullptr});
        schema_->read = [inner](const Node& node, Reader& reader, void* object) {
            Emitter& emitter = *static_cast<Emitter*>(object);
            emitter.has_shape = !(node.is_scalar() && node.text == "around");
            if (emitter.has_shape) inner->read(node, reader, &emitter.shape);
        };
        schema_->write = [inner](const void* object) {
            const Emitter& emitter = *static_cast<const Emitter*>(object);
            return emitter.has_shape ? inner->write(&emitter.shape) : Node::scalar("around");
        };
    }
};

const EmitterShape& emitter_shape() {
    static const EmitterShape schema;
    return schema;
}

const Table<NoiseParams>& noise_table() {
    static const auto table =
        Table<NoiseParams>("noise", "Turbulent variation of an emitter.")
            .key("amplitude", &NoiseParams::amplitude, {.min = 0, .max = 1, .help = "how much of the value the noise may take away"})
            .key("scale", &NoiseParams::scale, {.unit = "m", .above = 0, .help = "size of its largest features"})
            .key("speed", &NoiseParams::speed, {.unit = "1/s", .min = 0, .help = "how fast it changes"})
            .key("octaves", &NoiseParams::octaves, {.min = 1, .max = 10, .help = "layers of detail, each half as large as the one before"})
            .key("seed", &NoiseParams::seed, {.min = 0, .help = "another number, another pattern"});
    return table;
}

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

const Table<DomainParams>& domain_table() {
    static const auto table =
        Table<DomainParams>("domain", "The box that is simulated. x is right, y is back, z is up.")
            .key("size", &DomainParams::size, {.unit = "m", .above = 0, .max = 1e6, .help = "edge lengths"})
            .key("origin", &DomainParams::origin,
                 {.unit = "m", .help = "lower corner; if not given, centred in x and y and standing on z = 0"})
            .key("resolution", &DomainParams::resolution, {.min = 1, .max = 8192, .help = "cells along the longest side"})
            .group("walls", walls_table())
            .check([](DomainParams& domain, const Node& node, Reader&) {
                if (!node.get("origin")) domain.origin = {-domain.size.x / 2, -domain.size.y / 2, 0};
            });
    return table;
}

const Table<TimeParams>& time_table() {
    static const auto table =
        Table<TimeParams>("time", "Which frames are made, and how finely time is divided.")
            .key("first_frame", &TimeParams::first_frame,
                 {.min = -1000000, .max = 1000000, .help = "number of the first frame; it shows the scene at 0 s"})
            .key("last_frame", &TimeParams::last_frame,
                 {.min = -1000000, .max = 10000000, .help = "number of the last frame", .affects = Affects::nothing})
            .input<int>("frames", [](TimeParams& time, int count) { time.last_frame = time.first_frame + count - 1; },
                        {.min = 1,
                         .max = 1000000,
                         .help = "how many; instead of last_frame",
                         .affects = Affects::nothing,
                         .replaces = "last_frame"})
            .key("fps", &TimeParams::fps, {.unit = "fps", .above = 0, .max = 100000, .help = "frames per second"})
            .key("cfl", &TimeParams::cfl, {.above = 0, .max = 100, .help = "most cells that gas may cross in one sub-step"})
            .key("fixed_step", &TimeParams::fixed_step, {.unit = "s", .min = 0, .help = "length of each sub-step; 0: chosen by cfl"})
            .key("max_substeps", &TimeParams::max_substeps, {.min = 1, .max = 100000, .help = "per frame; reaching it is reported"})
            .check([](TimeParams& time, const Node& node, Reader& reader) {
                const Node *last = node.get("last_frame"), *first = node.get("first_frame");
                if (!last && !node.get("frames") && first)
                    time.last_frame = time.first_frame + TimeParams{}.last_frame - TimeParams{}.first_frame;
                if (time.last_frame < time.first_frame)
                    reader.fail(last ? last->position : node.position, "last_frame",
                                fmt::format("{} comes before first_frame; expected at least {}", time.last_frame, time.first_frame));
            });
    return table;
}

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
    static const auto table =
        Table<Emitter>("emitter", "A region that gives off smoke and heat.")
            .key("name", &Emitter::name, {.help = "for messages, --set and scenes built on this one", .affects = Affects::nothing})
            .table("shape", [](auto& e) -> auto& { return e; }, emitter_shape(), {.help = "give its shape, such as {sphere: {radius: 10 cm}}"})
            .key("on", &Emitter::on, {.help = "name of a body that carries it along; without a shape it is the layer around that body"})
            .key("thickness", &Emitter::thickness, {.unit = "m", .above = 0, .help = "of the layer around the body it is on"})
            .key(
                "position", [](auto& e) -> auto& { return e.motion.position; }, position_key)
            .key(
                "rotation", [](auto& e) -> auto& { return e.motion.rotation; }, rotation_key)
            .choice("mode", &Emitter::mode,
                    {{"hold", EmitMode::hold, "at least these values inside"},
                     {"add", EmitMode::add, "this much more each second; of temperature, the excess over ambient"},
                     {"start", EmitMode::start, "these values at the first frame, nothing later"}},
                    {.help = "what the values mean"})
            .key("density", &Emitter::density, {.min = 0, .help = "of smoke; method smoke"})
            .names("species", &Emitter::species, {.unit = "mol/m^3", .min = 0, .help = "concentrations; methods grid and hybrid"})
            .key("temperature", &Emitter::temperature, {.unit = "K", .min = 0, .help = "of the gas; the ambient temperature if not given"})
            .property<Velocity>(
                "velocity", [](const Emitter& e) { return e.sets_velocity ? Velocity(e.velocity) : Velocity(); },
                [](Emitter& e, Velocity velocity) {
                    e.sets_velocity = velocity.has_value();
                    e.velocity = velocity.value_or(Vec3d());
                },
                {.unit = "m/s", .help = "of the gas inside; none: left to the flow"})
            .key("strength", &Emitter::strength, {.min = 0, .help = "multiplies density, heat and push; 0 is off"})
            .key("softness", &Emitter::softness, {.min = 0, .max = 100, .help = "width of its edge in cells"})
            .table("noise", &Emitter::noise, noise_table())
            .table("turbulence", &Emitter::turbulence, turbulence_table())
            .check([](Emitter& emitter, const Node& node, Reader& reader) {
                if (!node.get("shape")) emitter.has_shape = false;
                if (!emitter.has_shape && emitter.on.empty())
                    reader.fail(node.position, "shape", "missing; give its shape, such as {sphere: {radius: 10 cm}}");
            });
    return table;
}

}  // namespace phlo::models
