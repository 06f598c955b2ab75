// The liquid's velocity in the air around it, on blocks of several levels: what extend.h and balance.h do on a uniform grid.
//
//   extend_velocity(blocks, walls, projector.kind(), {.h = h, .reach = 12}, phi, u, scratch);
//
// Every face beyond those of liquid cells takes the mean of its neighbours, weighted by how much nearer to the surface they lie, so that values are constant
// along the surface's normals to first order [adalsteinsson1999]: sweeps over the rows of each block, up and down, and ghosts between, a fixed number of times.
// Then the air at the surface is balanced, as balance.h tells and why: there cells of air with phi < one cell have no divergence. Faces between levels keep
// what they have in that.
#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include "field/block_ghosts.h"
#include "flow/block_liquid.h"

namespace phlo::flow {

struct BlockExtension {
    double h = 1;       ///< finest cell [m]
    double reach = 12;  ///< faces farther from the surface become 0 [finest cells]
    int sweeps = 12;    ///< of the balance
};

struct BlockExtensionScratch {
    /// What is to be found in one block across one axis, over all sweeps.
    struct Task {
        struct Row {
            std::int32_t first;             ///< place of its first face
            std::int32_t along;             ///< its index along the axis, if that is not x
        };
        std::vector<Row> rows;              ///< in which there is something to find
        std::vector<std::uint8_t> open;     ///< of each place: 1, to be found
        int first = 0, count = 0;           ///< index of a row's first face, and how many
    };
    field::Blocks of;
    field::BlockField<float> q;             ///< the balance's pressure
    std::vector<std::array<Task, 3>> tasks;

    std::size_t bytes() const;
};

/// The ghosts of phi must be filled; those of u are, afterwards. `kind`: of the pressure's cells (BlockProjector::kind()).
void extend_velocity(const field::Blocks& blocks, const Walls& walls, const field::BlockField<std::uint8_t>& kind, const BlockExtension& how,
                     const field::BlockField<float>& phi, BlockVelocity& u, BlockExtensionScratch& scratch);

}  // namespace phlo::flow
