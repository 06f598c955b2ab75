// Lists of candidates for a Nearest: all particles that are within a radius of a box, in their order. Included where hot loops are compiled for each CPU.
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "base/simd_select.h"
#include "particles/nearest.h"

namespace phlo::particles {

constexpr float nearest_wider = 1.00001f;   ///< of squared distances: more than the rounding of single precision

struct NearestBox {
    float lower[3], upper[3];
    NearestBox() {
        for (int a = 0; a < 3; ++a) lower[a] = std::numeric_limits<float>::infinity(), upper[a] = -lower[a];
    }
    NearestBox(float x, float y, float z) : lower{x, y, z}, upper{x, y, z} {}
    void include(const NearestBox& box) {
        for (int a = 0; a < 3; ++a) lower[a] = std::min(lower[a], box.lower[a]), upper[a] = std::max(upper[a], box.upper[a]);
    }
};

/// Places and indices of candidates, side by side.
struct NearestList {
    static constexpr int size = 1024;       ///< of more than so many there is no list
    int count = 0;
    alignas(64) std::array<float, size + 4 * simd::width> x, y, z;
    alignas(64) std::array<int, size + 4 * simd::width> index;

    /// Writes some lanes from place `to` on. Returns the place behind them.
    PHLO_INLINE int add(int to, unsigned lanes, const simd::Float (&p)[3], simd::Int i) {
        const simd::Packer packer(lanes);
        const std::size_t at = std::size_t(to);
        simd::store(&x[at], packer(p[0])), simd::store(&y[at], packer(p[1])), simd::store(&z[at], packer(p[2])), simd::store(&index[at], packer(i));
        return to + packer.count();
    }
    /// Behind the last come places far from everything, so that whole registers, two at a time, can be read.
    void end_at(int last) {
        count = last;
        for (int c = count; c < count + 2 * simd::width; c += simd::width)
            simd::store(&x[std::size_t(c)], simd::Float(1e18f)), simd::store(&y[std::size_t(c)], simd::Float(1e18f)), simd::store(&z[std::size_t(c)], simd::Float(1e18f));
    }
};

/// One thread's way to the lists around one bucket after the other.
class NearestLists {
public:
    NearestLists(const Nearest& tree, const NearestPoints& points) : tree_(tree), points_(points) {}

    void start_bucket(const Nearest::Bucket& own) { own_ = &own, near_radius_ = -1; }

    /// All within `radius` of a box inside the bucket. False if they are too many.
    bool list(const NearestBox& box, float radius, NearestList& list) {
        if (radius > near_radius_) find_near_buckets(radius * 1.2f);
        const Pack pack(box, radius);
        int groups = 0;
        for (std::size_t b = 0; b < near_lower_[0].size(); b += simd::width) {
            simd::Float low[3], high[3];
            for (int a = 0; a < 3; ++a) low[a] = simd::load(&near_lower_[a][b]), high[a] = simd::load(&near_upper_[a][b]);
            for (unsigned hit = pack.near(low, high); hit; hit &= hit - 1)
                groups = add_groups(tree_.buckets_[std::size_t(near_[b + std::size_t(__builtin_ctz(hit))])], pack, groups);
        }
        int count = 0;
        for (int g = 0; g < groups && count <= NearestList::size; ++g) count = list_group(pack, near_groups_[std::size_t(g)], list, count);
        list.end_at(count);
        return count <= NearestList::size;
    }

    /// Those of a list that are within `radius` of a box.
    PHLO_INLINE static void filter(const NearestList& from, const NearestBox& box, float radius, NearestList& list) {
        const Pack pack(box, radius);
        int count = 0;
        for (int c = 0, end = from.count; c < end; c += simd::width) {
            const std::size_t at = std::size_t(c);
            const simd::Float p[3] = {simd::load(&from.x[at]), simd::load(&from.y[at]), simd::load(&from.z[at])};
            count = list.add(count, pack.near(p), p, simd::load(&from.index[at]));
        }
        list.end_at(count);
    }

private:
    /// Which of the boxes, or points, of a register are within a radius of a box.
    struct Pack {
        simd::Float lower[3], upper[3], limit;
        Pack(const NearestBox& box, float radius) : limit(radius * radius * nearest_wider + std::numeric_limits<float>::min()) {
            for (int a = 0; a < 3; ++a) lower[a] = simd::Float(box.lower[a]), upper[a] = simd::Float(box.upper[a]);
        }
        PHLO_INLINE unsigned near(const simd::Float (&low)[3], const simd::Float (&high)[3]) const {
            const simd::Float zero(0.0f);
            const simd::Float dx = max(max(low[0] - upper[0], lower[0] - high[0]), zero), dy = max(max(low[1] - upper[1], lower[1] - high[1]), zero);
            const simd::Float dz = max(max(low[2] - upper[2], lower[2] - high[2]), zero);
            return bits(fma(dx, dx, fma(dy, dy, dz * dz)) <= limit);
        }
        PHLO_INLINE unsigned near(const simd::Float (&p)[3]) const {
            const simd::Float dx = p[0] - min(max(p[0], lower[0]), upper[0]), dy = p[1] - min(max(p[1], lower[1]), upper[1]);
            const simd::Float dz = p[2] - min(max(p[2], lower[2]), upper[2]);
            return bits(fma(dx, dx, fma(dy, dy, dz * dz)) <= limit);
        }
    };

    /// Those whose boxes are within `radius` of the bucket's own.
    void find_near_buckets(float radius) {
        near_radius_ = radius;
        NearestBox box;
        for (int a = 0; a < 3; ++a) box.lower[a] = own_->lower[a], box.upper[a] = own_->upper[a];
        const Pack pack(box, radius);
        near_.assign(1, 0);
        for (const Nearest::Level& boxes : tree_.levels_) {
            next_.clear();
            for (const int node : near_) {
                const std::size_t at = std::size_t(node) * simd::width;
                simd::Float low[3], high[3];
                for (int a = 0; a < 3; ++a) low[a] = simd::load(&boxes.lower[a][at]), high[a] = simd::load(&boxes.upper[a][at]);
                for (unsigned hit = pack.near(low, high); hit; hit &= hit - 1) next_.push_back(int(at) + __builtin_ctz(hit));
            }
            near_.swap(next_);
        }
        const std::size_t padded = (near_.size() + simd::width - 1) / simd::width * simd::width;
        for (int a = 0; a < 3; ++a) {
            near_lower_[a].assign(padded, std::numeric_limits<float>::infinity()), near_upper_[a].assign(padded, std::numeric_limits<float>::infinity());
            for (std::size_t b = 0; b < near_.size(); ++b) {
                const Nearest::Bucket& bucket = tree_.buckets_[std::size_t(near_[b])];
                near_lower_[a][b] = bucket.lower[a], near_upper_[a][b] = bucket.upper[a];
            }
        }
    }

    /// Adds those groups of a bucket that are near to near_groups_. Returns how many it then holds.
    PHLO_INLINE int add_groups(const Nearest::Bucket& bucket, const Pack& pack, int count) {
        const std::size_t needed = std::size_t(count + bucket.groups + simd::width);
        if (near_groups_.size() < needed) near_groups_.resize(2 * needed);
        const int end = bucket.first_group + bucket.groups;
        for (int g = bucket.first_group; g < end; g += simd::width) {
            const std::size_t at = std::size_t(g);
            simd::Float low[3], high[3];
            for (int a = 0; a < 3; ++a) low[a] = simd::load(&tree_.groups_.lower[a][at]), high[a] = simd::load(&tree_.groups_.upper[a][at]);
            const simd::Packer packer(pack.near(low, high) & first_bits(end - g));
            simd::store(&near_groups_[std::size_t(count)], packer(simd::lane_index() + simd::Int(g)));
            count += packer.count();
        }
        return count;
    }
    static unsigned first_bits(int count) { return (1u << std::min(count, simd::width)) - 1; }

    /// Adds the particles of a group that are near, most often one register of them, to the `count` that the list has. Returns how many it then has.
    PHLO_INLINE int list_group(const Pack& pack, int group, NearestList& list, int count) const {
        const int* starts = tree_.group_starts_.data() + group;
        const float *x = points_.x.data(), *y = points_.y.data(), *z = points_.z.data();
        int i = starts[0];
        const int end = starts[1];
        do {
            const int lanes = end - i;
            const simd::Float p[3] = {simd::load_first(x + i, lanes), simd::load_first(y + i, lanes), simd::load_first(z + i, lanes)};
            count = list.add(count, pack.near(p) & first_bits(lanes), p, simd::lane_index() + simd::Int(i));
            i += simd::width;
        } while (i < end && count <= NearestList::size);
        return count;
    }

    const Nearest& tree_;
    const NearestPoints& points_;
    const Nearest::Bucket* own_ = nullptr;
    float near_radius_ = -1;                             ///< from the own bucket to those in near_
    std::vector<int> near_, next_;
    std::vector<float> near_lower_[3], near_upper_[3];   ///< their boxes, padded to whole registers with some that are infinitely far
    std::vector<int> near_groups_;                       ///< of the box asked for last
};

}  // namespace phlo::particles
