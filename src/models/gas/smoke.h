// Smoke on a staggered grid [fedkiw2001]: the model behind `gas: {method: smoke}`. docs/models/smoke.md has the equations.
//
//   Smoke smoke({.domain = …, .time = …, .gas = …, .emitters = …, .bodies = …});
//   FrameStats stats = smoke.advance(1.0 / 24);
//   Frame frame = smoke.show();
#pragma once
#include <vector>

#include "field/domain.h"
#include "flow/advect.h"
#include "flow/conserve.h"
#include "flow/diffusion.h"
#include "flow/projection.h"
#include "flow/solids.h"
#include "flow/sources.h"
#include "flow/tiles.h"
#include "models/gas/smoke_params.h"
#include "models/model.h"

namespace phlo::models {

struct SmokeSetup {
    DomainParams domain;
    TimeParams time;
    SmokeParams gas;
    std::vector<Emitter> emitters;
    std::vector<geom::Body> bodies;
};

class Smoke final : public Model {
public:
    explicit Smoke(SmokeSetup setup);

    FrameStats advance(double seconds) override;
    field::Frame show() const override;
    StateView state() override;
    std::size_t bytes() const override;

    /// One sub-step of `dt` seconds.
    void step(double dt);

    const field::Domain& domain() const { return domain_; }
    double time() const { return time_; }
    field::MacGrid& velocity() { return u_; }
    field::Grid& density() { return density_; }
    field::Grid& excess_temperature() { return excess_; }   ///< over the ambient temperature [K]
    const flow::Solids& solids() const { return solids_; }
    const flow::ProjectionReport& projection() const { return projection_; }

private:
    double choose_step(double remaining, int done) const;
    void move_bodies(double dt);
    void sweep();
    void emit(double dt);
    void find_activity(double dt);
    void advect_velocity(double dt);
    void add_forces(double dt);
    void project(double dt);
    void transport_scalars(double dt);
    void diffuse_and_decay(double dt);
    flow::Walls walls_now() const;
    flow::Boundary incoming(Curve<double> Wall::*value, double still_air) const;
    void activate_bringing_walls(flow::TileSet& tiles, int reach) const;
    double cell_volume() const { return domain_.h * domain_.h * domain_.h; }
    double amount(const field::Grid& q) const;   ///< total of a density [unit m^3]
    void record(const char* quantity, const char* entry, double change);

    SmokeSetup setup_;
    field::Domain domain_;
    field::Layout layout_;
    double time_ = 0;    ///< [s]
    double steps_ = 0;   ///< sub-steps done; a whole number, kept as the rest of the state is

    field::MacGrid u_;
    mutable field::MacGrid next_u_;         ///< scratch, but while the velocity is carried and pushed
    field::Grid density_;
    field::Grid excess_;                    ///< temperature over the ambient one [K]: still air is exactly 0
    field::Grid phi_;                       ///< prescribed divergence [1/s]; empty if no emitter expands
    flow::Solids solids_;
    std::vector<flow::Coverage> coverage_;  ///< of each emitter
    flow::Projector projector_;
    flow::Diffuser diffuser_;
    flow::Workspace workspace_;
    flow::TileSet scalar_tiles_, velocity_tiles_;

    bool projector_ready_ = false;
    flow::ProjectionReport projection_;
    StageTimes times_;
    std::map<std::string, std::map<std::string, double>> ledger_;
};

}  // namespace phlo::models
