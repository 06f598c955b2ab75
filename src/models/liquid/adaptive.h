// A liquid with a free surface on blocks of several levels: the model behind `liquid:` with `adapt.mode: surface` or `view`. What liquid.h does on a uniform
// grid, with cells that are fine where it matters. docs/models/liquid-adaptive.md has the equations.
//
//   AdaptiveLiquid liquid(shot, {.liquid = {.adapt = {.mode = AdaptMode::surface}}, .emitters = …});
//   FrameStats stats = liquid.advance(1.0 / 24);       // "unknowns", "unknowns_uniform", "blocks.level_4" among its numbers
//   Frame frame = liquid.show();                       // as the uniform model's: a mesh without cracks, a level set at the finest cells
#pragma once
#include <functional>

#include "models/liquid/adaptive_state.h"
#include "models/model.h"

namespace phlo::models {

class AdaptiveLiquid : public Model {
public:
    AdaptiveLiquid(const Shot& shot, const LiquidSetup& setup);

    FrameStats first_stats() const override;
    FrameStats advance(double seconds) override;
    field::Frame show() const override;
    StateView state() override;
    std::size_t bytes() const override { return liquid_.bytes(); }

    /// One sub-step of `dt` seconds.
    void step(double dt);
    /// Somebody changes the state; what hangs on the level set, distances and the book, begins anew.
    void edit(const std::function<void(AdaptiveState& state)>& change);

    const AdaptiveState& parts() const { return liquid_; }
    const field::Domain& domain() const { return liquid_.domain; }
    const field::Blocks& blocks() const { return liquid_.blocks; }
    double time() const { return liquid_.time; }
    double volume() const { return liquid_.volume(); }                       ///< [m^3]
    field::Grid phi() const;                                                 ///< at the finest cells, up to five of them; ghosts filled [m]

private:
    void tell(const flow::FreeSurfaceReport& worst, FrameStats& stats) const;

    AdaptiveState liquid_;
    StageTimes times_;
};

}  // namespace phlo::models
