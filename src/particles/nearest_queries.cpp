// The searches of a Nearest: a list of candidates for the particles of a cell, and a search for a single query where the list cannot answer.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <queue>
#include <tuple>
#include <utility>

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
constexpr int most_listed = 192;        ///< candidates of the lists whose loops are unrolled
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
        : tree_(tree), points_(points), n_(std::min(n, tree.count_)), records_(records) {}

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
        for (int i = first; i < last; i += simd::width) {
            const int count = std::min(simd::width, last - i);
            if (listed && listed_ >= n_) answer_batch(i, count, box, radius, reach, sums);
            else
                for (int q = 0; q < count; ++q) failed_.push_back(i + q);
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
            if (listed_ < n_) continue;
            ask(i, 1, place, radius, {});
            batch_first_ = i;
            measure<0>(1);
            threshold = settle(0);
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

    /// Row by row of its cells, each as far as it comes within the radius of the box.
    bool list_bucket(const Nearest::Bucket& bucket, const Box& box, float radius, const BoxPack& pack, Float limit) {
        int from[3], to[3];
        for (int a = 0; a < 3; ++a) from[a] = cell_at(bucket, a, box.lower[a] - radius, -1e-3f), to[a] = cell_at(bucket, a, box.upper[a] + radius, 1e-3f);
        // Between the box and a row of cells, a little less than it is.
        const float length[3] = {0, bucket.cells[1] > 1 ? 1 / bucket.per_length[1] : 0, bucket.cells[2] > 1 ? 1 / bucket.per_length[2] : 0};
        const auto gap_squared = [&](int a, int cell) {
            if (bucket.cells[a] == 1) return 0.0f;
            const float low = bucket.lower[a] + (float(cell) - 1e-3f) * length[a], high = bucket.lower[a] + (float(cell) + 1.001f) * length[a];
            const float gap = std::max({low - box.upper[a], box.lower[a] - high, 0.0f});
            return gap * gap;
        };
        float gap_of_row[Nearest::max_cells_along];
        for (int j = from[1]; j <= to[1]; ++j) gap_of_row[j] = gap_squared(1, j);
        const float radius_squared = radius * radius * wider;
        int listed = listed_;
        for (int k = from[2]; k <= to[2]; ++k) {
            const float left_of_z = radius_squared - gap_squared(2, k);
            for (int j = from[1]; j <= to[1]; ++j) {
                const float left = left_of_z - gap_of_row[j];
                if (left < 0) continue;
                const float along = std::sqrt(left);
                const int* row = &tree_.starts_[std::size_t(bucket.first_cell + (k * bucket.cells[1] + j) * bucket.cells[0])];
                listed = list_run(pack, limit, row[cell_at(bucket, 0, box.lower[0] - along, -1e-3f)], row[cell_at(bucket, 0, box.upper[0] + along, 1e-3f) + 1], listed);
                if (listed > list_size) return false;
            }
        }
        listed_ = listed;
        return true;
    }

    /// The cell in which a coordinate is, or the one at the end if it is beyond. `margin`: in cells; a thousandth is far more than what is rounded.
    static int cell_at(const Nearest::Bucket& bucket, int a, float coordinate, float margin) {
        const float at = (coordinate - bucket.lower[a]) * bucket.per_length[a] + margin;
        return int(std::clamp(at, 0.0f, float(bucket.cells[a] - 1)));
    }

    /// Returns how many are listed then; more than list_size: they are too many.
    PHLO_INLINE int list_run(const BoxPack& pack, Float limit, int first, int last, int listed) {
        for (int i = first; i < last && listed <= list_size; i += simd::width) {
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
            const std::size_t to = std::size_t(listed);
            simd::store(&x_[to], packer(p[0])), simd::store(&y_[to], packer(p[1])), simd::store(&z_[to], packer(p[2]));
            simd::store(&index_[to], packer(simd::lane_index() + Int(i)));
            listed += packer.count();
        }
        return listed;
    }

    /// Queries of one list side by side, a lane each: thresholds of the squared distance between which the answer is, and how many lie below each.
    struct alignas(64) Batch {
        float x[simd::width], y[simd::width], z[simd::width];
        float proven[simd::width];                     ///< nothing outside the list is nearer
        float threshold[simd::width], low[simd::width], high[simd::width], below[simd::width], above[simd::width];
        float found[simd::width];                      ///< below the threshold
        float bounded[simd::width];                    ///< 1: more than n do lie below `high`; 0: that is a guess
    };

    /// Starts a batch with `count` particles from i on. Without reaches nobody has a guess.
    void ask(int i, int count, const Box& box, float radius, std::span<const float> reach) {
        alignas(64) float guess[simd::width];
        for (int q = 0; q < simd::width; ++q) {        // lanes without a particle ask for the last one again
            const std::size_t lane = std::size_t(q), at = std::size_t(i + std::min(q, count - 1));
            batch_.x[lane] = points_.x[at], batch_.y[lane] = points_.y[at], batch_.z[lane] = points_.z[at];
            guess[lane] = reach.empty() ? 0.0f : reach[at];
        }
        const Float p[3] = {simd::load(batch_.x), simd::load(batch_.y), simd::load(batch_.z)}, known = simd::load(guess), zero(0.0f);
        Float border(std::numeric_limits<float>::infinity());
        for (int a = 0; a < 3; ++a) border = min(border, min(p[a] - Float(box.lower[a]), Float(box.upper[a]) - p[a]));
        const Float proven = (border + Float(radius)) * (border + Float(radius)) * Float(2 - wider);
        const Float threshold = select(known > zero, min(known * known, proven), proven * Float(0.8f));
        const Float ratio = proven / max(threshold, Float(std::numeric_limits<float>::min()));
        simd::store(batch_.proven, proven), simd::store(batch_.high, proven), simd::store(batch_.threshold, threshold);
        simd::store(batch_.above, fma(Float(float(n_) + 0.5f) * ratio, sqrt(ratio), Float(1.0f)));   // as if they filled space evenly
        simd::store(batch_.low, zero), simd::store(batch_.below, zero), simd::store(batch_.bounded, zero), simd::store(batch_.found, Float(float(n_)));
    }

    /// Takes what was found into the bounds, and the secants' thresholds between them unless it was n.
    PHLO_INLINE void narrow_all() {
        const Float n{float(n_)}, found = simd::load(batch_.found), threshold = simd::load(batch_.threshold);
        const Mask few = found < n;
        const Float low = select(few, threshold, simd::load(batch_.low)), below = select(few, found, simd::load(batch_.below));
        const Float high = select(few, simd::load(batch_.high), threshold);
        const Float above = select(few, max(simd::load(batch_.above), found + Float(1.0f)), found);
        const Float secant = fma(high - low, (Float(float(n_) + 0.5f) - below) / (above - below), low);
        simd::store(batch_.bounded, select(found > n, Float(1.0f), simd::load(batch_.bounded)));
        simd::store(batch_.low, low), simd::store(batch_.below, below), simd::store(batch_.high, high), simd::store(batch_.above, above);
        simd::store(batch_.threshold, select(found == n, threshold, min(secant, simd::load(batch_.proven))));
    }

    /// The same for one.
    void narrow(int q) {
        const float n = float(n_);
        float &low = batch_.low[q], &high = batch_.high[q], &below = batch_.below[q], &above = batch_.above[q];
        const float found = batch_.found[q], threshold = batch_.threshold[q];
        if (found > n) batch_.bounded[q] = 1;
        if (found < n) low = threshold, below = found, above = std::max(above, found + 1);
        else high = threshold, above = found;
        if (found != n) batch_.threshold[q] = std::min(low + (high - low) * ((n + 0.5f - below) / (above - below)), batch_.proven[q]);
    }

    /// Distances to the whole list, and three thresholds for each query: without branches, whose outcome nobody could foresee. The list has so many
    /// registers; 0: as many as it has.
    template <int registers>
    PHLO_INLINE void measure(int count) {
        const int size = registers > 0 ? registers : (listed_ + simd::width - 1) / simd::width;
        for (int q = 0; q < count; ++q) {
            const Float x0(batch_.x[q]), y0(batch_.y[q]), z0(batch_.z[q]), limit(batch_.threshold[q]);
            float* distance = distance_[std::size_t(q)].data();
            simd::TrueCount found;
#pragma GCC unroll 32
            for (int v = 0; v < size; ++v) {
                const std::size_t c = std::size_t(v) * simd::width;
                const Float dx = simd::load(&x_[c]) - x0, dy = simd::load(&y_[c]) - y0, dz = simd::load(&z_[c]) - z0;
                const Float d = fma(dx, dx, fma(dy, dy, dz * dz));
                simd::store(distance + c, d);
                found.add(d < limit);
            }
            batch_.found[q] = float(found.total());
        }
        for (int turn = 0; turn < 2; ++turn) {
            narrow_all();
            for (int q = 0; q < count; ++q) batch_.found[q] = float(count_below<registers>(distance_[std::size_t(q)].data(), batch_.threshold[q]));
        }
    }

    template <int registers>
    void answer_measured(int i, int count, std::span<float> reach, std::span<NearestSums> sums) {
        measure<registers>(count);
        for (int q = 0; q < count; ++q) {
            const std::size_t at = std::size_t(i + q);
            float threshold = batch_.threshold[q];
            if (batch_.found[q] == float(n_)) take_below<registers>(distance_[std::size_t(q)].data(), threshold);
            else threshold = settle(q);
            if (threshold < 0) failed_.push_back(i + q);
            else reach[at] = std::sqrt(threshold), add_up(i + q, sums[at]);
        }
    }

    /// Loops over a list of a length known to the compiler have no ends to mispredict.
    template <int... registers>
    void answer_by_length(std::integer_sequence<int, registers...>, int i, int count, std::span<float> reach, std::span<NearestSums> sums) {
        using Answer = void (NearestQueries::*)(int, int, std::span<float>, std::span<NearestSums>);
        static constexpr Answer answers[] = {&NearestQueries::answer_measured<registers>...};
        const int size = (listed_ + simd::width - 1) / simd::width;
        (this->*answers[size < int(sizeof...(registers)) ? size : 0])(i, count, reach, sums);
    }

    void answer_batch(int i, int count, const Box& box, float radius, std::span<float> reach, std::span<NearestSums> sums) {
        ask(i, count, box, radius, reach);
        batch_first_ = i;
        answer_by_length(std::make_integer_sequence<int, most_listed / simd::width + 1>(), i, count, reach, sums);
    }

    /// The n nearest of the list into chosen_. Returns a squared distance that holds them and no others, or -1 if the list cannot prove it.
    float settle(int q) {
        const float n = float(n_), *distance = distance_[std::size_t(q)].data();
        const float &found = batch_.found[q], &high = batch_.high[q];
        float& threshold = batch_.threshold[q];
        for (int turn = 0; turn < turns; ++turn) {
            if (found == n) return take_below<0>(distance, threshold), threshold;
            if (found < n && threshold >= batch_.proven[q]) return -1;
            const bool few_too_many = found > n && found <= n + 2;
            narrow(q);
            const bool bounded = batch_.bounded[q] > 0;
            if (few_too_many) threshold = farthest_below(distance, high);   // one or two too many: leave out the farthest
            else if (!bounded && turn > 1) threshold = batch_.proven[q];
            if (bounded && !(threshold > batch_.low[q] && threshold < high)) break;
            batch_.found[q] = float(count_below<0>(distance, threshold));
        }
        return batch_.bounded[q] > 0 ? take_best(batch_first_ + q, distance, high) : -1;
    }

    PHLO_INLINE float farthest_below(const float* distance, float threshold) const {
        const Float limit(threshold), zero(0.0f);
        Float farthest = zero;
        for (int c = 0; c < listed_; c += simd::width) {
            const Float d = simd::load(distance + c);
            farthest = max(farthest, select(d < limit, d, zero));
        }
        return hmax(farthest);
    }

    template <int registers>
    PHLO_INLINE int count_below(const float* distance, float threshold) const {
        const int size = registers > 0 ? registers : (listed_ + simd::width - 1) / simd::width;
        simd::TrueCount count;
        const Float limit(threshold);
#pragma GCC unroll 32
        for (int v = 0; v < size; ++v) count.add(simd::load(distance + v * simd::width) < limit);
        return count.total();
    }

    template <int registers>
    PHLO_INLINE void take_below(const float* distance, float threshold) {
        const int size = registers > 0 ? registers : (listed_ + simd::width - 1) / simd::width;
        const Float limit(threshold);
        int taken = 0;
#pragma GCC unroll 32
        for (int v = 0; v < size; ++v) {
            const simd::Packer packer(bits(simd::load(distance + v * simd::width) < limit));
            simd::store(&chosen_[std::size_t(taken)], packer(simd::load(&index_[std::size_t(v) * simd::width])));
            taken += packer.count();
        }
    }

    /// More than n lie below the threshold, and no secant parted them: at or near one distance. By (distance, id), the particle itself first.
    float take_best(int i, const float* distance, float threshold) {
        tied_.clear();
        for (int c = 0; c < listed_; ++c) {
            const std::size_t at = std::size_t(c);
            if (distance[at] < threshold) tied_.emplace_back(index_[at] == i ? -1.0f : distance[at], points_.id[std::size_t(index_[at])], index_[at]);
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
    std::vector<int> near_, next_;                       ///< buckets near the one whose cells are asked
    std::vector<float> near_lower_[3], near_upper_[3];   ///< their boxes, padded to whole registers with some that are infinitely far
    float near_radius_ = -1;
    std::vector<int> failed_;
    int listed_ = 0;
    alignas(64) std::array<float, list_size + 4 * simd::width> x_, y_, z_;
    alignas(64) std::array<std::array<float, list_size + 4 * simd::width>, simd::width> distance_;   ///< of each query of the batch to the list
    Batch batch_;
    int batch_first_ = 0;
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
