#include "models/liquid/viscosity_law.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/error.h"
#include "chem/expressions/expression.h"
#include "chem/expressions/expression_units.h"
#include "config/problems.h"
#include "models/liquid/substance.h"

namespace phlo::models {
namespace {

constexpr const char* key = "liquid.heat.thickening";
constexpr double reference = 293.15;   ///< at which substances are as they are listed [K]
constexpr int steps = 256;             ///< of the span
constexpr double least = 1e-12;        ///< a liquid without any friction would take it from all others [m^2/s]

chem::Expression read(const std::string& text, const config::Position& where) {
    const std::vector<std::string> names{"T"};
    const std::vector<chem::Unit> units{chem::kelvin};
    chem::Expression read = chem::parse_expression(text, names, where, key);
    chem::check_units(read, names, units, where, key);
    return read;
}

double checked(double factor, double temperature, const config::Position& where) {
    if (factor > 0 && std::isfinite(factor)) return factor;
    config::Problems problems;
    problems.add(where, key, fmt::format("is {:.4g} at {:.4g} K, which liquids here can have; expected a factor above 0", factor, temperature));
    throw InputError(problems.text());
}

}  // namespace

TemperatureSpan temperature_span(const Shot& shot, const LiquidSetup& setup) {
    const LiquidHeatParams& heat = setup.liquid.heat;
    if (!heat.any()) return {};
    TemperatureSpan span{std::min(*heat.temperature, heat.around()), std::max(*heat.temperature, heat.around())};
    const auto add = [&](const Curve<double>& curve) {
        for (const auto& one : curve.keys()) span.coldest = std::min(span.coldest, one.value), span.hottest = std::max(span.hottest, one.value);
    };
    for (const LiquidEmitter& emitter : setup.emitters)
        if (emitter.temperature) add(*emitter.temperature);
    for (const WallParams& wall : shot.domain.walls)
        if (wall.kind == WallKind::inflow) add(wall.temperature);
    if (span.hottest == span.coldest) span.hottest += 1;   // one temperature: any span will do
    return span;
}

ViscosityLaw::ViscosityLaw(const LiquidSetup& setup, const TemperatureSpan& span, const config::Position& where_written) {
    const LiquidHeatParams& heat = setup.liquid.heat;
    const std::vector<double> nu = setup.liquid.viscosities();
    const std::vector<std::string> names = setup.liquid.substances();
    const chem::Expression thickening = heat.thickening.empty() ? chem::Expression() : read(heat.thickening, where_written);
    for (std::size_t k = 0; k < nu.size(); ++k) {
        const double thinning = find_liquid_substance(names[k])->thinning;
        std::vector<float>& logs = logs_.emplace_back();
        for (int n = 0; n <= (heat.any() ? steps : 0); ++n) {
            const double t = span.temperature(double(n) / steps);
            const double factor = !heat.any() ? 1 : heat.thickening.empty() ? std::exp(thinning * (1 / t - 1 / reference)) : checked(thickening.evaluate({&t, 1}), t, where_written);
            logs.push_back(float(std::log(std::max(nu[k] * factor, least))));
            largest_ = std::max(largest_, nu[k] * factor);
        }
    }
}

}  // namespace phlo::models
