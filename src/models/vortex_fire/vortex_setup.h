// What a scene says about a vortex fire, beside the shot: the keys `vortex` and `emitters`. What scene/ and sim/ ask of any model's setup is asked here;
// models/setup.h lists it.
#pragma once
#include <memory>
#include <vector>

#include "models/setup.h"
#include "models/vortex_fire/vortex_params.h"

namespace phlo::models {

struct VortexSetup {
    VortexFireParams vortex;
    std::vector<FireEmitter> emitters;

    static constexpr const char* key = "vortex";
    static constexpr bool fills_domain = false;
    static const config::Table<VortexSetup>& table();
    void complete(Shot& shot, const config::Node& root, config::Problems& problems);
    void check(const Check& check) const;
    Estimate estimate(const Shot& shot) const;
    std::unique_ptr<Model> make(const Shot& shot) const;
};

}  // namespace phlo::models
