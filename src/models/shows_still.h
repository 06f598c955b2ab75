// What a model can offer to those who only look, beside model.h: a Frame without the velocity, which is most of what a gas has to copy.
//
//   if (const auto* model_of_gas = dynamic_cast<const ShowsStill*>(&model)) frame = model_of_gas->show_still();
#pragma once
#include "field/frame.h"

namespace phlo::models {

class ShowsStill {
public:
    virtual ~ShowsStill() = default;
    /// As Model::show(), but for the velocity.
    virtual field::Frame show_still() const = 0;
};

}  // namespace phlo::models
