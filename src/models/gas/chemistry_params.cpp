#include "models/gas/chemistry_params.h"

#include "chem/mechanism/short_form.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/error.h"
#include "base/units.h"

namespace phlo::models {

using config::Table;

const Table<ChemistryParams>& chemistry_table() {
    using P = ChemistryParams;
    static const auto table =
        Table<P>("chemistry", "Which species there are and how they react; for the methods grid and hybrid.")
            .as_written("mechanism", &P::mechanism,
                        {.help = "a shipped mechanism (hydrogen, chain, campfire, ...), a file, or the short form: {species: [A, B], reactions: [{equation: A => B, rate: 1}]}"},
                        chem::short_form_schema())
            .names("ambient", &P::ambient,
                   {.unit = "mol/m^3", .min = 0, .help = "everywhere at the start, and through open walls; with pressure: proportions"})
            .key("pressure", &P::pressure,
                 {.unit = "Pa", .above = 0, .help = "given: a real gas at this pressure; heat and expansion follow from its thermodynamic data"})
            .words("eulerian", &P::eulerian, {.help = "species that are seen, as densities on the grid; none: those that no rate depends on"})
            .words("shown", &P::shown, {.help = "species on particles that frames also hold as grids c_<species>, to be looked at; method hybrid"})
            .key("heat", &P::heat, {.help = "control function of r1, r2, ... T, t and species: rise of temperature [K/s]"})
            .key("expansion", &P::expansion, {.help = "control function: divergence of the flow [1/s]"})
            .choice("expansion_mode", &P::expansion_mode,
                    {{"direct", ExpansionMode::direct, "the gas swells while it reacts"},
                     {"evolving", ExpansionMode::evolving, "the function is the growth of the divergence, which moves with the gas and fades"}},
                    {.help = "what `expansion` gives"})
            .key("expansion_time", &P::expansion_time,
                 {.unit = "s", .above = 0, .help = "a direct expansion is given over this time, so that a burst pushes the gas through several steps"})
            .key("expansion_fade", &P::expansion_fade, {.unit = "1/s", .min = 0, .help = "how fast an evolving divergence fades"})
            .key("min_concentration", &P::min_concentration, {.unit = "mol/m^3", .min = 0, .help = "species rarer than this do not react", .formerly = "least"})
            .key("min_temperature", &P::min_temperature, {.unit = "K", .min = 0, .help = "nothing reacts in colder gas", .formerly = "coolest"})
            .choice("integrator", &P::integrator,
                    {{"automatic", chem::Integrator::automatic, "explicit where nothing is stiff, else Rosenbrock; cell by cell"},
                     {"rk2", chem::Integrator::rk2, "second order"},
                     {"rk3", chem::Integrator::rk3, "third order"},
                     {"rosenbrock", chem::Integrator::rosenbrock, "for stiff mechanisms"}},
                    {.help = "how rates are integrated"})
            .key("tolerance", &P::tolerance, {.above = 0, .max = 0.1, .help = "relative error of one integration"})
            .table("particles", [](auto& p) -> auto& { return p.hybrid.particles; }, material_table())
            .table("soot", [](auto& p) -> auto& { return p.hybrid.soot; }, soot_table())
            .table("vortices", &P::hybrid, vortices_table());
    return table;
}

std::vector<int> passive_species(const chem::Mechanism& mechanism) {
    std::vector<bool> passive(mechanism.species.size(), true);
    const chem::Network network(mechanism);
    for (const chem::CompiledReaction& reaction : network.compiled()) {
        for (const chem::Factor& f : reaction.forward) passive[std::size_t(f.species)] = false;
        for (const chem::Factor& f : reaction.backward) passive[std::size_t(f.species)] = false;
        if (reaction.formula >= 0)
            for (const auto& slope : network.formulas()[std::size_t(reaction.formula)].by_species) passive[std::size_t(slope.species)] = false;
    }
    std::vector<int> result;
    for (std::size_t s = 0; s < passive.size(); ++s)
        if (passive[s]) result.push_back(int(s));
    return result;
}

std::vector<int> eulerian_species(const ChemistryParams& params, const chem::Mechanism& mechanism) {
    if (params.eulerian.empty()) return passive_species(mechanism);
    std::vector<int> result;
    for (const std::string& name : params.eulerian) result.push_back(mechanism.find(name));
    std::ranges::sort(result);
    return result;
}

namespace {

/// A number with its unit is the simplest control function.
std::string function_text(const std::string& text, const char* unit) {
    try {
        return fmt::format("{}", parse_quantity(text, unit));
    } catch (const InputError&) {
        return text;
    }
}

}  // namespace

ControlTexts control_texts(const ChemistryParams& params) {
    const HybridParams& hybrid = params.hybrid;
    return {.heat = {params.heat, {}},
            .expansion = {params.expansion, {}},
            .vortices = {hybrid.vortex_number, {}},
            .vortex_strength = {function_text(hybrid.vortex_strength, "1/s"), {}},
            .soot = {function_text(hybrid.soot.per_kelvin, "1/(K mol)"), {}}};
}

}  // namespace phlo::models
