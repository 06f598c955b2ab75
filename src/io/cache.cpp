#include "io/cache.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <fstream>

#include "base/error.h"
#include "base/hash.h"
#include "io/atomic_file.h"
#include "io/ply.h"

namespace phlo::io {

std::filesystem::path frame_path(const std::filesystem::path& dir, int number, const char* extension) {
    return dir / fmt::format("frame_{:04d}{}", number, extension);
}

std::vector<int> cached_frames(const std::filesystem::path& dir, const char* extension) {
    std::vector<int> numbers;
    std::error_code error;
    constexpr std::string_view prefix = "frame_";
    for (const auto& entry : std::filesystem::directory_iterator(dir, error)) {
        const std::string stem = entry.path().stem().string();
        if (entry.path().extension() != extension || !stem.starts_with(prefix)) continue;
        int number = 0;
        const char* const end = stem.data() + stem.size();
        if (std::from_chars(stem.data() + prefix.size(), end, number).ptr == end) numbers.push_back(number);
    }
    std::sort(numbers.begin(), numbers.end());
    return numbers;
}

void write_cache_frame(const std::filesystem::path& dir, const field::Frame& frame, const VdbOptions& options) {
    const auto surfaces = frame_path(dir, frame.number, ".ply");
    if (!frame.surfaces.empty()) write_ply(surfaces, frame.surfaces, field::liquid_volumes(frame));
    else std::filesystem::remove(surfaces);
    write_frame(frame_path(dir, frame.number), frame, options);
}

field::Frame read_cache_frame(const std::filesystem::path& dir, int number, const VdbReadOptions& options) {
    field::Frame frame = read_frame(frame_path(dir, number), options);
    const auto surfaces = frame_path(dir, number, ".ply");
    if (std::filesystem::exists(surfaces)) frame.surfaces = read_ply(surfaces);
    return frame;
}

std::string frame_identity(const std::filesystem::path& dir, int number) {
    // An OpenVDB file carries a UUID in its first bytes; ours is a hash of the content.
    constexpr std::size_t header = 57;
    const auto path = frame_path(dir, number);
    std::ifstream file(path, std::ios::binary);
    std::string identity(header, '\0');
    if (!file.read(identity.data(), header)) throw RunError(fmt::format("{}: no complete frame", path.string()));
    identity += fmt::format("/{}", std::filesystem::file_size(path));
    const auto surfaces = frame_path(dir, number, ".ply");
    if (std::filesystem::exists(surfaces)) {
        const auto bytes = read_bytes(surfaces);
        identity += fmt::format("/{:016x}", fnv1a({bytes.data(), bytes.size()}));
    }
    return identity;
}

CacheInfo cache_info(const std::filesystem::path& dir) {
    CacheInfo result;
    result.path = std::filesystem::is_directory(dir / "cache") ? dir / "cache" : dir;
    if (!std::filesystem::is_directory(result.path)) throw InputError(fmt::format("{}: no such directory", dir.string()));
    const std::vector<int> numbers = cached_frames(result.path);
    if (numbers.empty()) return result;
    result.first = numbers.front(), result.last = numbers.back();
    for (std::size_t n = 1; n < numbers.size(); ++n)
        for (int gap = numbers[n - 1] + 1; gap < numbers[n]; ++gap) result.missing.push_back(gap);
    for (const int number : numbers) {
        const auto path = frame_path(result.path, number);
        result.file_bytes += std::filesystem::file_size(path);
        try {
            result.frames.push_back(file_info(path));
        } catch (const std::runtime_error& error) {
            result.broken.emplace_back(error.what());
        }
    }
    return result;
}

}  // namespace phlo::io
