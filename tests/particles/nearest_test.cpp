#include "particles/nearest.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <tuple>

#include "base/parallel.h"

#include <nanoflann.hpp>

namespace phlo::particles {
namespace {

struct Set {
    std::vector<float> x, y, z;
    std::vector<std::uint32_t> id;
    std::vector<NearestRecord> record;

    void add(double px, double py, double pz) {
        const auto number = std::uint32_t(id.size());
        x.push_back(float(px)), y.push_back(float(py)), z.push_back(float(pz));
        id.push_back(number * 2654435761u);   // ids in no order
        NearestRecord r;
        // Whole numbers whose sums over 64 are exact in single precision: equal sums mean equal sets, but for a chance of 2^-100.
        for (std::uint32_t v = 0; v < 8; ++v) r.value[v] = float((number * 2654435761u + v * 40503u) * 2246822519u >> 14);
        record.push_back(r);
    }
    int count() const { return int(x.size()); }
    NearestPoints points() const { return {x, y, z, id}; }

    void reorder(std::span<const int> order) {
        const auto by = [&](auto& column) {
            auto sorted = column;
            for (std::size_t i = 0; i < order.size(); ++i) sorted[i] = column[std::size_t(order[i])];
            column = sorted;
        };
        by(x), by(y), by(z), by(id), by(record);
    }

    float distance(int a, int b) const {
        const auto i = std::size_t(a), j = std::size_t(b);
        const float dx = x[j] - x[i], dy = y[j] - y[i], dz = z[j] - z[i];
        return std::fma(dx, dx, std::fma(dy, dy, dz * dz));
    }
    /// All others sorted by distance and id: as slow and as simple as can be.
    std::vector<int> brute_force(int i, int n) const {
        std::vector<std::tuple<float, std::uint32_t, int>> all;
        for (int j = 0; j < count(); ++j) all.emplace_back(j == i ? -1.0f : distance(i, j), id[std::size_t(j)], j);
        const auto end = all.begin() + std::min(n, count());
        std::partial_sort(all.begin(), end, all.end());
        std::vector<int> nearest;
        for (auto at = all.begin(); at != end; ++at) nearest.push_back(std::get<2>(*at));
        std::sort(nearest.begin(), nearest.end());
        return nearest;
    }
};

/// Sums of up to 64 whole numbers below 2^18 are exact, in any order.
void expect_sums_of(const Set& set, const std::vector<int>& nearest, int i, const NearestSums& sums) {
    for (int v = 0; v < 7; ++v) {
        double expected = 0;
        for (const int j : nearest) expected += double(set.record[std::size_t(j)].value[v]) - double(set.record[std::size_t(i)].value[v]);
        ASSERT_EQ(double(sums.difference[v]), expected) << "of particle " << i << ", value " << v;
    }
}

void expect_exact(Set set, int n, double* alone = nullptr) {
    Nearest nearest;
    std::vector<float> reach(std::size_t(set.count()), 0.0f);
    std::vector<NearestSums> sums(std::size_t(set.count()));
    for (int turn = 0; turn < 2; ++turn) {   // without a guess, and with the first turn's answers as guesses
        nearest.arrange(set.points());
        set.reorder(nearest.order());
        if (turn == 1) {
            std::vector<float> moved(reach);
            for (std::size_t i = 0; i < moved.size(); ++i) moved[i] = reach[std::size_t(nearest.order()[i])];
            reach = moved;
        }
        nearest.sum(set.points(), n, set.record, reach, sums);
        const int every = std::max(1, set.count() / 400);
        for (int i = 0; i < set.count(); i += every) {
            const std::vector<int> expected = set.brute_force(i, n);
            expect_sums_of(set, expected, i, sums[std::size_t(i)]);
            ASSERT_EQ(nearest.find(set.points(), n, i), expected);
            if (testing::Test::HasFatalFailure()) return;
        }
    }
    if (alone) *alone = nearest.alone_share();
}

Set flame(int count, unsigned seed) {
    Set set;
    std::mt19937 random(seed);
    std::normal_distribution<double> normal;
    std::exponential_distribution<double> height(2.5);
    for (int i = 0; i < count; ++i) {
        const double h = height(random), wide = 0.12 * std::exp(-0.8 * h);
        set.add(wide * normal(random), wide * normal(random), h);
    }
    return set;
}

TEST(Nearest, finds_what_brute_force_finds_in_a_flame) {
    double alone = 1;
    expect_exact(flame(20000, 1), 16, &alone);
    EXPECT_LT(alone, 0.05) << "with guesses, lists should answer nearly all";
}

TEST(Nearest, any_number_of_neighbours_and_of_particles_will_do) {
    for (const int n : {1, 2, 7, 10, 15, 20, 63, 64})
        for (const int count : {1, 2, 12, 13, 64, 65, 500}) {
            SCOPED_TRACE(testing::Message() << n << " of " << count);
            expect_exact(flame(count, unsigned(count)), n);
        }
}

TEST(Nearest, particles_all_in_one_place_are_chosen_by_their_ids) {
    Set set;
    for (int i = 0; i < 3000; ++i) set.add(1.5, -2.25, 0.125);
    expect_exact(set, 16);
}

TEST(Nearest, ties_on_a_lattice_go_to_the_smaller_id) {
    Set set;
    for (int i = 0; i < 13; ++i)
        for (int j = 0; j < 13; ++j)
            for (int k = 0; k < 13; ++k) set.add(i, j, k);
    for (const int n : {7, 16, 20}) expect_exact(set, n);
}

TEST(Nearest, lines_planes_and_clumps_are_exact_too) {
    std::mt19937 random(3);
    std::uniform_real_distribution<double> uniform;
    std::normal_distribution<double> normal;
    Set line, plane, clumps;
    for (int i = 0; i < 5000; ++i) {
        line.add(uniform(random), 0, 0);
        plane.add(uniform(random), 3, uniform(random));
        const double scale = std::pow(10.0, -3.0 * (i % 4));   // clumps in clumps
        clumps.add(scale * normal(random), scale * normal(random), scale * normal(random));
    }
    for (int i = 0; i < 400; ++i) clumps.add(0.5, 0.5, 0.5);
    for (const Set& set : {line, plane, clumps}) expect_exact(set, 16);
}

TEST(Nearest, two_clusters_kilometres_apart_do_not_disturb_each_other) {
    std::mt19937 random(4);
    std::normal_distribution<double> normal;
    Set set;
    for (int i = 0; i < 8000; ++i) set.add((i % 2 ? 12000.0 : 0.0) + normal(random), normal(random), normal(random));
    double alone = 1;
    expect_exact(set, 16, &alone);
    EXPECT_LT(alone, 0.1);
}

/// What nanoflann asks of a set.
struct Adaptor {
    const Set& set;
    std::size_t kdtree_get_point_count() const { return set.x.size(); }
    float kdtree_get_pt(std::size_t i, std::size_t axis) const { return axis == 0 ? set.x[i] : axis == 1 ? set.y[i] : set.z[i]; }
    template <class B>
    bool kdtree_get_bbox(B&) const { return false; }
};

TEST(Nearest, nanoflann_finds_the_same) {
    Set set = flame(30000, 9);
    Nearest nearest;
    nearest.arrange(set.points());
    set.reorder(nearest.order());
    std::vector<float> reach(std::size_t(set.count()), 0.0f);
    std::vector<NearestSums> sums(std::size_t(set.count()));
    nearest.sum(set.points(), 16, set.record, reach, sums);
    const Adaptor adaptor{set};
    nanoflann::KDTreeSingleIndexAdaptor<nanoflann::L2_Simple_Adaptor<float, Adaptor>, Adaptor, 3, std::uint32_t> tree(3, adaptor, {10});
    tree.buildIndex();
    int differ = 0;
    for (int i = 0; i < set.count(); ++i) {
        std::uint32_t index[17];
        float squared[17];
        const float place[3] = {set.x[std::size_t(i)], set.y[std::size_t(i)], set.z[std::size_t(i)]};
        tree.knnSearch(place, 17, index, squared);
        if (squared[16] - squared[15] <= 1e-6f * squared[15]) continue;   // as near as rounding: either may be right
        std::vector<int> found(index, index + 16);
        expect_sums_of(set, found, i, sums[std::size_t(i)]);
        ++differ;
        if (HasFatalFailure()) return;
    }
    EXPECT_GT(differ, 29000);
}

TEST(Nearest, neither_the_guess_nor_the_number_of_threads_changes_a_bit) {
    Set set = flame(5000, 5);
    for (NearestRecord& r : set.record)
        for (float& v : r.value) v = std::sin(v);   // sums that do depend on their order
    Nearest nearest;
    nearest.arrange(set.points());
    set.reorder(nearest.order());
    const auto sums_with = [&](float guess, int threads) {
        const ThreadLimit limit(threads);
        std::vector<float> reach(std::size_t(set.count()), guess);
        std::vector<NearestSums> sums(std::size_t(set.count()));
        nearest.sum(set.points(), 16, set.record, reach, sums);
        return sums;
    };
    const auto expected = sums_with(0, 1);
    for (const auto& [guess, threads] : {std::pair(0.0f, 4), std::pair(0.01f, 1), std::pair(0.2f, 3), std::pair(1e-9f, 2)}) {
        const auto sums = sums_with(guess, threads);
        for (std::size_t i = 0; i < sums.size(); ++i) {
            for (int v = 0; v < 7; ++v) ASSERT_EQ(sums[i].difference[v], expected[i].difference[v]);
            ASSERT_EQ(sums[i].squares, expected[i].squares);
        }
    }
}

TEST(Nearest, the_sum_of_squares_is_that_of_the_first_three_values) {
    Set set = flame(300, 6);
    for (NearestRecord& r : set.record)
        for (float& v : r.value) v = float(int(v) % 7);
    Nearest nearest;
    nearest.arrange(set.points());
    set.reorder(nearest.order());
    std::vector<float> reach(std::size_t(set.count()), 0.0f);
    std::vector<NearestSums> sums(std::size_t(set.count()));
    nearest.sum(set.points(), 9, set.record, reach, sums);
    for (int i = 0; i < set.count(); ++i) {
        double expected = 0;
        for (const int j : set.brute_force(i, 9))
            for (int v = 0; v < 3; ++v)
                expected += std::pow(double(set.record[std::size_t(j)].value[v]) - double(set.record[std::size_t(i)].value[v]), 2);
        EXPECT_EQ(double(sums[std::size_t(i)].squares), expected);
    }
}

}  // namespace
}  // namespace phlo::particles
