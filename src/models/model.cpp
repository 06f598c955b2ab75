#include "models/model.h"

#include <algorithm>
#include <limits>

namespace phlo::models {

double FrameStats::number(std::string_view name) const {
    for (const auto& [key, value] : numbers)
        if (key == name) return value;
    return std::numeric_limits<double>::quiet_NaN();
}

void FrameStats::follow(const FrameStats& earlier) {
    const int all = substeps + earlier.substeps;
    dt = (dt * substeps + earlier.dt * earlier.substeps) / std::max(1, all);
    substeps = all;
    StageTimes both = earlier.seconds;
    both.add(seconds);
    seconds = std::move(both);
    Ledger::Entries sums = earlier.ledger;
    add_entries(sums, ledger);
    ledger = std::move(sums);
}

FrameStats Model::first_stats() const {
    FrameStats stats;
    stats.memory_bytes = bytes();
    stats.words = "as the scene begins";
    return stats;
}

}  // namespace phlo::models
