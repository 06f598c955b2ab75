// For surfaces that particles make: which cells are so deep inside that only the sign of a level set counts there, and which particles are
// near enough to the others to matter. Most are not.
//
//   const SurfaceCells near(layout, x, y, z, 2);           // deep: every cell within two of it has a particle
//   for (const int p : near.drawn(0)) ...                  // particles in cells that are not deep
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "field/grid.h"

namespace phlo::flow {

class SurfaceCells {
public:
    /// Coordinates in cells. `margin` is even.
    SurfaceCells(const field::Layout& layout, std::span<const float> x, std::span<const float> y, std::span<const float> z, int margin);

    /// One byte a grid entry: 1 in deep cells, and in ghosts, beyond which there is nothing to ask.
    const std::uint8_t* deep_row(int j, int k) const { return deep_.data() + layout_.offset(0, j, k); }
    /// Particles in cells that are not deep, or within `reach` cells (an even number) of such ones, in their order.
    std::vector<int> drawn(int reach) const;

private:
    using Flags = std::vector<std::uint8_t>;
    void erode(int cells, Flags& flags) const;

    field::Layout layout_;
    std::vector<int> cell_;  ///< of each particle
    Flags deep_;
};

}  // namespace phlo::flow
