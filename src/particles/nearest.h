// The n nearest particles of every particle, exactly: what a grid-less model asks for its local means.
//
//   Nearest nearest;
//   nearest.arrange({x, y, z, id});                     // finds an order in which neighbours stand together
//   reorder(nearest.order(), set);                      // particle order()[i] becomes particle i, in all columns
//   nearest.sum({x, y, z, id}, 16, records, reach, sums);
//   float mean = records[i].value[0] + sums[i].difference.value[0] / 16;
//
// The particle itself is the first of its n, then come the others by their distance; of those equally far the one with the smaller id. Distances are
// compared in single precision as fma(dx, dx, fma(dy, dy, dz dz)). Sums run in the order of the particles, so they depend on nothing but the set.
//
// How: a sample of the set is halved across its longest side again and again; the cuts part all particles into buckets of a few hundred, whose boxes fit
// tightly, so that lines, clumps and clusters far apart cost no more than a ball. Each bucket has a lattice of cells with about seven particles. The
// particles of a cell share a list of candidates: all within R of the box around them, R from what the last step needed. A query then looks for a
// threshold under which exactly n of the list lie, by secants on their number. If the n-th is nearer than anything outside the list can be, it is
// proven; else, and where many lie in one place, the buckets are searched for this query alone, nearest first, by (distance, id).
#pragma once
#include <cstdint>
#include <span>
#include <vector>

namespace phlo::particles {

/// Places and numbers, in columns of one length.
struct NearestPoints {
    std::span<const float> x, y, z;
    std::span<const std::uint32_t> id;
};

/// What a particle hands to those near it: any eight numbers.
struct alignas(32) NearestRecord {
    float value[8] = {};
};

/// Over the n nearest: sums of the records' differences to the particle's own, and of the squares of the first three of these together.
struct NearestSums {
    NearestRecord difference;
    float squares = 0;
};

class Nearest {
public:
    static constexpr int max_count = 64;   ///< of neighbours

    /// An order in which those that are near each other stand together.
    void arrange(const NearestPoints& points);
    std::span<const int> order() const { return order_; }

    /// For points that stand in order() now. `reach` is a guess at a distance within which n are, 0 for none, and becomes such a distance: the guess for
    /// the next step. It changes how long this takes and nothing else. If there are fewer than n points all of them are the nearest.
    void sum(const NearestPoints& points, int n, std::span<const NearestRecord> records, std::span<float> reach, std::span<NearestSums> sums);

    /// The indices of the n nearest of point i, in rising order, by the search for a single query: after arrange().
    std::vector<int> find(const NearestPoints& points, int n, int i) const;

    double alone_share() const { return alone_share_; }   ///< part of the last sum's queries that searched the tree alone
    std::size_t bytes() const;

private:
    friend class NearestQueries;
    static constexpr int max_cells_along = 64;   ///< one axis of a bucket

    /// A cut of the sample: what lies above `at` goes to the upper half.
    struct Cut {
        int axis = 0;
        float at = 0;
    };
    struct Bucket {
        float lower[3] = {}, upper[3] = {};      ///< box of its particles; lower > upper: there are none
        float per_length[3] = {};                ///< cells to a metre
        int cells[3] = {1, 1, 1};
        int first_cell = 0;                      ///< in starts_
    };
    /// Boxes of the nodes of one level over the buckets, in columns; padded to whole registers with boxes that are infinitely far.
    struct Level {
        std::vector<float> lower[3], upper[3];
        std::vector<std::uint32_t> first_id;     ///< smallest id inside
    };
    struct Item {
        float at[3];
        int index;
    };

    void cut_sample(const NearestPoints& points);
    void fill_buckets(const NearestPoints& points);
    void choose_cells(int bucket);
    void sort_bucket(int bucket);
    void make_boxes(const NearestPoints& points);
    int bucket_count() const { return 1 << depth_; }

    int count_ = 0;
    int depth_ = 0;                              ///< there are 2^depth buckets
    std::vector<Cut> cuts_;                      ///< of node k into 2k + 1 and 2k + 2
    std::vector<std::uint16_t> bucket_of_;       ///< of each particle, before they are ordered
    std::vector<Item> items_;                    ///< by bucket
    std::vector<int> bucket_starts_;
    std::vector<Bucket> buckets_;
    std::vector<int> starts_;                    ///< of the cells, bucket by bucket, x fastest; each bucket has one more, its end
    std::vector<int> order_;
    std::vector<int> level_bits_;                ///< log2 of the number of nodes of each level kept: every register's worth of halvings
    std::vector<Level> levels_;
    double alone_share_ = 0;
};

}  // namespace phlo::particles
