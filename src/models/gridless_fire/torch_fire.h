// Fire without a grid: stochastic Lagrangian particles [adabala2004], the model behind `torch:`. docs/models/torch.md has the equations.
//
//   TorchFire fire(shot, {.torch = {}, .torches = {torch}});
//   FrameStats stats = fire.advance(1.0 / 30);
//   Frame frame = fire.show();                                // points `fire` and, if asked for, `smoke` and volumes
#pragma once
#include <optional>
#include <vector>

#include "models/gridless_fire/flame.h"
#include "models/gridless_fire/puffs.h"
#include "models/gridless_fire/torch_setup.h"
#include "models/model.h"

namespace phlo::models {

class TorchFire : public Model {
public:
    TorchFire(const Shot& shot, const TorchSetup& setup);

    FrameStats first_stats() const override;
    FrameStats advance(double seconds) override;
    field::Frame show() const override;
    StateView state() override;
    std::size_t bytes() const override;

    /// One sub-step of `dt` seconds.
    void step(double dt);

    double time() const { return time_; }
    const std::vector<Flame>& flames() const { return flames_; }

private:
    void tell(FrameStats& stats) const;
    void blow(double dt);
    void smoke(std::size_t torch, double dt);
    field::Points show_fire() const;
    field::Points show_smoke() const;
    std::vector<field::Volume> show_volumes() const;
    Air air() const;
    double particle_count() const;

    Shot shot_;
    TorchSetup setup_;
    std::vector<Flame> flames_;
    std::vector<Puffs> puffs_;             ///< of each flame
    std::vector<std::optional<field::Surface>> still_;   ///< of the bodies that never move: tessellated once
    Eddies gusts_;
    Ledger ledger_;
    StageTimes times_;
    double time_ = 0, steps_ = 0;          ///< [s]; a whole number
};

}  // namespace phlo::models
