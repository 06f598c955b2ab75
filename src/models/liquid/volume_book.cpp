#include "models/liquid/volume_book.h"

#include <algorithm>
#include <cmath>

namespace phlo::models {

void VolumeLoss::look(double missing_now, double volume, double dt) {
    constexpr double share = 0.2, most = 0.01;   // of the mean that a step has; of the volume: what is lost at once does not go on
    const double lost = std::clamp((missing_now - missing) + mending * dt, -most * volume, most * volume);
    rate += share * (lost / dt - rate);
    missing = missing_now;
}

double mending_divergence(const VolumeMending& how, double dt) {
    if (how.rate == 0 || !(how.volume > 0)) return 0;
    // At most a fifth of the rates at which a liquid of this size moves: by its speed, and as its waves do.
    const double size = std::cbrt(how.volume), most = 0.2 * (how.speed + std::sqrt(how.gravity * size)) / size;
    return std::clamp((how.missing * std::min(how.rate, 0.8 / dt) + how.losing) / how.volume, -most, most);
}

}  // namespace phlo::models
