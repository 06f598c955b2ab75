#include "models/shot/estimate.h"

#include <fstream>
#include <limits>

#include <fmt/format.h>

namespace phlo::models {

std::size_t available_memory() {
    std::ifstream meminfo("/proc/meminfo");
    std::string word;
    while (meminfo >> word) {
        std::size_t kilobytes = 0;
        if (word == "MemAvailable:" && meminfo >> kilobytes) return kilobytes * 1024;
    }
    return std::numeric_limits<std::size_t>::max();
}

std::string size_text(double bytes) {
    if (bytes >= 1e12) return fmt::format("{:.1f} TB", bytes / 1e12);
    if (bytes >= 1e9) return fmt::format("{:.1f} GB", bytes / 1e9);
    return fmt::format("{:.0f} MB", bytes / 1e6);
}

}  // namespace phlo::models
