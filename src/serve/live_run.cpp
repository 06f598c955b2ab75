#include "serve/live_run.h"

#include <algorithm>
#include <chrono>

#include "base/error.h"

namespace phlo::serve {

LiveRun::LiveRun(LookedScene scene) : look_(std::move(scene.look)), simulation_(std::make_unique<sim::Simulation>(std::move(scene.scene))) {}

const models::FrameStats& LiveRun::go_on(std::function<bool()> enough) {
    const auto begin = std::chrono::steady_clock::now();
    forget_frames();
    const models::FrameStats& stats = simulation_->go_on(std::move(enough));
    took_ = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    in_frame_ += took_;
    if (simulation_->begun()) return stats;
    seconds_ = measured_ == 0 ? in_frame_ : seconds_ + 0.2 * (in_frame_ - seconds_);
    in_frame_ = 0, ++measured_;
    ledger_.add(stats.ledger);
    return stats;
}

void LiveRun::restart() {
    scene::Scene scene = simulation_->scene();
    forget_frames();
    simulation_ = nullptr;   // its memory, before the next one takes as much
    simulation_ = std::make_unique<sim::Simulation>(std::move(scene));
    begin_anew();
}

void LiveRun::begin_anew() { measured_ = 0, in_frame_ = 0, ledger_ = {}; }

Applied LiveRun::apply(LookedScene changed) {
    Applied applied;
    if (changed.scene.model.index() != scene().model.index()) {
        applied.restarted = true, applied.why = "another model begins anew";
    } else {
        applied.changes = scene::changed_keys(scene::dump_scene(scene(), look_section(look_)), changed.scene, look_section(changed.look));
        const bool simulates = std::ranges::any_of(applied.changes, [](const scene::Change& c) { return c.affects == config::Affects::simulation; });
        if (simulates) {
            try {
                simulation_->edit(changed.scene);
            } catch (const InputError& error) {
                applied.restarted = true, applied.why = error.what();
            }
        }
    }
    look_ = std::move(changed.look);
    forget_frames();
    heat_ = nullptr;
    if (applied.restarted) {
        simulation_ = std::make_unique<sim::Simulation>(std::move(changed.scene));
        begin_anew();
    }
    return applied;
}

std::shared_ptr<const field::Frame> LiveRun::frame() {
    if (!frame_) frame_ = std::make_shared<const field::Frame>(simulation_->snapshot());
    return frame_;
}

std::shared_ptr<const field::Frame> LiveRun::still_frame() {
    if (frame_) return frame_;
    if (!still_frame_) still_frame_ = std::make_shared<const field::Frame>(simulation_->still_snapshot());
    return still_frame_;
}

const PointHeat* LiveRun::heat() {
    const auto* gas = std::get_if<models::GasSetup>(&scene().model);
    if (!heat_ && gas && gas->mechanism) heat_ = std::make_unique<PointHeat>(*gas);
    return heat_.get();
}

}  // namespace phlo::serve
