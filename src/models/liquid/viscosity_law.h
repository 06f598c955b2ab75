// How thick liquids are at the temperatures that a scene knows.
//
//   TemperatureSpan span = temperature_span(shot, setup);           // the coldest and the hottest that emitters, walls and the surroundings bring
//   ViscosityLaw law(setup, span);
//   float nu = std::exp(law.log_viscosity(0, span.share(330)));     // of the first liquid at 330 K [m^2/s]
//
//   nu(T) = nu(20 degC) exp(B (1/T - 1/293.15 K))      [andrade1930], B by the substance
//   nu(T) = nu(20 degC) f(T)                           if the scene has a control function f
//
// Without heat in the scene nu is what it is at any temperature.
#pragma once
#include <vector>

#include "models/liquid/liquid_setup.h"

namespace phlo::models {

/// Nothing in the scene is colder or hotter: places are known by their share of the way, 0 to 1.
struct TemperatureSpan {
    double coldest = 0, hottest = 1;   ///< [K]

    double share(double temperature) const { return (temperature - coldest) / (hottest - coldest); }
    double temperature(double share) const { return coldest + share * (hottest - coldest); }
};
TemperatureSpan temperature_span(const Shot& shot, const LiquidSetup& setup);

class ViscosityLaw {
public:
    /// Throws an InputError if the control function cannot be read, or is not above zero somewhere in the span.
    ViscosityLaw(const LiquidSetup& setup, const TemperatureSpan& span, const config::Position& where_written = {});

    /// ln nu of liquid k, by a share of the span.
    float log_viscosity(std::size_t liquid, float share) const {
        const std::vector<float>& logs = logs_[liquid];
        if (logs.size() == 1) return logs[0];
        const float at = share * float(logs.size() - 1);
        const std::size_t n = std::min(std::size_t(at), logs.size() - 2);
        return logs[n] + (at - float(n)) * (logs[n + 1] - logs[n]);
    }
    double largest() const { return largest_; }   ///< of all liquids in the span [m^2/s]

private:
    std::vector<std::vector<float>> logs_;   ///< of each liquid, at even steps of the span; one if it does not depend on it
    double largest_ = 0;
};

}  // namespace phlo::models
