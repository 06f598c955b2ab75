// Viscosity of a liquid with a free surface: implicit, in variational form, all three components of the velocity coupled
// [batty2008].
//
//   ViscositySolver solver(domain);
//   ViscosityReport report = solver.solve({.dt = dt, .nu = 1e-2, .walls_stick = true}, walls, solids, phi, u);   // phi < 0 is liquid
//   if (!report.converged) ...
//
// The velocity after a time dt of friction is the one that makes the smallest sum of what it takes to change the liquid's velocity and of the
// work of friction:
//
//      integral over the liquid of   1/2 |u - u*|^2  +  dt nu D : D,     D = (grad u + grad u^T) / 2
//
// Nothing but the liquid's own volume is integrated over, so that the surface is free of stress without a word said about it, and a liquid
// that turns or flies as a rigid body (D = 0) does not feel its viscosity: linear and angular momentum, counted with the volumes of liquid
// around the faces, stay to the solver's tolerance at any nu. On the grid:
//
//      ( V_face + 2 dt nu D^T V D ) u  =  V_face u*         symmetric, positive definite
//
//         v                 x: shear 2 D_xy = du/dy + dv/dx on the edges along z, from the four faces around each
//      u--x--u              o: du/dx, dv/dy, dw/dz at the centres of cells
//      |  v  |              V: the part of the cube of one cell around a face, centre or edge that holds liquid, from planes through the
//      u  o  u              cubes (plane_part.h); what bodies or walls cover does not count
//      |  v  |
//      u--x--u
//                           Faces without liquid at the centre of a cell on either side have a velocity only by extension from others: they
//                           weigh nothing, and follow what the stress around them asks for.
//
//                           nu of an edge: the harmonic mean of the cells around it, so that layers of unlike viscosity share one stress
//
// Walls and bodies hold the velocity through them. Where liquid sticks they hold all of it: the difference from a free face to the wall is
// taken over the way to where the wall is, theta h, which makes the profile next to it second order at any place of the wall [gibou2002].
//
//      u  free face         du/dy = (u - u_wall) / (theta h): theta = 1/2 at the walls of the box, from the distance field at bodies,
//      |  theta h           and the volume of the edge shrinks with theta
//    --+------- wall
//      .  face in the wall
//
// Where liquid slips, the shear on the edges in the wall or at a body's covered faces is left out, and so is nothing else: the covered faces
// keep the velocity that is in them (flow::constrain_velocity: along the body the liquid's, through it the body's), and normal strains see it.
// Walls that are open have no shear either: the liquid that leaves exerts none.
//
// Solved by conjugate gradients, starting from u*, preconditioned with the diagonal. The work goes with the rows of liquid.
#pragma once
#include "field/domain.h"
#include "flow/viscosity_system.h"

namespace phlo::flow {

struct ViscosityReport {
    long faces = 0;        ///< unknowns
    int iterations = 0;
    double residual = 0;   ///< bound of the velocity's error, rms over the liquid, in parts of the velocity u* (and of what friction changes in it)
    bool converged = true;
};

class ViscositySolver {
public:
    explicit ViscositySolver(const field::Domain& domain) : system_(domain), residual_(field::Layout(domain.cells)), direction_(residual_.layout()), product_(residual_.layout()) {}

    /// Ghosts of phi must be filled, u must have values around the liquid (extend.h) with walls and bodies enforced. Faces that are not part
    /// of the system keep their value, but for those in bodies that liquid sticks to: they take the body's. Ghosts of u beyond walls that
    /// liquid sticks to become 0, the wall's velocity.
    ViscosityReport solve(const ViscosityParams& params, const Walls& walls, const Solids& solids, const field::Grid& phi, field::MacGrid& u);

    const ViscousSystem& system() const { return system_; }  ///< of the last solve
    std::size_t bytes() const { return system_.bytes() + residual_.bytes() + direction_.bytes() + product_.bytes(); }

private:
    struct Sums {
        double square = 0;         ///< r . r
        double scaled = 0;         ///< r . z, z = r / diagonal
        double scaled_square = 0;  ///< z . z
        double given_square = 0;   ///< |V u*|^2
    };
    Sums start(const field::MacGrid& u);
    Sums advance(double alpha, field::MacGrid& u);
    void turn(double beta);

    ViscousSystem system_;
    field::MacGrid residual_, direction_, product_;
};

}  // namespace phlo::flow
