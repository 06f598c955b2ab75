#include "io/atomic_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <system_error>

#include "base/error.h"

namespace phlo::io {
namespace {

/// A file descriptor that closes itself.
struct Descriptor {
    int fd;
    explicit Descriptor(int fd_) : fd(fd_) {}
    ~Descriptor() {
        if (fd >= 0) ::close(fd);
    }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
};

const char* remedy(int error_number) {
    switch (error_number) {
        case ENOSPC:
        case EDQUOT: return "Free some space and run again with --resume; the files written before are intact.";
        case EFBIG: return "The file is larger than this system or its limits (ulimit -f) allow.";
        case EACCES:
        case EPERM:
        case EROFS: return "Choose a directory you may write to with -o DIR.";
        case ENOTDIR: return "A part of the path is a file; choose another directory with -o DIR.";
        default: return "The files written before are intact.";
    }
}

/// Makes the bytes of a file or the names in a directory survive a power cut.
void sync_to_disk(const std::filesystem::path& path, int flags, const std::filesystem::path& reported) {
    const Descriptor file(::open(path.c_str(), flags | O_CLOEXEC));
    if (file.fd < 0) throw RunError(write_failure(reported, errno));
    // Some file systems cannot sync (EINVAL): then there is nothing more to do. Lost bytes (EIO, ENOSPC) are an error.
    if (::fsync(file.fd) != 0 && errno != EINVAL) throw RunError(write_failure(reported, errno));
}

}  // namespace

std::string write_failure(const std::filesystem::path& path, int error_number) {
    return fmt::format("cannot write {}: {}. {}", path.string(), std::strerror(error_number), remedy(error_number));
}

AtomicFile::AtomicFile(std::filesystem::path target) : target_(std::move(target)) {
    std::error_code error;
    if (target_.has_parent_path()) std::filesystem::create_directories(target_.parent_path(), error);
    if (error) throw RunError(write_failure(target_, error.value()));
    // A leading dot hides it from listings. Always the same name: what a killed process left behind is overwritten by the next one.
    temporary_ = target_.parent_path() / fmt::format(".{}.partial{}", target_.stem().string(), target_.extension().string());
}

AtomicFile::~AtomicFile() {
    if (!committed_) {
        std::error_code ignored;
        std::filesystem::remove(temporary_, ignored);
    }
}

void AtomicFile::write(std::span<const char> bytes) {
    const Descriptor file(::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
    if (file.fd < 0) throw RunError(write_failure(target_, errno));
    while (!bytes.empty()) {
        const ssize_t written = ::write(file.fd, bytes.data(), bytes.size());
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) throw RunError(write_failure(target_, written < 0 ? errno : ENOSPC));
        bytes = bytes.subspan(std::size_t(written));
    }
}

void AtomicFile::commit() {
    sync_to_disk(temporary_, O_RDONLY, target_);
    if (::rename(temporary_.c_str(), target_.c_str()) != 0) throw RunError(write_failure(target_, errno));
    committed_ = true;
    const auto parent = target_.has_parent_path() ? target_.parent_path() : std::filesystem::path(".");
    sync_to_disk(parent, O_RDONLY | O_DIRECTORY, target_);
}

void write_atomically(const std::filesystem::path& path, std::span<const char> bytes) {
    AtomicFile file(path);
    file.write(bytes);
    file.commit();
}

std::vector<char> read_bytes(const std::filesystem::path& path) {
    const auto fail = [&] { throw RunError(fmt::format("cannot read {}: {}", path.string(), std::strerror(errno))); };
    const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    if (file.fd < 0) fail();
    std::vector<char> bytes;
    std::size_t filled = 0;
    for (;;) {
        bytes.resize(std::max<std::size_t>(filled * 2, 1 << 16));
        const ssize_t got = ::read(file.fd, bytes.data() + filled, bytes.size() - filled);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) fail();
        if (got == 0) break;
        filled += std::size_t(got);
    }
    bytes.resize(filled);
    return bytes;
}

}  // namespace phlo::io
