// A closed box of 8 by 8 by 10 cm, 20 by 20 by 25 cells, to pour liquids into.
#pragma once
#include "models/shot/shot.h"

namespace phlo::models {

inline Shot cup() {
    Shot shot;
    shot.domain.size = {0.08, 0.08, 0.1}, shot.domain.origin = {-0.04, -0.04, 0}, shot.domain.resolution = 25;
    for (WallParams& wall : shot.domain.walls) wall.kind = WallKind::closed;
    shot.time.cfl = 3, shot.time.max_substeps = 200;
    return shot;
}

}  // namespace phlo::models
