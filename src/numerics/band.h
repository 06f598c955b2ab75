// Extra smoothing where solids cut cells: one red-black sweep over the cells beside them, before and after the V-cycle.
//
//   Band band(levels[0]);                                     // whenever the coefficients change
//   const Preconditioned z = precondition(levels, band);      // levels[0].z = M^-1 levels[0].r
//
// Coarse levels see a solid's surface only roughly, and what they get wrong stays within a few cells of it [mcadams2010]. The band holds
// less than a hundredth of the cells, so that the iteration it saves is nearly free. M stays symmetric: the second sweep is the first one
// backwards.
#pragma once
#include <array>
#include <initializer_list>
#include <vector>

#include "numerics/level.h"
#include "numerics/sweeps.h"

namespace phlo::numerics {

class Band {
public:
    Band() = default;
    explicit Band(const Level& finest);

    bool empty() const { return cells() == 0; }
    std::size_t cells() const;
    std::size_t bytes() const;

    /// Sweeps from zero and takes what that explains out of level.r, which after() puts back.
    Preconditioned before(Level& level);
    /// Puts r back, adds the sweep of before() to level.z and sweeps once more. `cycle` are the sums of the V-cycle in between.
    Preconditioned after(Level& level, const Preconditioned& first, const Preconditioned& cycle);

private:
    struct Cell {
        std::int32_t at = 0;   ///< in the storage of r and z
        float inverse = 0;     ///< 1 / diagonal
        float r = 0;           ///< right-hand side while the V-cycle works on what is left of it
        float z = 0;           ///< what the first sweep gave
    };
    using Faces = std::array<float, 6>;  ///< weights: west, east, south, north, down, up
    /// Cells of one half of their rows: their neighbours lie at the same distances.
    struct Group {
        std::array<std::ptrdiff_t, 6> neighbour{};
        std::vector<Cell> cells;
        std::vector<Faces> face;    ///< by cell
        std::vector<Faces> inner;   ///< the same, zero where the neighbour is not in the band
        bool outside = false;       ///< on the rim
        float around(const Faces& weight, const float* z) const {
            return ((weight[0] * z[neighbour[0]] + weight[1] * z[neighbour[1]]) + (weight[2] * z[neighbour[2]] + weight[3] * z[neighbour[3]])) +
                   (weight[4] * z[neighbour[4]] + weight[5] * z[neighbour[5]]);
        }
    };
    using Halves = std::array<Group, 2>;
    template <class Visit>
    static Preconditioned visit(std::initializer_list<Halves*> all, const Visit& visit);

    Halves red_, black_;
    Halves rim_;  ///< cells outside that have a neighbour in the band
};

Preconditioned precondition(std::vector<Level>& levels, Band& band);

}  // namespace phlo::numerics
