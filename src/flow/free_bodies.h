// Bodies that the gas, gravity and what they touch move, and that push back on the gas.
//
//   FreeBodies free(bodies);                                     // those of `bodies` that are free; the others follow their keyframes
//   free.move(surroundings, time, dt);                           // fall, fly on, collide: from `time` to time + dt
//   rasterize(domain, free.placements(time + dt), solids);
//   projector.set_up(walls, solids);
//   projector.couple(free.pressure_terms(surroundings, solids));
//   projector.project(solids, phi, h, options, u, [&](const Grid& q) {
//       free.respond(q);                                         // the pressure's impulse
//       rasterize(domain, free.placements(time + dt), solids);   // same place, new velocities
//   });
//
// Gas and bodies are coupled without a splitting error [batty2007]: the pressure that makes the flow fit the bodies' velocities is found
// together with the velocities that it gives them. With J the outflow of each cell for a unit of each of a body's six velocities V,
//
//      u = u* - grad q,    V = V* + rho h^3 M^-1 J^T q,    outflow(u) + J V = h phi     =>     (A + rho h^3 J M^-1 J^T) q = ...
//
// J is made of the same covered parts of faces as the solver's outflow, and its transpose gives the force: what the gas loses in momentum
// the body gets, to round-off, and no work is lost between them. The body's virtual (added) mass is in the system, so bodies lighter than
// the gas they displace, balloons, are as stable as stones.
//
// The gas's pressure is the one beyond the still air's. The still air's own, p = -rho g z, is here the weight of the displaced air. A liquid's
// pressure holds its own weight (`carries_its_weight`) and is zero at its surface, which settles the constant that is free in a closed box of gas.
#pragma once
#include <span>
#include <string>
#include <vector>

#include "field/domain.h"
#include "flow/solids.h"
#include "flow/walls.h"
#include "geom/contact.h"
#include "numerics/rank_term.h"

namespace phlo::flow {

struct BodySurroundings {
    field::Domain domain;
    Walls walls;
    Vec3d gravity{0, 0, -9.81};  ///< [m/s^2]
    double gas_density = 1.2;  ///< of the fluid, the same everywhere for inertia [kg/m^3]
    bool carries_its_weight = false;  ///< the pressure holds the fluid's own weight, as a liquid's does: nothing else buoys
};

class FreeBodies {
public:
    FreeBodies() = default;
    /// The bodies must live as long as this does.
    explicit FreeBodies(std::span<const geom::Body> bodies);

    bool any() const { return !free_.empty(); }
    double fastest() const;  ///< speed of a free body's centre [m/s]

    /// All forces but the gas's pressure act for dt seconds. Closed and inflow walls, and the other bodies, are in the way.
    void move(const BodySurroundings& around, double time, double dt);

    /// Where every body is: the free ones now, the others at `time`. In the order of the bodies.
    std::vector<geom::Placement> placements(double time) const;

    /// One term for each free body, for the places in `solids`.
    std::vector<numerics::RankTerm> pressure_terms(const BodySurroundings& around, const Solids& solids);
    /// The bodies take the impulses of the pressure q = dt p / (rho h) [m/s], or of a part of it, through the terms made last.
    void respond(const field::Grid& q);

    /// An impulse [N s] at a point, on body `index` of the bodies; nothing if that one is not free.
    void push(int index, const Vec3d& world, const Vec3d& impulse);

    struct Free {
        int index = 0;  ///< among all bodies
        geom::RigidBody rigid;
        Vec3d pressed;  ///< acceleration that the gas gave it in the last step [m/s^2]
        double temperature = 0;  ///< of a body with a heat capacity [K]
        bool present = true;  ///< false: nothing is left of it
    };
    std::span<Free> free() { return free_; }
    Free* find(int index);  ///< null if body `index` is not free

    /// Bodies may change while they move. `bodies` are all of them, those that were there before in their old order.
    void add(std::span<const geom::Body> bodies, int index, const geom::Pose& pose, const Vec3d& velocity, const Vec3d& spin);
    /// Forgets the bodies behind the first `count`.
    void keep_first(std::span<const geom::Body> bodies, int count);
    /// Body `index` has another shape: its mass, centre and inertia follow, and its matter goes on as it moved. One without volume stays where it is.
    void reshape(int index);

    std::span<const Free> free() const { return free_; }

    struct Number {
        std::string name;
        double* value;
    };
    std::vector<Number> numbers();  ///< the whole state, for checkpoints; of the bodies of the beginning, not of those added
    static std::vector<double*> numbers(Free& free);
    double& moved() { return moved_; }  ///< part of the state too

private:
    std::span<const geom::Body> bodies_;
    std::vector<Free> free_;
    int named_ = 0;  ///< bodies at the beginning
    std::vector<numerics::RankTerm> terms_;
    std::vector<std::array<double, numerics::RankTerm::columns>> per_impulse_;  ///< velocity for a unit of c . q
    double dt_ = 0;  ///< of the last move
    double moved_ = 0;  ///< 1 after the first move; a number, for it is part of the state
};

}  // namespace phlo::flow
