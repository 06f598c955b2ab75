// Files that appear whole or not at all: bytes go to a temporary name in the same directory, reach the disk, and are renamed.
//
//   write_atomically("cache/frame_0007.vdb", bytes);       // throws RunError; whatever was there before is then untouched
//
//   AtomicFile file("movie.mp4");                          // for programs that want a name to write to
//   encode_to(file.temporary());
//   file.commit();                                         // without it the temporary is removed again
#pragma once
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace phlo::io {

class AtomicFile {
public:
    /// Makes the parent directory if there is none. The temporary keeps the extension: many programs choose the format by it.
    explicit AtomicFile(std::filesystem::path target);
    ~AtomicFile();
    AtomicFile(const AtomicFile&) = delete;
    AtomicFile& operator=(const AtomicFile&) = delete;

    const std::filesystem::path& temporary() const { return temporary_; }
    void write(std::span<const char> bytes);  ///< the whole content, to the temporary
    void commit();                            ///< fsync and rename

private:
    std::filesystem::path target_, temporary_;
    bool committed_ = false;
};

void write_atomically(const std::filesystem::path& path, std::span<const char> bytes);
std::vector<char> read_bytes(const std::filesystem::path& path);

/// "cannot write cache/frame_0007.vdb: No space left on device. Free some space and run again with --resume; ..."
std::string write_failure(const std::filesystem::path& path, int error_number);

}  // namespace phlo::io
