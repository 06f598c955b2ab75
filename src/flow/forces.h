// Buoyancy and vorticity confinement, added to the faces of the cells that do something.
//
//   add_forces({.dt = dt, .h = h, .alpha = a, .beta = b, .ambient = T0, .epsilon = e}, old_u, density, temperature, active, u);
//
//   buoyancy      f_z = -alpha d + beta (T - T_ambient)                        [fedkiw2001, eq. 8]
//   confinement   f = epsilon h (N x omega),  N = grad|omega| / |grad|omega||    [steinhoff1994; fedkiw2001, eq. 11]
//
// Forces live in cells; a face takes the mean of its two cells. (The 2018 write-up differences them: a misprint.)
// The confinement is evaluated on the velocity at the start of the step, `old_u`, so tiles can work side by side.
#pragma once
#include "field/mac.h"
#include "flow/tiles.h"

namespace phlo::flow {

struct Forces {
    double dt;            ///< [s]
    double h;             ///< cell size [m]
    double alpha = 0;     ///< downward acceleration per unit of density [m/s^2]
    double beta = 0;      ///< upward acceleration per kelvin [m/(s^2 K)]
    double ambient = 0;   ///< [K]
    double epsilon = 0;   ///< confinement [1/s]
};

/// `old_u` needs its ghosts extended.
void add_forces(const Forces& forces, const field::MacGrid& old_u, const field::Grid& density, const field::Grid& temperature,
                const TileSet& active, field::MacGrid& u);

}  // namespace phlo::flow
