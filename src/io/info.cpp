// What a cache or a .vdb holds, for people and as JSON.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>

#include "io/cache.h"

namespace phlo::io {
namespace {

std::string bytes_text(std::uint64_t bytes) {
    if (bytes < 10'000) return fmt::format("{} B", bytes);
    if (bytes < 10'000'000) return fmt::format("{:.1f} kB", double(bytes) / 1e3);
    return fmt::format("{:.1f} MB", double(bytes) / 1e6);
}

std::string json_string(const std::string& text) {
    std::string result = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') result += '\\', result += c;
        else if (static_cast<unsigned char>(c) < 0x20) result += fmt::format("\\u{:04x}", int(c));
        else result += c;
    }
    return result + '"';
}

std::string json_number(double value) { return std::isfinite(value) ? fmt::format("{:.9g}", value) : "null"; }

template <class T, class Format>
std::string json_list(const std::vector<T>& items, const Format& format) {
    std::string result;
    for (const T& item : items) result += (result.empty() ? "" : ", ") + format(item);
    return "[" + result + "]";
}

std::string json_vector(const Vec3d& v) { return fmt::format("[{}, {}, {}]", json_number(v.x), json_number(v.y), json_number(v.z)); }

std::string to_json(const GridInfo& g) {
    return fmt::format(
        "{{\"name\": {}, \"type\": {}, \"class\": {}, \"unit\": {}, \"active_voxels\": {}, \"memory_bytes\": {}, \"first\": [{}], "
        "\"last\": [{}], "
        "\"min\": {}, \"max\": {}, \"background\": {}, \"voxel_size\": {}, \"origin\": {}, \"half\": {}}}",
        json_string(g.name), json_string(g.type), json_string(g.grid_class), json_string(g.unit), g.active_voxels, g.memory_bytes,
        fmt::join(g.first, ", "), fmt::join(g.last, ", "), json_number(g.least), json_number(g.most), json_number(g.background),
        json_vector(g.voxel_size), json_vector(g.origin), g.half);
}

}  // namespace

std::string describe(const FileInfo& info) {
    std::string text = fmt::format("{}  {}\n", info.path.string(), bytes_text(info.file_bytes));
    for (const auto& [key, value] : info.metadata) text += fmt::format("  {:<16} {}\n", key, value);
    for (const GridInfo& g : info.grids) {
        text += fmt::format("  {:<16} {} {}{}, {} active voxels", g.name, g.type, g.grid_class, g.half ? " (half)" : "", g.active_voxels);
        if (g.active_voxels > 0)
            text += fmt::format(" in [{}] to [{}], {} {:.6g} to {:.6g}{}{}", fmt::join(g.first, ", "), fmt::join(g.last, ", "),
                                g.type == "float" ? "values" : "lengths", g.least, g.most, g.unit.empty() ? "" : " ", g.unit);
        text += fmt::format(", background {:.6g}, {} in memory\n", g.background, bytes_text(g.memory_bytes));
        text += fmt::format("  {:<16} voxels of {:.6g} m, the first centred at ({:.6g}, {:.6g}, {:.6g}) m\n", "", g.voxel_size.x,
                            g.origin.x, g.origin.y, g.origin.z);
    }
    return text;
}

std::string describe(const CacheInfo& info) {
    if (info.last < info.first) return fmt::format("{}: no frames\n", info.path.string());
    std::string text = fmt::format("{}: frames {} to {}, {}\n", info.path.string(), info.first, info.last, bytes_text(info.file_bytes));
    if (!info.missing.empty()) text += fmt::format("missing: {}\n", fmt::join(info.missing, ", "));
    for (const std::string& message : info.broken) text += fmt::format("broken: {}\n", message);
    if (!info.frames.empty()) text += describe(info.frames.back());
    return text;
}

std::string to_json(const FileInfo& info) {
    std::string meta;
    for (const auto& [key, value] : info.metadata)
        meta += fmt::format("{}{}: {}", meta.empty() ? "" : ", ", json_string(key), json_string(value));
    return fmt::format("{{\"file\": {}, \"file_bytes\": {}, \"metadata\": {{{}}}, \"grids\": {}}}", json_string(info.path.string()),
                       info.file_bytes, meta, json_list(info.grids, [](const GridInfo& g) { return to_json(g); }));
}

std::string to_json(const CacheInfo& info) {
    return fmt::format(
        "{{\"cache\": {}, \"first\": {}, \"last\": {}, \"missing\": {}, \"broken\": {}, \"file_bytes\": {}, \"frames\": {}}}",
        json_string(info.path.string()), info.first, info.last, json_list(info.missing, [](int n) { return std::to_string(n); }),
        json_list(info.broken, json_string), info.file_bytes, json_list(info.frames, [](const FileInfo& f) { return to_json(f); }));
}

}  // namespace phlo::io
