#include "models/vortex_fire/vortex_setup.h"

#include <fmt/format.h>

#include "models/vortex_fire/vortex_fire.h"

namespace phlo::models {

const config::Table<VortexSetup>& VortexSetup::table() {
    static const auto table = config::Table<VortexSetup>("vortex", "Fire in real time by vortex particles.")
                                  .table("vortex", &VortexSetup::vortex, vortex_fire_table())
                                  .list("emitters", &VortexSetup::emitters, fire_emitter_table(), {.help = "where fuel and heat come from"});
    return table;
}

void VortexSetup::complete(Shot&, const config::Node& root, config::Problems&) {
    if (vortex.box.closed && !root.find("vortex.oxygen")) vortex.finite_oxygen = true;
    for (std::size_t i = 0; i < emitters.size(); ++i)
        if (emitters[i].name.empty()) emitters[i].name = fmt::format("emitter-{}", i + 1);
}

std::unique_ptr<Model> VortexSetup::make(const Shot& shot) const { return std::make_unique<VortexFire>(shot, *this); }

}  // namespace phlo::models
