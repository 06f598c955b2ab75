// The searches of a Nearest: a list of candidates for the particles of a cell, and a search for a single query where the list cannot answer.
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

constexpr int list_size = 1024;          ///< most candidates of a cell; with more its particles search alone
constexpr float wider = 1.00001f;        ///< of squared distances: more than the rounding of single precision
constexpr int turns = 12;                ///< most thresholds that are tried

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

    /// All particles of a bucket, cell by cell. Returns how many of them searched alone.
    int answer_bucket(int bucket, std::span<float> reach, std::span<NearestSums> sums) {
        const Nearest::Bucket& own = tree_.buckets_[std::size_t(bucket)];
        const int cells = own.cells[0] * own.cells[1] * own.cells[2];
        near_radius_ = -1;
        int alone = 0;
        for (int cell = own.first_cell; cell < own.first_cell + cells; ++cell) {
            const int first = tree_.starts_[std::size_t(cell)], last = tree_.starts_[std::size_t(cell) + 1];
            if (first < last) alone += answer_cell(own, first, last, reach, sums);
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
            for (int j = tree_.bucket_starts_[std::size_t(node)]; j < tree_.bucket_starts_[std::size_t(node) + 1]; ++j) {
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
    int answer_cell(const Nearest::Bucket& own, int first, int last, std::span<float> reach, std::span<NearestSums> sums) {
        Box box;
        float most = 0, sum = 0, known = 0;
        for (int a = 0; a < 3; ++a) box.lower[a] = std::numeric_limits<float>::infinity(), box.upper[a] = -box.lower[a];
        for (int i = first; i < last; ++i) {
            const std::size_t at = std::size_t(i);
            const float p[3] = {points_.x[at], points_.y[at], points_.z[at]};
            for (int a = 0; a < 3; ++a) box.lower[a] = std::min(box.lower[a], p[a]), box.upper[a] = std::max(box.upper[a], p[a]);
            most = std::max(most, reach[at]), sum += reach[at], known += reach[at] > 0 ? 1.0f : 0.0f;
        }
        if (known == 0) most = sum = usual_radius(own), known = 1;
        const float radius = std::min(most, 1.6f * sum / known) * 1.04f;   // one who is far from all others does not make the list long for them
        if (radius > near_radius_) find_near_buckets(own, radius * 1.2f);
        const bool listed = list_candidates(box, radius);
        failed_.clear();
        for (int i = first; i < last; ++i) {
            const std::size_t at = std::size_t(i);
            const float threshold = listed ? choose(i, box, radius, reach[at] > 0 ? reach[at] * reach[at] : radius * radius) : -1;
            if (threshold < 0) failed_.push_back(i);
            else reach[at] = std::sqrt(threshold), add_up(i, sums[at]);
        }
        int alone = 0;
        for (const int i : failed_) alone += answer_one(own, i, listed ? radius * 1.3f : 0, reach[std::size_t(i)], sums[std::size_t(i)]);
        return alone;
    }

    /// Where nobody knows better: the ball that holds n if a bucket's particles fill its box evenly, seven to a cell.
    float usual_radius(const Nearest::Bucket& own) const {
        float side = 0;
        for (int a = 0; a < 3; ++a) side = std::max(side, own.cells[a] > 1 ? 1 / own.per_length[a] : 0.0f);
        if (side == 0)
            for (int a = 0; a < 3; ++a) side = std::max(side, own.upper[a] - own.lower[a]);
        return side * 0.38f * std::cbrt(float(n_));
    }

    /// One whose cell's list did not prove its answer: by a wider list of its own, else by the search alone. Returns 1 if it came to that.
    int answer_one(const Nearest::Bucket& own, int i, float radius, float& reach, NearestSums& sums) {
        const std::size_t at = std::size_t(i);
        const Box place{{points_.x[at], points_.y[at], points_.z[at]}, {points_.x[at], points_.y[at], points_.z[at]}};
        float threshold = -1;
        for (int turn = 0; turn < 2 && threshold < 0 && radius > 0; ++turn, radius *= 1.7f) {
            if (radius > near_radius_) find_near_buckets(own, radius * 1.2f);
            if (!list_candidates(place, radius)) break;
            threshold = choose(i, place, radius, radius * radius);
        }
        const bool alone = threshold < 0;
        if (alone) threshold = search_alone(i, chosen_.data());
        reach = std::sqrt(threshold);
        add_up(i, sums);
        return alone;
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

    /// Those whose boxes are within `radius` of the bucket's own.
    void find_near_buckets(const Nearest::Bucket& own, float radius) {
        near_radius_ = radius;
        Box box;
        for (int a = 0; a < 3; ++a) box.lower[a] = own.lower[a], box.upper[a] = own.upper[a];
        const BoxPack pack(box);
        const Float limit(radius * radius * wider + std::numeric_limits<float>::min());
        near_.assign(1, 0);
        for (std::size_t l = 0; l < tree_.levels_.size(); ++l) {
            const Nearest::Level& boxes = tree_.levels_[l];
            next_.clear();
            for (const int node : near_) {
                const std::size_t at = std::size_t(node) * simd::width;
                Float low[3], high[3];
                for (int a = 0; a < 3; ++a) low[a] = simd::load(&boxes.lower[a][at]), high[a] = simd::load(&boxes.upper[a][at]);
                for (unsigned hit = bits(pack.distance(low, high) <= limit); hit; hit &= hit - 1) next_.push_back(int(at) + __builtin_ctz(hit));
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

    /// All particles within `radius` of the box, in their order. False if they are too many.
    bool list_candidates(const Box& box, float radius) {
        const BoxPack pack(box);
        const Float limit(radius * radius * wider + std::numeric_limits<float>::min());
        listed_ = 0;
        for (std::size_t b = 0; b < near_lower_[0].size(); b += simd::width) {
            Float low[3], high[3];
            for (int a = 0; a < 3; ++a) low[a] = simd::load(&near_lower_[a][b]), high[a] = simd::load(&near_upper_[a][b]);
            for (unsigned hit = bits(pack.distance(low, high) <= limit); hit; hit &= hit - 1)
                if (!list_bucket(tree_.buckets_[std::size_t(near_[b + std::size_t(__builtin_ctz(hit))])], box, radius, pack, limit)) return false;
        }
        for (int c = listed_; c < listed_ + simd::width; ++c) x_[std::size_t(c)] = y_[std::size_t(c)] = z_[std::size_t(c)] = 1e18f;
        return true;
    }

    bool list_bucket(const Nearest::Bucket& bucket, const Box& box, float radius, const BoxPack& pack, Float limit) {
        int from[3], to[3];
        for (int a = 0; a < 3; ++a) {
            // A thousandth of a cell more on either side: far more than what is rounded.
            const float low = (box.lower[a] - radius - bucket.lower[a]) * bucket.per_length[a] - 1e-3f;
            const float high = (box.upper[a] + radius - bucket.lower[a]) * bucket.per_length[a] + 1e-3f;
            from[a] = int(std::max(low, 0.0f)), to[a] = int(std::min(high, float(bucket.cells[a] - 1)));
        }
        for (int k = from[2]; k <= to[2]; ++k)
            for (int j = from[1]; j <= to[1]; ++j) {
                const int* row = &tree_.starts_[std::size_t(bucket.first_cell + (k * bucket.cells[1] + j) * bucket.cells[0])];
                if (!list_run(pack, limit, row[from[0]], row[to[0] + 1])) return false;
            }
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
        float threshold = std::min(guess, proven), low = 0, high = -1;
        simd::TrueCount first;
        const Float first_limit(threshold);
        for (int c = 0; c < listed_; c += simd::width) {
            const std::size_t v = std::size_t(c);
            const Float dx = simd::load(&x_[v]) - x, dy = simd::load(&y_[v]) - y, dz = simd::load(&z_[v]) - z;
            const Float d = fma(dx, dx, fma(dy, dy, dz * dz));
            simd::store(&distance_[v], d);
            first.add(d < first_limit);
        }
        int below = 0, above = 0;
        for (int turn = 0; turn < turns; ++turn) {
            const int found = turn == 0 ? first.total() : count_below(threshold);
            if (found == n_) return take_below(threshold), threshold;
            if (found < n_) {
                if (threshold >= proven) return -1;
                low = threshold, below = found;
            } else {
                high = threshold, above = found;
            }
            // One or two too many: the farthest of them is the next threshold. Else by the volume, or by a secant.
            if (found > n_ && found <= n_ + 2) threshold = farthest_below(high);
            else if (high < 0) threshold = std::min(proven, threshold * (found < int(scale_.size()) ? scale_[std::size_t(found)] : 1.0f) * 1.02f);
            else threshold = low + (high - low) * ((float(n_) + 0.5f - float(below)) / float(above - below));
            if (high >= 0 && !(threshold > low && threshold < high)) break;
        }
        return high >= 0 ? take_best(i, high) : -1;
    }

    PHLO_INLINE float farthest_below(float threshold) const {
        const Float limit(threshold), zero(0.0f);
        Float farthest = zero;
        for (int c = 0; c < listed_; c += simd::width) {
            const Float d = simd::load(&distance_[std::size_t(c)]);
            farthest = max(farthest, select(d < limit, d, zero));
        }
        return hmax(farthest);
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
        tied_.clear();
        for (int c = 0; c < listed_; ++c) {
            const std::size_t at = std::size_t(c);
            if (distance_[at] < threshold) tied_.emplace_back(index_[at] == i ? -1.0f : distance_[at], points_.id[std::size_t(index_[at])], index_[at]);
        }
        std::nth_element(tied_.begin(), tied_.begin() + (n_ - 1), tied_.end());
        for (int c = 0; c < n_; ++c) chosen_[std::size_t(c)] = std::get<2>(tied_[std::size_t(c)]);
        std::sort(chosen_.begin(), chosen_.begin() + n_);
        return std::max(0.0f, std::get<0>(tied_[std::size_t(n_ - 1)])) * wider;
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
    std::vector<int> near_, next_;                       ///< buckets near the one whose cells are asked
    std::vector<float> near_lower_[3], near_upper_[3];   ///< their boxes, padded to whole registers with some that are infinitely far
    float near_radius_ = -1;
    std::vector<int> failed_;
    int listed_ = 0;
    alignas(64) std::array<float, list_size + 4 * simd::width> x_, y_, z_, distance_;
    alignas(64) std::array<int, list_size + 4 * simd::width> index_;
    std::array<int, Nearest::max_count + 2 * simd::width> chosen_;
    std::vector<std::tuple<float, std::uint32_t, int>> tied_;
};

void Nearest::sum(const NearestPoints& points, int n, std::span<const NearestRecord> records, std::span<float> reach, std::span<NearestSums> sums) {
    PHLO_CHECK(n >= 1 && n <= max_count && int(points.x.size()) == count_ && int(records.size()) == count_);
    PHLO_CHECK(int(reach.size()) == count_ && int(sums.size()) == count_);
    alone_share_ = 0;
    if (count_ == 0) return;
    make_boxes(points);
    constexpr int task = 4;   // buckets
    const double alone = parallel_sum((bucket_count() + task - 1) / task, [&](int t) {
        NearestQueries queries(*this, points, n, records);
        int count = 0;
        for (int b = t * task; b < std::min(bucket_count(), (t + 1) * task); ++b) count += queries.answer_bucket(b, reach, sums);
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
