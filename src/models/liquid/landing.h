// Liquid that lands on a wall or a body. The pressure stops it at the end of a step only: what has gone into the wall by then is lost, up to five cells of a thread that falls onto
// a plate. So the step ends soon after it lands.
//
//   double dt = longest_step_to_landing(liquid, cfl * h / speed);
//
//      ~~~~~~~~~   surface, it comes with speed v          lost in a step: area max(0, v dt - gap), summed over the cells of air beside the wall
//        gap  |
//      =========   wall
//
// The step is as long as that sum stays below a small part of the liquid's volume, and at least as long as the fastest liquid takes for a tenth of a cell.
//
//   Unslowed unslowed(liquid);        // until it goes: the velocity that carries the surface
//
// And until it lands on a body it falls on. Between the last face that moves with it and the body's own face interpolation would slow it down: its surface would come to the body ever
// more slowly while the rest of it falls on, a quarter of a slab six cells thick. So shut faces below
// liquid that comes move as it does, while the surface is carried; not those of walls that are thin, behind which it would come out.
#pragma once
#include <vector>

#include "models/liquid/liquid_state.h"

namespace phlo::models {

/// [s]; `most` if that loses little.
double longest_step_to_landing(const LiquidState& liquid, double most);

class Unslowed {
public:
    explicit Unslowed(LiquidState& liquid);
    ~Unslowed();
    Unslowed(const Unslowed&) = delete;
    Unslowed& operator=(const Unslowed&) = delete;

private:
    struct Face {
        int axis;
        Vec3i at;
        float before;   ///< [m/s]
    };
    void let_go(const Vec3i& cell, const Vec3f& normal, const Vec3f& velocity);
    void change(int axis, const Vec3i& face, float velocity);

    LiquidState& liquid_;
    std::vector<Face> faces_;
};

}  // namespace phlo::models
