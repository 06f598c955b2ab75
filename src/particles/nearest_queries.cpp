// The searches of a Nearest: lists of candidates for a block of cells and for each of its cells, rows of those near a particle, and a search for a single
// query where the list cannot answer.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <queue>
#include <tuple>

#include "base/error.h"
#include "base/parallel.h"
#include "base/simd_rank.h"
#include "particles/nearest_lists.h"

namespace phlo::particles {
namespace {

using simd::Float;

constexpr int turns = 8;                 ///< most thresholds that are tried
constexpr float max_spread = 1.3f;       ///< of a group's largest distance over its mean, for the length of its list
constexpr float widening = 1.35f;        ///< of a squared distance, so that n are found at the first attempt and not many more

float point_distance(const NearestPoints& p, std::size_t a, std::size_t b) {
    const float dx = p.x[b] - p.x[a], dy = p.y[b] - p.y[a], dz = p.z[b] - p.z[a];
    return std::fma(dx, dx, std::fma(dy, dy, dz * dz));
}

}  // namespace

/// One thread's tools: lists that are used again and again.
class NearestQueries {
public:
    NearestQueries(const Nearest& tree, const NearestPoints& points, int n, std::span<const NearestRecord> records, std::span<float> reach,
                   std::span<NearestSums> sums)
        : tree_(tree), points_(points), n_(std::min(n, tree.count_)), half_(n_ <= 16 ? 16 : n_ <= 32 ? 32 : 64), wanted_(float(n_) + 0.4f * float(half_)),
          records_(records), reach_(reach), sums_(sums), lists_(tree, points) {
        for (DistanceRow& row : distance_) std::fill(row.begin(), row.begin() + (half_ - n_), -1.0f);
    }

    /// All particles of a bucket, block by block. Returns how many of them searched alone.
    int answer_bucket(int bucket) {
        const Nearest::Bucket& own = tree_.buckets_[std::size_t(bucket)];
        lists_.start_bucket(own);
        failed_.clear();
        for (int b = own.first_group; b < own.first_group + own.blocks; ++b) answer_block(tree_.block_starts_[std::size_t(b)], tree_.block_starts_[std::size_t(b) + 1]);
        int alone = 0;
        for (const auto& [i, radius] : failed_) alone += answer_one(i, radius);
        answer_rows();
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

private:
    /// The groups from `first` to before `last`.
    void answer_block(int first, int last) {
        NearestBox box;
        for (int g = first; g < last; ++g) box.include(box_of(g));
        float radius = 0;
        guesses_.resize(std::size_t(last - first));
        for (int g = first; g < last; ++g) radius = std::max(radius, (guesses_[std::size_t(g - first)] = guess_for(g)).radius);
        if (radius == 0) radius = usual_radius(box, tree_.group_starts_[std::size_t(last)] - tree_.group_starts_[std::size_t(first)]);
        const bool listed = lists_.list(box, radius, block_list_);
        for (int g = first; g < last; ++g) {
            const NearestBox own = box_of(g);
            Guess guess = guesses_[std::size_t(g - first)];
            if (guess.radius == 0) guess.radius = radius;
            if (listed) NearestLists::filter(block_list_, own, guess.radius, list_);
            else if (!lists_.list(own, guess.radius, list_)) list_.count = 0;
            ask(list_, own, guess, tree_.group_starts_[std::size_t(g)], tree_.group_starts_[std::size_t(g) + 1], unanswered_);
        }
        // Those who need more than their group's list may find it in that of the block.
        for (const int i : unanswered_)
            if (!listed) failed_.emplace_back(i, radius * 1.3f);
            else if (!ask(block_list_, box, {.radius = radius}, i)) failed_.emplace_back(i, wider_radius(radius));
        unanswered_.clear();
    }

    NearestBox box_of(int group) const {
        NearestBox box;
        for (int a = 0; a < 3; ++a) box.lower[a] = tree_.groups_.lower[a][std::size_t(group)], box.upper[a] = tree_.groups_.upper[a][std::size_t(group)];
        return box;
    }

    /// What the last step tells about the distances in a group; 0: nothing.
    struct Guess {
        float radius = 0;    ///< within it are all neighbours
        float typical = 0;   ///< of the n-th of a particle
    };
    Guess guess_for(int group) const {
        const int first = tree_.group_starts_[std::size_t(group)], last = tree_.group_starts_[std::size_t(group) + 1];
        Float most(0.0f), sum(0.0f);
        simd::TrueCount known;
        for (int i = first; i < last; i += simd::width) {
            const Float reach = simd::load_first(&reach_[std::size_t(i)], last - i);
            most = max(most, reach), sum = sum + reach, known.add(reach > Float(0.0f));
        }
        if (known.total() == 0) return {};
        const float typical = simd::sum_of(sum) / float(known.total());
        return {std::min(simd::max_of(most), max_spread * typical) * 1.05f, typical};   // one who is far from all others does not make the list long for them
    }

    /// Where nobody knows better: the ball that holds n if so many fill a box evenly.
    float usual_radius(const NearestBox& box, int count) const {
        float side = 0;
        for (int a = 0; a < 3; ++a) side = std::max(side, box.upper[a] - box.lower[a]);
        return side * 0.7f * std::cbrt(float(n_) / float(count));
    }

    /// Rows for particles inside a box, of the list of all that are within a radius of the box. Those for whom the list cannot prove who is nearest are
    /// added to `unanswered`.
    void ask(const NearestList& list, const NearestBox& box, const Guess& guess, int first, int last, std::vector<int>& unanswered) {
        alignas(64) float threshold[simd::width], proven[simd::width];
        for (int i = first; i < last; i += simd::width) {
            const std::size_t at = std::size_t(i);
            const int lanes = std::min(simd::width, last - i);
            const Float p[3] = {simd::load_first(&points_.x[at], lanes), simd::load_first(&points_.y[at], lanes), simd::load_first(&points_.z[at], lanes)};
            Float inside(std::numeric_limits<float>::infinity());
            for (int a = 0; a < 3; ++a) inside = min(inside, min(p[a] - Float(box.lower[a]), Float(box.upper[a]) - p[a]));
            const Float to_rim = inside + Float(guess.radius), all = to_rim * to_rim * Float(2 - nearest_wider);
            // Where particles move far in a step one's own last distance tells as little as those of the others do.
            const Float own = simd::load_first(&reach_[at], lanes), typical(guess.typical);
            const Float likely = select(own > Float(0.0f), guess.typical > 0 ? Float(0.5f) * (own + typical) : own, typical);
            simd::store(proven, all);
            simd::store(threshold, select(likely > Float(0.0f), min(likely * likely * Float(widening), all), all * Float(0.8f)));
            for (int l = 0; l < lanes; ++l)
                if (!take_row(list, i + l, threshold[l], proven[l])) unanswered.push_back(i + l);
        }
    }
    bool ask(const NearestList& list, const NearestBox& box, const Guess& guess, int i) {
        one_.clear();
        ask(list, box, guess, i, i + 1, one_);
        return one_.empty();
    }

    /// For a particle whose list of `radius` held too few: as if they filled space evenly.
    float wider_radius(float radius) const { return radius * std::clamp(1.1f * std::cbrt(wanted_ / float(std::max(found_, 1))), 1.3f, 3.0f); }

    /// Candidates of the list nearer than a threshold that holds n of them, and not many more, into the next row. False if the list cannot prove them.
    bool take_row(const NearestList& list, int i, float threshold, float proven) {
        const int most = half_ + n_;
        float *distance = distance_[std::size_t(rows_)].data() + (half_ - n_), low = 0, high = proven;
        int* index = index_[std::size_t(rows_)].data();
        int found = collect(list, i, threshold, distance, index);
        for (int turn = 1; found < n_ || found > most; ++turn) {
            if (found < n_ && (threshold >= proven || turn == turns)) return found_ = found, false;
            if (turn == turns) {
                found = keep_nearest(i, found, distance, index);
                break;
            }
            (found < n_ ? low : high) = threshold;
            const float ratio = wanted_ / float(std::max(found, 1));
            threshold *= std::cbrt(ratio * ratio);   // as if they filled space evenly
            if (!(threshold > low && threshold < high)) threshold = high >= proven ? proven : 0.5f * (low + high);
            found = collect(list, i, threshold, distance, index);
        }
        for (int c = found; c < most; c += simd::width) simd::store(distance + c, Float(std::numeric_limits<float>::infinity()));
        asked_[std::size_t(rows_)] = i;
        if (++rows_ == simd::width) answer_rows();
        return true;
    }

    /// Leaves the n nearest of a row, by (distance, id), the particle itself first.
    int keep_nearest(int i, int count, float* distance, int* index) {
        tied_.clear();
        for (int c = 0; c < count; ++c) tied_.emplace_back(index[c] == i ? -1.0f : distance[c], points_.id[std::size_t(index[c])], index[c]);
        std::nth_element(tied_.begin(), tied_.begin() + (n_ - 1), tied_.end());
        std::sort(tied_.begin(), tied_.begin() + n_, [](const Tied& a, const Tied& b) { return std::get<2>(a) < std::get<2>(b); });
        for (int c = 0; c < n_; ++c) distance[c] = std::max(0.0f, std::get<0>(tied_[std::size_t(c)])), index[c] = std::get<2>(tied_[std::size_t(c)]);
        return n_;
    }

    /// Squared distances and indices of those of the list below the threshold, in their order. Returns how many.
    PHLO_INLINE int collect(const NearestList& list, int i, float threshold, float* distance, int* index) const {
        const std::size_t own = std::size_t(i), end = std::size_t(list.count);
        const Float x0(points_.x[own]), y0(points_.y[own]), z0(points_.z[own]), limit(threshold);
        const float *x = list.x.data(), *y = list.y.data(), *z = list.z.data();
        const int *of = list.index.data(), *start = index;
        const auto add = [&](std::size_t at) {
            const Float dx = simd::load(x + at) - x0, dy = simd::load(y + at) - y0, dz = simd::load(z + at) - z0;
            const Float d = fma(dx, dx, fma(dy, dy, dz * dz));
            const simd::Packer packer(bits(d < limit));
            simd::store(distance, packer(d)), simd::store(index, packer(simd::load(of + at)));
            distance += packer.count(), index += packer.count();
        };
        for (std::size_t c = 0; c < end; c += 2 * simd::width) add(c), add(c + simd::width);
        return int(index - start);
    }

    /// The n-th distance of each row tells which are the nearest.
    void answer_rows() {
        if (rows_ == 0) return;
        const std::size_t stride = sizeof(DistanceRow) / sizeof(float);
        const float* rows = distance_[0].data();
        alignas(64) float last[simd::width];
        simd::store(last, half_ == 16 ? simd::middle_of_rows<16>(rows, stride) : half_ == 32 ? simd::middle_of_rows<32>(rows, stride) : simd::middle_of_rows<64>(rows, stride));
        // First all are taken, then summed: what was just written is not waited for.
        for (int r = 0; r < rows_; ++r) take_nearest(r, last[r]);
        for (int r = 0; r < rows_; ++r) {
            const std::size_t i = std::size_t(asked_[std::size_t(r)]);
            reach_[i] = std::sqrt(last[r]);
            add_up(int(i), chosen_[std::size_t(r)].data(), sums_[i]);
        }
        rows_ = 0;
    }

    /// Those of a row up to the distance of the last.
    PHLO_INLINE void take_nearest(int r, float last) {
        const int n = n_, most = half_ + n;
        float* distance = distance_[std::size_t(r)].data() + (half_ - n);
        int *index = index_[std::size_t(r)].data(), *chosen = chosen_[std::size_t(r)].data(), *to = chosen;
        for (int c = 0; c < most; c += simd::width) {
            const simd::Packer packer(bits(simd::load(distance + c) <= Float(last)));
            simd::store(to, packer(simd::load(index + c)));
            to += packer.count();
        }
        if (to - chosen == n) return;
        // Several are as far away as the last one.
        int count = 0;
        for (int c = 0; c < most; ++c)
            if (distance[c] <= last) distance[count] = distance[c], index[count] = index[c], ++count;
        keep_nearest(asked_[std::size_t(r)], count, distance, index);
        std::copy(index, index + n, chosen);
    }

    /// One whose cell's list did not prove its answer: by a wider list of its own, else by the search alone. Returns 1 if it came to that.
    int answer_one(int i, float radius) {
        const std::size_t at = std::size_t(i);
        const NearestBox place(points_.x[at], points_.y[at], points_.z[at]);
        for (int turn = 0; turn < 3 && radius > 0; ++turn, radius = wider_radius(radius)) {
            if (!lists_.list(place, radius, list_)) break;
            if (!ask(list_, place, {.radius = radius}, i)) continue;
            return 0;
        }
        reach_[at] = std::sqrt(search_alone(i, alone_.data()));
        add_up(i, alone_.data(), sums_[at]);
        return 1;
    }

    PHLO_INLINE void add_up(int i, const int* chosen, NearestSums& sums) const {
        const NearestRecord* records = records_.data();
        const float* own = records[i].value;
        const simd::TwoRows own_twice(own, own);
        simd::TwoRows difference, square;
        const int n = n_;
        for (int c = 0; c < n; c += 2) {
            simd::TwoRows row(records[chosen[c]].value, c + 1 < n ? records[chosen[c + 1]].value : own);
            row.subtract(own_twice);
            difference.add(row);
            square.add_square(row);
        }
        difference.store_sum(reinterpret_cast<float*>(&sums));   // the squares take the eighth place
        alignas(32) float squares[8];
        square.store_sum(squares);
        sums.squares = squares[0] + squares[1] + squares[2];
    }

    using Tied = std::tuple<float, std::uint32_t, int>;  // squared distance, id, index
    using DistanceRow = std::array<float, NearestList::size + 3 * Nearest::max_count>;
    using IndexRow = std::array<int, NearestList::size + 3 * Nearest::max_count>;

    const Nearest& tree_;
    const NearestPoints& points_;
    int n_, half_;
    float wanted_;                                       ///< candidates of a row, about
    std::span<const NearestRecord> records_;
    std::span<float> reach_;
    std::span<NearestSums> sums_;
    NearestLists lists_;
    NearestList block_list_, list_;
    std::vector<int> unanswered_, one_;                  ///< of the block, by the lists of their groups; of one query
    std::vector<std::pair<int, float>> failed_;          ///< of the bucket, by the lists of their blocks; and the radius to try
    std::vector<Guess> guesses_;                         ///< of the groups of a block
    int found_ = 0;                                      ///< by the last list that could not answer
    int rows_ = 0;
    std::array<int, simd::width> asked_;                 ///< whose row it is
    alignas(64) std::array<DistanceRow, simd::width> distance_;
    alignas(64) std::array<IndexRow, simd::width> index_;
    std::array<std::array<int, 3 * Nearest::max_count>, simd::width> chosen_;   ///< the n nearest of each row
    std::array<int, Nearest::max_count> alone_;
    std::vector<Tied> tied_;
};

void Nearest::sum(const NearestPoints& points, int n, std::span<const NearestRecord> records, std::span<float> reach, std::span<NearestSums> sums) {
    PHLO_CHECK(n >= 1 && n <= max_count && int(points.x.size()) == count_ && int(records.size()) == count_);
    PHLO_CHECK(int(reach.size()) == count_ && int(sums.size()) == count_);
    alone_share_ = 0;
    if (count_ == 0) return;
    make_levels(points);
    constexpr int task = 4;   // buckets
    const double alone = parallel_sum((bucket_count() + task - 1) / task, [&](int t) {
        NearestQueries queries(*this, points, n, records, reach, sums);
        int count = 0;
        for (int b = t * task; b < std::min(bucket_count(), (t + 1) * task); ++b) count += queries.answer_bucket(b);
        return double(count);
    });
    alone_share_ = alone / count_;
}

std::vector<int> Nearest::find(const NearestPoints& points, int n, int i) const {
    NearestQueries queries(*this, points, n, {}, {}, {});
    std::vector<int> chosen(std::size_t(std::min(n, count_)));
    queries.search_alone(i, chosen.data());
    return chosen;
}

}  // namespace phlo::particles
