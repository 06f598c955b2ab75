// The models that a scene can ask for. A new one is one line here and its folder under models/; nothing else names it.
#pragma once
#include <variant>

#include "models/gas/gas_setup.h"
#include "models/gridless_fire/torch_setup.h"
#include "models/liquid/liquid_setup.h"
#include "models/vortex_fire/vortex_setup.h"

namespace phlo::scene {

/// The first is the one of a scene that names none.
using AnySetup = std::variant<models::GasSetup, models::TorchSetup, models::VortexSetup, models::LiquidSetup>;

}  // namespace phlo::scene
