// The order inside a bucket of a Nearest.
#pragma once
#include <algorithm>
#include <bit>
#include <limits>
#include <utility>
#include <vector>

#include "base/simd.h"
#include "particles/nearest.h"

namespace phlo::particles {

/// Puts the particles of a bucket in the order in which its box is halved, and parts them into groups and blocks.
class NearestSorter {
public:
    NearestSorter(Nearest& tree, int b)
        : tree_(tree), bucket_(tree.buckets_[std::size_t(b)]), first_(tree.bucket_starts_[std::size_t(b)]), last_(tree.bucket_starts_[std::size_t(b) + 1]) {
        bucket_ = {.first_group = first_ + b};
    }

    void sort() {
        find_box();
        choose_halvings();
        place();
        if (first_ < last_) split(0, 0, false);
        tree_.group_starts_[std::size_t(bucket_.first_group + bucket_.groups)] = last_;
        tree_.block_starts_[std::size_t(bucket_.first_group + bucket_.blocks)] = bucket_.first_group + bucket_.groups;
    }

private:
    static constexpr int group_size = std::max(12, simd::width), block_size = 64;   ///< most particles of a group, a register if it may be, and of a block
    static constexpr int max_halvings = 16;                 ///< of the box

    void find_box() {
        for (int a = 0; a < 3; ++a) bucket_.lower[a] = std::numeric_limits<float>::infinity(), bucket_.upper[a] = -bucket_.lower[a];
        for (int i = first_; i < last_; ++i)
            for (int a = 0; a < 3; ++a)
                bucket_.lower[a] = std::min(bucket_.lower[a], tree_.items_[std::size_t(i)].at[a]), bucket_.upper[a] = std::max(bucket_.upper[a], tree_.items_[std::size_t(i)].at[a]);
    }

    /// Each time across the longest side, until there are about two places for each particle.
    void choose_halvings() {
        float side[3];
        int along[3] = {0, 0, 0}, axis[max_halvings];
        for (int a = 0; a < 3; ++a) side[a] = bucket_.upper[a] - bucket_.lower[a];
        const int wanted = std::min(max_halvings, int(std::bit_width(unsigned(std::max(0, last_ - first_)))));
        for (halvings_ = 0; halvings_ < wanted; ++halvings_) {
            const int longest = int(std::max_element(side, side + 3) - side);
            if (!(side[longest] > 0)) break;
            side[longest] *= 0.5f, ++along[longest], axis[halvings_] = longest;
        }
        // The bits of a place along each axis, spread to where the halvings across it are.
        for (int a = 0; a < 3; ++a) {
            const int places = 1 << along[a];
            spread_[a].assign(std::size_t(places), 0);
            per_length_[a] = along[a] > 0 ? float(places) / (bucket_.upper[a] - bucket_.lower[a]) : 0;
            for (int h = halvings_ - 1, bit = 0; h >= 0; --h) {
                if (axis[h] != a) continue;
                for (int p = 0; p < places; ++p) spread_[a][std::size_t(p)] |= unsigned(p >> bit & 1) << (halvings_ - 1 - h);
                ++bit;
            }
        }
    }

    void place() {
        const std::size_t count = std::size_t(last_ - first_);
        starts_.assign((std::size_t(1) << halvings_) + 1, 0);
        key_.resize(count), sorted_.resize(count);
        const Nearest::Item* items = tree_.items_.data() + first_;
        for (std::size_t i = 0; i < count; ++i) {
            unsigned key = 0;
            for (int a = 0; a < 3; ++a) {
                const int at = std::min(int((items[i].at[a] - bucket_.lower[a]) * per_length_[a]), int(spread_[a].size()) - 1);
                key |= spread_[a][std::size_t(at)];
            }
            key_[i] = key;
            ++starts_[key];
        }
        int total = 0;
        for (int& start : starts_) total += std::exchange(start, total);
        for (std::size_t i = 0; i < count; ++i) sorted_[std::size_t(starts_[key_[i]]++)] = items[i];
        for (std::size_t k = starts_.size() - 1; k > 0; --k) starts_[k] = starts_[k - 1];
        starts_[0] = 0;
        for (std::size_t i = 0; i < count; ++i) tree_.order_[std::size_t(first_) + i] = sorted_[i].index;
    }

    /// Box `number` of those that so many halvings made.
    void split(int halvings, unsigned number, bool in_block) {
        const int left = halvings_ - halvings, from = starts_[std::size_t(number) << left], to = starts_[(std::size_t(number) + 1) << left];
        if (from == to) return;
        if (!in_block && (to - from <= block_size || left == 0)) {
            tree_.block_starts_[std::size_t(bucket_.first_group + bucket_.blocks++)] = bucket_.first_group + bucket_.groups;
            in_block = true;
        }
        if (to - from <= group_size || left == 0) {
            add_group(from, to);
        } else {
            split(halvings + 1, 2 * number, in_block);
            split(halvings + 1, 2 * number + 1, in_block);
        }
    }

    void add_group(int from, int to) {
        const std::size_t at = std::size_t(bucket_.first_group + bucket_.groups++);
        tree_.group_starts_[at] = first_ + from;
        for (int a = 0; a < 3; ++a) {
            float lower = std::numeric_limits<float>::infinity(), upper = -lower;
            for (int i = from; i < to; ++i) lower = std::min(lower, sorted_[std::size_t(i)].at[a]), upper = std::max(upper, sorted_[std::size_t(i)].at[a]);
            tree_.groups_.lower[a][at] = lower, tree_.groups_.upper[a][at] = upper;
        }
    }

    Nearest& tree_;
    Nearest::Bucket& bucket_;
    int first_, last_;                           ///< particles
    int halvings_ = 0;
    float per_length_[3] = {};
    std::vector<unsigned> spread_[3], key_;
    std::vector<int> starts_;                    ///< of the particles of each of the smallest boxes, from first_ on
    std::vector<Nearest::Item> sorted_;
};

}  // namespace phlo::particles
