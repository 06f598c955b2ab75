// What a scene says about a gas, beside the shot: the keys `gas`, `chemistry` and `emitters`. What scene/ and sim/ ask of any model's setup is
// asked here; models/setup.h lists it.
#pragma once
#include <memory>
#include <optional>
#include <vector>

#include "chem/mechanism/mechanism.h"
#include "models/gas/chemistry_params.h"
#include "models/gas/gas_params.h"
#include "models/setup.h"

namespace phlo::models {

struct GasSetup {
    GasParams gas;
    std::vector<Emitter> emitters;
    ChemistryParams chemistry;
    std::optional<chem::Mechanism> mechanism;   ///< read from chemistry.mechanism; of the methods grid and hybrid

    static constexpr const char* key = "gas";
    static constexpr bool fills_domain = true;
    static const config::Table<GasSetup>& table();
    void complete(Shot& shot, const config::Node& root, config::Problems& problems);
    void check(const Check& check) const;
    Estimate estimate(const Shot& shot) const;
    std::unique_ptr<Model> make(const Shot& shot) const;
};

}  // namespace phlo::models
