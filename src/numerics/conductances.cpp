#include "numerics/conductances.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace phlo::numerics {
namespace {

/// Eight lanes side by side: one chain of multiplications would take longer than computing the row.
std::uint64_t hash_of(const float* row, int length) {
    constexpr int lanes = 8;
    std::uint32_t lane[lanes] = {};
    int c = 0;
    for (; c + lanes <= length; c += lanes) {
#pragma omp simd
        for (int l = 0; l < lanes; ++l) lane[l] = std::rotl(lane[l] ^ std::bit_cast<std::uint32_t>(row[c + l]), 13) * 0x9e3779b1u;
    }
    for (; c < length; ++c) lane[0] = (lane[0] ^ std::bit_cast<std::uint32_t>(row[c])) * 0x9e3779b1u;
    std::uint64_t hash = 0;
    for (std::uint32_t part : lane) hash = (hash ^ part) * 0x9e3779b97f4a7c15u;
    return hash;
}

}  // namespace

float* RowArena::find_room(std::size_t count) {
    constexpr std::size_t smallest = std::size_t(1) << 12, largest = std::size_t(1) << 18;  // blocks grow with what is stored
    while (block_ < blocks_.size() && used_ + count + 16 > blocks_[block_].size()) ++block_, used_ = 16;
    if (block_ == blocks_.size()) {
        blocks_.emplace_back(std::max(count + 32, std::clamp(bytes_ / sizeof(float) / 2, smallest, largest)));
        bytes_ += blocks_.back().bytes();
        used_ = 16;
    }
    float* row = blocks_[block_].data() + used_;
    used_ += count;
    return row;
}

float* RowArena::take(int length) {
    const std::size_t count = std::size_t(length + 15) / 16 * 16;
    float* row = find_room(count);
    if (!fresh_) std::fill_n(row, count, 0.f);
    return row;
}

void RowArena::clear() {
    stored_.clear();
    block_ = 0, used_ = 16, fresh_ = false, zeros_ = nullptr;
}

const float* RowArena::keep(const float* row, int length) {
    const std::uint64_t hash = hash_of(row, length);
    const tbb::spin_mutex::scoped_lock lock(mutex_);
    for (auto [at, last] = stored_.equal_range(hash); at != last; ++at)
        if (at->second.length == length && std::memcmp(row, at->second.row, std::size_t(length) * sizeof(float)) == 0) return at->second.row;
    float* copy = take(length);
    std::copy_n(row, length, copy);
    stored_.emplace(hash, Stored{copy, length});
    return copy;
}

const float* RowArena::append(const float* row, int length) {
    const std::size_t count = std::size_t(length + 15) / 16 * 16;
    float* copy;
    {
        const tbb::spin_mutex::scoped_lock lock(mutex_);
        copy = find_room(count);
    }
    std::fill(std::copy_n(row, length, copy), copy + count, 0.f);
    return copy;
}

const float* RowArena::zeros(int length) {
    if (zeros_ == nullptr || zeros_length_ < length) zeros_ = take(length), zeros_length_ = length;
    return zeros_;
}

Conductances::Conductances(Vec3i points, std::shared_ptr<RowArena> memory)
    : n(points), shape(points.x), arena(memory ? std::move(memory) : std::make_shared<RowArena>()) {
    face[0].resize(n.y, n.z);
    face[1].resize(n.y + 1, n.z);
    face[2].resize(n.y, n.z + 1);
}

void Conductances::add_ground() {
    for (RowTable& table : ground) table.resize(n.y, n.z);
    active.assign(std::size_t(n.y) * std::size_t(n.z), EntryRange{0, std::uint16_t(shape.padded)});
}

float Conductances::diagonal(int i, int j, int k) const {
    const int c = shape.at(i);
    const float to_ground = grounded() ? ground[0](j, k)[c] + ground[1](j, k)[c] + ground[2](j, k)[c] : 0.f;
    return to_ground + face[0](j, k)[c] + face[0](j, k)[shape.at(i + 1)] + face[1](j, k)[c] + face[1](j + 1, k)[c] + face[2](j, k)[c] +
           face[2](j, k + 1)[c];
}

bool Conductances::is_own(int j, int k) const {
    if (grounded() && (ground[0].is_special(j, k) || ground[1].is_special(j, k) || ground[2].is_special(j, k))) return true;
    return face[0].is_own(j, k) || face[1].is_own(j, k) || face[1].is_own(j + 1, k) || face[2].is_own(j, k) || face[2].is_own(j, k + 1);
}

}  // namespace phlo::numerics
