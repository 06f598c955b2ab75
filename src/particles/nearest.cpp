#include "particles/nearest.h"

#include <algorithm>
#include <bit>
#include <limits>

#include "base/error.h"
#include "base/parallel.h"
#include "base/simd.h"

namespace phlo::particles {
namespace {

constexpr int leaf_size = 12;                                    ///< most particles of a leaf
constexpr int fan_bits = std::bit_width(unsigned(simd::width)) - 1;   ///< halvings between two kept levels: a register of children
constexpr int shared_levels = 6;                                 ///< halvings that threads share; below them each takes whole subtrees
constexpr float far = std::numeric_limits<float>::infinity();

constexpr int middle_of(int first, int last) { return first + (last - first) / 2; }

}  // namespace

/// Puts the lower half of [first, last) across its longest side before the upper one.
void Nearest::halve(int first, int last) {
    if (last - first < 2) return;
    float lower[3] = {far, far, far}, upper[3] = {-far, -far, -far};
    for (int i = first; i < last; ++i)
        for (int a = 0; a < 3; ++a) {
            const float p = items_[std::size_t(i)].at[a];
            lower[a] = std::min(lower[a], p), upper[a] = std::max(upper[a], p);
        }
    int axis = 0;
    for (int a = 1; a < 3; ++a)
        if (upper[a] - lower[a] > upper[axis] - lower[axis]) axis = a;
    if (!(upper[axis] > lower[axis])) return;
    const auto begin = items_.begin();
    std::nth_element(begin + first, begin + middle_of(first, last), begin + last,
                     [axis](const Item& a, const Item& b) { return a.at[axis] < b.at[axis]; });
}

/// Halves [first, last) `levels` times.
void Nearest::halve_down(int levels, int first, int last) {
    if (levels == 0) return;
    halve(first, last);
    const int middle = middle_of(first, last);
    halve_down(levels - 1, first, middle);
    halve_down(levels - 1, middle, last);
}

void Nearest::arrange(const NearestPoints& points) {
    count_ = int(points.x.size());
    PHLO_CHECK(points.y.size() == points.x.size() && points.z.size() == points.x.size() && points.id.size() == points.x.size());
    depth_ = 0;
    while (((count_ - 1) >> depth_) + 1 > leaf_size) ++depth_;
    items_.resize(std::size_t(count_));
    order_.resize(std::size_t(count_));
    constexpr int chunk = 8192;
    const int chunks = (count_ + chunk - 1) / chunk;
    parallel_for(chunks, [&](int c) {
        for (std::size_t i = std::size_t(c) * chunk; i < std::size_t(std::min(count_, (c + 1) * chunk)); ++i)
            items_[i] = {{points.x[i], points.y[i], points.z[i]}, int(i)};
    });
    starts_ = {0, count_};
    int level = 0;
    const auto next_level = [&] {
        std::vector<int> next;
        for (std::size_t k = 0; k + 1 < starts_.size(); ++k) next.push_back(starts_[k]), next.push_back(middle_of(starts_[k], starts_[k + 1]));
        next.push_back(count_);
        starts_.swap(next);
        ++level;
    };
    const auto for_each_node = [&](const auto& body) {
        parallel_for(int(starts_.size()) - 1, [&](int k) { body(starts_[std::size_t(k)], starts_[std::size_t(k) + 1]); }, Share::one_by_one);
    };
    for (; level < std::min(depth_, shared_levels); next_level()) for_each_node([&](int first, int last) { halve(first, last); });
    for_each_node([&](int first, int last) { halve_down(depth_ - level, first, last); });
    while (level < depth_) next_level();
    parallel_for(chunks, [&](int c) {
        for (std::size_t i = std::size_t(c) * chunk; i < std::size_t(std::min(count_, (c + 1) * chunk)); ++i) order_[i] = items_[i].index;
    });
}

/// The leaves' boxes from the points in their new order, then those of every kept level from the one below.
void Nearest::make_boxes(const NearestPoints& points) {
    level_bits_.clear();
    for (int bits = depth_; bits > 0; bits -= fan_bits) level_bits_.insert(level_bits_.begin(), bits);
    if (level_bits_.empty()) level_bits_.push_back(0);
    levels_.resize(level_bits_.size());
    for (std::size_t l = 0; l < levels_.size(); ++l) {
        const std::size_t nodes = (std::size_t(1) << level_bits_[l]), padded = (nodes + simd::width - 1) / simd::width * simd::width;
        for (int a = 0; a < 3; ++a) levels_[l].lower[a].assign(padded, far), levels_[l].upper[a].assign(padded, far);
        levels_[l].first_id.assign(padded, std::numeric_limits<std::uint32_t>::max());
    }
    Level& leaves = levels_.back();
    const int leaf_count = 1 << depth_;
    constexpr int chunk = 512;
    parallel_for((leaf_count + chunk - 1) / chunk, [&](int c) {
        for (int leaf = c * chunk; leaf < std::min(leaf_count, (c + 1) * chunk); ++leaf) {
            const std::span<const float> columns[3] = {points.x, points.y, points.z};
            for (int a = 0; a < 3; ++a) {
                float low = far, high = -far;
                for (int i = starts_[std::size_t(leaf)]; i < starts_[std::size_t(leaf) + 1]; ++i)
                    low = std::min(low, columns[a][std::size_t(i)]), high = std::max(high, columns[a][std::size_t(i)]);
                if (low > high) high = far;   // an empty leaf is nowhere
                leaves.lower[a][std::size_t(leaf)] = low, leaves.upper[a][std::size_t(leaf)] = high;
            }
            std::uint32_t first = std::numeric_limits<std::uint32_t>::max();
            for (int i = starts_[std::size_t(leaf)]; i < starts_[std::size_t(leaf) + 1]; ++i) first = std::min(first, points.id[std::size_t(i)]);
            leaves.first_id[std::size_t(leaf)] = first;
        }
    });
    for (std::size_t l = levels_.size(); l-- > 1;) {
        const Level& below = levels_[l];
        Level& above = levels_[l - 1];
        const std::size_t children = std::size_t(1) << (level_bits_[l] - level_bits_[l - 1]), nodes = std::size_t(1) << level_bits_[l - 1];
        for (std::size_t k = 0; k < nodes; ++k) {
            for (int a = 0; a < 3; ++a) {
                above.lower[a][k] = *std::min_element(&below.lower[a][k * children], &below.lower[a][k * children] + children);
                float high = -far;
                for (std::size_t c = k * children; c < (k + 1) * children; ++c)
                    if (below.lower[a][c] < far) high = std::max(high, below.upper[a][c]);
                above.upper[a][k] = above.lower[a][k] < far ? high : far;
            }
            above.first_id[k] = *std::min_element(&below.first_id[k * children], &below.first_id[k * children] + children);
        }
    }
}

std::size_t Nearest::bytes() const {
    std::size_t sum = items_.capacity() * sizeof(Item) + (order_.capacity() + starts_.capacity()) * sizeof(int);
    for (const Level& level : levels_) sum += 7 * level.first_id.capacity() * sizeof(float);
    return sum;
}

}  // namespace phlo::particles
