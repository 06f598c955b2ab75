#include "sim/simulation.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <optional>

#include "base/cpu.h"
#include "base/error.h"
#include "base/log.h"
#include "models/shows_still.h"

namespace phlo::sim {
namespace {

/// Says what could not be taken over from one scene to the other; throws if nothing could.
void tell(const StateFit& fit, const std::string& where) {
    if (!fit.possible())
        throw InputError(fmt::format("{} cannot go on with this scene: {} {} on another grid. Keep domain.size and domain.resolution, or start anew", where,
                                     fmt::join(fit.other_shape, ", "), fit.other_shape.size() == 1 ? "lies" : "lie"));
    if (!fit.started_anew.empty()) log::warn("{} does not know {}: begun anew", where, fmt::join(fit.started_anew, ", "));
    if (!fit.dropped.empty()) log::warn("the scene no longer has {}: left behind", fmt::join(fit.dropped, ", "));
}

}  // namespace

std::unique_ptr<models::Model> make_model(const scene::Scene& scene) {
    return std::visit([&](const auto& setup) { return setup.make(scene.shot); }, scene.model);
}

Simulation::Simulation(scene::Scene scene)
    : scene_(std::move(scene)), hash_(fmt::format("{:016x}", scene::scene_hash(scene_))), model_(make_model(scene_)) {
    stats_ = model_->first_stats();
    stats_.frame = scene_.shot.time.first_frame;
}

const models::FrameStats& Simulation::advance() { return advance(1.0 / scene_.shot.time.fps); }

const models::FrameStats& Simulation::advance(double seconds) {
    PHLO_CHECK(seconds > 0 && !begun());
    stats_ = move(seconds, {});
    return stats_;
}

const models::FrameStats& Simulation::go_on(std::function<bool()> enough) {
    models::FrameStats part = move(begun() ? stats_.left : 1.0 / scene_.shot.time.fps, std::move(enough));
    if (begun()) part.follow(stats_);
    stats_ = std::move(part);
    return stats_;
}

models::FrameStats Simulation::move(double seconds, std::function<bool()> enough) {
    model_->enough = std::move(enough);
    models::FrameStats stats = model_->advance(seconds);
    stats.frame = stats.left > 0 ? frame() : frame() + 1;
    time_ += seconds - stats.left;
    return stats;
}

field::Frame Simulation::named(field::Frame result) const {
    result.number = frame();
    result.fps = scene_.shot.time.fps;
    result.metadata["scene"] = scene_.name;
    result.metadata["scene_hash"] = hash_;
    return result;
}

field::Frame Simulation::snapshot() const { return named(model_->show()); }

field::Frame Simulation::still_snapshot() const {
    const auto* still = dynamic_cast<const models::ShowsStill*>(model_.get());
    return named(still ? still->show_still() : model_->show());
}

void Simulation::save(const std::filesystem::path& path) const {
    PHLO_CHECK(!begun());
    save_checkpoint(path, {.frame = frame(), .scene_hash = hash_, .build = name(compiled_for)}, model_->state());
}

void Simulation::restore(const std::filesystem::path& path) {
    const std::optional<CheckpointHeader> header = read_checkpoint_header(path);
    if (!header) throw RunError(fmt::format("{}: no such checkpoint", path.string()));
    if (header->build != name(compiled_for))
        log::warn("the checkpoint was written by a build for {}, this one is for {}: later frames may differ in the last digits", header->build,
                  name(compiled_for));
    if (header->scene_hash == hash_) load_checkpoint(path, model_->state());
    else tell(load_checkpoint_by_name(path, model_->state()), path.string());
    stats_.frame = header->frame;
    time_ = scene_.shot.time.seconds_at(frame());
}

std::vector<scene::Change> Simulation::edit(scene::Scene changed) {
    if (changed.model.index() != scene_.model.index())
        throw InputError(fmt::format("the scene asks for '{}' where it asked for '{}'; another model has to start anew", scene::key_of(changed.model), scene::key_of(scene_.model)));
    std::vector<scene::Change> changes = scene::changed_keys(scene::dump_scene(scene_), changed);
    Simulation next(std::move(changed));
    tell(copy_by_name(model_->state(), next.model_->state()), fmt::format("frame {}", frame()));
    next.stats_ = stats_;
    next.time_ = time_;
    *this = std::move(next);
    return changes;
}

}  // namespace phlo::sim
