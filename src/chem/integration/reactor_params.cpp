// What a reactor is told: the table of a `react:` section, and the state that follows from it.
#include <fmt/format.h>

#include "chem/integration/reactor.h"
#include "chem/rates/thermo.h"
#include "config/merge.h"

namespace phlo::chem {
namespace {

using Mixture = ReactorParams::Mixture;

config::Table<Mixture> mixture_table(const Mechanism& mechanism, const char* title, const char* help, const char* unit) {
    config::Table<Mixture> table(title, help);
    for (const Species& species : mechanism.species)
        table.property<double>(
            species.name,
            [name = species.name](const Mixture& mixture) {
                const auto found = mixture.find(name);
                return found == mixture.end() ? 0 : found->second;
            },
            [name = species.name](Mixture& mixture, double share) { mixture[name] = share; }, {.unit = unit, .min = 0});
    return table;
}

double total(const Mixture& mixture) {
    double sum = 0;
    for (const auto& [name, share] : mixture) sum += share;
    return sum;
}

const char* const mixtures[] = {"mole", "mass", "amount"};

/// What is in the reactor is said in one way only.
void check_mixture(const ReactorParams& params, const Mechanism& mechanism, const config::Node& node, config::Reader& reader) {
    int given = 0;
    for (const char* key : mixtures)
        if (const config::Node::Entry* entry = node.entry(key); entry && ++given > 1)
            reader.fail(entry->position, key, "the contents are said twice; expected one of mole, mass and amount");
    if (given == 0) {
        const std::string& name = mechanism.species.front().name;
        reader.fail(node.position,
                    mechanism.has_thermo()
                        ? fmt::format("what is in the reactor? Expected mole, mass or amount, such as --set \"mole={{{}: 1}}\"", name)
                        : fmt::format("what is in the reactor? Expected amounts in mol/m^3, such as --set \"amount={{{}: 1}}\"", name));
    }
    for (const char* key : mixtures) {
        const Mixture& mixture = key == mixtures[0] ? params.mole : key == mixtures[1] ? params.mass : params.amount;
        if (const config::Node::Entry* entry = node.entry(key); entry && !(total(mixture) > 0))
            reader.fail(entry->position, key, "there is nothing in it; expected at least one species above 0");
    }
    if (node.entry("amount") && node.entry("pressure"))
        reader.fail(node.entry("pressure")->position, "pressure", "it follows from the amounts and the temperature; expected only these");
}

void check_reactor(const ReactorParams& params, const Mechanism& mechanism, const config::Node& node, config::Reader& reader) {
    if (reader.problem_count() > 0) return;  // what follows would only repeat it
    check_mixture(params, mechanism, node, reader);
    const config::Node::Entry* thermal = node.entry("thermal");
    if (thermal && params.thermal == Thermal::adiabatic && !mechanism.has_thermo())
        reader.fail(thermal->position, "thermal", "the species have no thermodynamic data, so reactions have no heat; expected isothermal");
    if (params.points == 1) reader.fail(node.entry("points")->position, "points", "expected 0 or at least 2");
}

}  // namespace

ReactorParams default_reactor(const Mechanism& mechanism) {
    if (mechanism.has_thermo()) return {};
    return {
        .mole = {}, .mass = {}, .amount = {}, .hold = Hold::volume, .thermal = Thermal::isothermal, .show = SpeciesMeasure::concentration};
}

config::Table<ReactorParams> reactor_table(const Mechanism& mechanism) {
    using R = ReactorParams;
    config::Table<R> table("react", "The zero-dimensional reactor: what it starts with, and for how long it is followed.");
    table.key("temperature", &R::temperature, {.unit = "K", .above = 0, .help = "at the start"})
        .key("pressure", &R::pressure, {.unit = "Pa", .above = 0, .help = "at the start; not with amount, from which it follows"})
        .table("mole", &R::mole, mixture_table(mechanism, "mole", "ratios of moles, such as {H2: 2, O2: 1, N2: 3.76}", ""))
        .table("mass", &R::mass, mixture_table(mechanism, "mass", "ratios of masses", ""))
        .table("amount", &R::amount, mixture_table(mechanism, "amount", "concentrations", "mol/m^3"))
        .choice("hold", &R::hold, {{"pressure", Hold::pressure, "it expands"}, {"volume", Hold::volume, "a closed vessel"}},
                {.help = "what stays constant (default: pressure; volume without thermodynamic data)"})
        .choice("thermal", &R::thermal,
                {{"adiabatic", Thermal::adiabatic, "no heat is lost"}, {"isothermal", Thermal::isothermal, "the temperature is held"}},
                {.help = "heat exchange (default: adiabatic; isothermal without thermodynamic data)"})
        .key("time", &R::time, {.unit = "s", .above = 0, .help = "how long it is followed"})
        .key("tolerance", &R::tolerance, {.min = 1e-12, .max = 0.1, .help = "relative error of a step"})
        .key("absolute", &R::absolute, {.above = 0, .max = 0.1, .help = "share of all moles under which errors do not count"})
        .key("points", &R::points, {.min = 0, .max = 1e6, .help = "rows of the output; 0: as many as the curves need"})
        .choice("spacing", &R::spacing, {{"linear", Spacing::linear}, {"log", Spacing::log}}, {.help = "of the points in time"})
        .choice("show", &R::show,
                {{"mole", SpeciesMeasure::mole_fraction, "mole fractions"},
                 {"mass", SpeciesMeasure::mass_fraction, "mass fractions"},
                 {"amount", SpeciesMeasure::concentration, "concentrations in mol/m^3"}},
                {.help = "how species are counted in the output (default: mole; amount without thermodynamic data)"})
        .check(
            [mechanism](R& params, const config::Node& node, config::Reader& reader) { check_reactor(params, mechanism, node, reader); });
    return table;
}

ReactorParams read_reactor(const Mechanism& mechanism, const config::Node& section, const std::vector<std::string>& overrides) {
    for (const Species& species : mechanism.species)
        if (species.solid())
            throw InputError(fmt::format("{}: '{}' is a solid, which reacts on the surface of bodies, and a reactor has none; expected gases only",
                                         species.position.where(), species.name));
    const config::Table<ReactorParams> table = reactor_table(mechanism);
    config::Node node = section;
    if (node.is_null()) node = config::Node::map(), node.position = section.position;
    for (const std::string& assignment : overrides) {
        const std::string key = assignment.substr(0, assignment.find_first_of(".="));
        for (const char* mixture : mixtures)  // a mixture replaces one of another kind
            if (key == mixture)
                for (const char* other : mixtures)
                    if (key != other) node.remove(other);
        if (key == "amount") node.remove("pressure");
        config::apply_override(node, assignment, *table.schema());
    }
    config::Problems problems;
    config::Reader reader(problems, table.schema());
    const config::Reader::Inside inside(reader, "react");
    ReactorParams params = default_reactor(mechanism);
    table.read(node, reader, params);
    problems.raise();
    return params;
}

CellState initial_state(const Mechanism& mechanism, const ReactorParams& params) {
    CellState state{.temperature = params.temperature,
                    .volume = 1,
                    .pressure = params.pressure,
                    .amounts = std::vector<double>(mechanism.species.size(), 0.0)};
    const Mixture& mixture = !params.amount.empty() ? params.amount : !params.mole.empty() ? params.mole : params.mass;
    double moles = 0;
    for (const auto& [name, share] : mixture) {
        const int k = mechanism.find(name);
        if (k < 0) throw InputError(fmt::format("{}: no such species", name));
        state.amounts[std::size_t(k)] = &mixture == &params.mass ? share / mechanism.species[std::size_t(k)].molar_mass : share;
        moles += state.amounts[std::size_t(k)];
    }
    PHLO_CHECK(moles > 0);
    const double per_volume = moles * gas_constant * state.temperature;
    if (!params.amount.empty()) state.pressure = per_volume;
    else
        for (double& n : state.amounts) n *= state.pressure / per_volume;
    return state;
}

}  // namespace phlo::chem
