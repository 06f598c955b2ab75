// Chemistry on particles [kang2007, sec. 3.4.2]: particles are visited in random order; each visit gathers what is around, reacts it, and
// hands the changes back.
//
//   ParticleKinetics kinetics(controls, {.radius = r_sp, .max_amount = 2e-4, .min_amount = 1e-7}, eulerian);
//   for (int s = 0; s < sweeps; ++s) {                       // the paper's n_s
//       kinetics.sweep({.domain = domain, .excess = &excess}, time, dt / sweeps, key, particles, effects);
//       …                                                    // the effects go to the grid
//   }
//
// symbol  meaning                                                                                    unit
// f_i     w_i / w(0), the Gaussian of particle i at the place of the visit, 1 at its centre             1
// V       1 / w(0), the volume of gas that the sphere stands for, less what closed walls and bodies fill  m³
// c_s     Σ f_i n_i / V over the particles of species s: the paper's Σ w_i n_i                          mol/m³
// N       Σ of the visitors' own Gaussians here: how many visits reach this parcel in a sweep
//
// A visit reacts the gas V over the time Δt / N: N visits see each parcel, so that one sweep is worth Δt. (Equal to reacting 1/N of V over Δt
// as long as little happens; but a fast reaction then runs to its end within one sweep, and does not stop at 1 - 1/e of it.)
// Particle i gives f_i of its amount into the parcel: what is used up is taken in proportion to f_i n_i, so nobody becomes negative;
// what is made goes out in proportion to f_i. Sums are kept to round-off.
//
// Cubes of side r_sp form blocks of 2×2×2; blocks of one of eight colours are so far apart that no two visits in them touch the same
// particle. Blocks of a colour work side by side, a lane of a SIMD register each; inside a block the order is random. The results are those
// of visiting one particle after the other: colour by colour, in an order that is new in every sweep, block by block.
#pragma once
#include <array>
#include <memory>
#include <mutex>
#include <vector>

#include "base/random.h"
#include "chem/integration/parcels.h"
#include "field/domain.h"
#include "flow/solids.h"
#include "models/gas/controls.h"
#include "models/gas/foresight.h"
#include "models/gas/influence.h"
#include "models/gas/material_particles.h"
#include "models/gas/needs.h"
#include "models/gas/open_share.h"
#include "particles/bins.h"

namespace phlo::models {

struct CarrierParams {
    double radius = 0;             ///< r_sp [m], unless the particle has its own
    double max_amount = 0;         ///< carriers of a product do not grow beyond this on average: others are born [mol]
    double min_amount = 0;         ///< below it a particle hands its amount on and goes [mol]
    double min_concentration = 0;  ///< species rarer than this do not react [mol/m³]
    double min_temperature = 0;    ///< nothing reacts in colder gas [K]
    int min_carriers = 4;          ///< carriers that a product should have within reach
    int limit = 2'000'000;         ///< particles; more is an error
    chem::KineticsParams kinetics = {.relative = 1e-4};
    int lanes = chem::ParcelReactor::lanes;  ///< blocks that one register works on; fewer for comparisons
    struct Kind {
        double times = 1;          ///< factor on max_amount and min_amount
        float radius = 0;          ///< of those that are born [m]; 0: the usual one
    };
    std::vector<Kind> kinds = {};  ///< by species; missing: like the others

    Kind kind(std::size_t species) const { return species < kinds.size() ? kinds[species] : Kind{}; }
};

/// The gas around the particles.
struct Surroundings {
    field::Domain domain;
    std::array<bool, 6> closed{};             ///< walls: -x, +x, -y, +y, -z, +z
    const flow::Solids* solids = nullptr;     ///< may be null
    const field::Grid* excess = nullptr;      ///< temperature over the ambient one [K]; may be null
    double ambient = 293.15;                  ///< [K]
};

/// What the visits did to the gas, by particle (of those there were when the sweep began).
struct Effects {
    std::vector<double> heat;                   ///< temperature rise times volume [K m³]
    std::vector<double> expansion;              ///< φ times volume times time [m³]
    std::vector<double> vortices;               ///< expected number born
    std::vector<double> vortex_strength;        ///< their vorticity [1/s]
    std::vector<double> rate;                   ///< at which Eulerian species (or, without any, others) are made there [mol/(m³ s)]
    std::vector<std::vector<double>> products;  ///< by Eulerian species [mol]
    std::vector<std::vector<double>> extents;   ///< by rate that soot depends on, as Controls::rates_in() has them [mol]
};

/// What happened to the set of particles.
struct SweepReport {
    long visits = 0, born = 0, failed = 0;
    std::vector<double> reacted;       ///< by species, fields included: what the integrator made of it in all parcels [mol]
    std::vector<double> birth_error;   ///< by species: what the newborn carried, less what they were to get [mol]
};

class ParticleKinetics {
public:
    /// `eulerian[s]`: species s is a field; reactions may only make it. `controls` must outlive this.
    ParticleKinetics(const Controls& controls, const CarrierParams& params, std::vector<bool> eulerian);
    ~ParticleKinetics();

    SweepReport sweep(const Surroundings& gas, double time, double seconds, const RandomKey& key, MaterialParticles& particles, Effects& effects);

    /// Hands the amounts of particles below `min_amount` to their nearest fellows; a particle without a fellow within reach stays.
    /// Returns how many went.
    long remove_small(MaterialParticles& particles);

    /// What about so many visits would find, to look ahead with. Nothing reacts, nothing moves.
    Parcels parcels(const Surroundings& gas, MaterialParticles& particles, int about);

    const std::vector<int>& eulerian_species() const { return eulerian_list_; }
    const Influence& influence() const { return influence_; }
    std::size_t bytes() const { return bins_.bytes(); }

private:
    struct Visit;
    struct Block;
    struct Lane;
    struct Task;

    void choose_visited(const Surroundings& gas, const MaterialParticles& particles);
    std::vector<Visit> plan_visits(const RandomKey& key, const MaterialParticles& particles) const;
    void run_blocks(Task& task, std::span<Block> blocks) const;
    void gather(const Task& task, const Visit& visit, const Block& block, Lane& lane) const;
    void hand_back(Task& task, const Visit& visit, Block& block, Lane& lane, int slot) const;
    void give_birth(Task& task, const Visit& visit, Block& block, int species, double gain) const;
    void sort(MaterialParticles& particles);
    double share_inside(const Surroundings& gas, const Vec3f& p, const Influence& influence) const;
    Influence influence_of(const MaterialParticles& particles, std::size_t i) const {
        return particles.radius[i] > 0 ? influence_.with_radius(double(particles.radius[i])) : influence_;
    }
    std::unique_ptr<Task> borrow_task();
    void give_back(std::unique_ptr<Task> task);

    const Controls& controls_;
    CarrierParams params_;
    Influence influence_;
    OpenShare open_share_;
    Needs needs_;
    std::vector<bool> eulerian_, reactive_;
    std::vector<int> eulerian_list_, soot_rates_;
    particles::Bins bins_;
    float reach_squared_ = 0;                    ///< of the particle that reaches farthest [m²]
    std::vector<Vec3f> sorted_;                  ///< positions in the order of the bins
    std::vector<std::uint8_t> visited_;          ///< by particle: counts as a place of a visit
    std::vector<float> temperature_;             ///< there, by particle that is visited [K]
    std::mutex pool_mutex_;
    std::vector<std::unique_ptr<Task>> pool_;
};

}  // namespace phlo::models
