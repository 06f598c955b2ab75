#include "chem/mechanism/check.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include <fmt/format.h>

#include "base/error.h"
#include "base/log.h"
#include "chem/expressions/expression_units.h"
#include "chem/rates/thermo.h"

namespace phlo::chem {
namespace {

constexpr double highest_order = 6;

class Checker {
public:
    explicit Checker(Draft& draft) : draft_(draft), m_(draft.mechanism) {}

    void check() {
        const bool readable = draft_.problems.empty();
        for (std::size_t k = 0; k < m_.species.size(); ++k)
            if (!draft_.unusable.contains(int(k))) check_species(m_.species[k], draft_.species_paths[k]);
        for (std::size_t r = 0; r < m_.reactions.size(); ++r) check_reaction(m_.reactions[r], draft_.origins[r]);
        check_duplicates(readable);
    }

private:
    void fail(const Place& place, const std::string& message) { draft_.problems.add(place.position, place.path, message); }
    const std::string& name(int species) const { return m_.species[std::size_t(species)].name; }

    // ---- species

    void check_species(const Species& species, const std::string& path) {
        if (species.name == "M") fail({species.position, path}, "M is the name of the third body; give the species another name");
        if (species.name.empty()) fail({species.position, path}, "a species without a name");
        if (!(species.molar_mass > 0))
            fail({species.position, path},
                 fmt::format("'{}' has a molar mass of {} kg/mol; expected more than zero", species.name, species.molar_mass));
        if (species.thermo) check_continuity(species, *species.thermo);
    }

    /// Published fits jump a little; the thresholds are Cantera's.
    void check_continuity(const Species& species, const Nasa7& nasa) const {
        const double T = nasa.middle, beyond = std::nextafter(T, 2 * T);
        const double cp = cp_over_R(nasa, T), h = h_over_RT(nasa, T), s = s_over_R(nasa, T);
        const double cp_jump = std::abs(cp_over_R(nasa, beyond) - cp) / (std::abs(cp) + 1e-4);
        const double h_jump = std::abs(h_over_RT(nasa, beyond) - h) / (std::abs(cp) + 1e-4);
        const double s_jump = std::abs(s_over_R(nasa, beyond) - s) / (std::abs(s) + std::abs(cp));
        const std::pair<const char*, double> jumps[] = {{"heat capacity", cp_jump / 10}, {"enthalpy", h_jump}, {"entropy", s_jump}};
        for (const auto& [what, jump] : jumps)
            if (jump > 1e-3)
                log::once(fmt::format("{} {}", species.position.where(), what),
                          fmt::format("{}: the {} of '{}' jumps at its middle temperature of {} K; check its coefficients",
                                      species.position.where(), what, species.name, T));
    }

    // ---- reactions

    void check_reaction(const Reaction& reaction, const Draft::Origin& origin) {
        const auto uses = [&](const std::vector<Term>& terms) {
            return std::ranges::any_of(terms, [&](const Term& term) { return draft_.unusable.contains(term.species); });
        };
        check_rate(reaction, origin);
        check_orders(reaction, origin);
        if (uses(reaction.reactants) || uses(reaction.products)) return;
        check_balance(reaction, origin);
        check_reversible(reaction, origin);
        check_solids(reaction, origin);
    }

    /// A reaction takes from one surface at most. Nothing settles on it.
    void check_solids(const Reaction& reaction, const Draft::Origin& origin) {
        const auto solid = [&](const Term& term) { return m_.species[std::size_t(term.species)].solid(); };
        const Place place{reaction.position, origin.path};
        if (const auto made = std::ranges::find_if(reaction.products, solid); made != reaction.products.end())
            return fail(place, fmt::format("'{}' is a solid, and gas does not settle on bodies; expected it on the left side only", name(made->species)));
        const auto first = std::ranges::find_if(reaction.reactants, solid);
        if (first == reaction.reactants.end()) return;
        const auto second = std::find_if(first + 1, reaction.reactants.end(), solid);
        if (second != reaction.reactants.end())
            return fail(place, fmt::format("'{}' and '{}' are both solids, and a surface is of one of them; expected one solid and gases",
                                           name(first->species), name(second->species)));
        if (reaction.reactants.size() == 1 && !reaction.third_body && reaction.products.empty())
            return fail(place, fmt::format("'{}' would vanish from its surface into nothing; expected what becomes of it", name(first->species)));
        if (reaction.reversible)
            fail(place, fmt::format("runs both ways, but '{}' is a solid, and gas does not settle on bodies; expected =>", name(first->species)));
    }

    void check_rate(const Reaction& reaction, const Draft::Origin& origin) {
        if (const auto* arrhenius = std::get_if<Arrhenius>(&reaction.rate)) check_arrhenius(*arrhenius, reaction, origin, origin.rate);
        if (const auto* falloff = std::get_if<Falloff>(&reaction.rate)) {
            check_arrhenius(falloff->low, reaction, origin, origin.low_rate);
            check_arrhenius(falloff->high, reaction, origin, origin.rate);
        }
        if (const auto* formula = std::get_if<Formula>(&reaction.rate)) check_formula(*formula, origin.rate.path);
        if (reaction.third_body && reaction.third_body->others == 0 &&
            std::ranges::all_of(reaction.third_body->efficiencies, [](const Term& term) { return term.coefficient == 0; }))
            fail({reaction.position, origin.path},
                 "every efficiency of the third body is zero: the reaction never happens; expected one above zero");
    }

    void check_arrhenius(const Arrhenius& rate, const Reaction& reaction, const Draft::Origin& origin, const Place& place) {
        if (!std::isfinite(rate.A) || rate.A == 0)
            fail(place, fmt::format("{}: the reaction never happens; expected a factor that is not zero, or no reaction", rate.A));
        else if (rate.A < 0 && !(origin.negative_A && reaction.duplicate))
            fail(place,
                 "negative, which is right only in a sum of duplicates; expected duplicate: true and negative-A: true, or a number above "
                 "zero");
        if (std::abs(rate.b) > 50)
            fail(place, fmt::format("with the exponent b = {} of T, which is absurd; expected a small number", rate.b));
    }

    /// Control functions may use T, t and the concentrations.
    void check_formula(const Formula& formula, const std::string& path) {
        if (input_names_.empty()) {
            input_names_ = {"T", "t"};
            for (const Species& species : m_.species) {
                if (species.name == "T" || species.name == "t")
                    fail({species.position, ""},
                         fmt::format("the species '{0}' and the {1} '{0}' of rate expressions have one name; rename the species",
                                     species.name, species.name == "T" ? "temperature" : "time"));
                input_names_.push_back(species.name);
            }
        }
        try {
            std::vector<Unit> units(input_names_.size(), mole_per_volume);
            units[0] = kelvin, units[1] = second;
            const Expression parsed = parse_expression(formula.text, input_names_, formula.position, path);
            check_units(parsed, input_names_, units, formula.position, path);
            for (const int input : parsed.inputs())
                if (input >= 2 && m_.species[std::size_t(input - 2)].solid())
                    fail({formula.position, path}, fmt::format("'{}' is a solid and has no concentration in the gas; expected T, t and gases", name(input - 2)));
        } catch (const InputError& error) {
            draft_.problems.add({}, "", error.what());  // it has its place in the text already
        }
    }

    void check_orders(const Reaction& reaction, const Draft::Origin& origin) {
        for (const Term& order : reaction.orders)
            if (order.coefficient < 0 && !origin.negative_orders)
                fail(origin.orders,
                     fmt::format("the order {} of '{}' is negative: the rate grows without bound where '{}' runs out; expected >= 0, or "
                                 "negative-orders: true if it never does",
                                 order.coefficient, name(order.species), name(order.species)));
        const double sum = total(reaction.orders) + (reaction.third_body ? 1 : 0);
        if (sum > highest_order)
            fail(origin.orders, fmt::format("a reaction of order {} is absurd; expected at most {}: give 'orders' that were measured", sum,
                                            highest_order));
    }

    void check_balance(const Reaction& reaction, const Draft::Origin& origin) {
        std::map<std::string, std::pair<double, double>> atoms;
        const auto count = [&](const std::vector<Term>& terms, auto side) {
            return std::ranges::all_of(terms, [&](const Term& term) {
                const auto& composition = m_.species[std::size_t(term.species)].composition;
                for (const auto& [element, number] : composition) atoms[element].*side += number * term.coefficient;
                return !composition.empty();
            });
        };
        const bool left = count(reaction.reactants, &std::pair<double, double>::first);
        if (!count(reaction.products, &std::pair<double, double>::second) || !left) return;
        for (const auto& [element, sides] : atoms) {
            const auto& [before, after] = sides;
            if (std::abs(before - after) <= 1e-4 * std::max({1.0, std::abs(before), std::abs(after)})) continue;
            const std::string what = element == "E" ? "electrons (charge)" : element;
            fail({reaction.position, origin.path},
                 fmt::format("'{}' is not balanced: {} {} on the left, {} on the right; correct the coefficients or the compositions",
                             reaction.equation, before, what, after));
        }
    }

    void check_reversible(const Reaction& reaction, const Draft::Origin& origin) {
        if (!reaction.reversible) return;
        for (const auto* side : {&reaction.reactants, &reaction.products})
            for (const Term& term : *side) {
                if (m_.species[std::size_t(term.species)].thermo) continue;
                fail({reaction.position, origin.path},
                     fmt::format("reversible, but '{}' has no thermodynamic data for the equilibrium; give the backward rate as 'reverse', "
                                 "or write =>",
                                 name(term.species)));
                return;
            }
    }

    // ---- duplicates

    using Side = std::vector<std::pair<int, double>>;

    static Side sorted(const std::vector<Term>& terms) {
        Side side;
        for (const Term& term : terms) side.emplace_back(term.species, term.coefficient);
        std::ranges::sort(side);
        return side;
    }

    /// No species collides in both, so both may stand side by side.
    bool separate(const ThirdBody& a, const ThirdBody& b) const {
        const auto efficiency = [](const ThirdBody& third, int species) {
            const auto found = std::ranges::find(third.efficiencies, species, &Term::species);
            return found == third.efficiencies.end() ? third.others : found->coefficient;
        };
        for (int k = 0; k < int(m_.species.size()); ++k)
            if (efficiency(a, k) * efficiency(b, k) != 0) return false;
        return true;
    }

    bool same_reaction(const Reaction& a, const Reaction& b) const {
        if (std::holds_alternative<Falloff>(a.rate) != std::holds_alternative<Falloff>(b.rate)) return false;
        if (a.third_body.has_value() != b.third_body.has_value()) return false;
        return !a.third_body || !separate(*a.third_body, *b.third_body);
    }

    /// Like Cantera: the same sides, or exchanged sides of which one may run both ways.
    void check_duplicates(bool complain_of_single) {
        std::map<std::pair<Side, Side>, std::vector<std::size_t>> groups;
        for (std::size_t r = 0; r < m_.reactions.size(); ++r) {
            Side left = sorted(m_.reactions[r].reactants), right = sorted(m_.reactions[r].products);
            if (right < left) std::swap(left, right);
            groups[{left, right}].push_back(r);
        }
        for (const auto& [sides, members] : groups)
            for (std::size_t i = 0; i < members.size(); ++i) check_duplicate(members, i, complain_of_single);
    }

    void check_duplicate(const std::vector<std::size_t>& group, std::size_t i, bool complain_of_single) {
        const Reaction& reaction = m_.reactions[group[i]];
        const Place place{reaction.position, draft_.origins[group[i]].path};
        for (std::size_t j = 0; j < (reaction.duplicate ? group.size() : i); ++j) {
            const Reaction& other = m_.reactions[group[j]];
            if (i == j || !parallel(reaction, other)) continue;
            if (reaction.duplicate && other.duplicate) return;
            if (reaction.duplicate || !same_reaction(reaction, other)) continue;
            return fail(place,
                        fmt::format("'{}' stands at line {} already; mark both with duplicate: true if their rates add up, or remove one",
                                    reaction.equation, other.position.line));
        }
        if (reaction.duplicate && complain_of_single)
            fail(place,
                 fmt::format("'{}' is marked duplicate, but no other duplicate has its equation; remove the mark, or mark the other too",
                             reaction.equation));
    }

    static bool parallel(const Reaction& a, const Reaction& b) {
        return sorted(a.reactants) == sorted(b.reactants) || a.reversible || b.reversible;
    }

    Draft& draft_;
    const Mechanism& m_;
    std::vector<std::string> input_names_;  ///< of control functions
};

}  // namespace

void check_mechanism(Draft& draft) { Checker(draft).check(); }

}  // namespace phlo::chem
