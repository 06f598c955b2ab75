// The hybrid method [kang2007]: particles carry the species that react, the grid carries those that are seen.
//
//   step 3, move    material particles by drag, soot and vortex particles with the flow
//   step 4, react   n_s sweeps over the material particles; products, heat and swelling go to the grid; soot and vortex particles are born
//   step 5, push    vortex particles stir the velocity
#pragma once
#include <memory>
#include <vector>

#include "models/gas/chemistry.h"
#include "models/gas/chemistry_params.h"
#include "models/gas/particle_kinetics.h"
#include "models/gas/particle_motion.h"
#include "models/gas/seeding.h"
#include "models/gas/soot.h"
#include "models/gas/vortices.h"

namespace phlo::models {

/// What the method needs to know of the scene beside its own keys.
struct HybridScene {
    field::Domain domain;
    std::array<WallKind, 6> walls{};
    double strongest = 1;            ///< concentration that emitters give off [mol/m³]
    std::uint64_t seed = 1;
    std::size_t emitters = 0;
};

class HybridChemistry final : public Chemistry {
public:
    HybridChemistry(const chem::Mechanism& mechanism, const ChemistryParams& params, const HybridScene& scene);

    std::vector<int> fields() const override { return eulerian_; }
    void feed(ReactingGas& gas, int species, std::size_t emitter, const flow::Coverage& coverage, const Emitter& source, double value) override;
    void activate(flow::TileSet& tiles, int reach) const override;
    void remember(const ReactingGas& gas) override;
    void move(ReactingGas& gas, double dt) override;
    void react(ReactingGas& gas, double dt) override;
    void finish(ReactingGas& gas, double dt) override;
    std::vector<double> foresee(const ReactingGas& gas, std::span<const double> seconds) override;
    void push(const ReactingGas& gas, double dt, field::MacGrid& u) override;
    void weigh(const ReactingGas& gas, double air_molar_mass, field::Grid& mass) const override;
    field::MacGrid* felt_acceleration() override;

    double amount_outside_fields(int species) const override { return particles_.total(species); }
    void show(field::Frame& frame) const override;
    void add_state(StateView& view) override;
    void count(std::map<std::string, long>& particles) const override;
    std::size_t bytes() const override;

    const MaterialParticles& particles() const { return particles_; }
    const SootParticles& soot() const { return soot_; }
    const VortexParticles& vortices() const { return vortices_; }
    const CarrierParams& carriers() const { return carriers_; }

private:
    Surroundings surroundings(const ReactingGas& gas) const;
    const ParticleKind* kind(int species) const;   ///< null: like the others
    double amount_of_one(int species) const { return each_ * carriers_.kind(std::size_t(species)).times; }
    void show_material(field::Frame& frame) const;
    void show_species(field::Frame& frame, int species) const;
    void glue_catalysts(ReactingGas& gas);
    void deposit_effects(ReactingGas& gas, const SweepReport& report);
    void remove_small(ReactingGas& gas);
    void make_soot(ReactingGas& gas, double dt);
    void soot_per_kelvin(const ReactingGas& gas, double dt, int j, int k, int first, int last, float* values) const;
    void book_hand_back(ReactingGas& gas, const SweepReport& report, const std::vector<double>& before) const;
    RandomKey key(const ReactingGas& gas, std::uint32_t number) const { return {scene_.seed, gas.step, number ^ gas.half << 30}; }

    chem::Mechanism mechanism_;
    ChemistryParams params_;
    HybridScene scene_;
    Controls controls_;
    std::vector<int> eulerian_;
    CarrierParams carriers_;
    ParticleKinetics kinetics_;
    double each_;                        ///< amount of a seeded particle of a usual species [mol]
    field::MacGrid acceleration_;        ///< of the gas by forces in this step, if particles feel it [m/s²]
    MotionParams motion_;
    MaterialParticles particles_;
    SootParticles soot_;
    VortexParticles vortices_;
    std::vector<Feeder> feeders_;        ///< [emitter × species]
    Effects effects_;
    field::Grid before_;                 ///< the gas's temperature before it cooled in this step, for soot; empty if there is none
    std::vector<field::Grid> rates_;     ///< that soot depends on: what reacted in this step [mol/m³]
    double glued_ = 0;                   ///< 1: catalysts are in place
};

}  // namespace phlo::models
