#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/error.h"
#include "base/log.h"
#include "chem/mechanism/cantera.h"

namespace phlo::chem {
namespace {

using config::joined;
using config::Node;
using config::Position;

struct Refused {
    std::string_view name, instead;
};

constexpr Refused other_types[] = {
    {"pressure-dependent-Arrhenius", "PLOG rates are not supported; give the Arrhenius rate at your pressure, or a Troe falloff"},
    {"Chebyshev", "Chebyshev rates are not supported; give the Arrhenius rate at your pressure, or a Troe falloff"},
    {"linear-Burke", "linear-Burke rates are not supported; give the Arrhenius rate at your pressure, or a Troe falloff"},
    {"chemically-activated", "chemically activated reactions are not supported; give the Arrhenius rate at your pressure"},
    {"Blowers-Masel", "Blowers-Masel rates are not supported; give an Arrhenius rate with its activation energy"},
    {"two-temperature-plasma", "plasma rates are not supported; give an Arrhenius rate"},
    {"electron-collision-plasma", "plasma rates are not supported; give an Arrhenius rate"},
    {"interface-Arrhenius", "surface reactions are not supported; only reactions in the gas are"},
    {"interface-Blowers-Masel", "surface reactions are not supported; only reactions in the gas are"},
    {"sticking-Arrhenius", "surface reactions are not supported; only reactions in the gas are"},
    {"sticking-Blowers-Masel", "surface reactions are not supported; only reactions in the gas are"},
    {"surface", "surface reactions are not supported; only reactions in the gas are"},
    {"interface", "surface reactions are not supported; only reactions in the gas are"},
    {"edge", "surface reactions are not supported; only reactions in the gas are"},
    {"electrochemical", "electrochemical reactions are not supported; only reactions in the gas are"},
};

constexpr Refused other_keys[] = {
    {"SRI", "the SRI falloff is not supported; use Troe parameters, or none for Lindemann's"},
    {"Tsang", "Tsang's falloff is not supported; use Troe parameters, or none for Lindemann's"},
    {"rate-constants", "PLOG rates are not supported; give the Arrhenius rate at your pressure"},
    {"pressure-range", "Chebyshev rates are not supported; give the Arrhenius rate at your pressure"},
    {"sticking-coefficient", "surface reactions are not supported; only reactions in the gas are"},
    {"coverage-dependencies", "surface reactions are not supported; only reactions in the gas are"},
};

enum class Type { elementary, three_body, falloff };

/// Reads one reaction; `finish` adds it to the draft.
class ReactionReader {
public:
    ReactionReader(const CheckedMap& section, UnitSystem units, const ReactionOptions& options, Draft& draft)
        : section_(section), units_(units), options_(options), draft_(draft) {}

    void read() {
        const std::size_t before = draft_.problems.count();
        read_units(section_, units_, draft_.problems);
        if (!read_type()) return;
        section_.refuse_slips({"equation", "type", "rate-constant", "low-P-rate-constant", "high-P-rate-constant", "Troe", "efficiencies",
                               "default-efficiency", "duplicate", "negative-A", "orders", "negative-orders", "nonreactant-orders", "units",
                               "id", "note"});
        const auto equation = read_equation(section_, EquationForm::cantera, draft_, reaction_);
        if (!equation) return;
        origin_.path = section_.path();
        origin_.orders = section_.place(section_.has("orders") ? "orders" : "equation");
        reaction_.duplicate = section_.flag("duplicate");
        origin_.negative_A = section_.flag("negative-A");
        origin_.negative_orders = section_.flag("negative-orders");
        settle_type(*equation);
        read_third_body(*equation);
        read_own_orders();
        read_rate();
        if (draft_.problems.count() == before) draft_.add_reaction(std::move(reaction_), std::move(origin_));
    }

private:
    void fail(std::string_view key, const std::string& message) { section_.fail(section_.position(key), key, message); }

    bool read_type() {
        for (const Refused& other : other_keys) {
            if (!section_.has(other.name)) continue;
            section_.fail(section_.node().entry(other.name)->position, other.name, std::string(other.instead));
            return false;
        }
        if (!section_.has("type")) return true;
        const Node* type = section_.text("type", "elementary, three-body or falloff");
        if (!type) return false;
        for (const auto& [name, value] : {std::pair{"elementary", Type::elementary},
                                          {"Arrhenius", Type::elementary},
                                          {"reaction", Type::elementary},
                                          {"three-body", Type::three_body},
                                          {"falloff", Type::falloff}})
            if (type->text == name) return type_ = value, true;
        for (const Refused& other : other_types) {
            if (type->text != other.name && type->text != "three-body-" + std::string(other.name)) continue;
            section_.fail(type->position, "type", std::string(other.instead));
            return false;
        }
        const std::vector<std::string> names = {"elementary", "three-body", "falloff"};
        section_.fail(type->position, "type",
                      fmt::format("reactions of type {} are not supported; expected elementary, three-body or falloff{}", type->described(),
                                  config::did_you_mean(type->text, names)));
        return false;
    }

    /// Compares what `type` says with what the equation says. Without a type, the equation decides.
    void settle_type(const Equation& equation) {
        const bool falloff = equation.collider == Equation::Collider::falloff,
                   three_body = equation.collider == Equation::Collider::third_body;
        const Position at = position_in(*section_.get("equation"), equation.collider_offset);
        if (!type_) type_ = falloff ? Type::falloff : three_body ? Type::three_body : Type::elementary;
        if (*type_ == Type::falloff && !falloff) {
            section_.fail(section_.position("equation"), "equation",
                          "a falloff reaction without its collider; expected (+M) on both sides");
        } else if (*type_ != Type::falloff && falloff) {
            section_.fail(at, "equation", "(+M) without a falloff rate; expected type: falloff with low-P- and high-P-rate-constant");
        } else if (*type_ == Type::elementary && three_body) {
            section_.fail(at, "equation", "the third body M in an elementary reaction; expected type: three-body");
        }
    }

    void read_third_body(const Equation& equation) {
        const bool named = section_.has("efficiencies") || section_.has("default-efficiency");
        if (equation.collider == Equation::Collider::none) {
            if (*type_ == Type::three_body) return read_explicit_collider(named);
            if (named)
                fail(section_.has("efficiencies") ? "efficiencies" : "default-efficiency",
                     "efficiencies without a third body; expected + M or (+M) in the equation");
            return;
        }
        ThirdBody third;
        if (equation.collider_name != "M") {
            third.others = 0;
            third.efficiencies = {{draft_.index.find(equation.collider_name)->second, 1.0}};
            if (named)
                fail("efficiencies",
                     fmt::format("efficiencies beside the collider '{}'; expected (+M), or no efficiencies", equation.collider_name));
        } else {
            third.efficiencies = read_efficiencies(section_, options_.skip_undeclared_third_bodies, draft_);
            if (const auto others = section_.number("default-efficiency", 1.0)) third.others = *others;
            if (third.others < 0) fail("default-efficiency", fmt::format("{} is negative; expected >= 0", third.others));
        }
        reaction_.third_body = std::move(third);
    }

    /// `H + O2 + AR <=> HO2 + AR` of type three-body: the species on both sides is the collider, which mass action says already.
    void read_explicit_collider(bool named) {
        std::vector<int> shared;
        for (const Term& left : reaction_.reactants)
            if (std::ranges::find(reaction_.products, left.species, &Term::species) != reaction_.products.end())
                shared.push_back(left.species);
        if (shared.size() != 1) return fail("equation", "a three-body reaction without its third body; expected + M on both sides");
        if (!named) return;
        if (section_.has("default-efficiency"))
            return fail("default-efficiency", "makes no sense beside an explicit collider; expected + M in the equation");
        for (const Term& efficiency : read_efficiencies(section_, false, draft_))
            if (efficiency.species != shared[0] || efficiency.coefficient != 1)
                return fail("efficiencies", "makes no sense beside an explicit collider; expected + M in the equation, or no efficiencies");
    }

    void read_own_orders() {
        if (!section_.has("orders")) return;
        if (reaction_.reversible)
            fail("orders", "orders of a reversible reaction; expected => with its backward reaction written separately");
        read_orders(section_, "orders", draft_, reaction_.orders);
        if (section_.flag("nonreactant-orders")) return;
        for (const Term& order : reaction_.orders) {
            if (std::ranges::find(reaction_.reactants, order.species, &Term::species) != reaction_.reactants.end()) continue;
            fail("orders", fmt::format("'{}' is no reactant; expected nonreactant-orders: true beside it",
                                       draft_.mechanism.species[std::size_t(order.species)].name));
        }
    }

    void read_rate() {
        const double order = total(reaction_.orders);
        if (*type_ == Type::falloff) {
            if (section_.has("rate-constant"))
                fail("rate-constant", "a falloff reaction has low-P-rate-constant and high-P-rate-constant instead");
            Falloff falloff;
            falloff.low = read_arrhenius("low-P-rate-constant", order + 1, origin_.low_rate);
            falloff.high = read_arrhenius("high-P-rate-constant", order, origin_.rate);
            falloff.troe = read_troe();
            reaction_.rate = falloff;
            return;
        }
        for (const char* key : {"low-P-rate-constant", "high-P-rate-constant", "Troe"})
            if (section_.has(key)) fail(key, "belongs to a falloff reaction; expected type: falloff and (+M) in the equation");
        reaction_.rate = read_arrhenius("rate-constant", order + (reaction_.third_body ? 1 : 0), origin_.rate);
    }

    /// {A: …, b: …, Ea: …} or [A, b, Ea].
    Arrhenius read_arrhenius(const char* key, double order, Place& place) {
        Arrhenius rate;
        const Node* node = section_.get(key);
        constexpr const char* expected = "{A: 1e13, b: 0, Ea: 0}";
        if (!node) return section_.map(key, expected), rate;
        const Node *A = nullptr, *b = nullptr, *Ea = nullptr;
        if (node->is_list() && node->items.size() == 3) {
            A = &node->items[0], b = &node->items[1], Ea = &node->items[2];
        } else if (node->is_map()) {
            const CheckedMap inside(*node, joined(section_.path(), key), draft_.problems);
            inside.refuse_slips({"A", "b", "Ea", "units"});
            A = inside.text("A", "the pre-exponential factor"), b = inside.text("b", "the exponent of the temperature, 0 for none");
            Ea = inside.text("Ea", "the activation energy, 0 for none");
        } else {
            return fail(key, fmt::format("got {}; expected {}", node->described(), expected)), rate;
        }
        if (A) place = {A->position, joined(joined(section_.path(), key), "A")};
        const auto take = [&](const Node* value, const char* name, double& target, auto convert) {
            if (!value) return;
            const std::string where = joined(key, name);
            if (!value->is_scalar())
                return section_.fail(value->position, where, fmt::format("got {}; expected a number", value->described()));
            try {
                target = convert(value->text);
            } catch (const InputError& error) {
                section_.fail(value->position, where, error.what());
            }
        };
        take(A, "A", rate.A, [&](const std::string& text) { return rate_constant(text, order, units_); });
        take(b, "b", rate.b, [&](const std::string& text) {
            const auto number = split_quantity(text);
            if (!number || !number->unit.empty())
                throw InputError(fmt::format("'{}' is no finite number; expected the exponent of T", text.substr(0, 60)));
            return number->value;
        });
        take(Ea, "Ea", rate.Ta, [&](const std::string& text) { return activation_temperature(text, units_); });
        return rate;
    }

    std::optional<Troe> read_troe() {
        if (!section_.has("Troe")) return std::nullopt;
        const Node* map = section_.map("Troe", "{A: 0.7, T3: 100, T1: 1500} and perhaps T2");
        if (!map) return std::nullopt;
        const CheckedMap inside(*map, joined(section_.path(), "Troe"), draft_.problems);
        inside.refuse_slips({"A", "T3", "T1", "T2"});
        const auto a = inside.number("A", std::nullopt), T3 = inside.number("T3", std::nullopt, "K"),
                   T1 = inside.number("T1", std::nullopt, "K");
        if (!a || !T3 || !T1) return std::nullopt;
        Troe troe{*a, *T3, *T1, {}};
        for (double* width : {&troe.T3, &troe.T1})
            if (*width == 0) *width = 1e-30;  // e^(−T/0) is meant to vanish
        if (!inside.has("T2")) return troe;
        const auto T2 = inside.number("T2", std::nullopt, "K");
        if (T2 && *T2 == 0)
            log::warn("{}: {}.T2: zero leaves its term out, as in Cantera; remove the key", inside.position("T2").where(), inside.path());
        else troe.T2 = T2;
        return troe;
    }

    const CheckedMap& section_;
    UnitSystem units_;
    ReactionOptions options_;
    Draft& draft_;
    std::optional<Type> type_;
    Reaction reaction_;
    Draft::Origin origin_;
};

/// Whether all species of a reaction are there; true for an equation that cannot be read, so that it is reported.
bool declared(const CheckedMap& section, const Draft& draft) {
    const Node* node = section.get("equation");
    if (!node || !node->is_scalar()) return true;
    try {
        const Equation equation = parse_equation(node->text, draft.index, EquationForm::cantera);
        const auto known = [&](const Equation::Item& item) { return draft.index.contains(item.name); };
        const bool collider =
            equation.collider_name.empty() || equation.collider_name == "M" || draft.index.contains(equation.collider_name);
        return collider && std::ranges::all_of(equation.reactants, known) && std::ranges::all_of(equation.products, known);
    } catch (const EquationError&) {
        return true;
    }
}

}  // namespace

void read_cantera_reaction(const CheckedMap& section, UnitSystem units, const ReactionOptions& options, Draft& draft) {
    if (options.skip_undeclared_species && !declared(section, draft)) return;
    ReactionReader(section, units, options, draft).read();
}

}  // namespace phlo::chem
