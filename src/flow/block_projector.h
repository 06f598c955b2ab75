// The pressure of a liquid with a free surface on blocks of several levels: few unknowns where nobody looks closely. What free_surface.h does on a uniform grid.
//
//   BlockProjector projector;
//   projector.set_up(walls, solids, blocks, phi);                          // every step; the ghosts of phi filled (field/block_ghosts.h)
//   FreeSurfaceReport report = projector.project({.h = h, .tolerance = 1e-4}, u);
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

struct BlockPressure {
    double h = 1;                  ///< finest cell [m]
    double tolerance = 1e-4;       ///< of the residual, relative to the right-hand side, 2-norms
    int max_iterations = 100;      ///< of one solve
    double divergence = 0;         ///< that liquid cells shall have [1/s]
    double guess = 0;              ///< so much of the pressure as it stands is taken to start from; 0: none
};

class BlockProjector {
public:
    using Values = BlockLiquid::Values;

    /// The arguments must stay as they are until project() has returned. Another set of blocks than before: edit_pressure() begins at zero.
    void set_up(const Walls& walls, const BlockSolids& solids, const field::Blocks& blocks, const Values& phi);
    /// The walls and bodies in `u` must be enforced before; where blocks meet, faces are alike.
    FreeSurfaceReport project(const BlockPressure& params, BlockVelocity& u);

    /// A pressure on other blocks, for which set_up() comes next.
    void move_pressure(Values q, const field::Blocks& blocks);
    /// q = dt p / (rho h) [m/s], h the finest cell, 0 outside the liquid: a guess for the next step, part of a model's state.
    Values& edit_pressure() { return pressure_; }
    const Values& pressure() const { return pressure_; }
    /// numerics::CellKind of the cells; across the faces of a block, in its ghosts, the neighbour's.
    const field::BlockField<std::uint8_t>& kind() const { return solver_.system().kind; }
    std::size_t bytes() const { return solver_.bytes() + liquid_.bytes() + pressure_.bytes() + b_.bytes() + part_.bytes(); }

private:
    field::Blocks blocks_;
    BlockLiquid liquid_;
    numerics::BlockPoisson<float> solver_;
    Values pressure_, b_, part_;
};

}  // namespace phlo::flow
