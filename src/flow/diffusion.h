// Diffusion of cell fields and viscosity of face fields, stable for any coefficient and conserving.
//
//   Diffuser diffuser;
//   diffuser.diffuse_cells(density, kappa * dt / (h * h), solids);
//
// Runge-Kutta-Legendre super time stepping of second order [meyer2014]: s explicit stages cover (s^2 + s - 2) / 4 explicit steps,
// so the cost grows with the square root of the coefficient, without a matrix. Walls and bodies let nothing through.
#pragma once
#include "field/mac.h"
#include "flow/solids.h"
#include "flow/walls.h"

namespace phlo::flow {

class StickyFaces;

class Diffuser {
public:
    /// `number` = kappa dt / h^2. With `room` (room.h) q is an amount per open volume, and the sum of q room stays.
    void diffuse_cells(field::Grid& q, double number, const Solids& solids, const field::Grid* room = nullptr);

    /// `number` = nu dt / h^2. Tangential velocity slips along the domain's walls; faces inside bodies and normal velocities on
    /// walls that are not open stay as they are. With `sticky` (sticky_faces.h) the flow sticks to bodies that say so.
    void diffuse_velocity(field::MacGrid& u, double number, const Walls& walls, const Solids& solids, const StickyFaces* sticky = nullptr);

    std::size_t bytes() const;

private:
    struct Problem;
    void integrate(field::Grid& q, double number, const Problem& problem);

    field::Grid start_rate_, start_, older_, next_;
};

/// Stages that a step of `number` = kappa dt / h^2 takes; odd, at least 3.
int diffusion_stages(double number);

}  // namespace phlo::flow
