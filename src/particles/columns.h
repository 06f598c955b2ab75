// Sets of particles as columns: one array an attribute, all of one length. A set is a plain struct that names its columns once.
//
//   struct Sparks {
//       std::vector<Vec3f> position;
//       std::vector<float> life;
//       static constexpr std::tuple columns{&Sparks::position, &Sparks::life};
//   };
//   Sparks sparks, others;
//   append(others, sparks);                             // all of the others, in their order, after the sparks
//   remove_marked(dead, sparks);                        // dead[i] != 0: particle i goes; the others keep their order
//   remove_few(those, sparks);                          // for a few of many: the last ones take their places
//   reorder(order, sparks);                             // particle order[i] becomes particle i
//   std::vector<char> bytes = save(sparks);             // exactly, for a checkpoint
//   load(bytes, sparks);                                // throws RunError if they are no such set
//
// On disk a column is its length (64 bits) and its values as they are in memory, in the order of `columns`.
#pragma once
#include <cstdint>
#include <cstring>
#include <span>
#include <tuple>
#include <type_traits>
#include <vector>

#include "base/error.h"
#include "base/parallel.h"

namespace phlo::particles {

/// visit(column) for each of them, in order.
template <class Set, class Visit>
void for_each_column(Set& set, Visit&& visit) {
    std::apply([&](auto... column) { (visit(set.*column), ...); }, std::remove_const_t<Set>::columns);
}

template <class Set>
std::size_t count(const Set& set) {
    return (set.*std::get<0>(Set::columns)).size();
}

template <class Set>
std::size_t bytes_of(const Set& set) {
    std::size_t sum = 0;
    for_each_column(set, [&](const auto& column) { sum += column.capacity() * sizeof(column[0]); });
    return sum;
}

template <class Set>
void append(const Set& more, Set& set) {
    std::apply([&](auto... column) { ((set.*column).insert((set.*column).end(), (more.*column).begin(), (more.*column).end()), ...); }, Set::columns);
}

/// Particle order[i] becomes particle i; those that the order does not name go.
template <class Set>
void reorder(std::span<const int> order, Set& set) {
    constexpr std::size_t chunk = 4096;   // particles that one task moves
    for_each_column(set, [&]<class T>(std::vector<T>& column) {
        std::vector<T> sorted(order.size());
        parallel_for(int((order.size() + chunk - 1) / chunk), [&](int c) {
            for (std::size_t i = std::size_t(c) * chunk; i < std::min(order.size(), (std::size_t(c) + 1) * chunk); ++i) sorted[i] = column[std::size_t(order[i])];
        });
        column.swap(sorted);
    });
}

/// Takes the marked ones out; the others keep their order. Returns how many went.
template <class Set>
std::size_t remove_marked(const std::vector<std::uint8_t>& dead, Set& set) {
    constexpr std::size_t chunk = 4096;   // particles that one task moves
    const std::size_t all = count(set);
    PHLO_CHECK(dead.size() == all);
    const int chunks = int((all + chunk - 1) / chunk);
    const auto end_of = [&](int c) { return std::min(all, (std::size_t(c) + 1) * chunk); };
    std::vector<std::size_t> start(std::size_t(chunks) + 1, 0);   // where the survivors of each chunk go
    parallel_for(chunks, [&](int c) {
        for (std::size_t i = std::size_t(c) * chunk; i < end_of(c); ++i) start[std::size_t(c) + 1] += dead[i] == 0;
    });
    for (int c = 0; c < chunks; ++c) start[std::size_t(c) + 1] += start[std::size_t(c)];
    if (start.back() == all) return 0;
    for_each_column(set, [&]<class T>(std::vector<T>& column) {
        std::vector<T> kept(start.back());
        parallel_for(chunks, [&](int c) {
            std::size_t to = start[std::size_t(c)];
            for (std::size_t i = std::size_t(c) * chunk; i < end_of(c); ++i)
                if (!dead[i]) kept[to++] = column[i];
        });
        column.swap(kept);
    });
    return all - start.back();
}

/// Takes a few out, named in ascending order; the last ones take their places. Nothing else moves.
template <class Set>
void remove_few(std::span<const int> those, Set& set) {
    for_each_column(set, [&](auto& column) {
        for (std::size_t n = those.size(); n-- > 0;) {
            column[std::size_t(those[n])] = column.back();
            column.pop_back();
        }
    });
}

/// Columns one after the other.
class ColumnWriter {
public:
    template <class T>
    void operator()(const std::vector<T>& column) {
        static_assert(std::is_trivially_copyable_v<T>);
        const std::uint64_t length = column.size();
        put(&length, sizeof length);
        put(column.data(), length * sizeof(T));
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
        std::uint64_t length = 0;
        take(&length, sizeof length);
        if (length > data_.size() / sizeof(T)) throw RunError("a set of particles in the checkpoint is cut short");
        column.resize(length);
        take(column.data(), length * sizeof(T));
    }
    bool at_end() const { return data_.empty(); }

private:
    void take(void* p, std::size_t bytes) {
        if (data_.size() < bytes) throw RunError("a set of particles in the checkpoint is cut short");
        if (bytes > 0) std::memcpy(p, data_.data(), bytes);
        data_ = data_.subspan(bytes);
    }
    std::span<const char> data_;
};

/// Reads the columns of a set; what else the set has may follow.
template <class Set>
void read_columns(ColumnReader& in, Set& set) {
    for_each_column(set, in);
    bool same = true;
    for_each_column(set, [&](const auto& column) { same = same && column.size() == count(set); });
    if (!same) throw RunError("the particles in the checkpoint do not fit together");
}

template <class Set>
std::vector<char> save(const Set& set) {
    ColumnWriter out;
    for_each_column(set, out);
    return out.take();
}

template <class Set>
void load(std::span<const char> data, Set& set) {
    ColumnReader in(data);
    read_columns(in, set);
    if (!in.at_end()) throw RunError("the particles in the checkpoint have more columns than this program knows");
}

}  // namespace phlo::particles
