// Ghosts of fields on blocks (blocks.h), all around a block: faces, edges and corners.
//
//   BlockField<float> phi(blocks);
//   fill_ghosts_around(blocks, centres, Seams::one_value, phi);
//   PaddedField smooth;                                          // two ghost layers: for cubic interpolation
//   smooth.copy(blocks, centres, phi);
//
// From a neighbour of the same level values are copied, from a finer one the mean is taken, from a coarser one they are linear, so that a linear field stays
// linear across levels. Beyond the walls of the base array they go on as they are. Every base cell must hold a block.
//
// Face fields: entry (i, j, k) is the face before that cell across `axis`; entry n is the face after the last cell. The face between two blocks belongs to the
// coarser, of two alike to the upper one, and the other's copy is set here. A coarse face has one velocity, for the fine faces on it too (Seams::one_value,
// what the pressure goes by), or one that is linear along it between its neighbours (Seams::linear, what paths are traced through).
#pragma once
#include <cstdint>
#include <vector>

#include "field/blocks.h"

namespace phlo::field {

inline constexpr int centres = -1;   ///< instead of an axis: values in the centres of cells

enum class Seams { one_value, linear };

enum class Around { faces, all };   ///< of a block: the ghosts behind its six faces alone, or those at its edges and corners too

void fill_ghosts_around(const Blocks& blocks, int axis, Seams seams, BlockField<float>& x, Around around = Around::all);
/// Of some blocks alone, each of which is marked (of base cells): their ghosts are filled from what the others have.
void fill_ghosts_around(const Blocks& blocks, int axis, Seams seams, BlockField<float>& x, Around around, const std::vector<std::uint8_t>& marked);

/// A copy of a field with two ghost layers, in one piece of memory.
class PaddedField {
public:
    static constexpr int ghosts = 2;
    static int pitch(int level) { return (1 << level) + 2 * ghosts; }
    static int place(int level, int i, int j, int k) { return i + ghosts + pitch(level) * (j + ghosts + pitch(level) * (k + ghosts)); }

    /// With all ghosts; of faces linear in seams. With `wanted`, of base cells: of these blocks alone, and of others whatever it takes for them.
    void copy(const Blocks& blocks, int axis, const BlockField<float>& from, const std::vector<std::uint8_t>* wanted = nullptr);
    /// Entry (0, 0, 0) of a base cell's block.
    const float* origin(int index) const { return values_.data() + start_[std::size_t(index)]; }
    std::size_t bytes() const { return values_.capacity() * sizeof(float) + start_.capacity() * sizeof(start_[0]); }

private:
    static constexpr std::size_t slack = 64;   ///< before and after: packs are read whole
    std::vector<float> values_;
    std::vector<std::size_t> start_;           ///< of base cells
};

}  // namespace phlo::field
