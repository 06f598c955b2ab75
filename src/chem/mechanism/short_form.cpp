#include "chem/mechanism/short_form.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/error.h"

namespace phlo::chem {
namespace {

using config::joined;
using config::Node;

/// Complains of every key that the schema does not know.
void refuse_unknown(const CheckedMap& section, const config::Schema& schema) {
    const std::vector<std::string> known = schema.member_names();
    for (const Node::Entry& entry : section.node().entries) {
        if (std::ranges::find(known, entry.key) != known.end()) continue;
        const std::string guess = config::did_you_mean(entry.key, known);
        section.fail(entry.position, entry.key, "unknown key" + (guess.empty() ? "; expected " + config::one_of(known) : guess));
    }
}

/// Of the items of a list.
const config::Schema& content(const char* list) { return *short_form_schema()->member(list)->value->item; }

// ---- species

/// Names that can stand in an equation and, as far as possible, in an expression.
bool is_name(const std::string& text) {
    if (text.empty() || text.size() > 100 || text.find_first_of(" \t\n\r=<>,;\"'") != std::string::npos) return false;
    return text.front() != '+' && text.front() != '.' && !text.starts_with("(+") &&
           text.find_first_not_of("0123456789.") != std::string::npos;
}

void read_species(const Node& item, const std::string& path, Draft& draft) {
    const CheckedMap section(item, path, draft.problems);
    const std::size_t before = draft.problems.count();
    Species species;
    species.position = item.position;
    const Node* name = &item;
    if (item.is_map()) {
        refuse_unknown(section, *content("species").item);
        name = section.text("name", "the species' name");
        if (!name) return;
        species.position = name->position;
    } else if (!item.is_scalar()) {
        return section.fail(item.position, "", fmt::format("got {}; expected a name, or {{name: …, molar-mass: …}}", item.described()));
    }
    species.name = name->text;
    if (!is_name(species.name))
        return section.fail(
            name->position, "",
            fmt::format("{} is no name for a species; expected a word without spaces, '=' or a leading '+'", name->described()));
    if (section.has("composition")) read_composition(section, {}, draft, species);
    if (section.has("molar-density")) {
        species.molar_density = section.number("molar-density", std::nullopt, "mol/m^3");
        if (species.molar_density && !(*species.molar_density > 0))
            section.fail(section.position("molar-density"), "molar-density", "not positive; expected one such as 30 mol/m^3");
    }
    if (!section.has("molar-mass")) return draft.add_species(std::move(species), path, draft.problems.count() == before);
    if (const auto mass = section.number("molar-mass", species.molar_mass, "kg/mol")) {
        if (!(*mass > 0)) section.fail(section.position("molar-mass"), "molar-mass", "not positive; expected one such as 29 g/mol");
        else if (!species.composition.empty() && std::abs(*mass / species.molar_mass - 1) > 0.01)
            section.fail(
                section.position("molar-mass"), "molar-mass",
                fmt::format("{} kg/mol, but the composition makes {:.6g} kg/mol; remove one of the two", *mass, species.molar_mass));
        else species.molar_mass = *mass;
    }
    draft.add_species(std::move(species), path, draft.problems.count() == before);
}

// ---- rates

std::optional<double> converted(const CheckedMap& section, std::string_view key, const Node& value, auto convert) {
    if (!value.is_scalar()) {
        section.fail(value.position, key, fmt::format("got {}; expected a number", value.described()));
        return std::nullopt;
    }
    try {
        return convert(value.text);
    } catch (const InputError& error) {
        section.fail(value.position, key, error.what());
        return std::nullopt;
    }
}

std::optional<RateLaw> read_arrhenius(const CheckedMap& rate, const RateOrder& order) {
    refuse_unknown(rate, *content("reactions").member("rate")->value->item);
    const UnitSystem si;
    const Node* A = rate.text("A", "the factor of A T^b exp(-Ta/T)");
    if (rate.has("Ea") && rate.has("Ta")) rate.fail(rate.position("Ta"), "Ta", "'Ea' says the same; expected only one of the two");
    const auto factor =
        A ? converted(rate, "A", *A, [&](const std::string& text) { return rate_constant(text, order, si); }) : std::nullopt;
    const auto exponent = rate.number("b", 0.0);
    std::optional<double> temperature = rate.number("Ta", 0.0, "K");
    if (const Node* Ea = rate.get("Ea"))
        temperature = converted(rate, "Ea", *Ea, [&](const std::string& text) { return activation_temperature(text, si); });
    if (!factor || !exponent || !temperature) return std::nullopt;
    return Arrhenius{*factor, *exponent, *temperature};
}

/// A quantity begins with a number that no operator follows.
bool is_quantity(const std::string& text) {
    const auto quantity = split_quantity(text);
    return quantity &&
           (quantity->unit.empty() || std::string_view("+-*/^<>=!?&|,)(").find(quantity->unit.front()) == std::string_view::npos);
}

std::optional<RateLaw> read_rate(const CheckedMap& reaction, const char* key, const RateOrder& order, Draft& draft) {
    constexpr const char* expected = "a number, an expression in T, t and the species, or {A: …, b: …, Ta: …}";
    const Node* node = reaction.get(key);
    if (!node || node->is_null()) {
        reaction.fail(reaction.position(key), key, fmt::format("missing; expected {}", expected));
        return std::nullopt;
    }
    if (node->is_map()) return read_arrhenius(CheckedMap(*node, joined(reaction.path(), key), draft.problems), order);
    if (!node->is_scalar() || node->text.empty()) {
        reaction.fail(node->position, key, fmt::format("got {}; expected {}", node->described(), expected));
        return std::nullopt;
    }
    if (!is_quantity(node->text)) return Formula{node->text, position_in(*node, 0)};
    const auto k = converted(reaction, key, *node, [&](const std::string& text) { return rate_constant(text, order, UnitSystem{}); });
    if (!k) return std::nullopt;
    return Arrhenius{*k, 0, 0};
}

// ---- reactions

/// A solid's surface is as large as it is: the rate is proportional to its area, however many of its moles an event takes.
RateOrder rate_order(const CheckedMap& section, const char* orders_key, const Draft& draft, Reaction& reaction) {
    RateOrder of{0};
    for (Term& term : reaction.orders) {
        const Species& species = draft.mechanism.species[std::size_t(term.species)];
        if (!species.solid()) {
            of.order += term.coefficient;
            continue;
        }
        of.surface = true;
        term.coefficient = 1;
        const Node* given = section.get(orders_key);
        if (given && given->get(species.name))
            section.fail(given->get(species.name)->position, orders_key,
                         fmt::format("'{}' is a solid, whose rate goes with the area of its surface; expected orders of gases only", species.name));
    }
    of.order += reaction.third_body.has_value();
    return of;
}

std::string written(const std::vector<Term>& terms, bool third_body, const Mechanism& mechanism) {
    std::string text;
    for (const Term& term : terms) {
        if (!text.empty()) text += " + ";
        if (term.coefficient != 1) text += fmt::format("{} ", term.coefficient);
        text += mechanism.species[std::size_t(term.species)].name;
    }
    return third_body ? text + (text.empty() ? "M" : " + M") : text;
}

void refuse_emptiness_of_matter(const CheckedMap& section, const Reaction& reaction, const Draft& draft) {
    if (!reaction.reactants.empty() && !reaction.products.empty()) return;
    for (const auto* side : {&reaction.reactants, &reaction.products})
        for (const Term& term : *side)
            if (const Species& species = draft.mechanism.species[std::size_t(term.species)]; !species.composition.empty())
                return section.fail(
                    reaction.position, "equation",
                    fmt::format("a side is empty, but '{}' is made of elements, which do not vanish; expected species on both sides",
                                species.name));
}

void read_third_body(const CheckedMap& section, const Equation& equation, Draft& draft, Reaction& reaction) {
    if (equation.collider == Equation::Collider::none) {
        for (const char* key : {"efficiencies", "default-efficiency"})
            if (section.has(key))
                section.fail(section.position(key), key, "there is no third body; expected + M on both sides of the equation");
        return;
    }
    if (equation.collider == Equation::Collider::falloff)
        return section.fail(position_in(*section.get("equation"), equation.collider_offset), "equation",
                            "a falloff needs two rates, which only a file in Cantera's form has; expected + M");
    ThirdBody third;
    third.efficiencies = read_efficiencies(section, false, draft);
    if (const auto others = section.number("default-efficiency", 1.0)) third.others = *others;
    if (third.others < 0)
        section.fail(section.position("default-efficiency"), "default-efficiency",
                     fmt::format("{} is negative; expected >= 0", third.others));
    reaction.third_body = std::move(third);
}

/// The other direction of a reaction, with its own rate. Both are then irreversible.
std::optional<Reaction> split_backward(const CheckedMap& section, Draft& draft, Reaction& forward) {
    for (const char* key : {"reverse", "reverse-orders"})
        if (section.has(key) && !forward.reversible)
            section.fail(section.node().entry(key)->position, key, "the equation runs one way; expected <=> instead of =>");
    if (section.has("reverse-orders") && !section.has("reverse"))
        section.fail(section.node().entry("reverse-orders")->position, "reverse-orders", "there is no backward rate; expected reverse: …");
    if (!section.has("reverse") || !forward.reversible) return std::nullopt;

    Reaction backward = forward;
    std::swap(backward.reactants, backward.products);
    backward.orders = backward.reactants;
    read_orders(section, "reverse-orders", draft, backward.orders);
    const bool collider = forward.third_body.has_value();
    if (auto rate = read_rate(section, "reverse", rate_order(section, "reverse-orders", draft, backward), draft)) backward.rate = *std::move(rate);
    for (Reaction* reaction : {&forward, &backward}) {
        reaction->reversible = false;
        reaction->equation =
            written(reaction->reactants, collider, draft.mechanism) + " => " + written(reaction->products, collider, draft.mechanism);
    }
    return backward;
}

void read_reaction(const Node& item, const std::string& path, Draft& draft) {
    const CheckedMap section(item, path, draft.problems);
    if (!item.is_map())
        return section.fail(item.position, "", fmt::format("got {}; expected {{equation: A => B, rate: 1}}", item.described()));
    const std::size_t before = draft.problems.count();
    refuse_unknown(section, content("reactions"));
    Reaction forward;
    const auto equation = read_equation(section, EquationForm::short_form, draft, forward);
    if (!equation) return;
    refuse_emptiness_of_matter(section, forward, draft);
    forward.duplicate = section.flag("duplicate");
    read_orders(section, "orders", draft, forward.orders);
    read_third_body(section, *equation, draft, forward);
    if (auto rate = read_rate(section, "rate", rate_order(section, "orders", draft, forward), draft))
        forward.rate = *std::move(rate);
    auto backward = split_backward(section, draft, forward);

    Draft::Origin origin;
    origin.path = path;
    origin.rate = section.place("rate");
    origin.orders = section.place(section.has("orders") ? "orders" : "equation");
    origin.negative_orders = section.flag("negative-orders");
    if (draft.problems.count() != before) return;
    draft.add_reaction(std::move(forward), origin);
    if (!backward) return;
    origin.rate = section.place("reverse");
    origin.orders = section.place(section.has("reverse-orders") ? "reverse-orders" : "equation");
    draft.add_reaction(*std::move(backward), std::move(origin));
}

}  // namespace

void read_short_form(const Node& node, const std::string& path, Draft& draft) {
    const CheckedMap section(node, path, draft.problems);
    refuse_unknown(section, *short_form_schema());
    if (const auto version = section.number("phlo", 1.0); version && *version != 1)
        section.fail(section.position("phlo"), "phlo", "this program reads version 1 of the short form");
    if (section.has("name"))
        if (const Node* name = section.text("name", "the mechanism's name")) draft.mechanism.name = name->text;
    if (section.has("description")) section.text("description", "text");
    if (const Node* species = section.list("species", "a list of names"))
        for (std::size_t i = 0; i < species->items.size(); ++i)
            read_species(species->items[i], joined(joined(path, "species"), std::to_string(i)), draft);
    if (const Node* reactions = section.list("reactions", "a list of {equation: A + B => C, rate: 1}"))
        for (std::size_t i = 0; i < reactions->items.size(); ++i)
            read_reaction(reactions->items[i], joined(joined(path, "reactions"), std::to_string(i)), draft);
}

}  // namespace phlo::chem
