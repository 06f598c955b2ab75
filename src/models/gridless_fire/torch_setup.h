// What a scene says about torches, beside the shot: the keys `torch` and `torches`. What scene/ and sim/ ask of any model's setup is asked here;
// models/setup.h lists it.
#pragma once
#include <memory>
#include <vector>

#include "models/gridless_fire/torch_params.h"
#include "models/setup.h"

namespace phlo::models {

struct TorchSetup {
    TorchParams torch;
    std::vector<Torch> torches;

    static constexpr const char* key = "torch";
    static constexpr bool fills_domain = false;
    static const config::Table<TorchSetup>& table();
    void complete(Shot& shot, const config::Node& root, config::Problems& problems);
    void check(const Check& check) const;
    Estimate estimate(const Shot& shot) const;
    std::unique_ptr<Model> make(const Shot& shot) const;
};

}  // namespace phlo::models
