#include "models/liquid/adaptive_state.h"

#include "flow/block_level_set.h"
#include "models/liquid/view_levels.h"

namespace phlo::models {
namespace {

LevelChooser chooser(const AdaptParams& adapt, double fps) {
    if (adapt.mode != AdaptMode::view) return levels_by_surface;
    return [adapt, fps](const LevelQuery& query) { return levels_by_view(query, adapt, sights_around(adapt.view, query.domain, query.time, 1 / fps)); };
}

}  // namespace

AdaptiveState::AdaptiveState(const Shot& given, const LiquidSetup& given_setup) : shot(given), setup(given_setup), choose_levels(chooser(given_setup.liquid.adapt, given.time.fps)) {
    const AdaptGrid grid = whole_blocks(make_domain(shot.domain), setup.liquid.adapt.levels);
    domain = grid.domain, setup.liquid.adapt.levels = grid.levels;
}

double AdaptiveState::volume() const { return flow::inside_volume(blocks, h(), phi); }

flow::Walls AdaptiveState::walls() const {
    flow::Walls walls;
    for (std::size_t w = 0; w < 6; ++w) walls[w] = {.kind = shot.domain.walls[w].kind, .speed = shot.domain.walls[w].velocity(time)};
    return walls;
}

std::size_t AdaptiveState::structure_bytes() const { return blocks.bytes() + needed.size(); }

std::size_t AdaptiveState::bytes() const {
    return structure_bytes() + phi.bytes() + u[0].bytes() + u[1].bytes() + u[2].bytes() + projector.bytes() + transport.bytes() + march.distance.bytes() +
           march.slope.bytes() + extension.bytes() + padded.bytes() + spare.bytes();
}

}  // namespace phlo::models
