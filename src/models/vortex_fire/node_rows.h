// Of each row of nodes along x the part in which there is something. A fire fills a tenth of its box: what looks at every node is done
// where it burns.
//
//   NodeRows filled;
//   filled.fit(lattice);                                           // nothing anywhere
//   filled.include(i, j, k);
//   filled.grown(1, 2).each([&](int j, int k, NodeRows::Range x) { ... });   // in parallel: nodes x.first to before x.last of row (j, k)
#pragma once
#include <algorithm>
#include <cstddef>
#include <vector>

#include "models/vortex_fire/lattice.h"

namespace phlo::models {

class NodeRows {
public:
    struct Range {
        int first = 0, last = 0;  ///< nodes [first, last)

        bool empty() const { return first >= last; }
        void include(const Range& other) {
            if (other.empty()) return;
            *this = empty() ? other : Range{std::min(first, other.first), std::max(last, other.last)};
        }
    };

    /// The size of the box; all rows are empty.
    void fit(const VortexLattice& lattice);
    /// All nodes and ghosts.
    void fill();

    Range& operator()(int j, int k) { return rows_[at(j, k)]; }
    const Range& operator()(int j, int k) const { return rows_[at(j, k)]; }
    void include(int i, int j, int k) { (*this)(j, k).include({i, i + 1}); }
    void include(const NodeRows& other);

    /// What lies up to so many nodes below and above them along each axis, too, as far as there are ghosts.
    NodeRows grown(int down, int up) const;
    /// Without ghosts.
    NodeRows inside() const;

    /// visit(j, k, range) for the rows of a plane that are not empty. Planes count from 0, ghosts included.
    template <class Visit>
    void in_plane(int plane, const Visit& visit) const {
        const int k = plane - ghost;
        for (int j = -ghost; j < cells_.y + ghost; ++j)
            if (const Range& range = (*this)(j, k); !range.empty()) visit(j, k, range);
    }
    int planes() const { return cells_.z + 2 * ghost; }
    /// The same for all planes, in parallel.
    template <class Visit>
    void each(const Visit& visit) const {
        parallel_for(planes(), [&](int plane) { in_plane(plane, visit); });
    }

private:
    static constexpr int ghost = NodeValues<4>::ghost;
    std::size_t at(int j, int k) const { return std::size_t(k + ghost) * std::size_t(cells_.y + 2 * ghost) + std::size_t(j + ghost); }

    Vec3i cells_;
    std::vector<Range> rows_;
};

/// Zero again in all of them.
template <int channels>
void clear_rows(const NodeRows& rows, NodeValues<channels>& values) {
    rows.each([&](int j, int k, NodeRows::Range x) { std::fill(values.node(x.first, j, k), values.node(x.last, j, k), 0.0f); });
}

}  // namespace phlo::models
