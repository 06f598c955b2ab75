// A liquid with a free surface on a staggered grid: the model behind `liquid:`. docs/models/liquid.md has the equations.
//
//   Liquid liquid(shot, {.liquid = …, .emitters = …});
//   FrameStats stats = liquid.advance(1.0 / 24);
//   Frame frame = liquid.show();                       // its mesh, its level set, its velocity
#pragma once
#include <functional>

#include "models/liquid/liquid_state.h"
#include "models/liquid/mixing.h"
#include "models/model.h"

namespace phlo::models {

class Liquid : public Model {
public:
    Liquid(const Shot& shot, const LiquidSetup& setup);

    FrameStats first_stats() const override;
    FrameStats advance(double seconds) override;
    field::Frame show() const override;
    StateView state() override;
    std::size_t bytes() const override { return liquid_.bytes(); }

    /// One sub-step of `dt` seconds.
    void step(double dt);
    /// Somebody changes the level set or the velocity in the liquid; what hangs on them, distances, markers and the books, begins anew.
    void edit(const std::function<void(field::Grid& phi, field::MacGrid& u)>& change);

    const field::Domain& domain() const { return liquid_.flow.domain(); }
    double time() const { return liquid_.flow.time(); }
    double volume() const { return liquid_.volume(); }                       ///< [m^3]
    const field::Grid& phi() const { return liquid_.phi; }
    const Mixture& mixture() const { return liquid_.mixture; }
    std::vector<double> volumes() const { return volumes_now(liquid_); }     ///< of each of several liquids, drops too [m^3]
    /// In a cell, of a scene with heat; it goes on a little beyond the surface [K].
    double temperature(int i, int j, int k) const { return liquid_.temperatures.temperature(double(liquid_.warmth.share[1](i, j, k))); }
    const field::MacGrid& velocity() const { return liquid_.flow.velocity(); }
    const flow::FreeSurfaceReport& pressure() const { return liquid_.pressure; }
    const flow::FreeBodies& free_bodies() const { return liquid_.flow.free_bodies(); }
    std::vector<geom::Placement> placements() const { return liquid_.flow.placements(); }   ///< of the bodies, now
    const flow::Solids& solids() const { return liquid_.flow.solids(); }

private:
    void record_stock(const char* when);   ///< on the ledger: what there is

    LiquidState liquid_;
    StageTimes times_;
};

}  // namespace phlo::models
