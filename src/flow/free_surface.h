// The pressure of a liquid with a free surface: makes its velocity's divergence what it is told to be, with the air's pressure, zero, on the
// surface. Second order [gibou2002, enright2003], on cut cells [batty2007, ng2009].
//
//   FreeSurfaceProjector projector(layout);
//   projector.set_up(walls, solids, phi);              // every step: phi < 0 is liquid (liquid_cells.h)
//   FreeSurfaceReport report = projector.project({.h = h, .tolerance = 1e-4}, u);
//
// The unknown is q = dt p / (rho h), as in projection.h. A liquid cell c satisfies
//
//      sum over liquid neighbours n  a (q_c - q_n)  +  sum over air neighbours  a / theta (q_c - q_surface)  =  h div - outflow(u*)
//      u = u* - (q_upper - q_lower) between liquid cells,     u = u* -/+ (q_surface - q_c) / theta towards air
//
// which is symmetric, positive definite, and exact for linear pressure: still water stays still at any fill height and any tilt of gravity.
// Velocities on faces between liquid and air must be there before (extended from the liquid, with forces added); faces without liquid on
// either side are not touched.
//
// Deep water has a pressure that floats cannot hold as well as a tight tolerance asks for. So the pressure is found in rounds: each one solves for
// what the velocity still lacks after the ones before it.
//
// Water lets go: where a closed wall of the box would have to pull a cell of the surface (q < 0), its face is released. The surface then lies
// in the wall, the cell may leave it, and the pressure is found again. Faces that would then let water out are shut. What was released stays so
// in the next step, as long as it is at the surface and nothing leaks, and faces that pull while others are released already wait until
// then: water that runs along a ceiling and falls from it costs one solve a step, not two. Where bodies are coupled to the pressure no wall
// is released.
//
// It lets go of bodies, too: a cell of the surface beside a body that would have to pull it counts as air in the next step's pressure, for as long as
// the flow goes apart there [gerszewski2013]. So a ball that dives in leaves a hole behind it, and water is thrown off at its side.
#pragma once
#include <functional>
#include <vector>

#include "field/mac.h"
#include "flow/air_pockets.h"
#include "flow/liquid_cells.h"
#include "flow/projection.h"

namespace phlo::flow {

/// What air that is shut in does: nothing, so that pockets close, or keep its volume (air_pockets.h; one more cycle or so for each pocket).
enum class SealedAir { empty, incompressible };

struct FreeSurfaceParams {
    double h = 1;                              ///< cell size [m]
    double tolerance = 1e-4;                   ///< of the residual, relative to the right-hand side, 2-norms
    int max_iterations = 100;                  ///< multigrid cycles of one solve
    const field::Grid* divergence = nullptr;   ///< that liquid cells shall have [1/s]; null: 0
    double tension = 0;                        ///< dt sigma / rho [m^3/s]: the surface's pressure is sigma times its curvature
    const field::Grid* curvature = nullptr;    ///< of phi next to the surface, on both sides (level_set.h) [1/m]; where there is tension
    const field::Grid* guess = nullptr;        ///< a pressure q to start from, like the last step's [m/s]: fewer cycles in calm water
    bool let_go = true;                        ///< of closed walls that would have to pull
    double least_pull = 0;                     ///< walls hold what pulls by less than this q [m/s]
    double reference = 0;                      ///< 2-norm that the tolerance is relative to, FreeSurfaceReport::norm of a projection before; 0: the right-hand side's own
};

struct FreeSurfaceReport : ProjectionReport {
    long cells = 0;      ///< of liquid
    double norm = 0;     ///< of the right-hand side, without what a guess takes of it
    int solves = 0;      ///< more than one if walls were released
    int rounds = 0;      ///< of all solves
    long released = 0;   ///< wall faces that let go, now or in the next step
};

/// The face of cell (i, j, k) in a wall of the box, 0 to 5.
struct WallFace {
    int wall, i, j, k;
};

class FreeSurfaceProjector {
public:
    explicit FreeSurfaceProjector(const field::Layout& layout) : solver_(layout), cells_(layout), pressure_(layout) {}

    /// The arguments must stay as they are until project() has returned.
    void set_up(const Walls& walls, const Solids& solids, const field::Grid& phi, SealedAir air = SealedAir::empty);

    /// Bodies that the pressure moves (free_bodies.h); until the next set_up().
    void couple(std::vector<numerics::RankTerm> bodies);

    /// The walls and bodies in `u` must be enforced before. Released wall faces have a velocity into the box afterwards. `respond` is told
    /// every part of the pressure q as soon as it is known (their sum is the pressure): coupled bodies then take their impulses and give
    /// `solids` their new velocities.
    FreeSurfaceReport project(const FreeSurfaceParams& params, field::MacGrid& u, const std::function<void(const field::Grid& q)>& respond = {});

    const field::Grid& pressure() const { return pressure_; }  ///< q = dt p / (rho h) [m/s], 0 outside the liquid
    field::Grid& edit_pressure() { return pressure_; }         ///< a guess for the next step; part of a model's state
    /// Wall faces that were let go and are still at the surface: the next step takes them for released. Part of a model's state.
    std::vector<WallFace>& edit_released() { return released_; }
    std::vector<Vec3i>& edit_freed() { return freed_; }        ///< cells that have let go of bodies; part of a model's state
    const LiquidCells& cells() const { return cells_; }
    const std::vector<AirPocket>& pockets() const { return pockets_; }  ///< whose volume is kept
    std::size_t bytes() const { return solver_.bytes() + cells_.bytes() + pressure_.bytes(); }

private:
    void set_up_solver();
    void add_terms();
    void add_pockets(const std::vector<double>& inflow);
    void start(const FreeSurfaceParams& params, field::MacGrid& u);
    void solve(const FreeSurfaceParams& params, field::MacGrid& u, const std::function<void(const field::Grid&)>& respond, FreeSurfaceReport& report);
    float steepest(const field::Grid& q, int i, int j, int k) const;
    double fill_right_hand_side(const FreeSurfaceParams& params, const field::MacGrid& u);
    void push_back_pockets(const field::Grid& part, const std::vector<double>& inflow, field::MacGrid& u);
    void undo(const FreeSurfaceParams& params, field::MacGrid& u);
    void add_gradient(const field::Grid& q, float sign, field::MacGrid& u) const;
    void add_tension(const FreeSurfaceParams& params, float sign, field::MacGrid& u) const;
    template <class Visit>
    void each_wall_cell(const Visit& visit) const;
    std::vector<WallFace> pulling_faces(double least_pull) const;
    static float& face_velocity(const WallFace& f, field::MacGrid& u);
    static void start_leaving(const WallFace& f, field::MacGrid& u);
    void close_leaks(field::MacGrid& u);
    void leave_bodies(const FreeSurfaceParams& params, const field::MacGrid& u);
    void let_go(const std::vector<WallFace>& pulling, const FreeSurfaceParams& params, field::MacGrid& u);

    numerics::PoissonSolver solver_;
    LiquidCells cells_;
    field::Grid pressure_;
    std::vector<numerics::RankTerm> bodies_;
    std::vector<WallFace> opened_;         ///< of the system as it is set up
    std::vector<Vec3i> freed_;             ///< cells that have let go of bodies
    std::vector<WallFace> released_;       ///< those that the last projection did not have to shut again
    std::vector<AirPocket> pockets_;       ///< whose volume is kept
    std::vector<double> pocket_pressure_;  ///< q of each
};

/// |div u - wanted| over the liquid cells.
DivergenceError liquid_divergence_error(const LiquidCells& cells, const field::Grid* wanted, double h, const field::MacGrid& u);

}  // namespace phlo::flow
