// Gas on a staggered grid, with or without chemistry: the model behind `gas: {method: smoke | grid | hybrid}`. Plain smoke [fedkiw2001] is a
// gas with one substance and no reactions. docs/models/smoke.md and docs/models/reactive-gas.md have the equations.
//
//   Gas gas({.domain = …, .time = …, .gas = …, .emitters = …, .bodies = …, .chemistry = …, .mechanism = …});
//   FrameStats stats = gas.advance(1.0 / 24);
//   Frame frame = gas.show();
#pragma once
#include <memory>
#include <optional>
#include <vector>

#include "chem/conserved.h"
#include "chem/heat_content.h"
#include "field/domain.h"
#include "flow/advect.h"
#include "flow/conserve.h"
#include "flow/diffusion.h"
#include "flow/free_bodies.h"
#include "flow/projection.h"
#include "flow/solids.h"
#include "flow/sources.h"
#include "flow/tiles.h"
#include "models/gas/chemistry.h"
#include "models/gas/chemistry_params.h"
#include "models/gas/gas_params.h"
#include "models/model.h"

namespace phlo::models {

struct GasSetup {
    DomainParams domain;
    TimeParams time;
    GasParams gas;
    std::vector<Emitter> emitters;
    std::vector<geom::Body> bodies;
    ChemistryParams chemistry = {};
    std::optional<chem::Mechanism> mechanism = {};   ///< of the methods grid and hybrid
    std::uint64_t seed = 1;
};

struct HybridScene;

class Gas final : public Model {
public:
    explicit Gas(GasSetup setup);

    FrameStats advance(double seconds) override;
    field::Frame show() const override;
    StateView state() override;
    std::size_t bytes() const override;
    std::size_t chemistry_bytes() const;   ///< what species and reactions add to a plain smoke of the same grid

    /// One sub-step of `dt` seconds.
    void step(double dt);

    const field::Domain& domain() const { return domain_; }
    double time() const { return time_; }
    field::MacGrid& velocity() { return u_; }
    field::Grid& density() { return substances_.front().amount; }   ///< of the first substance: plain smoke has no other
    std::vector<Substance>& substances() { return substances_; }
    field::Grid& excess_temperature() { return excess_; }   ///< over the ambient temperature [K]
    field::Grid& swelling() { return swelling_; }            ///< what reactions still want to swell: a volume, or 1/s if it evolves; empty if nothing does
    const flow::Solids& solids() const { return solids_; }
    const flow::FreeBodies& free_bodies() const { return free_; }
    const flow::ProjectionReport& projection() const { return projection_; }
    double amount(const std::string& substance) const;       ///< in the whole domain [mol], or of smoke [m^3]
    double heat() const;                                     ///< in the whole domain: of a real gas its enthalpy [J], else excess temperature [K m^3]

private:
    void make_substances();
    void take_stock(const char* entry);
    void add_totals_to_ledger();
    HybridScene hybrid_scene() const;
    double choose_step(double remaining, int done);
    double fastest();                                        ///< largest component of the velocity [m/s]
    void move_bodies(double dt);
    void touch_bodies(double dt);
    void hold_catalysts();
    void sweep();
    flow::Surroundings surroundings() const;
    flow::SourceShape source_of(const Emitter& emitter) const;
    enum class Emission { starting, running };
    void emit(double dt, Emission when);
    bool replaces_gas(const Emitter& emitter) const;
    void emit_substances(const Emitter& emitter, const flow::Coverage& coverage, double strength, double dt);
    const field::Grid* wanted_divergence(double dt);
    double swelling_speed() const;
    void find_activity(double dt);
    void advect_velocity(double dt);
    void add_forces(double dt);
    void project(double dt);
    void transport_scalars(double dt);
    void transport_amounts(double dt);
    void transport_along_paths(double dt, std::span<const flow::Carried> carried);
    void diffuse_and_decay(double dt);
    void find_temperature();
    void book_heat(const char* entry, double change);
    void move_particles(double dt);
    void react(double dt);
    Medium medium();

    flow::Walls walls_now() const;
    flow::Boundary incoming(const Substance& substance) const;
    flow::Boundary incoming_heat() const;
    double incoming_at(const Wall& wall, const Substance& substance) const;
    /// [mol/m^3] of a species among given ones: as they are, or as proportions of a real gas at `temperature`.
    double concentration(const std::vector<Concentration>& given, int species, double temperature) const;
    void activate_bringing_walls(flow::TileSet& tiles, int reach) const;
    const field::Grid& mass_excess();
    field::Domain shown_part(const field::Frame& frame) const;
    std::vector<std::size_t> visible_substances() const;
    double cell_volume() const { return domain_.h * domain_.h * domain_.h; }
    double total(const field::Grid& q) const;                ///< of a density [unit m^3]
    bool expands() const;
    bool reactions_expand() const;
    bool evolves() const;
    bool real() const { return content_.has_value(); }       ///< a real gas, at a given pressure
    bool conserving() const { return real() || setup_.gas.scalar_transport == ScalarTransport::conserving; }
    /// Of a real gas, between transport and diffusion [J/m^3]: the second velocity is free then.
    field::Grid& heat_field() { return next_u_.y; }

    GasSetup setup_;
    field::Domain domain_;
    field::Layout layout_;
    double time_ = 0;     ///< [s]
    double steps_ = 0;    ///< sub-steps done; a whole number, kept as the rest of the state is

    field::MacGrid u_;
    field::MacGrid next_u_;         ///< scratch, but while the velocity is carried and pushed
    std::vector<Substance> substances_;
    field::Grid excess_;                    ///< temperature over the ambient one [K]: still air is exactly 0
    field::Grid swelling_;                  ///< how much reactions still want to swell: a volume [1], or, if it evolves, a divergence [1/s]; may be empty
    flow::Solids solids_;
    flow::FreeBodies free_;
    std::vector<flow::Coverage> coverage_;  ///< of each emitter
    flow::Projector projector_;
    flow::Diffuser diffuser_;
    flow::Workspace workspace_;
    flow::TileSet scalar_tiles_, velocity_tiles_;
    std::unique_ptr<Chemistry> chemistry_;  ///< null: plain smoke
    std::optional<chem::HeatContent> content_;  ///< of a real gas

    bool projector_ready_ = false;
    double fastest_ = -1;                   ///< largest component of the velocity [m/s]; < 0: something changed it since it was looked for
    flow::ProjectionReport projection_;
    StageTimes times_;
    Ledger ledger_;
    std::vector<chem::Conserved> conserved_;  ///< totals that no reaction changes
};

}  // namespace phlo::models
