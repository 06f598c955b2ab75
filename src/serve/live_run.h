// The simulation that is watched: goes on while its scene is changed under it.
//
//   LiveRun run(looked_scene);
//   run.advance();                               // to the next frame
//   run.go_on([&] { return somebody_waits; });   // or as far towards it as there is time
//   Applied applied = run.apply(changed);        // at once where it can be; else it has begun anew, and says why
//   std::shared_ptr<const field::Frame> frame = run.frame();
#pragma once
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "serve/live_scene.h"
#include "serve/point_heat.h"
#include "serve/totals.h"
#include "sim/simulation.h"

namespace phlo::serve {

struct Applied {
    std::vector<scene::Change> changes;
    bool restarted = false;
    std::string why = {};             ///< it had to begin anew; "": it did not
};

class LiveRun {
public:
    explicit LiveRun(LookedScene scene);

    const scene::Scene& scene() const { return simulation_->scene(); }
    const render::RenderParams& look() const { return look_; }
    const sim::Simulation& simulation() const { return *simulation_; }

    const models::FrameStats& advance() { return go_on({}); }
    /// As Simulation::go_on(): less than a frame where `enough` says so, and then simulation().begun().
    const models::FrameStats& go_on(std::function<bool()> enough);
    void restart();
    Applied apply(LookedScene changed);
    /// As it is now; made once however often it is asked for.
    std::shared_ptr<const field::Frame> frame();
    /// The same without the velocity, if that costs less: all that a view needs.
    std::shared_ptr<const field::Frame> still_frame();
    const PointHeat* heat();                                ///< of the scene's chemistry; null: it has none
    double seconds() const { return took_; }                ///< that the last go_on() took
    double seconds_per_frame() const { return seconds_; }   ///< of the solver, a mean over the last few; 0 before the first
    const LedgerTotals& ledger() const { return ledger_; }  ///< since it began
    int frames_measured() const { return measured_; }       ///< since it began

private:
    void begin_anew();
    void forget_frames() { frame_ = still_frame_ = nullptr; }

    render::RenderParams look_;
    std::unique_ptr<sim::Simulation> simulation_;
    std::shared_ptr<const field::Frame> frame_, still_frame_;
    std::unique_ptr<PointHeat> heat_;                       ///< once it was asked for
    LedgerTotals ledger_;
    double took_ = 0, in_frame_ = 0, seconds_ = 0;
    int measured_ = 0;
};

}  // namespace phlo::serve
