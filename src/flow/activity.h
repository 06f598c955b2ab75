// Where the velocity has to be carried along: all tiles but the calm ones.
//
// In a calm tile the flow is nearly free of rotation and crosses only a fraction of a cell. There (u . grad) u is the gradient of
// |u|^2 / 2, which the projection would take away again, so leaving the transport out changes next to nothing. The pressure is
// solved everywhere: a far plume still pushes and pulls on a calm tile, and wakes it when the tile begins to turn or to stream.
#pragma once
#include "field/mac.h"
#include "flow/tiles.h"

namespace phlo::flow {

struct Calm {
    double displacement = 0.25;   ///< cells crossed in a step, at most
    double rotation = 0.01;       ///< vorticity times the step, at most
};

/// Tiles that are not calm. The ghosts of `u` need not be filled.
TileSet stirred_tiles(const field::MacGrid& u, double dt, double h, const Calm& calm = {});

}  // namespace phlo::flow
