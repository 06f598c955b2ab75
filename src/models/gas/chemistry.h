// What a method of chemistry adds to the flow of a gas. Gas calls it, step by step; GridChemistry and HybridChemistry are such methods.
#pragma once
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "chem/rates/heat_content.h"
#include "field/domain.h"
#include "flow/room.h"
#include "flow/solids.h"
#include "flow/sources.h"
#include "flow/tiles.h"
#include "models/gas/gas_params.h"
#include "models/model.h"
#include "models/shot/ledger.h"

namespace phlo::models {

/// A field that the gas carries: the density of smoke, or the concentration of a species.
struct Substance {
    std::string name;
    int species = -1;        ///< in the mechanism; -1: smoke
    double ambient = 0;      ///< far away [mol/m^3]
    double weight = 0;       ///< molar mass less that of the air it displaces [kg/mol]
    field::Grid amount;      ///< [mol/m^3]
    bool carried = true;     ///< false: a catalyst that stays on bodies
};

/// The gas as chemistry sees and changes it.
struct ReactingGas {
    const field::Domain& domain;
    const flow::Solids& solids;
    std::span<const geom::Body> bodies;
    const flow::TileSet& tiles;             ///< where scalars are worked on
    const field::MacGrid& u;
    std::vector<Substance>& substances;
    const field::Grid& room;                ///< of the gas in each cell; empty: every cell is full
    field::Grid& excess;                    ///< temperature over the ambient one [K]
    field::Grid& swelling;                  ///< chemistry adds the expansion f_phi dt of a step to it [1]; empty if nothing expands
    Ledger& ledger;
    Warnings& warnings;
    const chem::HeatContent* content;       ///< of a real gas; else null
    double ambient_temperature;             ///< [K]
    double time;                            ///< at the start of the step [s]
    std::uint32_t step;                     ///< sub-steps done: for random numbers
    std::uint32_t half = 0;                 ///< of the step that reacts: 1 for the second one
};

class Chemistry {
public:
    virtual ~Chemistry() = default;

    /// Species that are fields: the gas carries them. The others the method carries itself.
    virtual std::vector<int> fields() const = 0;
    /// An emitter gives off a species that is no field: `value` mol/m^3 at full weight (held, or added in this step).
    virtual void feed(ReactingGas&, int /*species*/, std::size_t /*emitter*/, const flow::Coverage&, const Emitter&, double /*value*/) {}
    /// Tiles with something in them that the fields do not show.
    virtual void activate(flow::TileSet&, int /*reach*/) const {}
    /// The gas has moved, and has not cooled or reacted yet.
    virtual void remember(const ReactingGas&) {}
    virtual void move(ReactingGas&, double dt) = 0;                       ///< step 3
    virtual void react(ReactingGas&, double dt) = 0;                      ///< step 4, or a half of it
    virtual void finish(ReactingGas&, double /*dt*/) {}                   ///< of step 4: what depends on all that it did
    /// The expansion that reactions will have asked for after each of `seconds`, if nothing else happens (foresight.h).
    virtual std::vector<double> foresee(const ReactingGas&, std::span<const double> seconds) = 0;
    virtual void push(const ReactingGas&, double /*dt*/, field::MacGrid& /*u*/) {}  ///< step 5
    /// Adds to `mass` how much more than the air they displace the species weigh that are no fields [kg/m^3].
    virtual void weigh(const ReactingGas&, double /*air_molar_mass*/, field::Grid& /*mass*/) const {}
    /// Where it wants to know how forces accelerate the gas in this step [m/s^2]; null: it does not.
    virtual field::MacGrid* felt_acceleration() { return nullptr; }

    virtual double amount_outside_fields(int /*species*/) const { return 0; }  ///< [mol]
    virtual void show(field::Frame&) const {}
    virtual void add_state(StateView&) {}
    virtual void count(std::map<std::string, long>& /*particles*/) const {}
    virtual std::size_t bytes() const = 0;
};

}  // namespace phlo::models
