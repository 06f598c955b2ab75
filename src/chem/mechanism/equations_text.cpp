#include "chem/mechanism/equations_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace phlo::chem {
namespace {

constexpr int most_expanded = 12;  ///< reactions; with more, the system is written in r1, r2, …
constexpr std::size_t line_width = 116;

double coefficient_of(const std::vector<Term>& terms, int species) {
    double sum = 0;
    for (const Term& term : terms)
        if (term.species == species) sum += term.coefficient;
    return sum;
}

/// "[S1]", "[S1]^2", "[S1]^0.5".
std::string factor_text(const Mechanism& mechanism, const Term& term) {
    const std::string& name = mechanism.species[std::size_t(term.species)].name;
    return term.coefficient == 1 ? fmt::format("[{}]", name) : fmt::format("[{}]^{:g}", name, term.coefficient);
}

std::string signed_number(double value) { return value < 0 ? fmt::format("−{:g}", -value) : fmt::format("{:g}", value); }

/// "2e+09 T^0.5 exp(−1200/T)".
std::string arrhenius_text(const Arrhenius& k) {
    std::string text = signed_number(k.A);
    if (k.b != 0) text += k.b == 1 ? " T" : fmt::format(" T^{}", signed_number(k.b));
    if (k.Ta != 0) text += k.Ta > 0 ? fmt::format(" exp(−{:g}/T)", k.Ta) : fmt::format(" exp({:g}/T)", -k.Ta);
    return text;
}

/// "[H2] + 0.4 [O2]": what the collider M of a reaction is.
std::string collider_text(const Mechanism& mechanism, const ThirdBody& body) {
    std::string text = body.others == 0 ? "" : body.others == 1 ? "Σ[X]" : fmt::format("{:g} Σ[X]", body.others);
    for (const Term& term : body.efficiencies) {
        const double extra = term.coefficient - body.others;
        if (extra == 0) continue;
        const double size = std::abs(extra);
        text += text.empty() ? (extra < 0 ? "− " : "") : extra < 0 ? " − " : " + ";
        if (size != 1) text += fmt::format("{:g} ", size);
        text += fmt::format("[{}]", mechanism.species[std::size_t(term.species)].name);
    }
    return text.empty() ? "0" : text;
}

/// Breaks a sum before a sign where a line would grow too long.
std::string wrapped(const std::string& text, std::size_t indent) {
    std::string result;
    std::size_t column = 0, begin = 0;
    while (begin < text.size()) {
        std::size_t end = std::min(text.find(" + ", begin + 1), text.find(" − ", begin + 1));
        if (end == std::string::npos) end = text.size();
        const std::string piece = text.substr(begin, end - begin);
        const auto width = std::size_t(std::count_if(piece.begin(), piece.end(), [](char c) { return (c & 0xC0) != 0x80; }));
        if (column > indent && column + width > line_width) {
            result += "\n" + std::string(indent, ' ');
            column = indent;
        }
        result += piece;
        column += width;
        begin = end;
    }
    return result;
}

/// A species' equation with `term_text` for each rate.
template <class TermText>
std::string equation_of(const Mechanism& mechanism, int species, const std::vector<EquationTerm>& terms, const TermText& term_text) {
    std::string text = fmt::format("d[{}]/dt =", mechanism.species[std::size_t(species)].name);
    if (terms.empty()) return text + " 0";
    for (const EquationTerm& term : terms) {
        const double size = std::abs(term.coefficient);
        if (term.coefficient < 0) text += " − ";
        else text += &term == &terms.front() ? " " : " + ";
        if (size != 1) text += fmt::format("{:g} ", size);
        text += term_text(term);
    }
    return text;
}

}  // namespace

std::vector<std::vector<EquationTerm>> equation_terms(const Mechanism& mechanism) {
    std::vector<std::vector<EquationTerm>> terms(mechanism.species.size());
    for (std::size_t s = 0; s < terms.size(); ++s)
        for (std::size_t r = 0; r < mechanism.reactions.size(); ++r) {
            const Reaction& reaction = mechanism.reactions[r];
            const double net = coefficient_of(reaction.products, int(s)) - coefficient_of(reaction.reactants, int(s));
            if (net == 0) continue;
            terms[s].push_back({net, int(r), false});
            if (reaction.reversible) terms[s].push_back({-net, int(r), true});
        }
    return terms;
}

std::string rate_text(const Mechanism& mechanism, int reaction, bool backward) {
    const Reaction& r = mechanism.reactions[std::size_t(reaction)];
    const bool falloff = std::holds_alternative<Falloff>(r.rate);
    std::string text = fmt::format("k{}{}", reaction + 1, backward ? "b" : "");
    if (r.third_body && !falloff) text += fmt::format(" [M{}]", reaction + 1);
    std::string factors;
    std::vector<Term> terms = backward ? r.products : r.orders;
    std::ranges::sort(terms, {}, &Term::species);
    for (const Term& term : terms)
        if (term.coefficient != 0) factors += factor_text(mechanism, term);
    const bool joined = r.third_body && !falloff;
    return factors.empty() ? text : text + (joined ? "" : " ") + factors;
}

std::vector<std::string> rate_law_lines(const Mechanism& mechanism, int reaction) {
    const Reaction& r = mechanism.reactions[std::size_t(reaction)];
    const int n = reaction + 1;
    std::vector<std::string> lines;
    if (const auto* k = std::get_if<Arrhenius>(&r.rate)) {
        lines.push_back(fmt::format("k{} = {}", n, arrhenius_text(*k)));
    } else if (const auto* formula = std::get_if<Formula>(&r.rate)) {
        lines.push_back(fmt::format("k{} = {}", n, formula->text));
    } else {
        const auto& falloff = std::get<Falloff>(r.rate);
        lines.push_back(fmt::format("k{} = k∞ F Pr/(1 + Pr), Pr = k0 [M{}]/k∞", n, n));
        lines.push_back(fmt::format("k∞ = {}", arrhenius_text(falloff.high)));
        lines.push_back(fmt::format("k0 = {}", arrhenius_text(falloff.low)));
        if (const auto& troe = falloff.troe)
            lines.push_back(fmt::format("Troe: a = {:g}, T3 = {:g}, T1 = {:g}{}", troe->a, troe->T3, troe->T1,
                                        troe->T2 ? fmt::format(", T2 = {:g}", *troe->T2) : ""));
        else lines.push_back("Lindemann: F = 1");
    }
    if (r.third_body) lines.push_back(fmt::format("[M{}] = {}", n, collider_text(mechanism, *r.third_body)));
    if (r.reversible) lines.push_back(fmt::format("k{}b = k{}/Kc{}, from the equilibrium constant", n, n, n));
    return lines;
}

std::string species_equation(const Mechanism& mechanism, int species) {
    return equation_of(mechanism, species, equation_terms(mechanism)[std::size_t(species)],
                       [&](const EquationTerm& term) { return rate_text(mechanism, term.reaction, term.backward); });
}

std::string equations_text(const Mechanism& mechanism) {
    const int count = int(mechanism.reactions.size());
    const bool expanded = count <= most_expanded;
    std::string text = fmt::format("{} species, {} reactions; concentrations in mol/m³, rates in mol/(m³ s), T in K\n\nreactions\n",
                                   mechanism.species.size(), count);
    std::size_t widest = 0;
    for (const Reaction& r : mechanism.reactions) widest = std::max(widest, r.equation.size());
    widest = std::min<std::size_t>(widest, 48);
    for (int r = 0; r < count; ++r) {
        const Reaction& reaction = mechanism.reactions[std::size_t(r)];
        const std::vector<std::string> laws = rate_law_lines(mechanism, r);
        std::string rate = fmt::format("r{} = {}", r + 1, rate_text(mechanism, r, false));
        if (reaction.reversible) rate += " − " + rate_text(mechanism, r, true);
        text += fmt::format("  {:>3}  {:<{}}  {}\n", r + 1, reaction.equation, widest, rate);
        for (const std::string& law : laws) text += fmt::format("  {:>{}}  {}\n", "", widest + 5, law);
    }
    text += "\nsystem\n";
    const auto terms = equation_terms(mechanism);
    for (int s = 0; s < int(mechanism.species.size()); ++s) {
        std::vector<EquationTerm> shown = terms[std::size_t(s)];
        if (!expanded) std::erase_if(shown, [](const EquationTerm& term) { return term.backward; });
        const std::string line = equation_of(mechanism, s, shown, [&](const EquationTerm& term) {
            return expanded ? rate_text(mechanism, term.reaction, term.backward) : fmt::format("r{}", term.reaction + 1);
        });
        text += "  " + wrapped(line, mechanism.species[std::size_t(s)].name.size() + 10) + "\n";
    }
    return text;
}

}  // namespace phlo::chem
