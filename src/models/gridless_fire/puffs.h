// Smoke of burnt-out particles: puffs that drift with the air, spread and fade.
//
//   puffs.take(flame, params, time, key);                // some of those that went dark in the last step
//   puffs.move(air, torch, params, time, dt, key);
#pragma once
#include <cstdint>
#include <vector>

#include "base/random.h"
#include "base/vec.h"
#include "models/gridless_fire/flame.h"

namespace phlo::models {

struct Puffs {
    std::vector<float> x, y, z;                  ///< relative to the origin [m]
    std::vector<float> u, v, w;                  ///< [m/s]
    std::vector<float> age;                      ///< [s]
    std::vector<std::uint32_t> id;               ///< of the fire particle it was
    static constexpr std::tuple columns{&Puffs::x, &Puffs::y, &Puffs::z, &Puffs::u, &Puffs::v, &Puffs::w, &Puffs::age, &Puffs::id};

    Vec3d origin;                                ///< whole metres

    std::size_t count() const { return x.size(); }
    /// Returns how many it took.
    std::size_t take(const Flame& flame, const TorchSmokeParams& params, double time, const RandomKey& key);
    /// Returns how many were gone.
    std::size_t move(const Air& air, const Torch& torch, const TorchSmokeParams& params, double time, double dt, const RandomKey& key);
};

/// What is left of a puff's opacity at an age.
inline double puff_opacity(const TorchSmokeParams& params, double age) {
    const double left = std::max(0.0, 1 - age / params.life), risen = std::min(1.0, age / (0.15 * params.life));
    return params.opacity * risen * left * left;
}

}  // namespace phlo::models
