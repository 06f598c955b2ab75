#include "serve/laboratory.h"

#include <chrono>
#include <variant>

#include <fmt/format.h>

#include "base/error.h"
#include "base/json.h"
#include "chem/mechanism/read.h"
#include "chem/mechanism/shipped.h"
#include "serve/chemistry_message.h"

namespace phlo::serve {
namespace {

constexpr double patience = 5;     // [s] for a reactor

/// A mechanism, and what a reactor of it begins with.
struct Chemistry {
    chem::Mechanism mechanism;
    config::Node section = {};                    ///< a `react:` section
    std::vector<std::string> start = {};          ///< and what is set in it before the page's own
    std::vector<FunctionText> functions = {};     ///< control functions of the scene
};

Chemistry shipped(const std::string& name) {
    if (!chem::shipped_mechanism(name)) throw InputError("no mechanism is called '" + name.substr(0, 40) + "'");
    config::Node file = chem::find_mechanism(name);
    Chemistry result;
    if (const config::Node* section = file.get("react")) result.section = *section;
    file.remove("react");
    result.mechanism = chem::read_mechanism(file, "");
    if (result.mechanism.name.empty()) result.mechanism.name = name;
    return result;
}

/// What the emitters put into the gas, as a reactor's mixture: {S1: 11, S2: 11}.
std::string mixture_of(const models::GasSetup& gas) {
    std::map<std::string, double> amounts;
    for (const config::Named<double>& ambient : gas.chemistry.ambient) amounts[ambient.name] = ambient.value;
    for (const models::Emitter& emitter : gas.emitters)
        for (const auto& given : emitter.species) amounts[given.name] = std::max(amounts[given.name], given.value(0));
    std::erase_if(amounts, [](const auto& entry) { return !(entry.second > 0); });
    if (amounts.empty())
        for (const chem::Reaction& reaction : gas.mechanism->reactions)
            for (const chem::Term& term : reaction.reactants) amounts[gas.mechanism->species[std::size_t(term.species)].name] = 1;
    std::string text;
    for (const auto& [name, amount] : amounts) text += fmt::format("{}\"{}\": {}", text.empty() ? "" : ", ", name, amount);
    return "{" + text + "}";
}

std::vector<FunctionText> functions_of(const models::ChemistryParams& chemistry) {
    const models::ControlTexts texts = models::control_texts(chemistry);
    std::vector<FunctionText> functions;
    const auto add = [&](const char* key, const chem::Formula& formula, const char* unit) {
        if (!formula.text.empty()) functions.push_back({key, formula.text, unit});
    };
    add("heat", texts.heat, "K/s");
    add("expansion", texts.expansion, "1/s");
    add("vortices.number", texts.vortices, "1/s");
    add("vortices.strength", texts.vortex_strength, "1/s");
    add("soot.per_kelvin", texts.soot, "1/(K mol)");
    return functions;
}

Chemistry of_scene(const scene::Scene& scene) {
    const auto* gas = std::get_if<models::GasSetup>(&scene.model);
    if (!gas || !gas->mechanism) throw InputError("this scene has no chemistry; choose a shipped mechanism, or give the gas one (gas.method and chemistry.mechanism)");
    Chemistry result{.mechanism = *gas->mechanism, .functions = functions_of(gas->chemistry)};
    if (result.mechanism.name.empty()) result.mechanism.name = scene.name;
    const bool real = result.mechanism.has_thermo();
    result.start = {(real ? "mole=" : "amount=") + mixture_of(*gas), real ? "temperature=1200" : "temperature=300", real ? "time=1e-3" : "time=2"};
    return result;
}

std::map<std::string, double> numbers_in(const json::Value* object) {
    std::map<std::string, double> numbers;
    if (object && object->kind == json::Value::Kind::object)
        for (const auto& [name, value] : object->members)
            if (value.kind == json::Value::Kind::number) numbers[name] = value.value;
    return numbers;
}

Chemistry chemistry_in(const json::Value& message, const Worktable& table) {
    const std::string name = message.text("mechanism", "");
    return name.empty() ? of_scene(table.whole.scene) : shipped(name);
}

}  // namespace

void Laboratory::add_handlers(MessageHandlers& handlers) {
    handlers["chemistry"] = [this](int client, const json::Value& m) { describe(client, m); };
    handlers["react"] = [this](int client, const json::Value& m) { react(client, m); };
}

void Laboratory::stop() {
    ++newest_;
    worker_.stop();
}

void Laboratory::describe(int client, const json::Value& m) {
    const std::string shipped = json::array(chem::shipped_mechanism_names(), [](const std::string& name) { return json::quoted(name); });
    json::Object reply;
    reply.text("type", "chemistry").raw("shipped", shipped).text("of", m.text("mechanism", ""));
    const auto* gas = std::get_if<models::GasSetup>(&table_.whole.scene.model);
    if (m.text("mechanism", "").empty() && !(gas && gas->mechanism)) return table_.voice.one(client, reply.raw("mechanism", "null").str());
    const Chemistry chemistry = chemistry_in(m, table_);
    table_.voice.one(client, reply.raw("mechanism", mechanism_json(chemistry.mechanism)).raw("curves", functions_json(chemistry.mechanism, chemistry.functions, numbers_in(m.get("at")))).str());
}

void Laboratory::react(int client, const json::Value& m) {
    Chemistry chemistry = chemistry_in(m, table_);
    if (const json::Value* set = m.get("set"); set && set->kind == json::Value::Kind::array)
        for (const json::Value& item : set->items)
            if (item.kind == json::Value::Kind::text && item.string.size() <= 1000 && chemistry.start.size() < 100) chemistry.start.push_back(item.string);
    const long number = ++newest_;
    worker_.post([this, client, number, chemistry = std::move(chemistry)] {
        const auto begin = std::chrono::steady_clock::now();
        const auto wanted = [&] { return number == newest_ && std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count() < patience; };
        if (!wanted()) return;
        json::Object reply;
        reply.text("type", "reaction").text("mechanism", chemistry.mechanism.name);
        try {
            reply.raw("curves", react_json(chemistry.mechanism, chemistry.section, chemistry.start, wanted));
        } catch (const std::exception& error) {
            if (number != newest_) return;
            reply.raw("curves", "null").text("error", error.what());
        }
        table_.voice.one(client, reply.str());
    });
}

}  // namespace phlo::serve
