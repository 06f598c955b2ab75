// The parts of a solid that hang together, on its lattice of distances: a neck that is eaten through leaves two.
//
//   const Pieces pieces = find_pieces(rest.distance);
//   if (pieces.count() > 1) geom::SampledSolid loose = cut_out(pieces, 1, 8, rest);     // a solid of its own; rest is without it
//
// Samples inside that are neighbours along an axis hang together. Pieces are numbered in the order in which a sweep over the lattice meets them.
#pragma once
#include <vector>

#include "field/grid.h"
#include "geom/sampled_solid.h"

namespace phlo::flow {

struct Pieces {
    struct Run {
        int j = 0, k = 0, first = 0, last = 0;  ///< samples [first, last) of a row are inside
        int piece = 0;
    };
    std::vector<Run> runs;     ///< in the order of the lattice
    std::vector<long> samples; ///< of each piece

    int count() const { return int(samples.size()); }
    int largest() const;       ///< the first of those with the most samples
};

Pieces find_pieces(const field::Grid& distance);

/// Takes a piece out of `rest` and returns it on a lattice of its own, whose samples stand where those of `rest` do. `band` as of redistancing [samples].
geom::SampledSolid cut_out(const Pieces& pieces, int piece, double band, geom::SampledSolid& rest);

/// Part of another field on the lattice of `rest`, on that of a piece that was cut out of it.
field::Grid part_of(const field::Grid& field, const geom::SampledSolid& rest, const geom::SampledSolid& piece);

}  // namespace phlo::flow
