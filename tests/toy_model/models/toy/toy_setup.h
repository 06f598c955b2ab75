// A model as small as one can be: sparks that are thrown up and fall back. No grid, no domain.
#pragma once
#include <memory>

#include "models/setup.h"

namespace phlo::models {

struct ToyParams {
    int count = 4;
    double speed = 2;   ///< upwards at the start [m/s]
};

struct ToySetup {
    ToyParams toy;

    static constexpr const char* key = "toy";
    static constexpr bool fills_domain = false;
    static const config::Table<ToySetup>& table();
    void complete(Shot&, const config::Node&, config::Problems&) {}
    void check(const Check& check) const;
    Estimate estimate(const Shot& shot) const;
    std::unique_ptr<Model> make(const Shot& shot) const;
};

}  // namespace phlo::models
