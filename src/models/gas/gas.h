// Gas on a staggered grid, with or without chemistry: the model behind `gas: {method: smoke | grid | hybrid}`. Plain smoke [fedkiw2001] is a
// gas with one substance and no reactions. docs/models/smoke.md and docs/models/reactive-gas.md have the equations.
//
//   Gas gas(shot, {.gas = …, .emitters = …, .chemistry = …, .mechanism = …});
//   FrameStats stats = gas.advance(1.0 / 24);
//   Frame frame = gas.show();
#pragma once
#include <string>
#include <vector>

#include "models/gas/gas_state.h"
#include "models/model.h"
#include "models/shows_still.h"

namespace phlo::models {

class Gas : public Model, public ShowsStill {
public:
    Gas(const Shot& shot, const GasSetup& setup);

    FrameStats first_stats() const override;
    FrameStats advance(double seconds) override;
    field::Frame show() const override { return show(true); }
    field::Frame show_still() const override { return show(false); }
    StateView state() override;
    std::size_t bytes() const override { return gas_.bytes(); }
    std::size_t chemistry_bytes() const;   ///< what species and reactions add to a plain smoke of the same grid

    /// One sub-step of `dt` seconds.
    void step(double dt);

    const field::Domain& domain() const { return gas_.flow.domain(); }
    double time() const { return gas_.flow.time(); }
    field::MacGrid& velocity() { return gas_.flow.edit_velocity(); }
    field::Grid& density() { return gas_.substances.front().amount; }   ///< of the first substance: plain smoke has no other
    std::vector<Substance>& substances() { return gas_.substances; }
    field::Grid& excess_temperature() { return gas_.excess_temperature; }   ///< over the ambient temperature [K]
    Expansion& expansion() { return gas_.expansion; }
    const flow::Solids& solids() const { return gas_.flow.solids(); }
    const flow::FreeBodies& free_bodies() const { return gas_.flow.free_bodies(); }
    const flow::ProjectionReport& projection() const { return gas_.flow.projection(); }
    double amount(const std::string& substance) const { return gas_.amount(substance); }   ///< in the whole domain [mol], or of smoke [m^3]
    const ErodingBodies& eroding() const { return gas_.eroding; }
    double heat() const { return gas_.heat(); }   ///< in the whole domain: of a real gas its enthalpy [J], else excess temperature [K m^3]

private:
    field::Frame show(bool velocity) const;
    field::Domain shown_part(const field::Frame& frame) const;
    std::vector<std::string> visible_substances() const;

    GasState gas_;
    StageTimes times_;
};

}  // namespace phlo::models
