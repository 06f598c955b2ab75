// The pressure of a liquid with a free surface on blocks of several levels: few unknowns where nobody looks closely. What free_surface.h does on a uniform
// grid; the velocity goes in and out on the uniform grid of the finest cells.
//
//   BlockProjector projector(layout);
//   projector.set_up(walls, solids, phi, levels, 4);                       // every step; levels of the base cells, balanced (field/blocks.h)
//   BlockReport report = projector.project({.h = h, .tolerance = 1e-4}, u);
//   extend_velocity({.h = h, .layers = 4}, projector.seen(), u, scratch);   // goes by the cells that the pressure went by
//
// Each cell, of whatever size, has the equation of free_surface.h with its own size in it; between levels it is that of numerics/block_poisson.h. So still
// water stays still at any fill height and tilt of gravity, whatever the levels, as long as the level set is a distance one coarse cell around the surface.
// With the finest level everywhere it is the uniform system.
//
// Not here, unlike there: walls that let go, bodies that the pressure moves, sealed air, surface tension. Water that is shut in beside other water that is
// not has no solution if its walls or its wanted divergence ask for more than fits; that is told as a residual.
#pragma once
#include "flow/block_liquid.h"
#include "flow/free_surface.h"

namespace phlo::flow {

struct BlockReport : FreeSurfaceReport {
    std::size_t block_bytes = 0;   ///< of the blocks' structure alone, without fields
};

class BlockProjector {
public:
    explicit BlockProjector(const field::Layout& layout) : pressure_(layout), seen_(layout) {}

    /// The arguments must stay as they are until project() has returned.
    void set_up(const Walls& walls, const Solids& solids, const field::Grid& phi, const std::vector<std::int8_t>& levels, int depth);
    /// Of `params` counts h, tolerance, max_iterations, divergence, and guess. The walls and bodies in `u` must be enforced before.
    BlockReport project(const FreeSurfaceParams& params, field::MacGrid& u);

    const field::Grid& pressure() const { return pressure_; }   ///< q = dt p / (rho h) [m/s], 0 outside the liquid; the same in all of a coarse cell
    field::Grid& edit_pressure() { return pressure_; }          ///< a guess for the next step; part of a model's state
    const field::Grid& seen() const { return seen_; }           ///< the level set with the signs of the cells as the pressure saw them
    const field::Blocks& blocks() const { return liquid_.blocks(); }
    std::size_t bytes() const { return solver_.bytes() + liquid_.bytes() + pressure_.bytes() + seen_.bytes() + 3 * b_.bytes(); }

private:
    double norm(const BlockLiquid::Values& b) const;

    BlockLiquid liquid_;
    numerics::BlockPoisson<float> solver_;
    field::Grid pressure_, seen_;
    BlockLiquid::Values b_, part_, sum_;
};

}  // namespace phlo::flow
