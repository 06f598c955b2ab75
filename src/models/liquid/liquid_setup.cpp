#include "models/liquid/liquid_setup.h"

#include <fmt/format.h>

#include "models/liquid/adaptive.h"
#include "models/liquid/liquid.h"

namespace phlo::models {

const config::Table<LiquidSetup>& LiquidSetup::table() {
    static const auto table = config::Table<LiquidSetup>("liquid", "Water, milk, honey: a liquid with a free surface on a grid.")
                                  .table("liquid", &LiquidSetup::liquid, liquid_table())
                                  .list("emitters", &LiquidSetup::emitters, liquid_emitter_table(), {.help = "where liquid is, comes from and goes"});
    return table;
}

void LiquidSetup::complete(Shot& shot, const config::Node& root, config::Problems& problems) {
    // Markers and their level set part when a step is longer [enright2005].
    if (!root.find("time.cfl")) shot.time.cfl = 5;
    if (!root.find("time.max_substeps")) shot.time.max_substeps = 200;
    if (liquid.heat.any())
        for (std::size_t w = 0; w < 6; ++w)
            if (!root.find(fmt::format("domain.walls.{}.inflow.temperature", wall_names[w]))) shot.domain.walls[w].temperature = *liquid.heat.temperature;
    // A box holds water unless the scene says that it does not.
    for (std::size_t w = 0; w < 5; ++w)
        if (!root.find(fmt::format("domain.walls.{}", wall_names[w]))) shot.domain.walls[w] = {.kind = WallKind::closed};
    if (liquid.adapt.mode == AdaptMode::view) look_through_camera(shot.time, root, problems, liquid.adapt.view);
    if (liquid.adapt.mode != AdaptMode::none) {   // what it has not yet is left out, unless the scene asks for it: then check() says so
        if (!root.find("liquid.surface")) liquid.surface = SurfaceTracking::level_set;
        if (!root.find("liquid.drops")) liquid.drops = false;
        if (!root.find("liquid.viscosity") && liquid.viscosity_now() < 2e-6) liquid.viscosity = 0;
    }
    for (std::size_t i = 0; i < emitters.size(); ++i)
        if (emitters[i].name.empty()) emitters[i].name = fmt::format("emitter-{}", i + 1);
}

std::unique_ptr<Model> LiquidSetup::make(const Shot& shot) const {
    if (liquid.adapt.mode != AdaptMode::none) return std::make_unique<AdaptiveLiquid>(shot, *this);
    return std::make_unique<Liquid>(shot, *this);
}

}  // namespace phlo::models
