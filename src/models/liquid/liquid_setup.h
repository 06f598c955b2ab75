// What a scene says about a liquid, beside the shot: the keys `liquid` and `emitters`. What scene/ and sim/ ask of any model's setup is asked here;
// models/setup.h lists it.
#pragma once
#include <memory>
#include <vector>

#include "models/liquid/liquid_params.h"
#include "models/setup.h"

namespace phlo::models {

struct LiquidSetup {
    LiquidParams liquid;
    std::vector<LiquidEmitter> emitters;

    static constexpr const char* key = "liquid";
    static constexpr bool fills_domain = true;
    static const config::Table<LiquidSetup>& table();
    void complete(Shot& shot, const config::Node& root, config::Problems& problems);
    void check(const Check& check) const;
    Estimate estimate(const Shot& shot) const;
    std::unique_ptr<Model> make(const Shot& shot) const;
};

}  // namespace phlo::models
