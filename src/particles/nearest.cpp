#include "particles/nearest.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <utility>

#include "base/error.h"
#include "base/parallel.h"
#include "base/simd.h"
#include "particles/nearest_sorter.h"

namespace phlo::particles {
namespace {

constexpr int bucket_size = 1024;                                     ///< most particles of a bucket, about
constexpr int max_depth = 16;                                         ///< buckets have 16-bit numbers
constexpr int samples_of_bucket = 16;
constexpr int chunk = 8192;                                           ///< particles of one task
constexpr int fan_bits = std::bit_width(unsigned(simd::width)) - 1;   ///< halvings between two kept levels: a register of children
constexpr float far = std::numeric_limits<float>::infinity();

int chunks_of(int count) { return (count + chunk - 1) / chunk; }

}  // namespace

void Nearest::Boxes::resize(std::size_t count) {
    for (int a = 0; a < 3; ++a) lower[a].resize(count), upper[a].resize(count);
}

void Nearest::arrange(const NearestPoints& points) {
    count_ = int(points.x.size());
    PHLO_CHECK(points.y.size() == points.x.size() && points.z.size() == points.x.size() && points.id.size() == points.x.size());
    depth_ = 0;
    while (depth_ < max_depth && (count_ >> depth_) > bucket_size) ++depth_;
    cut_sample(points);
    fill_buckets(points);
    // Each bucket has room for as many groups as it has particles, and one more.
    const std::size_t room = std::size_t(count_ + bucket_count() + simd::width);
    groups_.resize(room), group_starts_.resize(room), block_starts_.resize(room);
    order_.resize(std::size_t(count_));
    buckets_.resize(std::size_t(bucket_count()));
    parallel_for(bucket_count(), [&](int b) { NearestSorter(*this, b).sort(); });
}

/// Halves a sample, every so manieth particle, down to the buckets.
void Nearest::cut_sample(const NearestPoints& points) {
    cuts_.assign(std::size_t(bucket_count()) - 1, Cut());
    if (depth_ == 0) return;
    const int every = std::max(1, count_ / (samples_of_bucket * bucket_count()));
    std::vector<Item> sample;
    for (int i = every / 2; i < count_; i += every) sample.push_back({{points.x[std::size_t(i)], points.y[std::size_t(i)], points.z[std::size_t(i)]}, i});
    const auto halve = [&](const auto& self, std::size_t node, std::size_t first, std::size_t last) -> void {
        if (node >= cuts_.size() || first >= last) return;
        float lower[3] = {far, far, far}, upper[3] = {-far, -far, -far};
        for (std::size_t i = first; i < last; ++i)
            for (int a = 0; a < 3; ++a) lower[a] = std::min(lower[a], sample[i].at[a]), upper[a] = std::max(upper[a], sample[i].at[a]);
        int axis = 0;
        for (int a = 1; a < 3; ++a)
            if (upper[a] - lower[a] > upper[axis] - lower[axis]) axis = a;
        const std::size_t middle = first + (last - first) / 2;
        std::nth_element(sample.begin() + std::ptrdiff_t(first), sample.begin() + std::ptrdiff_t(middle), sample.begin() + std::ptrdiff_t(last),
                         [axis](const Item& a, const Item& b) { return a.at[axis] < b.at[axis]; });
        // In the middle between the halves: a cut between two clusters is in the gap.
        float below = -far;
        for (std::size_t i = first; i < middle; ++i) below = std::max(below, sample[i].at[axis]);
        const float above = sample[middle].at[axis];
        cuts_[node] = {float(axis), below > -far ? below + (above - below) / 2 : above};
        self(self, 2 * node + 1, first, middle);
        self(self, 2 * node + 2, middle, last);
    };
    halve(halve, 0, 0, sample.size());
}

/// Down the cuts, a register of particles at a time.
void Nearest::find_buckets(const NearestPoints& points, std::size_t i, std::size_t lanes, int* found) const {
    using simd::Float;
    using simd::Int;
    const auto load = [&](std::span<const float> column) {
        if (lanes == simd::width) return simd::load(&column[i]);
        alignas(64) float part[simd::width] = {};
        for (std::size_t l = 0; l < lanes; ++l) part[l] = column[i + l];
        return simd::load(part);
    };
    const Float x = load(points.x), y = load(points.y), z = load(points.z);
    Int node(0);
    for (int level = 0; level < depth_; ++level) {
        const Float axis = simd::gather(&cuts_[0].axis, node + node), at = simd::gather(&cuts_[0].at, node + node);
        const Float along = select(axis < Float(0.5f), x, select(axis < Float(1.5f), y, z));
        node = node + node + select(along > at, Int(2), Int(1));
    }
    simd::store(found, node - Int(bucket_count() - 1));
}

/// A sort by counting: how many of each chunk go to each bucket tells every particle its place, and keeps their order.
void Nearest::fill_buckets(const NearestPoints& points) {
    const int chunks = chunks_of(count_), buckets = bucket_count();
    bucket_of_.resize(std::size_t(count_));
    items_.resize(std::size_t(count_));
    std::vector<int> counts(std::size_t(chunks) * std::size_t(buckets), 0);
    parallel_for(chunks, [&](int c) {
        int* count = &counts[std::size_t(c) * std::size_t(buckets)];
        const std::size_t end = std::size_t(std::min(count_, (c + 1) * chunk));
        for (std::size_t i = std::size_t(c) * chunk; i < end; i += simd::width) {
            alignas(64) int found[simd::width];
            const std::size_t lanes = std::min(std::size_t(simd::width), end - i);
            find_buckets(points, i, lanes, found);
            for (std::size_t l = 0; l < lanes; ++l) bucket_of_[i + l] = std::uint16_t(found[l]), ++count[found[l]];
        }
    });
    bucket_starts_.resize(std::size_t(buckets) + 1);
    int total = 0;
    for (std::size_t b = 0; b < std::size_t(buckets); ++b) {
        bucket_starts_[b] = total;
        for (int c = 0; c < chunks; ++c) total += std::exchange(counts[std::size_t(c) * std::size_t(buckets) + b], total);
    }
    bucket_starts_.back() = total;
    parallel_for(chunks, [&](int c) {
        int* place = &counts[std::size_t(c) * std::size_t(buckets)];
        for (std::size_t i = std::size_t(c) * chunk; i < std::size_t(std::min(count_, (c + 1) * chunk)); ++i)
            items_[std::size_t(place[bucket_of_[i]]++)] = {{points.x[i], points.y[i], points.z[i]}, int(i)};
    });
}

/// The buckets' boxes, and those of every kept level from the one below.
void Nearest::make_levels(const NearestPoints& points) {
    level_bits_.clear();
    for (int bits = depth_; bits > 0; bits -= fan_bits) level_bits_.insert(level_bits_.begin(), bits);
    if (level_bits_.empty()) level_bits_.push_back(0);
    levels_.resize(level_bits_.size());
    for (std::size_t l = 0; l < levels_.size(); ++l) {
        const std::size_t nodes = std::size_t(1) << level_bits_[l], padded = (nodes + simd::width - 1) / simd::width * simd::width;
        for (int a = 0; a < 3; ++a) levels_[l].lower[a].assign(padded, far), levels_[l].upper[a].assign(padded, far);
        levels_[l].first_id.assign(padded, std::numeric_limits<std::uint32_t>::max());
    }
    Level& last = levels_.back();
    parallel_for(bucket_count(), [&](int b) {
        const std::size_t at = std::size_t(b);
        const int begin = bucket_starts_[at], end = bucket_starts_[at + 1];
        if (begin == end) return;   // nowhere
        for (int a = 0; a < 3; ++a) last.lower[a][at] = buckets_[at].lower[a], last.upper[a][at] = buckets_[at].upper[a];
        last.first_id[at] = *std::min_element(points.id.begin() + begin, points.id.begin() + end);
    });
    for (std::size_t l = levels_.size(); l-- > 1;) {
        const Level& below = levels_[l];
        Level& above = levels_[l - 1];
        const std::size_t children = std::size_t(1) << (level_bits_[l] - level_bits_[l - 1]), nodes = std::size_t(1) << level_bits_[l - 1];
        for (std::size_t k = 0; k < nodes; ++k)
            for (std::size_t c = k * children; c < (k + 1) * children; ++c) {
                if (below.lower[0][c] == far) continue;
                for (int a = 0; a < 3; ++a) {
                    const bool first = above.lower[a][k] == far;
                    above.upper[a][k] = first ? below.upper[a][c] : std::max(above.upper[a][k], below.upper[a][c]);
                    above.lower[a][k] = std::min(above.lower[a][k], below.lower[a][c]);
                }
                above.first_id[k] = std::min(above.first_id[k], below.first_id[c]);
            }
    }
}

std::size_t Nearest::bytes() const {
    std::size_t sum = items_.capacity() * sizeof(Item) + (order_.capacity() + 8 * group_starts_.capacity()) * sizeof(int) + bucket_of_.capacity() * 2;
    for (const Level& level : levels_) sum += 7 * level.first_id.capacity() * sizeof(float);
    return sum;
}

}  // namespace phlo::particles
