#include "field/blocks.h"

#include <algorithm>

#include "base/error.h"

namespace phlo::field {
namespace {

template <class Visit>
void each_touching(Vec3i base, const Vec3i& b, const Visit& visit) {
    for (int z = std::max(b.z - 1, 0); z <= std::min(b.z + 1, base.z - 1); ++z)
        for (int y = std::max(b.y - 1, 0); y <= std::min(b.y + 1, base.y - 1); ++y)
            for (int x = std::max(b.x - 1, 0); x <= std::min(b.x + 1, base.x - 1); ++x) visit(x + base.x * (y + base.y * z));
}

}  // namespace

Blocks::Blocks(Vec3i base, int depth, const std::vector<std::int8_t>& levels) : base_(base), depth_(depth) {
    PHLO_CHECK(depth >= 0 && depth <= max_depth);
    PHLO_CHECK(levels.size() == std::size_t(base_count()));
    entries_.resize(levels.size());
    for (int b = 0; b < base_count(); ++b) {
        const int k = levels[std::size_t(b)];
        PHLO_CHECK(k >= none && k <= depth);
        if (k == none) continue;
        each_touching(base, place(b), [&](int other) { PHLO_CHECK(levels[std::size_t(other)] == none || std::abs(levels[std::size_t(other)] - k) <= 1); });
        std::vector<int>& list = lists_[std::size_t(k)];
        entries_[std::size_t(b)] = {std::int32_t(list.size()), std::int8_t(k)};
        list.push_back(b);
    }
    for (int k = depth; k >= 0; --k) all_.insert(all_.end(), of_level(k).begin(), of_level(k).end());
}

int Blocks::neighbour(int index, int face) const {
    Vec3i b = place(index);
    b[face / 2] += face % 2 == 0 ? -1 : 1;
    return inside(b) ? this->index(b) : -1;
}

std::size_t Blocks::cell_count() const {
    std::size_t sum = 0;
    for (int k = 0; k <= depth_; ++k) sum += of_level(k).size() << (3 * k);
    return sum;
}

Blocks Blocks::clipped(int m) const {
    std::vector<std::int8_t> levels(entries_.size());
    for (std::size_t b = 0; b < levels.size(); ++b) levels[b] = std::min(entries_[b].level, std::int8_t(m));
    return Blocks(base_, depth_, levels);
}

std::size_t Blocks::bytes() const {
    std::size_t sum = entries_.size() * sizeof(Entry) + all_.size() * sizeof(int);
    for (const std::vector<int>& list : lists_) sum += list.size() * sizeof(int);
    return sum;
}

void balance(Vec3i base, std::vector<std::int8_t>& levels) {
    const int count = base.x * base.y * base.z;
    for (int k = Blocks::max_depth; k > 1; --k)   // what a level asks of its neighbours is asked when all of that level are known
        for (int b = 0; b < count; ++b) {
            if (levels[std::size_t(b)] != k) continue;
            each_touching(base, {b % base.x, b / base.x % base.y, b / base.x / base.y}, [&](int other) {
                std::int8_t& level = levels[std::size_t(other)];
                if (level != Blocks::none) level = std::max(level, std::int8_t(k - 1));
            });
        }
}

}  // namespace phlo::field
