// A liquid with a free surface on blocks of several levels (field/blocks.h): which cells are part of it, how open their faces are, and what the pressure does
// to the velocities on these.
//
//   BlockLiquid liquid;
//   liquid.set_up(walls, solids, blocks, phi, system);  // phi < 0 is liquid
//   liquid.outflow(0, h, u, b);
//   …                                                   // block_projector.h
//   liquid.subtract_gradient(q, u);
//
// Every base cell holds a block; those without liquid have no part in the system.
#pragma once
#include <array>

#include "field/block_ghosts.h"
#include "flow/block_solids.h"
#include "flow/walls.h"
#include "numerics/block_poisson.h"

namespace phlo::flow {

using BlockVelocity = std::array<field::BlockField<float>, 3>;
using PaddedVelocity = std::array<field::PaddedField, 3>;

/// Sets the normal velocity on closed walls.
void enforce_walls(const field::Blocks& blocks, const Walls& walls, BlockVelocity& u);

class BlockLiquid {
public:
    using Values = field::BlockField<float>;

    /// Makes `system` the pressure's, with the ghost fluid's weights at the surface; memory of one for the same blocks is used again. The other arguments must stay
    /// as they are while the rest is asked for. The ghosts of phi must be filled (field/block_ghosts.h).
    void set_up(const Walls& walls, const BlockSolids& solids, const field::Blocks& blocks, const Values& phi, numerics::BlockSystem<float>& system);
    /// Where the system is from now on.
    void use(const numerics::BlockSystem<float>& system) { system_ = &system; }

    /// b = what may flow out of each cell of liquid (`divergence` [1/s]; h: the finest cell) - what does, in units of a finest cell's face.
    void outflow(double divergence, double h, const BlockVelocity& u, Values& b) const;
    /// Limits a guess of the pressure next to the surface, where the last one may be far off for a surface that has moved nearer. Its ghosts are filled.
    void calm(Values& q) const;
    /// Velocities take the gradient of q off. Its ghosts are filled.
    void subtract_gradient(Values& q, BlockVelocity& u) const;
    /// Faces between levels that are shut for the pressure though a fine cell behind them is liquid take the velocity on that cell's other side.
    void follow(BlockVelocity& u) const;
    std::size_t bytes() const;

private:
    void find_kinds(int block, numerics::BlockSystem<float>& system) const;
    void find_openings(int block);
    void find_weights(int block, numerics::BlockSystem<float>& system) const;
    void find_seam(numerics::BlockSystem<float>& system, numerics::Seam<float>& seam);

    Walls walls_{};
    const BlockSolids* solids_ = nullptr;
    const Values* phi_ = nullptr;
    field::Blocks blocks_;
    std::array<Values, 3> open_;        ///< open part of the face before a cell
    const numerics::BlockSystem<float>* system_ = nullptr;
};

}  // namespace phlo::flow
