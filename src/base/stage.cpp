#include "base/stage.h"

#include <algorithm>

namespace phlo {

void StageTimes::add(std::string_view name, double seconds) {
    const auto found = std::find_if(entries_.begin(), entries_.end(), [&](const auto& e) { return e.first == name; });
    if (found != entries_.end()) found->second += seconds;
    else entries_.emplace_back(name, seconds);
}

void StageTimes::add(const StageTimes& other) {
    for (const auto& [name, seconds] : other.entries_) add(name, seconds);
}

double StageTimes::seconds(std::string_view name) const {
    const auto found = std::find_if(entries_.begin(), entries_.end(), [&](const auto& e) { return e.first == name; });
    return found != entries_.end() ? found->second : 0.0;
}

double StageTimes::total() const {
    double sum = 0;
    for (const auto& entry : entries_) sum += entry.second;
    return sum;
}

}  // namespace phlo
