#include "chem/rates/conserved.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include <fmt/format.h>

namespace phlo::chem {
namespace {

std::vector<Conserved> element_totals(const Mechanism& mechanism) {
    std::vector<Conserved> totals;
    for (std::size_t s = 0; s < mechanism.species.size(); ++s)
        for (const auto& [element, atoms] : mechanism.species[s].composition) {
            auto found = std::ranges::find(totals, element, &Conserved::name);
            if (found == totals.end()) found = totals.insert(totals.end(), {element, std::vector<double>(mechanism.species.size())});
            found->weights[s] += atoms;
        }
    return totals;
}

/// Totals with no negative weight, such as the atoms that invented species could be made of: extreme rays of w ν = 0, w >= 0, by Fourier's and
/// Farkas's elimination, one reaction after the other. Empty if there are none or far too many.
std::vector<std::vector<double>> moieties(const Network& network) {
    constexpr std::size_t most = 64;
    const std::size_t species = std::size_t(network.species());
    std::vector<std::vector<double>> rows;   // weights of a candidate
    for (const int s : network.states()) {
        rows.emplace_back(species);
        rows.back()[std::size_t(s)] = 1;
    }
    for (const CompiledReaction& reaction : network.compiled()) {
        const auto change = [&](const std::vector<double>& w) {
            double sum = 0;
            for (const Term& t : reaction.net) sum += w[std::size_t(t.species)] * t.coefficient;
            return sum;
        };
        std::vector<std::vector<double>> next;
        for (const auto& row : rows)
            if (std::abs(change(row)) < 1e-9) next.push_back(row);
        for (const auto& up : rows)
            for (const auto& down : rows) {
                const double gain = change(up), loss = -change(down);
                if (gain < 1e-9 || loss < 1e-9) continue;
                std::vector<double> sum(species);
                double least = 1e300;
                for (std::size_t s = 0; s < species; ++s) {
                    sum[s] = up[s] / gain + down[s] / loss;
                    if (sum[s] > 0) least = std::min(least, sum[s]);
                }
                for (double& w : sum) w /= least;
                if (std::ranges::find(next, sum) == next.end()) next.push_back(sum);
                if (next.size() > most) return {};
            }
        rows = std::move(next);
    }
    return rows;
}

std::string sum_text(const Mechanism& mechanism, const std::vector<double>& weights) {
    std::string text;
    for (std::size_t s = 0; s < weights.size(); ++s) {
        if (weights[s] == 0) continue;
        const double size = std::abs(weights[s]);
        text += text.empty() ? (weights[s] < 0 ? "-" : "") : weights[s] < 0 ? " - " : " + ";
        if (size != 1) text += fmt::format("{:.4g} ", size);
        text += mechanism.species[s].name;
    }
    return text;
}

/// Mass, if every reaction keeps it. Invented species that all weigh the same say nothing about masses.
void add_mass(const Network& network, std::vector<Conserved>& totals) {
    Conserved mass{"mass", {}};
    for (const Species& species : network.mechanism().species) mass.weights.push_back(species.molar_mass);
    if (std::ranges::adjacent_find(mass.weights, std::ranges::not_equal_to{}) == mass.weights.end()) return;
    for (const CompiledReaction& reaction : network.compiled()) {
        double change = 0, moved = 0;
        for (const Term& t : reaction.net) {
            const double part = mass.weights[std::size_t(t.species)] * t.coefficient;
            change += part, moved += std::abs(part);
        }
        if (std::abs(change) > 1e-9 * moved) return;
    }
    totals.push_back(std::move(mass));
}

std::vector<Conserved> sums_of_species(const Network& network) {
    const Mechanism& mechanism = network.mechanism();
    std::vector<std::vector<double>> rows = moieties(network);
    for (std::size_t i = 0; rows.empty() && i < network.invariants().size(); ++i) {
        rows.emplace_back(mechanism.species.size());
        for (std::size_t k = 0; k < network.states().size(); ++k) rows.back()[std::size_t(network.states()[k])] = network.invariants()[i][k];
    }
    std::vector<Conserved> totals;
    for (const std::vector<double>& row : rows) totals.push_back({sum_text(mechanism, row), row});
    return totals;
}

}  // namespace

std::vector<Conserved> conserved_totals(const Network& network) {
    const Mechanism& mechanism = network.mechanism();
    const bool real = std::ranges::all_of(mechanism.species, [](const Species& s) { return !s.composition.empty(); });
    std::vector<Conserved> totals = real ? element_totals(mechanism) : sums_of_species(network);
    add_mass(network, totals);
    return totals;
}

}  // namespace phlo::chem
