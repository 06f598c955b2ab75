// What a batch of integrations did, all cells together (batch_integrate.h).
#pragma once

namespace phlo::numerics {

struct BatchReport {
    long cells = 0, steps = 0, rejected = 0, failed = 0;
    BatchReport& operator+=(const BatchReport& other) {
        cells += other.cells, steps += other.steps, rejected += other.rejected, failed += other.failed;
        return *this;
    }
};

}  // namespace phlo::numerics
