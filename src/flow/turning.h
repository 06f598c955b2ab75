// What pushes the liquid turns with it, and a step must know.
//
//   MacGrid before = u;                                     // as it was carried along, before gravity, pressure and friction
//   ...                                                     // they change u
//   add_turn({.dt = dt, .h = h}, phi, solids, tiles, before, spare, scratch, u);     // then u has to be projected once more
//
// Transport takes the velocity of a liquid along straight on, and the pressure bends it at the end of the step only. In a liquid that turns by an
// angle w dt a step, cos(w dt) of its spin is left, whatever carries it. The push F that a piece of liquid feels turns with it, so its mean over the step is that
// of the end, turned back by half the angle, to second order:
//
//      u += (R(-w dt / 2) - 1) F  =  -dt/2 W F,     W = (grad u - grad u^T) / 2,     F = u - before
//
// which puts back just what is lost: with u = w x r, F = dt w x (w x r), it is (w dt)^2 / 2 of u. The same for any velocity of the whole, nothing in still water and
// where nothing spins. It is what [zehnder2018] find by reflecting the velocity, without a second transport. W lies on the edges of cells.
#pragma once
#include <array>

#include "field/mac.h"
#include "flow/redistance.h"
#include "flow/solids.h"
#include "flow/tiles.h"

namespace phlo::flow {

struct Turning {
    double dt = 0;   ///< [s]
    double h = 1;    ///< [m]
};

/// On faces of liquid (phi < 0 on one side), in the given tiles, but those of walls and bodies. `before` and `spare` are overwritten. The ghosts of `phi` must be
/// filled. The same for any number of threads.
void add_turn(const Turning& how, const field::Grid& phi, const Solids& solids, const TileSet& tiles, field::MacGrid& before, const std::array<field::Grid*, 2>& spare,
              MarchScratch& scratch, field::MacGrid& u);

}  // namespace phlo::flow
