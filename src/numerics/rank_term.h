// What a few moving things add to the pressure system: a sum of outer products c c^T over columns c that are zero but in some cells.
//
//   (A + sum over terms and columns of sign c c^T) x = b
//
// A rigid body that the pressure can push is such a term with six columns, three for its velocity and three for its spin: it takes an
// impulse c . x from the pressure x, moves, and so changes the outflow of the cells around it by c times that. A stays the Laplacian and
// its multigrid the preconditioner: each column costs at most about one more iteration of conjugate gradients.
#pragma once
#include <array>
#include <vector>

#include "base/vec.h"

namespace phlo::numerics {

struct RankTerm {
    static constexpr int columns = 6;
    struct Entry {
        Vec3i cell;
        std::array<float, columns> value{};
    };
    std::vector<Entry> entries;  ///< cells that are part of the system, each once
    double sign = 1;             ///< -1: the products are subtracted, and what is left must be positive definite
};

}  // namespace phlo::numerics
