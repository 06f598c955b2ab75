#include "models/shot/step_choice.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/error.h"

namespace phlo::models {

double choose_step(const StepChoice& choice, double remaining, int done, Warnings& warnings) {
    const TimeParams& time = choice.time;
    if (time.fixed_step > 0) return std::min(time.fixed_step, remaining);
    if (!std::isfinite(choice.speed))
        throw RunError(fmt::format("the velocity is no longer a number at t = {:.4f} s. Lower time.cfl and what pushes the flow, and start "
                                   "from the last good frame", choice.now));
    const double wanted = std::min(choice.speed > 0 ? time.cfl * choice.h / choice.speed : remaining, choice.longest);
    int parts = std::max(1, int(std::ceil(remaining / wanted - 1e-6)));
    const int allowed = std::max(1, time.max_substeps - done);
    if (parts > allowed) {
        warnings.once("max_substeps", fmt::format("time.max_substeps = {} was reached at t = {:.3f} s: the flow crosses {:.1f} cells a sub-step, "
                                                  "where time.cfl = {}, and lasts {:.2g} s, where {:.2g} s would do", time.max_substeps, choice.now,
                                                  choice.speed * remaining / allowed / choice.h, time.cfl, remaining / allowed, wanted));
        parts = allowed;
    }
    return remaining / parts;
}

}  // namespace phlo::models
