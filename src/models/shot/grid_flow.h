// A flow on the grid of a shot: the velocity, the bodies in it, the walls around it, the clock, and the parts of a step that every such model
// takes. What is carried, what pushes and what expands is the model's own.
//
//   GridFlow flow(shot, {.gravity = {0, 0, -9.81}, .fluid_density = 1.2});
//   const double dt = flow.choose_step(remaining, done, {}, warnings);
//   if (flow.move_bodies(dt)) …                                    // bodies cover other cells now
//   flow.advect_velocity(flow::Scheme::maccormack, flow::Trace::rk2, dt, tiles);   // into next_velocity(), where forces are added
//   flow.project(dt, phi, {.tolerance = 1e-4}, warnings);          // back into velocity()
//   flow.finish_step(dt);
//
// Who wants to change the velocity asks for it by edit_velocity(): what is known about it, such as its largest component, is then forgotten.
#pragma once
#include <cstdint>
#include <limits>
#include <optional>

#include "base/log.h"
#include "field/domain.h"
#include "flow/advect.h"
#include "flow/free_bodies.h"
#include "flow/projection.h"
#include "flow/solids.h"
#include "flow/tiles.h"
#include "models/model.h"
#include "models/shot/shot.h"

namespace phlo::models {

class GridFlow {
public:
    struct Physics {
        Vec3d gravity{0, 0, -9.81};      ///< on free bodies [m/s^2]
        double fluid_density = 1.2;      ///< around them [kg/m^3]
        bool liquid = false;             ///< its pressure holds its own weight (free_bodies.h)
    };
    GridFlow(const Shot& shot, const Physics& physics);
    GridFlow(const GridFlow&) = delete;
    GridFlow& operator=(const GridFlow&) = delete;

    const Shot& shot() const { return shot_; }
    const field::Domain& domain() const { return domain_; }
    const field::Layout& layout() const { return layout_; }
    double cell_volume() const { return domain_.h * domain_.h * domain_.h; }
    double time() const { return time_; }                                     ///< [s]
    std::uint32_t steps() const { return std::uint32_t(steps_); }             ///< sub-steps done
    flow::Walls walls() const;                                                ///< as they are now
    flow::BodySurroundings surroundings() const;
    const flow::Solids& solids() const { return solids_; }
    flow::FreeBodies& free_bodies() { return free_; }
    const flow::FreeBodies& free_bodies() const { return free_; }
    std::vector<geom::Placement> placements() const { return free_.placements(time_); }
    const flow::ProjectionReport& projection() const { return projection_; }  ///< of the last project()
    void set_gravity(const Vec3d& gravity) { physics_.gravity = gravity; }

    const field::MacGrid& velocity() const { return u_; }
    field::MacGrid& edit_velocity() { return fastest_ = -1, u_; }
    double fastest();                                                         ///< largest component of the velocity [m/s]
    field::MacGrid& next_velocity() { return next_u_; }                       ///< between advect_velocity() and project()
    /// A grid of the second velocity, to work in: idle from project() until the velocity is carried again.
    field::Grid& idle_grid(int index) { return next_u_[index]; }
    flow::Workspace& workspace() { return workspace_; }
    /// next_velocity() becomes the velocity, with walls and bodies enforced: for models that find the pressure themselves, as project() does.
    field::MacGrid& adopt_next_velocity();
    /// Bodies that are free take a part of the pressure q = dt p / (rho h) [m/s] found for the end of this step.
    void press_bodies(const field::Grid& q, double dt);

    /// What the velocity does not show yet.
    struct Coming {
        double speed = 0;                                       ///< [m/s]
        double longest = std::numeric_limits<double>::infinity();   ///< step that the model can bear [s]
    };
    /// A step that crosses no more cells than time.cfl allows, `remaining` being left of the frame, `done` sub-steps being behind it.
    /// Throws RunError if the velocity is no longer a number.
    double choose_step(double remaining, int done, const Coming& coming, Warnings& warnings);
    /// To where bodies are at the end of the step. True if they cover other cells than before, and in the first step.
    bool move_bodies(double dt);
    void advect_velocity(flow::Scheme scheme, flow::Trace trace, double dt, const flow::TileSet& tiles);
    /// How scalars are carried by the velocity as it is now.
    flow::Advection scalar_advection(flow::Scheme scheme, flow::Trace trace, double dt);
    void project(double dt, const field::Grid* divergence, const numerics::PoissonSolver::Options& options, Warnings& warnings);
    void finish_step(double dt) { time_ += dt, ++steps_; }
    void finish_frame(double time) { time_ = time; }                          ///< without the rounding of many steps

    void add_state(StateView& view);
    std::size_t bytes() const;

private:
    Shot shot_;
    Physics physics_;
    field::Domain domain_;
    field::Layout layout_;
    double time_ = 0;
    double steps_ = 0;                    ///< a whole number, kept as the rest of the state is
    field::MacGrid u_, next_u_;
    double fastest_ = -1;                 ///< < 0: somebody has had the velocity to change it since it was looked for
    flow::Solids solids_;
    flow::FreeBodies free_;
    std::optional<flow::Projector> projector_;   ///< none until the first project()
    bool projector_ready_ = false;               ///< for the bodies where they are
    flow::ProjectionReport projection_;
    flow::Workspace workspace_;
};

}  // namespace phlo::models
