// Fire by vortex particles, in real time [gourlay2012]: the model behind `vortex:`. docs/models/vortex-fire.md has the equations.
//
//   VortexFire fire(shot, {.vortex = …, .emitters = …});
//   FrameStats stats = fire.advance(1.0 / 30);
//   Frame frame = fire.show();                       // points `tracers`, and the bodies
#pragma once
#include "models/vortex_fire/vortex_state.h"

namespace phlo::models {

class VortexFire : public Model {
public:
    VortexFire(const Shot& shot, const VortexSetup& setup);

    FrameStats first_stats() const override;
    FrameStats advance(double seconds) override;
    field::Frame show() const override;
    StateView state() override;
    std::size_t bytes() const override;

    /// One sub-step of `dt` seconds.
    void step(double dt);

    const Vortons& vortons() const { return fire_.vortons; }
    Vortons& edit_vortons() { return fire_.vortons; }
    const Tracers& tracers() const { return fire_.tracers; }
    const ImmersedBodies& bodies() const { return fire_.bodies; }
    const VortexFields& fields() const { return fire_.fields; }
    double time() const { return fire_.clock.time; }
    const StageTimes& stage_times() const { return times_; }

private:
    double choose_step(double remaining, int done);
    void show_volumes(field::Frame& frame) const;

    VortexState fire_;
    StageTimes times_;
};

}  // namespace phlo::models
