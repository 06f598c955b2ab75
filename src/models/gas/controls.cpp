#include "models/gas/controls.h"

#include <algorithm>

#include <fmt/format.h>

#include "chem/expressions/expression_eval.h"
#include "chem/expressions/expression_units.h"

namespace phlo::models {
namespace {

constexpr std::array<const char*, control_count> keys = {"chemistry.heat", "chemistry.expansion", "chemistry.vortices.number",
                                                        "chemistry.vortices.strength", "chemistry.soot.per_kelvin"};

/// T, t, the species, r1 …
std::vector<std::string> input_names(const chem::Mechanism& mechanism) {
    std::vector<std::string> names{"T", "t"};
    for (const chem::Species& species : mechanism.species) names.push_back(species.name);
    for (std::size_t r = 0; r < mechanism.reactions.size(); ++r) names.push_back(fmt::format("r{}", r + 1));
    return names;
}

std::array<chem::Expression, control_count> parsed(const chem::Mechanism& mechanism, const ControlTexts& texts) {
    const std::vector<std::string> names = input_names(mechanism);
    std::vector<chem::Unit> units(names.size(), chem::mole_per_volume);
    units[0] = chem::kelvin, units[1] = chem::second;
    std::fill(units.end() - std::ptrdiff_t(mechanism.reactions.size()), units.end(), chem::mole_per_volume_and_time);
    std::array<chem::Expression, control_count> functions;
    const chem::Formula* formulas[] = {&texts.heat, &texts.expansion, &texts.vortices, &texts.vortex_strength, &texts.soot};
    for (std::size_t f = 0; f < functions.size(); ++f) {
        const chem::Formula& formula = *formulas[f];
        if (formula.text.empty()) continue;
        functions[f] = chem::parse_expression(formula.text, names, formula.position, keys[f]);
        chem::check_units(functions[f], names, units, formula.position, keys[f]);
    }
    return functions;
}

std::vector<int> reactions_used(std::span<const chem::Expression> functions, int species) {
    std::vector<int> used;
    for (const chem::Expression& function : functions)
        for (const int input : function.inputs())
            if (input >= species + 2) used.push_back(input - species - 2);
    std::ranges::sort(used);
    used.erase(std::unique(used.begin(), used.end()), used.end());
    return used;
}

}  // namespace

Controls::Controls(const chem::Mechanism& mechanism, const ControlTexts& texts)
    : functions_(parsed(mechanism, texts)), species_(int(mechanism.species.size())),
      extents_(mechanism, reactions_used(functions_, species_)) {}

std::vector<int> Controls::rates_in(Control control) const {
    std::vector<int> result;
    for (const int input : functions_[std::size_t(control)].inputs())
        if (input >= species_ + 2) result.push_back(int(std::ranges::find(extents_.wanted(), input - species_ - 2) - extents_.wanted().begin()));
    return result;
}

std::vector<int> Controls::species_in(Control control) const {
    std::vector<int> result;
    for (const int input : functions_[std::size_t(control)].inputs())
        if (input >= 2 && input < species_ + 2) result.push_back(input - 2);
    return result;
}

bool Controls::depends_on_temperature(Control control) const {
    return std::ranges::count(functions_[std::size_t(control)].inputs(), 0) > 0;
}

std::optional<double> Controls::constant(Control control) const {
    if (has(control) && !functions_[std::size_t(control)].inputs().empty()) return std::nullopt;
    double value = 0;
    evaluate<double>(control, {.count = 1}, &value);
    return value;
}

template <class S>
void Controls::evaluate(Control control, const ControlInputs<S>& inputs, S* values) const {
    using P = simd::Pack<S, 4>;
    const chem::Expression& function = functions_[std::size_t(control)];
    if (!has(control)) return void(std::fill(values, values + inputs.count, S(0)));
    const std::vector<int> used = function.inputs();
    std::vector<const S*> arrays;
    for (const int input : used) {
        const auto wanted = extents_.wanted();
        if (input == 0) arrays.push_back(inputs.temperature);
        else if (input == 1) arrays.push_back(nullptr);
        else if (input < species_ + 2) arrays.push_back(inputs.concentrations[std::size_t(input - 2)]);
        else arrays.push_back(inputs.rates[std::size_t(std::ranges::find(wanted, input - species_ - 2) - wanted.begin())]);
    }
    std::vector<P> packs(std::size_t(species_ + 2 + extents_.network().reactions())), scratch(std::size_t(function.scratch_size()));
    for (int first = 0; first < inputs.count; first += P::width) {
        const int lanes = std::min(P::width, inputs.count - first);
        for (std::size_t u = 0; u < used.size(); ++u) {
            P& pack = packs[std::size_t(used[u])];
            if (!arrays[u]) pack = P(S(inputs.time));
            else if (lanes == P::width) pack = P::load(arrays[u] + first);
            else for (int l = 0; l < lanes; ++l) pack.set(l, arrays[u][first + l]);
        }
        const P value = function.evaluate(packs.data(), scratch.data());
        if (lanes == P::width) value.store(values + first);
        else for (int l = 0; l < lanes; ++l) values[first + l] = value[l];
    }
}

template void Controls::evaluate<float>(Control, const ControlInputs<float>&, float*) const;
template void Controls::evaluate<double>(Control, const ControlInputs<double>&, double*) const;

}  // namespace phlo::models
