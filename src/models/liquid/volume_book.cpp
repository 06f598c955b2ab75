#include "models/liquid/volume_book.h"

#include <algorithm>
#include <cmath>

namespace phlo::models {

double mending_divergence(const VolumeMending& how, double dt) {
    if (how.rate == 0 || !(how.volume > 0)) return 0;
    // At most a fifth of the rates at which a liquid of this size moves: by its speed, and as its waves do.
    const double size = std::cbrt(how.volume), most = 0.2 * (how.speed + std::sqrt(how.gravity * size)) / size;
    return std::clamp(how.missing / how.volume * std::min(how.rate, 0.8 / dt), -most, most);
}

}  // namespace phlo::models
