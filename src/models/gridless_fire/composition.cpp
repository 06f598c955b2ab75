#include "models/gridless_fire/composition.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace phlo::models {

double brush_composition(double xi, double lambda) {
    const double from_middle = xi - std::floor(xi) - 0.5;
    return std::exp(-from_middle * from_middle / lambda);
}

double mean_brush_composition(double lambda) {
    return std::sqrt(std::numbers::pi * lambda) * std::erf(0.5 / std::sqrt(lambda));
}

double mean_tick_factor(double chi) { return std::min(1.0, 1.005 * chi); }

double seconds_until(double level, double chi, double lambda) {
    const double start = mean_brush_composition(lambda), factor = mean_tick_factor(chi);
    if (level >= start) return 0;
    if (factor >= 1 || level <= 0) return std::numeric_limits<double>::infinity();
    return std::log(start / level) / (ticks_per_second * -std::log(factor));
}

double natural_extinction(double width, double chi, double lambda) {
    const double period = std::sqrt(width) / 1.5;
    return mean_brush_composition(lambda) * std::pow(mean_tick_factor(chi), ticks_per_second * period);
}

}  // namespace phlo::models
