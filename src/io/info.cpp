// What a cache or a .vdb holds, for people and as JSON.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/json.h"
#include "io/cache.h"

namespace phlo::io {
namespace {

constexpr const char* points_type = "points";

std::string bytes_text(std::uint64_t bytes) {
    if (bytes < 10'000) return fmt::format("{} B", bytes);
    if (bytes < 10'000'000) return fmt::format("{:.1f} kB", double(bytes) / 1e3);
    return fmt::format("{:.1f} MB", double(bytes) / 1e6);
}

std::string to_json(const Vec3d& v) { return json::numbers(std::array{v.x, v.y, v.z}); }

std::string to_json(const GridInfo& g) {
    json::Object object;
    object.text("name", g.name)
        .text("type", g.type)
        .text("class", g.grid_class)
        .text("unit", g.unit)
        .number("active_voxels", g.active_voxels)
        .number("memory_bytes", g.memory_bytes)
        .raw("first", json::numbers(g.first))
        .raw("last", json::numbers(g.last))
        .number("min", float(g.least))
        .number("max", float(g.most))
        .number("background", float(g.background))
        .raw("voxel_size", to_json(g.voxel_size))
        .raw("origin", to_json(g.origin))
        .number("half", g.half);
    if (g.type == points_type) object.number("points", g.points).raw("attributes", json::array(g.attributes, json::quoted));
    return object.str();
}

}  // namespace

std::string describe(const FileInfo& info) {
    std::string text = fmt::format("{}  {}\n", info.path.string(), bytes_text(info.file_bytes));
    for (const auto& [key, value] : info.metadata) text += fmt::format("  {:<16} {}\n", key, value);
    for (const GridInfo& g : info.grids) {
        if (g.type == points_type) {
            text += fmt::format("  {:<16} {} points with {}", g.name, g.points, fmt::join(g.attributes, ", "));
            if (g.points > 0) text += fmt::format(", radii {:.6g} to {:.6g} m", g.least, g.most);
            text += fmt::format(", {} in memory\n", bytes_text(g.memory_bytes));
            continue;
        }
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
    json::Object metadata;
    for (const auto& [key, value] : info.metadata) metadata.text(key, value);
    return json::Object()
        .text("file", info.path.string())
        .number("file_bytes", info.file_bytes)
        .raw("metadata", metadata.str())
        .raw("grids", json::array(info.grids, [](const GridInfo& g) { return to_json(g); }))
        .str();
}

std::string to_json(const CacheInfo& info) {
    return json::Object()
        .text("cache", info.path.string())
        .number("first", info.first)
        .number("last", info.last)
        .raw("missing", json::numbers(info.missing))
        .raw("broken", json::array(info.broken, json::quoted))
        .number("file_bytes", info.file_bytes)
        .raw("frames", json::array(info.frames, [](const FileInfo& f) { return to_json(f); }))
        .str();
}

}  // namespace phlo::io
