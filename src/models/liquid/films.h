// Films of liquid on walls and bodies that hold no cell's centre: the pressure would not see them, and what runs down a wall would be squeezed into it
// and be lost. So would what falls onto a body that covers a cell's centre, since the surface never gets there.
//
//   count_films(walls, solids, gravity, h, phi, wet);        // then the pressure, gravity and the velocity's extension go by `wet`
//
//      phi > 0   .  centre of the cell     The level set continued to the wall, along its slope away from the wall, is negative there: the cell
//     - - - - - - - surface                holds liquid. As a liquid cell it keeps its volume. Its surface is taken to lie at the centre, up to
//     =============  wall                  half a cell too high, for the pressure only.
#pragma once
#include "field/grid.h"
#include "flow/solids.h"
#include "flow/walls.h"

namespace phlo::models {

/// `wet` = phi, ghosts included, but a little below zero in cells that hold a film, or what has landed on a body, one that lies below it as gravity goes.
void count_films(const flow::Walls& walls, const flow::Solids& solids, const Vec3d& gravity, double h, const field::Grid& phi, field::Grid& wet);

}  // namespace phlo::models
