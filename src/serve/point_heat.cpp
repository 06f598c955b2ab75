#include "serve/point_heat.h"

#include <algorithm>

#include "chem/rates/thermo.h"
#include "serve/chemistry_message.h"
#include "serve/point_rates.h"

namespace phlo::serve {

PointHeat::PointHeat(const models::GasSetup& gas) : network_(*gas.mechanism), real_(gas.mechanism->has_thermo()), least_temperature_(gas.chemistry.min_temperature) {
    if (const std::string& text = gas.chemistry.heat; !text.empty()) function_ = chem::parse_expression(text, function_inputs(*gas.mechanism), {}, "chemistry.heat");
}

std::optional<PointHeat::Value> PointHeat::at(const std::map<std::string, double>& fields, double time) const {
    if (!real_ && !function_) return std::nullopt;
    const auto temperature = fields.find("temperature");
    if (temperature == fields.end()) return std::nullopt;
    const double T = temperature->second;
    const std::vector<chem::Species>& species = network_.mechanism().species;
    std::vector<double> concentrations;
    for (std::size_t k = 0; k < species.size(); ++k) {
        const auto found = fields.find("c_" + species[k].name);
        if (found == fields.end() && network_.state_of(int(k)) >= 0) return std::nullopt;
        concentrations.push_back(found == fields.end() ? 0 : std::max(0.0, found->second));
    }
    const std::vector<double> q = T < least_temperature_ ? std::vector<double>(std::size_t(network_.reactions())) : rates_at(network_, T, time, concentrations);
    if (function_) {
        std::vector<double> inputs{T, time};
        inputs.insert(inputs.end(), concentrations.begin(), concentrations.end());
        inputs.insert(inputs.end(), q.begin(), q.end());
        return Value{"heating", function_->evaluate(inputs)};
    }
    double released = 0;
    for (std::size_t r = 0; r < q.size(); ++r)
        for (const chem::Term& term : network_.compiled()[r].net)
            released -= q[r] * term.coefficient * chem::h_over_RT(*species[std::size_t(term.species)].thermo, T) * chem::gas_constant * T;
    return Value{"heat_release", released};
}

}  // namespace phlo::serve
