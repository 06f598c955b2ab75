// A run's directory of frames: DIR/cache/frame_NNNN.vdb, and frame_NNNN.ply with the bodies' surfaces.
//
//   write_cache_frame("out/cache", frame);                 // the .vdb comes last: where it stands, the frame is complete
//   for (int n : cached_frames("out/cache")) render(read_cache_frame("out/cache", n));
#pragma once
#include <filesystem>
#include <vector>

#include "field/frame.h"
#include "io/vdb.h"

namespace phlo::io {

/// frame_0007.vdb; five digits and more when the number needs them.
std::filesystem::path frame_path(const std::filesystem::path& dir, int number, const char* extension = ".vdb");

/// The numbers of the frame_NNNN<extension> files in a directory, ascending; empty if there is no such directory.
std::vector<int> cached_frames(const std::filesystem::path& dir, const char* extension = ".vdb");

void write_cache_frame(const std::filesystem::path& dir, const field::Frame& frame, const VdbOptions& options = {});
field::Frame read_cache_frame(const std::filesystem::path& dir, int number, const VdbReadOptions& options = {});

/// A short text that changes when the files of a frame change; cheap to ask. Throws RunError if there is no such frame.
std::string frame_identity(const std::filesystem::path& dir, int number);

struct CacheInfo {
    std::filesystem::path path;
    int first = 0, last = -1;                 ///< the range of frames; empty if last < first
    std::vector<int> missing;                 ///< gaps in it
    std::vector<std::string> broken;          ///< one message for each frame that cannot be read
    std::uint64_t file_bytes = 0;             ///< all frames
    std::vector<FileInfo> frames;             ///< the readable ones
};

/// DIR or DIR/cache.
CacheInfo cache_info(const std::filesystem::path& dir);

/// For people, and as one JSON object (phlo info --json).
std::string describe(const FileInfo& info);
std::string describe(const CacheInfo& info);
std::string to_json(const FileInfo& info);
std::string to_json(const CacheInfo& info);

}  // namespace phlo::io
