// The n nearest particles of every particle, exactly: what a grid-less model asks for its local means.
//
//   Nearest nearest;
//   nearest.arrange({x, y, z, id});                     // finds an order in which neighbours stand together
//   reorder(nearest.order(), set);                      // particle order()[i] becomes particle i, in all columns
//   nearest.sum({x, y, z, id}, 16, records, reach, sums);
//   float mean = records[i].value[0] + sums[i].difference[0] / 16;
//
// The particle itself is the first of its n, then come the others by their distance; of those equally far the one with the smaller id. Distances are
// compared in single precision as fma(dx, dx, fma(dy, dy, dz dz)). Sums run in the order of the particles, so they depend on nothing but the set.
//
// How: a sample of the set is halved across its longest side again and again; the cuts part all particles into buckets of about a thousand, whose boxes
// fit tightly, so that lines, clumps and clusters far apart cost no more than a ball. A bucket's box is halved in space, down to groups of at most eight
// particles: they stand side by side, and so do those of any box in between, a block. A block gets a list of all particles within R of it, R from what
// the last step needed; each group of it a list from that one; each particle a row of those of its group's list that are nearer than a threshold which
// n of them, and not many more, should be below. A sorting network finds the n-th of eight or sixteen rows at once. What a list holds is proven: nothing
// outside is nearer. Where a list does not hold n, or very many lie in one place, a wider list is made for this particle alone, or the buckets are
// searched for it, nearest first.
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

/// What a particle hands to those near it: any seven numbers. The eighth fills the register.
struct alignas(32) NearestRecord {
    float value[8] = {};
};

/// Over the n nearest: sums of the records' differences to the particle's own, and of the squares of the first three of these together.
struct alignas(32) NearestSums {
    float difference[7] = {};
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
    friend class NearestLists;
    friend class NearestSorter;

    /// A cut of the sample: what lies above `at` goes to the upper half.
    struct Cut {
        float axis = 0;                          ///< 0, 1 or 2
        float at = 0;
    };
    /// Its blocks have the numbers from first_group on, too.
    struct Bucket {
        float lower[3] = {}, upper[3] = {};      ///< box of its particles; lower > upper: there are none
        int first_group = 0, groups = 0, blocks = 0;
    };
    /// Boxes in columns.
    struct Boxes {
        std::vector<float> lower[3], upper[3];
        void resize(std::size_t count);
    };
    /// Boxes of the nodes of one level over the buckets; padded to whole registers with boxes that are infinitely far.
    struct Level : Boxes {
        std::vector<std::uint32_t> first_id;     ///< smallest id inside
    };
    struct Item {
        float at[3];
        int index;
    };

    void cut_sample(const NearestPoints& points);
    void find_buckets(const NearestPoints& points, std::size_t i, std::size_t lanes, int* found) const;
    void fill_buckets(const NearestPoints& points);
    void make_levels(const NearestPoints& points);
    int bucket_count() const { return 1 << depth_; }

    int count_ = 0;
    int depth_ = 0;                              ///< there are 2^depth buckets
    std::vector<Cut> cuts_;                      ///< of node k into 2k + 1 and 2k + 2
    std::vector<std::uint16_t> bucket_of_;       ///< of each particle, before they are ordered
    std::vector<Item> items_;                    ///< by bucket
    std::vector<int> bucket_starts_;
    std::vector<Bucket> buckets_;
    Boxes groups_;
    std::vector<int> group_starts_;              ///< first particle of each group; behind a bucket's last group its end
    std::vector<int> block_starts_;              ///< first group of each block; behind a bucket's last block its end
    std::vector<int> order_;
    std::vector<int> level_bits_;                ///< log2 of the number of nodes of each level kept: every register's worth of halvings
    std::vector<Level> levels_;
    double alone_share_ = 0;
};

}  // namespace phlo::particles
