#include "sim/stats.h"

#include <cerrno>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <limits>

#include "base/error.h"
#include "base/json.h"
#include "config/node.h"
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

double number_of(const config::Node& node) {
    if (node.is_null()) return std::numeric_limits<double>::quiet_NaN();   // what JSON cannot say
    try {
        return std::stod(node.text);
    } catch (const std::exception&) {
        throw InputError(fmt::format("{}: expected a number, found {}", node.position.where(), node.described()));
    }
}

models::FrameStats parse_stats(const config::Node& line) {
    models::FrameStats stats;
    for (const config::Node::Entry& entry : line.entries) {
        const std::string& key = entry.key;
        const config::Node& value = entry.value;
        if (key == "frame") stats.frame = int(number_of(value));
        else if (key == "time") stats.time = number_of(value);
        else if (key == "dt") stats.dt = number_of(value);
        else if (key == "substeps") stats.substeps = int(number_of(value));
        else if (key == "memory_bytes") stats.memory_bytes = std::size_t(number_of(value));
        else if (key == "particles")
            for (const config::Node::Entry& kind : value.entries) stats.particles[kind.key] = long(number_of(kind.value));
        else if (key == "ledger") {
            for (const config::Node::Entry& quantity : value.entries)
                for (const config::Node::Entry& change : quantity.value.entries) stats.ledger[quantity.key][change.key] = number_of(change.value);
        } else if (key != "seconds" && value.is_map()) {
            for (const config::Node::Entry& member : value.entries) stats.numbers.emplace_back(key + "." + member.key, number_of(member.value));
        } else if (key != "seconds") {
            stats.numbers.emplace_back(key, number_of(value));
        }
    }
    return stats;
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

std::vector<models::FrameStats> read_stats(const std::filesystem::path& path) {
    std::ifstream file(path);
    std::vector<models::FrameStats> frames;
    std::string text;
    for (int line = 1; std::getline(file, text); ++line) {
        if (text.empty()) continue;
        const config::Node node = config::parse_yaml(text, fmt::format("{}:{}", path.string(), line));   // JSON is YAML
        if (!node.is_map()) throw InputError(fmt::format("{}:{}: expected an object", path.string(), line));
        frames.push_back(parse_stats(node));
    }
    return frames;
}

void append_stats(const std::filesystem::path& path, const models::FrameStats& stats) {
    std::ofstream file(path, std::ios::app);
    file << to_json(stats) << '\n';
    file.flush();
    if (!file) throw RunError(io::write_failure(path, errno));
}

}  // namespace phlo::sim
