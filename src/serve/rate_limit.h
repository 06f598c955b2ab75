// So much in the long run, and a burst of some more: a bucket that fills at a rate and is emptied by what passes.
//
//   RateLimit rate(300, 600);              // 300 a second, 600 at once
//   if (!rate.allow()) return;
#pragma once
#include <algorithm>
#include <chrono>

namespace phlo::serve {

class RateLimit {
public:
    RateLimit(double per_second, double burst) : per_second_(per_second), burst_(burst), left_(burst) {}

    bool allow() { return allow(std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count()); }
    /// `now`: the seconds of a clock that never goes back.
    bool allow(double now) {
        if (begun_) left_ = std::min(burst_, left_ + (now - last_) * per_second_);
        begun_ = true, last_ = now;
        if (left_ < 1) return false;
        left_ -= 1;
        return true;
    }

private:
    double per_second_, burst_, left_, last_ = 0;
    bool begun_ = false;
};

}  // namespace phlo::serve
