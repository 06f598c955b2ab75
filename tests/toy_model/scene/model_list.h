// Instead of src/scene/model_list.h: the one line that a new model needs outside its folder.
#pragma once
#include <variant>

#include "models/gas/gas_setup.h"
#include "models/toy/toy_setup.h"

namespace phlo::scene {

using AnySetup = std::variant<models::GasSetup, models::ToySetup>;

}  // namespace phlo::scene
