// Arrays of plain values side by side, one an attribute of a particle: what every particle set does with them.
#pragma once
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>
#include <vector>

#include "base/error.h"

namespace phlo::models {

/// Particle order[i] becomes particle i.
template <class T>
void reorder_column(std::vector<T>& column, std::span<const int> order) {
    std::vector<T> sorted(order.size());
    for (std::size_t i = 0; i < order.size(); ++i) sorted[i] = column[std::size_t(order[i])];
    column.swap(sorted);
}

/// Takes the marked ones out; the others keep their order.
template <class T>
void remove_from_column(std::vector<T>& column, const std::vector<std::uint8_t>& dead) {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < column.size(); ++i)
        if (!dead[i]) column[kept++] = column[i];
    column.resize(kept);
}

/// Arrays one after the other, each with its length before it.
class ColumnWriter {
public:
    template <class T>
    void operator()(const std::vector<T>& column) {
        static_assert(std::is_trivially_copyable_v<T>);
        const std::uint64_t count = column.size();
        put(&count, sizeof count);
        put(column.data(), count * sizeof(T));
    }
    std::vector<char> take() { return std::move(data_); }

private:
    void put(const void* p, std::size_t bytes) {
        data_.insert(data_.end(), static_cast<const char*>(p), static_cast<const char*>(p) + bytes);
    }
    std::vector<char> data_;
};

class ColumnReader {
public:
    explicit ColumnReader(std::span<const char> data) : data_(data) {}
    template <class T>
    void operator()(std::vector<T>& column) {
        std::uint64_t count = 0;
        take(&count, sizeof count);
        if (count > data_.size() / sizeof(T)) throw RunError("a set of particles in the checkpoint is cut short");
        column.resize(count);
        take(column.data(), count * sizeof(T));
    }

private:
    void take(void* p, std::size_t bytes) {
        if (data_.size() < bytes) throw RunError("a set of particles in the checkpoint is cut short");
        if (bytes > 0) std::memcpy(p, data_.data(), bytes);
        data_ = data_.subspan(bytes);
    }
    std::span<const char> data_;
};

}  // namespace phlo::models
