#include "sim/stats.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <fstream>

#include "base/error.h"
#include "io/atomic_file.h"

namespace phlo::sim {
namespace {

template <class Map>
std::string object(const Map& entries) {
    std::string text;
    for (const auto& [name, value] : entries) text += fmt::format("{}\"{}\":{}", text.empty() ? "" : ",", name, value);
    return "{" + text + "}";
}

}  // namespace

std::string to_json(const models::FrameStats& s) {
    std::map<std::string, std::string> ledger;
    for (const auto& [quantity, entries] : s.ledger) ledger[quantity] = object(entries);
    return fmt::format(
        R"({{"frame":{},"time":{},"dt":{},"substeps":{},"seconds":{},"particles":{},"pressure":{{"iterations":{},"residual":{}}},)"
        R"("divergence":{{"max":{},"rms":{}}},"active_fraction":{},"ledger":{},"memory_bytes":{}}})",
        s.frame, s.time, s.dt, s.substeps, object(s.seconds.entries()), object(s.particles), s.pressure_iterations, s.pressure_residual,
        s.divergence_max, s.divergence_rms, s.active_fraction, object(ledger), s.memory_bytes);
}

void keep_stats_until(const std::filesystem::path& path, int last_frame) {
    std::ifstream file(path);
    if (!file) return;
    std::string kept, line;
    while (std::getline(file, line)) {
        int frame = 0;
        const bool whole = !line.empty() && line.back() == '}';
        if (whole && std::sscanf(line.c_str(), "{\"frame\":%d", &frame) == 1 && frame <= last_frame) kept += line + "\n";
    }
    io::write_atomically(path, kept);
}

void append_stats(const std::filesystem::path& path, const models::FrameStats& stats) {
    std::ofstream file(path, std::ios::app);
    file << to_json(stats) << '\n';
    file.flush();
    if (!file) throw RunError(io::write_failure(path, errno));
}

}  // namespace phlo::sim
