// The sub-steps of one advance(): to the end of the time that was asked for, or until somebody who watches has seen enough.
//
//   SubSteps steps(time, seconds, enough);
//   while (steps.go_on()) {
//       const double dt = choose(steps.remaining(), steps.count());
//       step(dt);                                  // steps.ends_with(dt): what is only there to be seen is needed after it
//       steps.went(dt);
//   }
//   time = steps.end();
//   steps.tell(stats);
#pragma once
#include <algorithm>
#include <functional>

#include "models/model.h"

namespace phlo::models {

class SubSteps {
public:
    SubSteps(double begin, double seconds, const std::function<bool()>& enough)
        : enough_(enough), begin_(begin), seconds_(seconds), remaining_(seconds) {}

    /// Asked once before each sub-step; the first one is always made.
    bool go_on() const { return !arrived() && !(count_ > 0 && enough_ && enough_()); }
    void went(double dt) { remaining_ = std::max(0.0, remaining_ - dt), ++count_; }

    /// Whether a sub-step of this length may be the last: it arrives, or there is somebody who may have seen enough.
    bool ends_with(double dt) const { return bool(enough_) || remaining_ - dt <= 1e-9 * seconds_; }

    double remaining() const { return remaining_; }  ///< [s]
    int count() const { return count_; }
    double end() const { return begin_ + gone(); }  ///< without the rounding of many steps [s]

    void tell(FrameStats& stats) const {
        stats.time = end(), stats.substeps = count_, stats.dt = gone() / std::max(1, count_), stats.left = arrived() ? 0 : remaining_;
    }

private:
    bool arrived() const { return remaining_ <= 1e-9 * seconds_; }
    double gone() const { return arrived() ? seconds_ : seconds_ - remaining_; }

    const std::function<bool()>& enough_;
    double begin_, seconds_, remaining_;
    int count_ = 0;
};

}  // namespace phlo::models
