// Swirls of the air as a sum of waves: a velocity everywhere, free of divergence, without a grid [kraichnan1970; stam1993].
//
//   Eddies eddies({.seed = 7, .size = 0.3});
//   eddies.drift({0, 0, 1.5 * dt});                            // the pattern moves along, and changes as it does
//   eddies.add(origin, {x, y, z}, 0.4, {u, v, w});             // adds velocities whose components have the root mean square 0.4 m/s
//
//   u(x) = sum over modes of a cos(kappa . (x - moved) + phase),   a at a right angle to kappa
#pragma once
#include <array>
#include <cstdint>

#include "base/vec.h"
#include "models/gridless_fire/stochastic.h"

namespace phlo::models {

class Eddies {
public:
    struct Params {
        std::uint64_t seed = 1;
        std::uint32_t stream = 0;
        double size = 0.3;          ///< wavelength of the largest [m]; the smallest is a third of it
        double turnover = 0.5;      ///< how fast waves change by themselves, as a share of `speed` over their length
    };
    explicit Eddies(const Params& params);

    void drift(const Vec3d& by) { moved_ += by; }
    /// Each wave's phase goes on by itself too, as if swirls of this speed turned over.
    void turn(double speed, double dt) { turned_ += params_.turnover * speed * dt; }

    /// At places relative to an origin.
    void add(const Vec3d& origin, const ConstColumns3& place, double speed, const Columns3& velocity) const;
    Vec3d at(const Vec3d& place, double speed) const;

    Vec3d& moved() { return moved_; }
    double& turned() { return turned_; }

private:
    static constexpr std::size_t modes = 12;
    struct Mode {
        Vec3d wave;          ///< kappa / (2 pi) [1/m]
        Vec3d amplitude;     ///< for components of root mean square 1
        double phase;        ///< in turns
        double own;          ///< turns of the phase for a metre of turned_ [1/m]
    };
    double phase_at(const Mode& mode, const Vec3d& place) const;   ///< in turns, within half a turn of 0

    Params params_;
    std::array<Mode, modes> modes_;
    Vec3d moved_;            ///< [m]
    double turned_ = 0;      ///< [m]
};

}  // namespace phlo::models
