#include "chem/mechanism/cantera.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "chem/mechanism/elements.h"

namespace phlo::chem {
namespace {

using config::joined;
using config::Node;

/// The parts of a file that a phase is made of.
class CanteraFile {
public:
    CanteraFile(const Node& root, const std::string& path, Draft& draft) : root_(root, path, draft.problems), draft_(draft) {
        units_.quantity = 1000;  // Cantera's own: kmol
    }

    void read() {
        read_units(root_, units_, draft_.problems);
        read_elements();
        const Node* phase = find_phase();
        if (!phase) return;
        const CheckedMap section(*phase, phase_path_, draft_.problems);
        if (const Node* name = section.get("name"); name && name->is_scalar()) draft_.mechanism.name = name->text;
        read_phase_elements(section);
        read_species(section);
        if (draft_.problems.empty() || !draft_.mechanism.species.empty()) read_reactions(section);
    }

private:
    // ---- elements

    void read_elements() {
        if (!root_.has("elements")) return;
        const Node* list = root_.list("elements", "a list of {symbol, atomic-weight}");
        if (!list) return;
        for (std::size_t i = 0; i < list->items.size(); ++i) {
            const CheckedMap element(list->items[i], fmt::format("elements.{}", i), draft_.problems);
            const Node* symbol = element.text("symbol", "the element's symbol");
            const auto weight = element.number("atomic-weight", std::nullopt);
            if (weight && !(*weight > 0)) element.fail(element.position("atomic-weight"), "atomic-weight", "not positive; expected g/mol");
            else if (symbol && weight) weights_.emplace_back(symbol->text, *weight / 1000);
        }
    }

    void read_phase_elements(const CheckedMap& phase) {
        if (!phase.has("elements")) return;
        const Node* list = phase.list("elements", "a list of symbols");
        if (!list) return;
        for (const Node& item : list->items) {
            if (!item.is_scalar()) continue;  // sections of elements: those of the file are known anyway
            const bool own = std::ranges::any_of(weights_, [&](const auto& entry) { return entry.first == item.text; });
            if (!own && !atomic_weight(item.text))
                phase.fail(item.position, "elements",
                           fmt::format("unknown element '{}'; define it under 'elements' with its atomic-weight{}", item.text.substr(0, 40),
                                       config::did_you_mean(item.text, element_symbols())));
            else draft_.mechanism.elements.push_back(item.text);
        }
    }

    // ---- phases

    const Node* find_phase() {
        const Node* phases = root_.list("phases", "a list of phases, one of them with thermo: ideal-gas");
        if (!phases) return nullptr;
        std::string others;
        for (std::size_t i = 0; i < phases->items.size(); ++i) {
            const Node* thermo = phases->items[i].get("thermo");
            if (!thermo || !thermo->is_scalar()) continue;
            if (thermo->text == "ideal-gas") {
                phase_path_ = fmt::format("phases.{}", i);
                return &phases->items[i];
            }
            others += (others.empty() ? "" : ", ") + thermo->text;
        }
        root_.fail(phases->position, "phases",
                   fmt::format("no phase with thermo: ideal-gas{}; only ideal gases are supported",
                               others.empty() ? "" : " (there is " + others + ")"));
        return nullptr;
    }

    // ---- species

    void read_species(const CheckedMap& phase) {
        const Node* wanted = phase.get("species");
        if (!wanted || (wanted->is_scalar() && wanted->text == "all")) return take_species("species", nullptr, phase);
        if (!wanted->is_list())
            return phase.fail(phase.position("species"), "species",
                              fmt::format("got {}; expected all, or a list of names", wanted->described()));
        Node names = Node::list({});
        for (const Node& item : wanted->items) {
            if (item.is_scalar()) names.items.push_back(item);
            else if (item.is_map() && item.entries.size() == 1) take_section(item.entries[0], phase);
            else phase.fail(item.position, "species", fmt::format("got {}; expected a name, or {{section: [names]}}", item.described()));
        }
        if (!names.items.empty()) take_species("species", &names, phase);
    }

    void take_section(const Node::Entry& entry, const CheckedMap& phase) {
        if (refuse_other_file(entry.key, entry.position, "species", phase)) return;
        if (entry.value.is_scalar() && entry.value.text == "all") take_species(entry.key, nullptr, phase);
        else if (entry.value.is_list()) take_species(entry.key, &entry.value, phase);
        else phase.fail(entry.position, "species", fmt::format("got {}; expected all, or a list of names", entry.value.described()));
    }

    bool refuse_other_file(const std::string& section, const config::Position& position, std::string_view key, const CheckedMap& phase) {
        if (section.find('/') == std::string::npos) return false;
        phase.fail(position, key, fmt::format("'{}' is in another file, which is not supported; copy the section into this file", section));
        return true;
    }

    /// The named species of a section in the order of `names`, or all.
    void take_species(const std::string& section, const Node* names, const CheckedMap& phase) {
        const Node* list = root_.get(section);
        if (!list || !list->is_list()) {
            const config::Position& at = list ? root_.position(section) : names ? names->position : phase.position("species");
            return root_.fail(at.line > 0 ? at : phase.position("species"), section,
                              "missing; expected a list of species, each {name, composition, thermo}");
        }
        UnitSystem units = units_;
        std::map<std::string, std::size_t, std::less<>> found;
        for (std::size_t i = 0; i < list->items.size(); ++i) {
            const Node& item = list->items[i];
            const CheckedMap species(item, fmt::format("{}.{}", section, i), draft_.problems);
            if (i == 0 && is_units_item(item)) {
                read_units(species, units, draft_.problems);
                continue;
            }
            const Node* name = item.is_map() ? item.get("name") : nullptr;
            if (!name || !name->is_scalar()) {
                species.fail(item.position, "name", "missing; expected the species' name");
                continue;
            }
            const auto [first, fresh] = found.emplace(name->text, i);
            if (!fresh)
                species.fail(name->position, "name",
                             fmt::format("the species '{}' was declared before, at line {}; names must differ", name->text,
                                         list->items[first->second].position.line));
            else if (!names) take_one(species);
        }
        if (!names) return;
        for (const Node& name : names->items) {
            const auto at = name.is_scalar() ? found.find(name.text) : found.end();
            if (at != found.end()) {
                take_one(CheckedMap(list->items[at->second], fmt::format("{}.{}", section, at->second), draft_.problems));
                continue;
            }
            std::vector<std::string> candidates;
            for (const auto& [known, index] : found) candidates.push_back(known);
            phase.fail(name.position, "species",
                       fmt::format("{} is not declared in '{}'{}", name.described(), section, config::did_you_mean(name.text, candidates)));
        }
    }

    void take_one(const CheckedMap& section) {
        const std::size_t before = draft_.problems.count();
        Species species = read_cantera_species(section, weights_, draft_);
        draft_.add_species(std::move(species), section.path(), draft_.problems.count() == before);
    }

    // ---- reactions

    void read_reactions(const CheckedMap& phase) {
        const Node* kinetics = phase.get("kinetics");
        const std::string model = kinetics && kinetics->is_scalar() ? kinetics->text : "none";
        if (model != "gas" && model != "bulk") {
            phase.fail(phase.position("kinetics"), "kinetics",
                       kinetics && model != "none" ? fmt::format("'{}' is not supported; expected gas", model)
                                                   : "the phase has no kinetics; expected kinetics: gas");
            return;
        }
        ReactionOptions options;
        options.skip_undeclared_third_bodies = phase.flag("skip-undeclared-third-bodies");
        if (const Node* wish = phase.get("explicit-third-body-duplicates"); wish && wish->text == "modify-efficiency")
            phase.fail(wish->position, "explicit-third-body-duplicates",
                       "modify-efficiency is not supported; set those efficiencies to 0 in the file");
        const Node* wanted = phase.get("reactions");
        if (!wanted) return take_reactions("reactions", "all", phase.node().position, options, phase);
        if (wanted->is_scalar()) return take_reactions("reactions", wanted->text, wanted->position, options, phase);
        if (!wanted->is_list())
            return phase.fail(phase.position("reactions"), "reactions", "expected all, none, declared-species or a list of sections");
        for (const Node& item : wanted->items) {
            if (item.is_scalar()) take_reactions(item.text, "all", item.position, options, phase);
            else if (item.is_map() && item.entries.size() == 1 && item.entries[0].value.is_scalar())
                take_reactions(item.entries[0].key, item.entries[0].value.text, item.entries[0].position, options, phase);
            else phase.fail(item.position, "reactions", fmt::format("got {}; expected the name of a section", item.described()));
        }
    }

    void take_reactions(const std::string& section, const std::string& mode, const config::Position& position, ReactionOptions options,
                        const CheckedMap& phase) {
        if (mode == "none" || refuse_other_file(section, position, "reactions", phase)) return;
        if (mode != "all" && mode != "declared-species")
            return phase.fail(position, "reactions", fmt::format("got '{}'; expected all, none or declared-species", mode.substr(0, 60)));
        if (!taken_.insert(section).second)
            return phase.fail(position, "reactions", fmt::format("the section '{}' is named twice", section));
        options.skip_undeclared_species = mode == "declared-species";
        const Node* list = root_.get(section);
        if (!list || !list->is_list())
            return root_.fail(list ? root_.position(section) : position, section, "missing; expected a list of reactions");
        UnitSystem units = units_;
        for (std::size_t i = 0; i < list->items.size(); ++i) {
            const Node& item = list->items[i];
            const CheckedMap reaction(item, fmt::format("{}.{}", section, i), draft_.problems);
            if (!item.is_map())
                reaction.fail(item.position, "",
                              fmt::format("got {}; expected a reaction {{equation: …, rate-constant: …}}", item.described()));
            else if (i == 0 && is_units_item(item)) read_units(reaction, units, draft_.problems);
            else read_cantera_reaction(reaction, units, options, draft_);
        }
    }

    /// The first item of a section may say the units of the rest.
    static bool is_units_item(const Node& item) { return item.is_map() && item.entries.size() == 1 && item.entries[0].key == "units"; }

    CheckedMap root_;
    Draft& draft_;
    UnitSystem units_;
    AtomicWeights weights_;
    std::string phase_path_;
    std::set<std::string> taken_;
};

/// SI factor of the unit a key names, if it is of the right kind.
std::optional<double> unit_factor(const CheckedMap& units, const char* key, const char* example) {
    if (!units.has(key)) return std::nullopt;
    const Node* text = units.text(key, "a unit");
    if (!text) return std::nullopt;
    const auto unit = parse_real_unit(text->text);
    if (unit && !text->text.empty() && unit->dimension == parse_real_unit(example)->dimension) return unit->factor;
    units.fail(text->position, key, fmt::format("{} is no unit of {}; expected one such as {}", text->described(), key, example));
    return std::nullopt;
}

}  // namespace

void read_units(const CheckedMap& section, UnitSystem& units, config::Problems& problems) {
    if (!section.has("units")) return;
    const Node* map = section.map("units", "{length: cm, quantity: mol, time: s, activation-energy: cal/mol}");
    if (!map) return;
    const CheckedMap inside(*map, joined(section.path(), "units"), problems);
    static const std::vector<std::string> known = {"length",   "quantity",    "time",   "activation-energy", "energy", "mass",
                                                   "pressure", "temperature", "current"};
    for (const Node::Entry& entry : map->entries)
        if (std::ranges::find(known, entry.key) == known.end())
            inside.fail(entry.position, entry.key,
                        "unknown key; expected " + config::one_of(known) + config::did_you_mean(entry.key, known));
    if (const auto length = unit_factor(inside, "length", "cm")) units.length = *length;
    if (const auto quantity = unit_factor(inside, "quantity", "mol")) units.quantity = *quantity;
    if (const auto time = unit_factor(inside, "time", "s")) units.time = *time;
    if (const auto energy = unit_factor(inside, "energy", "J")) units.energy = *energy;
    if (!inside.has("activation-energy")) return;
    const Node* text = inside.text("activation-energy", "a unit such as cal/mol");
    if (!text) return;
    if (const auto kelvin = kelvin_per(text->text)) units.activation = *kelvin;
    else
        inside.fail(text->position, "activation-energy",
                    fmt::format("{} is no unit of an activation energy; expected J/mol, cal/mol, kcal/mol, K or eV", text->described()));
}

void read_cantera(const config::Node& root, const std::string& path, Draft& draft) { CanteraFile(root, path, draft).read(); }

}  // namespace phlo::chem
