#include "sim/stats.h"

#include <cerrno>
#include <cstdio>
#include <fstream>

#include "base/error.h"
#include "base/json.h"
#include "io/atomic_file.h"

namespace phlo::sim {
namespace {

template <class Map>
std::string object(const Map& entries) {
    json::Object result;
    for (const auto& [name, value] : entries) result.number(name, value);
    return result.str();
}

}  // namespace

std::string to_json(const models::FrameStats& s) {
    json::Object ledger;
    for (const auto& [quantity, entries] : s.ledger) ledger.raw(quantity, object(entries));
    return json::Object()
        .number("frame", s.frame)
        .number("time", s.time)
        .number("dt", s.dt)
        .number("substeps", s.substeps)
        .raw("seconds", object(s.seconds.entries()))
        .raw("particles", object(s.particles))
        .raw("pressure", json::Object().number("iterations", s.pressure_iterations).number("residual", s.pressure_residual).str())
        .raw("divergence", json::Object().number("max", s.divergence_max).number("rms", s.divergence_rms).str())
        .number("active_fraction", s.active_fraction)
        .raw("ledger", ledger.str())
        .number("memory_bytes", s.memory_bytes)
        .str();
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
