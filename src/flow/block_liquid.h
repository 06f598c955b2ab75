// A liquid with a free surface on blocks of several levels (field/blocks.h): which cells are part of it, how open their faces are, and the velocities
// on these, taken from a uniform grid and written back to it.
//
//   BlockLiquid liquid;
//   liquid.set_up(walls, solids, phi, levels, 4);       // phi < 0 is liquid; levels: of the base cells, balanced
//   liquid.read(u);                                     // a coarse face has the mean of the fine ones on it
//   …                                                   // block_projector.h
//   liquid.write(u);                                    // and these become linear between the coarse ones: read() then finds what was written
//
// The level set of a cell is the uniform one's at its centre. Faces are as open as the fine ones on them together. Blocks without liquid are not there.
#pragma once
#include <array>

#include "field/blocks.h"
#include "field/mac.h"
#include "flow/solids.h"
#include "flow/walls.h"
#include "numerics/block_poisson.h"

namespace phlo::flow {

class BlockLiquid {
public:
    using Values = field::BlockField<float>;

    /// The arguments must stay as they are while the rest is asked for. `levels` has one entry a base cell of 2^depth finest cells, the last ones reaching beyond
    /// the grid where that is no multiple.
    void set_up(const Walls& walls, const Solids& solids, const field::Grid& phi, const std::vector<std::int8_t>& levels, int depth);
    static Vec3i base_cells(const field::Layout& layout, int depth);

    const field::Blocks& blocks() const { return blocks_; }
    /// Weights of the pressure's system, with the ghost fluid's at the surface.
    const numerics::BlockSystem<float>& system() const { return system_; }
    numerics::BlockSystem<float> take_system() { return std::move(system_); }

    void read(const field::MacGrid& u);
    void write(field::MacGrid& u);
    /// What may flow out of each cell, in units of a finest cell's face, if its divergence is this [1/s], with h the finest cell's size.
    void gather(const field::Grid& divergence, double h, Values& wanted) const;
    /// b = what may flow out of each cell of liquid (null: nothing) - what does.
    void outflow(const Values* wanted, Values& b) const;
    /// Limits a guess of the pressure next to the surface, where the last one may be far off for a surface that has moved nearer. Its ghosts are filled.
    void calm(Values& q) const;
    /// Velocities take the gradient of q off. Its ghosts are filled.
    void subtract_gradient(Values& q);

    /// What of a level set has the sign that the pressure went by: `phi`, but of coarse cells all fine ones are liquid or none is.
    void seen(const field::Grid& phi, field::Grid& to) const;
    /// Copies between a grid and the blocks: a coarse cell has the value of all fine ones in it.
    void read_cells(const field::Grid& from, Values& to) const;
    void write_cells(const Values& from, field::Grid& to) const;
    std::size_t bytes() const;

private:
    /// each(i, j, k) for the finest faces on the face, across `axis`, of a cell of this size with this lower corner.
    template <class Each>
    void each_fine_face(int axis, const Vec3i& low, int size, const Each& each) const {
        Vec3i high = low + Vec3i(size);
        high[axis] = low[axis] + 1;
        const Vec3i last = min(high, face_extent(phi_->layout(), axis));
        for (int k = low.z; k < last.z; ++k)
            for (int j = low.y; j < last.y; ++j)
                for (int i = low.x; i < last.x; ++i) each(i, j, k);
    }
    void find_kinds(int block);
    void find_openings(int block);
    void find_weights(int block);
    void find_seam(numerics::Seam<float>& seam);
    float phi_at(int level, const Vec3i& lower) const;
    bool touched(int axis, int block, int place) const;
    float slope(int axis, int block, const Vec3i& face, int along) const;
    void write_fine(int block, field::MacGrid& u) const;
    void write_coarse(int block, int axis, field::MacGrid& u) const;
    bool writes_plane(int block, int face) const;
    template <class Each>
    void each_shut(const numerics::Seam<float>& seam, const Each& each) const;
    void follow();
    void write_shut(const numerics::Seam<float>& seam, field::MacGrid& u) const;
    /// The lower corner of cell (i, j, k) of a block, in finest cells.
    Vec3i corner(int block, const Vec3i& cell) const { return blocks_.place(block) * (1 << blocks_.depth()) + cell * blocks_.size(blocks_.level(block)); }

    Walls walls_{};
    const Solids* solids_ = nullptr;
    const field::Grid* phi_ = nullptr;
    Vec3i cells_;
    field::Blocks blocks_;
    field::BlockField<std::uint8_t> kind_;
    Values level_set_;
    std::array<Values, 3> open_;        ///< open part of the face before a cell, 0 beyond the box
    std::array<Values, 3> weight_;      ///< of the pressure's system
    std::array<Values, 3> velocity_;    ///< on the faces before the cells, up to the one after the last [m/s]
    std::array<Values, 3> body_;        ///< velocity of bodies times the covered part; empty without bodies [m/s]
    std::vector<numerics::Seam<float>> seams_;
    numerics::BlockSystem<float> system_;
};

}  // namespace phlo::flow
