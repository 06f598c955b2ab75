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

/// "group.name" numbers that follow each other become one object under the group's name.
void add_numbers(const std::vector<std::pair<std::string, double>>& numbers, json::Object& line) {
    const auto group_of = [](const std::string& name) { return name.substr(0, name.find('.')); };
    for (std::size_t n = 0; n < numbers.size();) {
        const std::string group = group_of(numbers[n].first);
        if (group == numbers[n].first) {
            line.number(group, numbers[n].second), ++n;
            continue;
        }
        json::Object members;
        for (; n < numbers.size() && group_of(numbers[n].first) == group; ++n) members.number(numbers[n].first.substr(group.size() + 1), numbers[n].second);
        line.raw(group, members.str());
    }
}

}  // namespace

std::string to_json(const models::FrameStats& s) {
    json::Object ledger;
    for (const auto& [quantity, entries] : s.ledger) ledger.raw(quantity, object(entries));
    json::Object line;
    line.number("frame", s.frame)
        .number("time", s.time)
        .number("dt", s.dt)
        .number("substeps", s.substeps)
        .raw("seconds", object(s.seconds.entries()))
        .raw("particles", object(s.particles));
    add_numbers(s.numbers, line);
    return line.raw("ledger", ledger.str()).number("memory_bytes", s.memory_bytes).str();
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
