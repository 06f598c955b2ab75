// What torches will cost, before they run.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "models/gridless_fire/composition.h"
#include "models/gridless_fire/torch_setup.h"

namespace phlo::models {
namespace {

constexpr double bytes_of_program = 40e6;
constexpr double bytes_per_particle = 300;      ///< its columns twice, sums over neighbours, the tree, and the frame that is shown
constexpr double seconds_per_particle = 1.1e-7; ///< and step, on two cores

}  // namespace

Estimate TorchSetup::estimate(const Shot& shot) const {
    Estimate cost;
    for (const Torch& one : torches) cost.particles += one.particles;
    cost.frames = shot.time.last_frame - shot.time.first_frame + 1;
    const double longest = shot.time.fixed_step > 0 ? shot.time.fixed_step : 1 / ticks_per_second;
    cost.substeps = std::max(1.0, std::ceil(1 / (shot.time.fps * longest) - 1e-6));
    cost.memory_bytes = bytes_of_program + bytes_per_particle * cost.particles;
    cost.seconds = (cost.frames * cost.substeps + torch.warm_up * ticks_per_second) * seconds_per_particle * cost.particles;
    for (const Torch& one : torches) {
        if (one.flicker == Flicker::extinction && mean_tick_factor(one.decay(0)) >= 1)
            cost.notes.push_back(fmt::format("torches.{}: with a decay of {} the composition never falls, so the fire does not flicker", one.name, one.decay(0)));
        if (std::ranges::all_of(one.strength.keys(), [](const auto& at) { return at.value == 0; }))
            cost.notes.push_back(fmt::format("torches.{}: its strength is 0; it will not burn", one.name));
        const double period = flicker_period(one.decay(0), one.overlap(0), one.extinction(0));
        if (one.flicker == Flicker::extinction && std::isfinite(period))
            cost.notes.push_back(fmt::format("torches.{}: goes out and starts anew every {:.2f} s", one.name, period));
    }
    return cost;
}

}  // namespace phlo::models
