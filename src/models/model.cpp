#include "models/model.h"

#include <limits>

namespace phlo::models {

double FrameStats::number(std::string_view name) const {
    for (const auto& [key, value] : numbers)
        if (key == name) return value;
    return std::numeric_limits<double>::quiet_NaN();
}

FrameStats Model::first_stats() const {
    FrameStats stats;
    stats.memory_bytes = bytes();
    stats.words = "as the scene begins";
    return stats;
}

}  // namespace phlo::models
