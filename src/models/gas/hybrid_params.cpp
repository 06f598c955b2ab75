#include "models/gas/hybrid_params.h"

#include "base/units.h"

namespace phlo::models {

using config::Table;

bool forms_soot(const SootParams& params) { return !params.per_kelvin.empty() && parse_number(params.per_kelvin) != 0.0; }

namespace {

constexpr const char* force_help = "acceleration of their own, such as [0, 0, -9.81] for what is much heavier than air; keyframes are possible";

const Table<ParticleKind>& kind_table() {
    using K = ParticleKind;
    static const auto table = Table<K>("kind", "What is different about the particles of one species.")
                                  .key("species", &K::species, {.help = "its name; frames hold its particles as points of that name", .required = true})
                                  .key("radius", &K::radius, {.unit = "m", .above = 0, .help = "of influence"})
                                  .key("amount", &K::amount, {.unit = "mol", .above = 0, .help = "that one carries at the start"})
                                  .key("response", &K::response, {.unit = "s", .min = 0, .help = "time to follow the flow, of one with `amount`; it shrinks with what is left"})
                                  .key("force", &K::force, {.unit = "m/s^2", .help = force_help});
    return table;
}

}  // namespace

const Table<MaterialParticleParams>& material_table() {
    using P = MaterialParticleParams;
    static const auto table =
        Table<P>("particles", "Material particles, which carry the species that react; method hybrid.")
            .key("radius", &P::radius, {.unit = "m", .above = 0, .help = "of influence: reactions mix what is within it; three cells if not given"})
            .key("amount", &P::amount, {.unit = "mol", .above = 0, .help = "that one carries at the start; if not given, twenty fill a sphere of the strongest emitter"})
            .key("max_amount", &P::max_amount, {.above = 0, .help = "times amount: heavier carriers of a product get company", .formerly = "most"})
            .key("min_amount", &P::min_amount,
                 {.min = 0, .max = 1, .help = "times amount: lighter particles hand what they have to the nearest and go", .formerly = "least"})
            .key("min_carriers", &P::min_carriers, {.min = 1, .help = "carriers that a product should have within the radius", .formerly = "fewest"})
            .key("sweeps", &P::sweeps, {.min = 1, .help = "how often all are visited in a step, each time in a new order"})
            .key("response", &P::response, {.unit = "s", .min = 0, .help = "time to follow the flow, of one with `amount` as heavy as air; 0: at once"})
            .key("external", &P::external, {.min = 0, .help = "share of the gas's acceleration by buoyancy, vorticity and vortex particles that they feel themselves"})
            .key("force", &P::force, {.unit = "m/s^2", .help = force_help})
            .list("kinds", &P::kinds, kind_table(), {.help = "species whose particles are not like the others: sparks, ash"})
            .key("limit", &P::limit, {.min = 1, .help = "more than this many end the run"});
    return table;
}

const Table<SootParams>& soot_table() {
    using P = SootParams;
    static const auto table =
        Table<P>("soot", "Soot particles, formed where gas cools down; method hybrid.")
            .key("threshold", &P::threshold, {.unit = "K", .above = 0, .help = "gas that cools through this temperature forms soot"})
            .key("per_kelvin", &P::per_kelvin, {.help = "control function of r1, r2, ... T, t and visible species: particles per kelvin of cooling and mol of visible species [1/(K mol)]; 0: none"})
            .key("amount", &P::amount, {.unit = "mol", .min = 0,
                 .help = "of visible species that one stands for and takes off the grid; if not given, gas that cools from the threshold to the ambient temperature gives half"})
            .key("life", &P::life, {.unit = "s", .above = 0, .help = "mean; between half and one and a half of it"})
            .key("radius", &P::radius, {.unit = "m", .above = 0, .help = "at birth; it shrinks"})
            .key("limit", &P::limit, {.min = 0, .help = "no more are formed beyond this many"});
    return table;
}

const Table<HybridParams>& vortices_table() {
    using P = HybridParams;
    static const auto table =
        Table<P>("vortices", "Vortex particles, born in violent reactions; method hybrid.")
            .key("number", &P::vortex_number, {.help = "control function of r1, r2, ...: how many are born at a reacting particle [1/s]"})
            .key("strength", &P::vortex_strength, {.help = "control function of r1, r2, ...: their vorticity [1/s], along the slope of the rate"})
            .key("confinement", [](auto& p) -> auto& { return p.vortices.confinement; }, {.min = 0, .help = "strength of their push, as gas.vorticity"})
            .key("radius", [](auto& p) -> auto& { return p.vortices.radius; }, {.unit = "m", .above = 0, .help = "within which they push"})
            .key("life", [](auto& p) -> auto& { return p.vortices.life; }, {.unit = "s", .above = 0, .help = "of each"})
            .key("limit", [](auto& p) -> auto& { return p.vortices.limit; }, {.min = 0, .help = "no more are born beyond this many"});
    return table;
}

}  // namespace phlo::models
