#include "sim/pace.h"

#include <algorithm>
#include <cmath>

namespace phlo::sim {

double Pace::step(double now) {
    constexpr double memory = 1;   // [s]
    const double passed = begun_ ? std::max(0.0, now - last_) : params_.frame;
    const double step = params_.fixed ? params_.frame : std::clamp(passed, params_.shortest, params_.longest);
    if (begun_) {
        const double kept = std::exp(-passed / memory);
        simulated_ = kept * simulated_ + step, real_ = kept * real_ + passed;
    }
    begun_ = true, last_ = now;
    return step;
}

double Pace::wait(double now) const { return begun_ && !params_.fixed ? std::max(0.0, last_ + params_.shortest - now) : 0; }

}  // namespace phlo::sim
