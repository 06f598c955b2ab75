// A random pattern that goes with the gas, known from one frame alone.
//
//   CarriedNoise noise(velocity, near_gas, {.time = 0.5, .period = 0.25, .seed = 1});
//   for (const CarriedNoise::Phase& phase : noise.phases()) {
//       Vec3f texture = place + phase.offset.sample(place - first);     // [cells]: noise is looked up there
//       float share = phase.weight * phase.kept.sample(place - first).x;
//   }
//
// Two patterns live for `period` each, half a period apart [neyret2003]. A point x of the gas shows what its pattern has at the
// place where that gas is in the middle of the pattern's life: traced there along the frame's velocity, forwards or backwards, as if the
// flow were steady meanwhile. So a pattern is as drawn when it is strongest, is stretched the most where it is nearly gone, and nothing
// but the frame and its time is asked: frames are drawn in any order. The weights sin(pi f) of the two have squares that add up to 1.
//
// Where the flow has squeezed a pattern it would be finer than what can be shown; there it fades, as in [kim2008] but by a law of our own.
#pragma once
#include <array>
#include <cstdint>
#include <functional>

#include "field/frame.h"
#include "render/volumes/vector_lattice.h"

namespace phlo::render {

/// Velocity in the middles of cells, in cells per second.
VectorLattice cells_per_second(const field::FaceVelocity& velocity);

class CarriedNoise {
public:
    struct Params {
        double time = 0, period = 0.25;  ///< [s]
        int seed = 1;
    };
    struct Phase {
        float weight = 0;
        std::uint32_t seed = 0;  ///< another one in every life
        VectorLattice offset;  ///< from a cell to where its gas is in the middle of this life [cells]
        VectorLattice kept;  ///< share of the pattern that is not too squeezed, in x
    };

    /// Only cells for which `wanted` holds are traced.
    CarriedNoise(const VectorLattice& velocity, const std::function<bool(int i, int j, int k)>& wanted, const Params& params);

    const std::array<Phase, 2>& phases() const { return phases_; }

private:
    std::array<Phase, 2> phases_;
};

}  // namespace phlo::render
