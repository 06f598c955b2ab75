#include "serve/chemistry_message.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/error.h"
#include "base/json.h"
#include "chem/expressions/expression.h"
#include "chem/integration/reactor_columns.h"
#include "chem/mechanism/equations_text.h"
#include "chem/rates/network.h"
#include "config/form.h"

namespace phlo::serve {
namespace {

const char* truth(bool value) { return value ? "true" : "false"; }

std::string terms_json(const chem::Mechanism& mechanism, const std::vector<chem::Term>& terms) {
    return json::array(terms, [&](const chem::Term& term) {
        return json::Object().text("species", mechanism.species[std::size_t(term.species)].name).number("coefficient", term.coefficient).str();
    });
}

std::string species_json(const chem::Species& species) {
    std::string atoms;
    for (const auto& [element, count] : species.composition) atoms += fmt::format("{}{}", element, count == 1 ? "" : fmt::format("{:g}", count));
    return json::Object().text("name", species.name).number("molar_mass", species.molar_mass).text("composition", atoms).raw("solid", truth(species.solid())).str();
}

std::vector<double> temperatures() {
    std::vector<double> values;
    for (double T = 280; T <= 2800; T *= 1.04) values.push_back(T);
    return values;
}

/// An expression over the temperature.
struct Sweep {
    std::vector<std::string> names;
    std::vector<double> inputs, temperature = temperatures();

    Sweep(const chem::Mechanism& mechanism, const std::map<std::string, double>& at) : names(function_inputs(mechanism)), inputs(names.size(), 1.0) {
        inputs[1] = 0;
        for (std::size_t n = 1; n < names.size(); ++n)
            if (const auto found = at.find(names[n]); found != at.end()) inputs[n] = found->second;
    }
    std::vector<double> values(const chem::Expression& expression) const {
        std::vector<double> result, now = inputs;
        for (const double T : temperature) now[0] = T, result.push_back(expression.evaluate(now));
        return result;
    }
};

double constant_of(const chem::Arrhenius& k, double T) { return k.A * std::pow(T, k.b) * std::exp(-k.Ta / T); }

std::vector<double> constants_of(const chem::Reaction& reaction, const Sweep& sweep) {
    if (const auto* formula = std::get_if<chem::Formula>(&reaction.rate)) return sweep.values(chem::parse_expression(formula->text, sweep.names, formula->position, "rate"));
    const chem::Arrhenius* law = std::get_if<chem::Arrhenius>(&reaction.rate);
    const chem::Arrhenius& k = law ? *law : std::get<chem::Falloff>(reaction.rate).high;
    std::vector<double> result;
    for (const double T : sweep.temperature) result.push_back(constant_of(k, T));
    return result;
}

/// Every so many-th, and the last one.
std::vector<double> thinned(const std::vector<double>& values) {
    constexpr std::size_t most = 300;
    const std::size_t step = std::max<std::size_t>(1, (values.size() + most - 1) / most);
    std::vector<double> result;
    for (std::size_t n = 0; n < values.size(); n += step) result.push_back(values[n]);
    if (!values.empty() && (values.size() - 1) % step != 0) result.push_back(values.back());
    return result;
}

}  // namespace

std::vector<std::string> function_inputs(const chem::Mechanism& mechanism) {
    std::vector<std::string> names{"T", "t"};
    for (const chem::Species& species : mechanism.species) names.push_back(species.name);
    for (std::size_t r = 0; r < mechanism.reactions.size(); ++r) names.push_back(fmt::format("r{}", r + 1));
    return names;
}

std::string mechanism_json(const chem::Mechanism& mechanism) {
    std::vector<std::string> reactions;
    for (int n = 0; n < int(mechanism.reactions.size()); ++n) {
        const chem::Reaction& reaction = mechanism.reactions[std::size_t(n)];
        reactions.push_back(json::Object()
                                .text("equation", reaction.equation)
                                .text("rate", chem::rate_text(mechanism, n, false))
                                .text("constant", fmt::format("{}", fmt::join(chem::rate_law_lines(mechanism, n), "; ")))
                                .raw("reactants", terms_json(mechanism, reaction.reactants))
                                .raw("products", terms_json(mechanism, reaction.products))
                                .raw("reversible", truth(reaction.reversible))
                                .str());
    }
    return json::Object().text("name", mechanism.name).raw("thermo", truth(mechanism.has_thermo())).raw("species", json::array(mechanism.species, species_json)).raw("reactions", json::array(reactions)).str();
}

std::string functions_json(const chem::Mechanism& mechanism, const std::vector<FunctionText>& texts, const std::map<std::string, double>& at) {
    const Sweep sweep(mechanism, at);
    std::vector<std::string> functions;
    for (const FunctionText& function : texts) {
        const chem::Expression expression = chem::parse_expression(function.text, sweep.names, {}, function.key);
        std::vector<std::string> inputs;
        for (const int input : expression.inputs()) inputs.push_back(json::quoted(sweep.names[std::size_t(input)]));
        functions.push_back(json::Object().text("key", function.key).text("text", function.text).text("unit", function.unit).raw("inputs", json::array(inputs)).raw("values", json::numbers(sweep.values(expression))).str());
    }
    const std::string constants = json::array(mechanism.reactions, [&](const chem::Reaction& reaction) { return json::numbers(constants_of(reaction, sweep)); });
    return json::Object().raw("temperature", json::numbers(sweep.temperature)).raw("functions", json::array(functions)).raw("constants", constants).str();
}

std::string react_json(const chem::Mechanism& mechanism, const config::Node& section, const std::vector<std::string>& overrides, const std::function<bool()>& wanted) {
    const chem::ReactorParams params = chem::read_reactor(mechanism, section, overrides);
    const chem::Network network(mechanism);
    const chem::ReactorRun run = chem::run_reactor(network, params, [&](double) {
        if (!wanted()) throw RunError("it takes longer than anybody waits");
    });
    const std::vector<chem::Column> columns = chem::columns_of(mechanism, params, run);
    const auto by_name = [&](const char* name) {
        const auto found = std::ranges::find(columns, name, &chem::Column::name);
        return found == columns.end() ? std::string("[]") : json::numbers(thinned(found->values));
    };
    constexpr std::size_t most_species = 12;
    const std::vector<const chem::Column*> notable = chem::notable_species(network, columns, most_species);
    const std::string species = json::array(notable, [](const chem::Column* column) { return json::Object().text("name", column->name).raw("values", json::numbers(thinned(column->values))).str(); });
    return json::Object()
        .raw("time", by_name("time"))
        .raw("temperature", by_name("temperature"))
        .raw("species", species)
        .text("unit", notable.empty() ? "" : notable.front()->unit)
        .raw("ignition_delay", run.ignition_delay ? json::number(*run.ignition_delay) : "null")
        .raw("start", config::to_json(chem::reactor_table(mechanism).schema()->write(&params)))
        .str();
}

}  // namespace phlo::serve
