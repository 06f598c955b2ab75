#include "particles/order.h"

#include <algorithm>
#include <cstddef>

#include "base/parallel.h"

namespace phlo::particles {

/// A counting sort: how many of each key in each part, where each begins, then every particle to its place.
std::vector<int> order_by(std::span<const int> key, int key_count) {
    const std::size_t count = key.size(), keys = std::size_t(key_count), part_size = std::max(keys, std::size_t(1) << 16);   // the parts' counts take no more than the keys do
    const int parts = int((count + part_size - 1) / part_size);
    std::vector<int> next(std::size_t(parts) * keys);
    const auto for_each_of = [&](int part, const auto& visit) {
        int* of_part = next.data() + std::size_t(part) * keys;
        for (std::size_t i = std::size_t(part) * part_size; i < std::min(count, (std::size_t(part) + 1) * part_size); ++i)
            if (key[i] != left_out) visit(of_part[key[i]], i);
    };
    parallel_for(parts, [&](int part) { for_each_of(part, [](int& number, std::size_t) { ++number; }); }, Share::one_by_one);
    int before = 0;
    for (std::size_t k = 0; k < keys; ++k)
        for (std::size_t part = 0; part < std::size_t(parts); ++part) {
            int& number = next[part * keys + k];
            const int here = number;
            number = before, before += here;
        }
    std::vector<int> order(std::size_t(before), 0);
    parallel_for(parts, [&](int part) { for_each_of(part, [&](int& place, std::size_t i) { order[std::size_t(place++)] = int(i); }); }, Share::one_by_one);
    return order;
}

}  // namespace phlo::particles
