// What every bench is asked.
#pragma once

namespace phlo::bench {

struct BenchOptions {
    int resolution = 0;   ///< one size only; 0: all of them
    bool json = false;
};

}  // namespace phlo::bench
