#include "base/memory.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/resource.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "base/error.h"

namespace phlo {
namespace {

constexpr std::size_t huge_page = std::size_t(2) << 20;

std::size_t round_up(std::size_t value, std::size_t unit) { return (value + unit - 1) / unit * unit; }

}  // namespace

Buffer::Buffer(std::size_t count) : size_(count) {
    if (count == 0) return;
    const bool huge = bytes() >= huge_page;
    const std::size_t alignment = huge ? huge_page : 64;
    void* p = std::aligned_alloc(alignment, round_up(bytes(), alignment));
    if (p == nullptr) throw RunError(fmt::format("out of memory: could not get {:.1f} MB; lower the resolution", double(bytes()) / 1e6));
    if (huge) madvise(p, round_up(bytes(), alignment), MADV_HUGEPAGE);
    std::memset(p, 0, bytes());
    data_.reset(static_cast<float*>(p));
}

Buffer::Buffer(const Buffer& other) : Buffer(other.size_) {
    if (size_ > 0) std::memcpy(data(), other.data(), bytes());
}

Buffer& Buffer::operator=(const Buffer& other) {
    if (this == &other) return *this;
    if (size_ != other.size_) return *this = Buffer(other);
    if (size_ > 0) std::memcpy(data(), other.data(), bytes());
    return *this;
}

void Buffer::Free::operator()(float* p) const { std::free(p); }

std::size_t private_bytes() {
    long kilobytes = 0;
    if (std::FILE* f = std::fopen("/proc/self/status", "r")) {
        char line[256];
        while (std::fgets(line, sizeof line, f) != nullptr)
            if (std::sscanf(line, "RssAnon: %ld kB", &kilobytes) == 1) break;
        std::fclose(f);
    }
    return std::size_t(kilobytes) * 1024;
}

std::size_t peak_resident_bytes() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return std::size_t(usage.ru_maxrss) * 1024;
}

}  // namespace phlo
