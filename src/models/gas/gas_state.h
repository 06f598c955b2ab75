// Everything a gas is made of, and what can be asked of it. The parts of a step change it: sources.h, transport.h, expansion.h, motion.h.
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "chem/rates/conserved.h"
#include "chem/rates/heat_content.h"
#include "flow/diffusion.h"
#include "flow/room.h"
#include "flow/tiles.h"
#include "models/gas/chemistry.h"
#include "models/gas/gas_setup.h"
#include "models/shot/grid_flow.h"

namespace phlo::models {

/// What reactions ask the gas to swell by. One of the two is in use, or none.
struct Expansion {
    field::Grid volume;        ///< that they still want [1]; it moves with the gas, and is given over chemistry.expansion_time
    field::Grid middle;        ///< where the volume will be in the middle of the step; empty for a real gas
    field::Grid divergence;    ///< that evolves by itself and moves with the gas [1/s]

    double given = 0;          ///< in this frame so far [m^3]

    bool empty() const { return volume.empty() && divergence.empty(); }
    /// Chemistry adds f_phi dt of a step to it.
    field::Grid& asked() { return divergence.empty() ? volume : divergence; }
};

struct GasState {
    GasState(const Shot& shot, const GasSetup& setup);

    GasSetup setup;
    GridFlow flow;
    std::vector<Substance> substances;
    field::Grid excess_temperature;               ///< over the ambient one [K]: still air is exactly 0
    Expansion expansion;
    std::unique_ptr<Chemistry> chemistry;         ///< null: plain smoke
    std::optional<chem::HeatContent> content;     ///< of a real gas, at a given pressure
    std::vector<chem::Conserved> conserved;       ///< totals that no reaction changes
    std::vector<flow::Coverage> coverage;         ///< of each emitter
    field::Grid room;                             ///< of the gas in each cell (flow/room.h); empty without bodies
    flow::Diffuser diffuser;
    flow::TileSet scalar_tiles, velocity_tiles;   ///< that are worked on
    Ledger ledger;                                ///< of this frame
    Warnings* warnings = nullptr;                 ///< of this run

    bool real() const { return content.has_value(); }
    bool conserving() const { return real() || setup.gas.scalar_transport == ScalarTransport::conserving; }
    /// Of a real gas, from transport to diffusion [J/m^3].
    field::Grid& heat_density() { return flow.idle_grid(1); }
    /// Reactions make the gas swell by a control function.
    bool swells() const { return !expansion.empty() && !real(); }
    /// The gas as chemistry sees and changes it, `later` than the start of the step [s].
    ReactingGas reacting(double later = 0);

    double total(const field::Grid& q) const { return phlo::flow::sum_with_room(q, room) * flow.cell_volume(); }   ///< of a density [unit m^3]
    double amount(const std::string& substance) const;   ///< in the whole domain [mol], or of smoke [m^3]
    double heat() const;                                 ///< of a real gas its enthalpy [J], else excess temperature [K m^3]
    /// [mol/m^3] of a species among given ones: as they are, or as proportions of a real gas at `temperature`.
    double concentration(const std::vector<Concentration>& given, int species, double temperature) const;

    /// Nothing is booked for plain smoke, whose temperature no reaction changes.
    void book_heat(const char* entry, double change);
    std::size_t bytes() const;
};

/// What changes in the gas's heat while it lives is booked under `entry`.
class HeatBooking {
public:
    HeatBooking(GasState& gas, const char* entry) : gas_(gas), entry_(entry), before_(gas.chemistry ? gas.heat() : 0) {}
    ~HeatBooking() {
        if (gas_.chemistry) gas_.book_heat(entry_, gas_.heat() - before_);
    }
    HeatBooking(const HeatBooking&) = delete;
    HeatBooking& operator=(const HeatBooking&) = delete;

private:
    GasState& gas_;
    const char* entry_;
    double before_;
};

/// "start" and "now" of every quantity; and the entries once more for what no reaction changes: elements, or sums of species.
void take_stock(GasState& gas, const char* entry);
void add_conserved_totals(GasState& gas);

}  // namespace phlo::models
