#include "chem/mechanism/draft.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/error.h"
#include "base/units.h"
#include "chem/mechanism/elements.h"

namespace phlo::chem {

using config::did_you_mean;
using config::joined;
using config::Node;
using config::Position;

void Draft::add_species(Species species, std::string path, bool usable) {
    const auto [first, fresh] = index.emplace(species.name, int(mechanism.species.size()));
    if (!fresh) {
        const Position& before = mechanism.species[std::size_t(first->second)].position;
        problems.add(species.position, path,
                     fmt::format("the species '{}' was declared before, at line {}; names must differ", species.name, before.line));
        return;
    }
    for (const auto& [element, atoms] : species.composition)
        if (std::ranges::find(mechanism.elements, element) == mechanism.elements.end()) mechanism.elements.push_back(element);
    if (!usable) unusable.insert(first->second);
    mechanism.species.push_back(std::move(species));
    species_paths.push_back(std::move(path));
}

void Draft::add_reaction(Reaction reaction, Origin origin) {
    mechanism.reactions.push_back(std::move(reaction));
    origins.push_back(std::move(origin));
}

std::string Draft::meant(std::string_view name) const {
    constexpr std::size_t enough = 100;  // nobody reads guesses after that, and each compares with every species
    return problems.count() > enough ? "" : did_you_mean(name, mechanism.species_names());
}

// ---- sections

const Position& CheckedMap::position(std::string_view key) const {
    const Node::Entry* entry = node_.entry(key);
    if (!entry) return node_.position;
    return entry->value.is_null() ? entry->position : entry->value.position;
}

void CheckedMap::fail(const Position& position, std::string_view key, const std::string& message) const {
    problems_.add(position, joined(path_, key), message);
}

const Node* CheckedMap::of_kind(std::string_view key, Node::Kind kind, const char* help) const {
    const Node* value = get(key);
    if (value && value->kind == kind) return value;
    if (!value) fail(node_.position, key, fmt::format("missing; expected {}", help));
    else fail(position(key), key, fmt::format("got {}; expected {}", value->described(), help));
    return nullptr;
}

const Node* CheckedMap::list(std::string_view key, const char* help) const { return of_kind(key, Node::Kind::list, help); }
const Node* CheckedMap::map(std::string_view key, const char* help) const { return of_kind(key, Node::Kind::map, help); }
const Node* CheckedMap::text(std::string_view key, const char* help) const { return of_kind(key, Node::Kind::scalar, help); }

std::optional<double> CheckedMap::number(std::string_view key, std::optional<double> fallback, std::string_view unit) const {
    if (!has(key)) {
        if (!fallback) fail(node_.position, key, fmt::format("missing; expected {}", expected_quantity(unit)));
        return fallback;
    }
    const Node& value = *get(key);
    if (!value.is_scalar()) {
        fail(position(key), key, fmt::format("got {}; expected {}", value.described(), expected_quantity(unit)));
        return std::nullopt;
    }
    try {
        return parse_quantity(value.text, unit);
    } catch (const InputError& error) {
        fail(value.position, key, error.what());
        return std::nullopt;
    }
}

bool CheckedMap::flag(std::string_view key) const {
    const Node* value = get(key);
    if (!value) return false;
    if (value->is_scalar() && !value->quoted) {
        for (const char* yes : {"true", "True", "TRUE"})
            if (value->text == yes) return true;
        for (const char* no : {"false", "False", "FALSE"})
            if (value->text == no) return false;
    }
    fail(position(key), key, fmt::format("got {}; expected true or false", value->described()));
    return false;
}

void CheckedMap::refuse_slips(std::initializer_list<const char*> known) const {
    const std::vector<std::string> names(known.begin(), known.end());
    for (const Node::Entry& entry : node_.entries) {
        if (std::ranges::find(names, entry.key) != names.end()) continue;
        const std::string guess = did_you_mean(entry.key, names);
        if (!guess.empty()) fail(entry.position, entry.key, "unknown key" + guess);
    }
}

// ---- parts of reactions that both forms have

double total(const std::vector<Term>& terms) {
    double sum = 0;
    for (const Term& term : terms) sum += term.coefficient;
    return sum;
}

std::optional<Equation> read_equation(const CheckedMap& section, EquationForm form, Draft& draft, Reaction& reaction) {
    const Node* node = section.text("equation", "an equation such as 'A + B => C'");
    if (!node) return std::nullopt;
    Equation equation;
    try {
        equation = parse_equation(node->text, draft.index, form);
    } catch (const EquationError& error) {
        section.fail(position_in(*node, error.offset), "equation", error.message);
        return std::nullopt;
    }
    reaction.equation = node->text;
    reaction.position = node->position;
    reaction.reversible = equation.reversible;

    bool good = true;
    const auto resolve = [&](const std::vector<Equation::Item>& items, std::vector<Term>& terms) {
        for (const Equation::Item& item : items) {
            const auto found = draft.index.find(item.name);
            if (found != draft.index.end()) {
                terms.push_back({found->second, item.coefficient});
                continue;
            }
            good = false;
            std::string hint = draft.meant(item.name);
            if (item.name.find('+') != std::string::npos) hint += "; signs need spaces around them: 'A + B'";
            section.fail(position_in(*node, item.offset), "equation", fmt::format("unknown species '{}'{}", item.name.substr(0, 60), hint));
        }
    };
    resolve(equation.reactants, reaction.reactants);
    resolve(equation.products, reaction.products);
    if (equation.collider == Equation::Collider::falloff && equation.collider_name != "M" &&
        !draft.index.contains(equation.collider_name)) {
        good = false;
        section.fail(position_in(*node, equation.collider_offset), "equation",
                     fmt::format("unknown collider '{}'; expected (+M) or one species{}", equation.collider_name.substr(0, 60),
                                 draft.meant(equation.collider_name)));
    }
    if (!good) return std::nullopt;
    reaction.orders = reaction.reactants;
    return equation;
}

void read_orders(const CheckedMap& section, std::string_view key, Draft& draft, std::vector<Term>& orders) {
    if (!section.has(key)) return;
    const Node* map = section.map(key, "species and their orders: {A: 0.5, B: 1}");
    if (!map) return;
    const CheckedMap inside(*map, joined(section.path(), key), draft.problems);
    for (const Node::Entry& entry : map->entries) {
        const auto order = inside.number(entry.key, std::nullopt);
        const auto found = draft.index.find(entry.key);
        if (found == draft.index.end()) {
            inside.fail(entry.position, entry.key, fmt::format("an order for an unknown species{}", draft.meant(entry.key)));
            continue;
        }
        if (!order) continue;
        const auto same = std::ranges::find(orders, found->second, &Term::species);
        if (same != orders.end()) same->coefficient = *order;
        else orders.push_back({found->second, *order});
    }
}

std::vector<Term> read_efficiencies(const CheckedMap& section, bool skip_unknown, Draft& draft) {
    std::vector<Term> efficiencies;
    if (!section.has("efficiencies")) return efficiencies;
    const Node* map = section.map("efficiencies", "species and their efficiencies: {H2: 2, H2O: 6}");
    if (!map) return efficiencies;
    const CheckedMap inside(*map, joined(section.path(), "efficiencies"), draft.problems);
    for (const Node::Entry& entry : map->entries) {
        const auto value = inside.number(entry.key, std::nullopt);
        const auto found = draft.index.find(entry.key);
        if (found == draft.index.end()) {
            if (!skip_unknown)
                inside.fail(entry.position, entry.key, fmt::format("an efficiency for an unknown species{}", draft.meant(entry.key)));
            continue;
        }
        if (value && *value < 0)
            inside.fail(entry.value.position, entry.key, fmt::format("the efficiency {} is negative; expected >= 0", *value));
        if (value) efficiencies.push_back({found->second, *value});
    }
    return efficiencies;
}

void read_composition(const CheckedMap& section, const std::vector<std::pair<std::string, double>>& weights, Draft& draft, Species& species) {
    const Node* map = section.map("composition", "elements and atoms: {H: 2, O: 1}");
    if (!map) return;
    const CheckedMap inside(*map, joined(section.path(), "composition"), draft.problems);
    double mass = 0;
    bool good = true;
    for (const Node::Entry& entry : map->entries) {
        const auto atoms = inside.number(entry.key, std::nullopt);
        const auto own = std::ranges::find(weights, entry.key, &std::pair<std::string, double>::first);
        const auto weight = own != weights.end() ? own->second : atomic_weight(entry.key);
        if (!weight) {
            std::vector<std::string> symbols = element_symbols();
            for (const auto& [symbol, mass_of_it] : weights) symbols.push_back(symbol);
            inside.fail(entry.position, entry.key,
                        "unknown element; define it under 'elements' with its atomic-weight" + did_you_mean(entry.key, symbols));
        }
        const bool negative = atoms && *atoms < 0 && entry.key != "E";
        if (negative) inside.fail(entry.value.position, entry.key, fmt::format("{} atoms; expected >= 0", *atoms));
        if (!weight || !atoms || negative) {
            good = false;
            continue;
        }
        mass += *weight * *atoms;
        if (*atoms != 0) species.composition.emplace_back(entry.key, *atoms);
    }
    if (good) species.molar_mass = mass;
}

}  // namespace phlo::chem
