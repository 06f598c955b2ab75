// A liquid with a free surface on blocks of several levels (field/blocks.h): which cells are part of it, how open their faces are, and what the pressure does
// to the velocities on these.
//
//   BlockLiquid liquid;
//   liquid.set_up(walls, solids, blocks, phi);          // phi < 0 is liquid
//   liquid.outflow(nullptr, u, b);
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

    /// The arguments must stay as they are while the rest is asked for. The ghosts of phi must be filled (field/block_ghosts.h).
    void set_up(const Walls& walls, const BlockSolids& solids, const field::Blocks& blocks, const Values& phi);

    /// Weights of the pressure's system, with the ghost fluid's at the surface. It can be taken once.
    numerics::BlockSystem<float> take_system() { return std::move(system_); }
    /// numerics::CellKind of the cells; across the faces of a block, in its ghosts, the neighbour's.
    const field::BlockField<std::uint8_t>& kind() const { return kind_; }

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
    void find_kinds(int block);
    void find_openings(int block);
    void find_weights(int block);
    void find_seam(numerics::Seam<float>& seam);

    Walls walls_{};
    const BlockSolids* solids_ = nullptr;
    const Values* phi_ = nullptr;
    field::Blocks blocks_;
    field::BlockField<std::uint8_t> kind_;
    std::array<Values, 3> open_;        ///< open part of the face before a cell
    std::array<Values, 3> weight_;      ///< of the pressure's system
    std::vector<numerics::Seam<float>> seams_;
    numerics::BlockSystem<float> system_;
};

}  // namespace phlo::flow
