// Values beyond the place where they are known: the liquid's velocity in the air around it, the level set inside bodies.
//
//   MarchScratch scratch;
//   extend_velocity({.h = h, .layers = 4, .open = &solids.aperture}, phi, u, scratch);   // faces of liquid keep theirs
//   extend_into_solids(solids, 4, float(h), phi, scratch);
//
// Layer by layer: an entry takes the mean of its known neighbours, weighted by how much nearer to the surface they lie, so that values are
// constant along the surface's normals to first order [adalsteinsson1999]. The next advection needs as many layers as it takes cells in a
// step, and one more; after it the liquid may be where only extended values are, hence the usual 2 CFL. Faces farther away become 0:
// nothing old is left there. Closed faces are filled for the liquid beside them but pass nothing on to open ones: air behind a wall does not
// move as the liquid before it does, or it would carry the liquid through.
#pragma once
#include "field/mac.h"
#include "flow/redistance.h"
#include "flow/solids.h"
#include "flow/tiles.h"

namespace phlo::flow {

struct VelocityExtension {
    double h = 1;  ///< [m]
    int layers = 3;  ///< of faces beyond those of liquid cells
    const field::MacGrid* open = nullptr;  ///< open fractions of faces, solids' apertures; null: no solids
    float min_open = 0;  ///< faces no more open than this are not known: through a slit the flow is right, but its speed means nothing
    int sloping = 0;  ///< so many of the layers go on with the velocity's slope, where it is even: the smaller one of the last two; the others are constant
    const TileSet* tiles = nullptr;  ///< where faces are looked at; those elsewhere keep what they have. Null: everywhere
};

/// A face is known if it is open enough and the level set is negative on one side of it. The ghosts of `phi` must be filled.
void extend_velocity(const VelocityExtension& how, const field::Grid& phi, field::MacGrid& u, MarchScratch& scratch);

/// Continues q from the open cells into covered ones; those beyond the layers keep their value. Unlike extend_inside, as deep as one likes.
/// `steepest`: q goes on with its slope, up to so much a cell, so that a plane stays one; in walls up to about four cells thin never to a sign that nothing
/// around has: a level set that turned negative in the wall of a glass, above the liquid, would be a film that the next redistancing finds, and that goes on by itself. 0: constant.
void extend_into_solids(const Solids& solids, int layers, float steepest, field::Grid& q, MarchScratch& scratch);

}  // namespace phlo::flow
