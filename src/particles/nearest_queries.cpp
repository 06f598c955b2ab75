// The searches in a Nearest's tree: a list of candidates for the particles of a leaf, and a search for a single query where the list cannot answer.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <queue>
#include <tuple>

#include "base/error.h"
#include "base/parallel.h"
#include "base/simd_select.h"
#include "particles/nearest.h"

namespace phlo::particles {

using simd::Float;
using simd::Int;
using simd::Mask;

namespace {

constexpr int list_size = 1024;          ///< most candidates of a leaf; with more its particles search alone
constexpr float wider = 1.00001f;        ///< of squared distances: more than the rounding of single precision
constexpr int secants = 6;

struct Box {
    float lower[3], upper[3];
};

float point_distance(const NearestPoints& p, std::size_t a, std::size_t b) {
    const float dx = p.x[b] - p.x[a], dy = p.y[b] - p.y[a], dz = p.z[b] - p.z[a];
    return std::fma(dx, dx, std::fma(dy, dy, dz * dz));
}

}  // namespace

/// One thread's tools: lists that are used again and again.
class NearestQueries {
public:
    NearestQueries(const Nearest& tree, const NearestPoints& points, int n, std::span<const NearestRecord> records)
        : tree_(tree), points_(points), n_(std::min(n, tree.count_)), records_(records) {
        for (std::size_t found = 1; found < scale_.size(); ++found) scale_[found] = std::pow((float(n_) + 0.5f) / float(found), 2.0f / 3);
        scale_[0] = 4;
    }

    /// All particles of a leaf. Returns how many of them searched alone.
    int answer_leaf(int leaf, std::span<float> reach, std::span<NearestSums> sums) {
        const int first = tree_.starts_[std::size_t(leaf)], last = tree_.starts_[std::size_t(leaf) + 1];
        if (first == last) return 0;
        float radius = 0;
        bool known = true;
        for (int i = first; i < last; ++i) radius = std::max(radius, reach[std::size_t(i)]), known = known && reach[std::size_t(i)] > 0;
        if (!known) radius = std::max(radius, std::sqrt(search_alone(first, chosen_.data())) * 1.1f);
        radius *= 1.05f;
        const Box box = leaf_box(leaf);
        const bool listed = list_candidates(box, radius);
        int alone = 0;
        for (int i = first; i < last; ++i) {
            const std::size_t at = std::size_t(i);
            float threshold = listed ? choose(i, box, radius, reach[at] > 0 ? reach[at] * reach[at] : radius * radius) : -1;
            if (threshold < 0) threshold = search_alone(i, chosen_.data()), ++alone;
            reach[at] = std::sqrt(threshold);
            add_up(i, sums[at]);
        }
        return alone;
    }

    /// Fills `chosen` with the indices of the n nearest of point i in rising order; returns the squared distance of the farthest of them.
    float search_alone(int i, int* chosen) {
        using Node = std::tuple<float, std::uint32_t, int, int>;      // squared distance, smallest id, level, number
        using Point = std::tuple<float, std::uint32_t, int>;          // squared distance, id, index
        std::priority_queue<Node, std::vector<Node>, std::greater<>> open;
        std::priority_queue<Point> best;
        const auto add_children = [&](int level, int node) {
            const Nearest::Level& boxes = tree_.levels_[std::size_t(level)];
            const int total = 1 << tree_.level_bits_[std::size_t(level)], fan = std::min(simd::width, total);
            for (int k = node * fan; k < (node + 1) * fan; ++k) {
                const std::size_t at = std::size_t(k);
                float d[3];
                const float p[3] = {points_.x[std::size_t(i)], points_.y[std::size_t(i)], points_.z[std::size_t(i)]};
                for (int a = 0; a < 3; ++a) d[a] = std::max({boxes.lower[a][at] - p[a], p[a] - boxes.upper[a][at], 0.0f});
                const float distance = std::fma(d[0], d[0], std::fma(d[1], d[1], d[2] * d[2]));
                if (distance < std::numeric_limits<float>::infinity()) open.emplace(distance, boxes.first_id[at], level, k);
            }
        };
        best.emplace(-1.0f, points_.id[std::size_t(i)], i);   // itself, whoever else is in its place
        add_children(0, 0);
        while (!open.empty()) {
            const auto [distance, first_id, level, node] = open.top();
            if (int(best.size()) == n_ && std::tuple(distance, first_id) > std::tuple(std::get<0>(best.top()), std::get<1>(best.top()))) break;
            open.pop();
            if (level + 1 < int(tree_.levels_.size())) {
                add_children(level + 1, node);
                continue;
            }
            for (int j = tree_.starts_[std::size_t(node)]; j < tree_.starts_[std::size_t(node) + 1]; ++j) {
                if (j == i) continue;
                const Point point{point_distance(points_, std::size_t(i), std::size_t(j)), points_.id[std::size_t(j)], j};
                if (int(best.size()) < n_) best.push(point);
                else if (point < best.top()) best.pop(), best.push(point);
            }
        }
        const float farthest = std::max(0.0f, std::get<0>(best.top()));
        for (int c = 0; !best.empty(); best.pop()) chosen[c++] = std::get<2>(best.top());
        std::sort(chosen, chosen + n_);
        return farthest;
    }

    const std::array<int, Nearest::max_count + 2 * simd::width>& chosen() const { return chosen_; }

private:
    Box leaf_box(int leaf) const {
        const Nearest::Level& boxes = tree_.levels_.back();
        Box box;
        for (int a = 0; a < 3; ++a) box.lower[a] = boxes.lower[a][std::size_t(leaf)], box.upper[a] = boxes.upper[a][std::size_t(leaf)];
        return box;
    }

    /// Squared distance between the box and the boxes, or points, of a register.
    struct BoxPack {
        Float lower[3], upper[3];
        explicit BoxPack(const Box& box) {
            for (int a = 0; a < 3; ++a) lower[a] = Float(box.lower[a]), upper[a] = Float(box.upper[a]);
        }
        PHLO_INLINE Float distance(const Float (&low)[3], const Float (&high)[3]) const {
            const Float zero(0.0f);
            const Float dx = max(max(low[0] - upper[0], lower[0] - high[0]), zero), dy = max(max(low[1] - upper[1], lower[1] - high[1]), zero);
            const Float dz = max(max(low[2] - upper[2], lower[2] - high[2]), zero);
            return fma(dx, dx, fma(dy, dy, dz * dz));
        }
    };

    /// All particles within `radius` of the box, in their order. False if they are too many.
    bool list_candidates(const Box& box, float radius) {
        const BoxPack pack(box);
        const Float limit(radius * radius * wider + std::numeric_limits<float>::min());
        nodes_.assign(1, 0);
        for (std::size_t l = 0; l < tree_.levels_.size(); ++l) {
            const Nearest::Level& boxes = tree_.levels_[l];
            next_.clear();
            for (const int node : nodes_) {
                const std::size_t at = std::size_t(node) * simd::width;
                Float low[3], high[3];
                for (int a = 0; a < 3; ++a) low[a] = simd::load(&boxes.lower[a][at]), high[a] = simd::load(&boxes.upper[a][at]);
                for (unsigned hit = bits(pack.distance(low, high) <= limit); hit; hit &= hit - 1) next_.push_back(int(at) + __builtin_ctz(hit));
            }
            nodes_.swap(next_);
        }
        listed_ = 0;
        for (std::size_t k = 0; k < nodes_.size();) {
            const int first = tree_.starts_[std::size_t(nodes_[k])];
            std::size_t end = k + 1;
            while (end < nodes_.size() && nodes_[end] == nodes_[end - 1] + 1) ++end;   // leaves side by side are one run of particles
            if (!list_run(pack, limit, first, tree_.starts_[std::size_t(nodes_[end - 1]) + 1])) return false;
            k = end;
        }
        for (int c = listed_; c < listed_ + simd::width; ++c) x_[std::size_t(c)] = y_[std::size_t(c)] = z_[std::size_t(c)] = 1e18f;
        return true;
    }

    bool list_run(const BoxPack& pack, Float limit, int first, int last) {
        for (int i = first; i < last; i += simd::width) {
            if (listed_ > list_size) return false;
            const int lanes = std::min(simd::width, last - i);
            const std::size_t at = std::size_t(i);
            Float p[3];
            if (at + simd::width <= points_.x.size()) {
                p[0] = simd::load(&points_.x[at]), p[1] = simd::load(&points_.y[at]), p[2] = simd::load(&points_.z[at]);
            } else {
                alignas(64) float tail[3][simd::width] = {};
                for (int l = 0; l < lanes; ++l)
                    tail[0][l] = points_.x[at + std::size_t(l)], tail[1][l] = points_.y[at + std::size_t(l)], tail[2][l] = points_.z[at + std::size_t(l)];
                for (int a = 0; a < 3; ++a) p[a] = simd::load(tail[a]);
            }
            const simd::Packer packer(bits((pack.distance(p, p) <= limit) & simd::first_lanes(lanes)));
            const std::size_t to = std::size_t(listed_);
            simd::store(&x_[to], packer(p[0])), simd::store(&y_[to], packer(p[1])), simd::store(&z_[to], packer(p[2]));
            simd::store(&index_[to], packer(simd::lane_index() + Int(i)));
            listed_ += packer.count();
        }
        return listed_ <= list_size;
    }

    /// The n nearest of the list into chosen_. Returns a squared distance that holds them and no others, or -1 if the list cannot prove it.
    float choose(int i, const Box& box, float radius, float guess) {
        if (listed_ < n_) return -1;
        const std::size_t at = std::size_t(i);
        const float p[3] = {points_.x[at], points_.y[at], points_.z[at]};
        float border = std::numeric_limits<float>::infinity();
        for (int a = 0; a < 3; ++a) border = std::min({border, p[a] - box.lower[a], box.upper[a] - p[a]});
        const float proven = (radius + border) * (radius + border) * (2 - wider);   // nothing outside the list is nearer
        const Float x(p[0]), y(p[1]), z(p[2]);
        for (int c = 0; c < listed_; c += simd::width) {
            const std::size_t v = std::size_t(c);
            const Float dx = simd::load(&x_[v]) - x, dy = simd::load(&y_[v]) - y, dz = simd::load(&z_[v]) - z;
            simd::store(&distance_[v], fma(dx, dx, fma(dy, dy, dz * dz)));
        }
        float threshold = std::min(guess, proven), low = 0, high = -1;
        int below = 0, above = 0;
        for (int turn = 0; turn < secants; ++turn) {
            const int found = count_below(threshold);
            if (found == n_) return take_below(threshold), threshold;
            if (found < n_) {
                if (threshold >= proven) return -1;
                low = threshold, below = found;
            } else {
                high = threshold, above = found;
            }
            if (high < 0) threshold = std::min(proven, threshold * (found < int(scale_.size()) ? scale_[std::size_t(found)] : 1.0f) * 1.02f);
            else threshold = low + (high - low) * ((float(n_) + 0.5f - float(below)) / float(above - below));
            if (high >= 0 && !(threshold > low && threshold < high)) break;
        }
        return high >= 0 ? take_best(i, high) : -1;
    }

    PHLO_INLINE int count_below(float threshold) const {
        simd::TrueCount count;
        const Float limit(threshold);
        for (int c = 0; c < listed_; c += simd::width) count.add(simd::load(&distance_[std::size_t(c)]) < limit);
        return count.total();
    }

    PHLO_INLINE int take_below(float threshold) {
        const Float limit(threshold);
        int taken = 0;
        for (int c = 0; c < listed_; c += simd::width) {
            const simd::Packer packer(bits(simd::load(&distance_[std::size_t(c)]) < limit));
            simd::store(&chosen_[std::size_t(taken)], packer(simd::load(&index_[std::size_t(c)])));
            taken += packer.count();
        }
        return taken;
    }

    /// More than n lie below the threshold, and no secant parted them: at or near one distance. By (distance, id), the particle itself first.
    float take_best(int i, float threshold) {
        near_.clear();
        for (int c = 0; c < listed_; ++c) {
            const std::size_t at = std::size_t(c);
            if (distance_[at] < threshold) near_.emplace_back(index_[at] == i ? -1.0f : distance_[at], points_.id[std::size_t(index_[at])], index_[at]);
        }
        std::nth_element(near_.begin(), near_.begin() + (n_ - 1), near_.end());
        for (int c = 0; c < n_; ++c) chosen_[std::size_t(c)] = std::get<2>(near_[std::size_t(c)]);
        std::sort(chosen_.begin(), chosen_.begin() + n_);
        return std::max(0.0f, std::get<0>(near_[std::size_t(n_ - 1)])) * wider;
    }

    PHLO_INLINE void add_up(int i, NearestSums& sums) const {
        const float* own = records_[std::size_t(i)].value;
        const simd::TwoRows own_twice(own, own);
        simd::TwoRows difference, square;
        for (int c = 0; c < n_; c += 2) {
            simd::TwoRows row(records_[std::size_t(chosen_[std::size_t(c)])].value, c + 1 < n_ ? records_[std::size_t(chosen_[std::size_t(c) + 1])].value : own);
            row.subtract(own_twice);
            difference.add(row);
            square.add_square(row);
        }
        difference.store_sum(sums.difference.value);
        alignas(32) float squares[8];
        square.store_sum(squares);
        sums.squares = squares[0] + squares[1] + squares[2];
    }

    const Nearest& tree_;
    const NearestPoints& points_;
    int n_;
    std::span<const NearestRecord> records_;
    std::array<float, 256> scale_;                       ///< of the threshold, by the number found below it: as if they filled space evenly
    std::vector<int> nodes_, next_;
    int listed_ = 0;
    alignas(64) std::array<float, list_size + 4 * simd::width> x_, y_, z_, distance_;
    alignas(64) std::array<int, list_size + 4 * simd::width> index_;
    std::array<int, Nearest::max_count + 2 * simd::width> chosen_;
    std::vector<std::tuple<float, std::uint32_t, int>> near_;
};

void Nearest::sum(const NearestPoints& points, int n, std::span<const NearestRecord> records, std::span<float> reach, std::span<NearestSums> sums) {
    PHLO_CHECK(n >= 1 && n <= max_count && int(points.x.size()) == count_ && int(records.size()) == count_);
    PHLO_CHECK(int(reach.size()) == count_ && int(sums.size()) == count_);
    alone_share_ = 0;
    if (count_ == 0) return;
    make_boxes(points);
    const int leaf_count = int(starts_.size()) - 1;
    constexpr int chunk = 64;   // leaves of a task
    const double alone = parallel_sum((leaf_count + chunk - 1) / chunk, [&](int c) {
        NearestQueries queries(*this, points, n, records);
        int count = 0;
        for (int leaf = c * chunk; leaf < std::min(leaf_count, (c + 1) * chunk); ++leaf) count += queries.answer_leaf(leaf, reach, sums);
        return double(count);
    });
    alone_share_ = alone / count_;
}

std::vector<int> Nearest::find(const NearestPoints& points, int n, int i) const {
    NearestQueries queries(*this, points, n, {});
    std::vector<int> chosen(std::size_t(std::min(n, count_)));
    queries.search_alone(i, chosen.data());
    return chosen;
}

}  // namespace phlo::particles
