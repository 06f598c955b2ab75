// Zeroed, 64-byte aligned float storage. Large buffers ask for huge pages: streaming loops then miss the TLB far less.
#pragma once
#include <cstddef>
#include <memory>
#include <span>

namespace phlo {

class Buffer {
public:
    Buffer() = default;
    explicit Buffer(std::size_t count);
    Buffer(const Buffer& other);
    Buffer& operator=(const Buffer& other);
    Buffer(Buffer&&) noexcept = default;
    Buffer& operator=(Buffer&&) noexcept = default;

    float* data() { return data_.get(); }
    const float* data() const { return data_.get(); }
    std::size_t size() const { return size_; }
    std::size_t bytes() const { return size_ * sizeof(float); }
    std::span<float> span() { return {data(), size()}; }
    std::span<const float> span() const { return {data(), size()}; }

private:
    struct Free {
        void operator()(float* p) const;
    };
    std::unique_ptr<float[], Free> data_;
    std::size_t size_ = 0;
};

/// Memory that this process has to itself now [bytes]: what it allocated and touched, without the pages of shared libraries.
std::size_t private_bytes();
/// Resident set of this process at its peak, shared libraries included [bytes].
std::size_t peak_resident_bytes();

}  // namespace phlo
