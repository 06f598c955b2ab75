// One torch that burns: its particles and what a step does to them. Stages of a step, in their order:
//
//   Flame flame(torch, shared, bodies, {.seed = 1, .stream = 3});
//   flame.feed(time, dt);             // new particles enter, at any moment of the step, on the current curve of their cycle
//   flame.arrange();                  // neighbours stand together
//   flame.draw_noise();               // of this step
//   flame.find_means();               // over the n nearest of each
//   flame.move(air, time, dt);        // velocities, places, frequencies
//   flame.burn(time, dt);             // composition; extinction; who is dark, old or astray goes
#pragma once
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "base/random.h"
#include "models/gridless_fire/eddies.h"
#include "models/gridless_fire/fire_particles.h"
#include "models/gridless_fire/flame_axes.h"
#include "models/gridless_fire/fuel_bed.h"
#include "models/gridless_fire/torch_params.h"
#include "particles/nearest.h"

namespace phlo::models {

/// The wind as it is now.
struct Air {
    Vec3d wind;                              ///< [m/s]
    const Eddies* gusts = nullptr;
    double gust_speed = 0;                   ///< root mean square of each component [m/s]
};

class Flame {
public:
    struct Numbers {
        std::uint64_t seed = 1;
        std::uint32_t stream = 0;            ///< of all random numbers of this flame
    };
    Flame(const Torch& torch, const TorchParams& shared, std::span<const geom::Body> bodies, const Numbers& numbers);

    void feed(double time, double dt);
    void arrange();
    void draw_noise();
    void find_means();
    void move(const Air& air, double time, double dt);
    void burn(double time, double dt);

    const FireParticles& particles() const { return particles_; }
    FireParticles& edit_particles() { return particles_; }
    const Torch& torch() const { return torch_; }
    const Vec3d& origin() const { return origin_; }
    const Vec3d& source_place() const { return source_place_; }   ///< middle of the source in the world [m]
    double mean_composition() const { return mean_composition_; }    ///< of the current cycle's particles
    double curve() const { return curve_; }                          ///< what is left of Y0 in this cycle
    double cycles() const { return cycle_; }                         ///< begun so far
    double cycle_start() const { return cycle_start_; }              ///< [s]
    double theta(double time) const;                                 ///< of the next extinction; 0: none
    double visible_life(double time) const;                          ///< of a particle that enters at full composition [s]
    double streak_radius(double time) const;                         ///< [m]
    double alone_share() const { return nearest_.alone_share(); }
    float shown_composition(std::size_t i) const;                    ///< Y, fading towards the oldest age

    /// Particles that came and went since the last call, by reason.
    std::map<std::string, double> take_changes();
    /// Particles that went dark or grew too old in the last step, for the smoke.
    const FireParticles& burnt_out() const { return burnt_out_; }

    struct Number {
        std::string name;
        double* value;
    };
    std::vector<Number> numbers();           ///< the state beside the particles
    std::size_t bytes() const;

private:
    RandomKey key(std::uint32_t what) const { return {numbers_.seed, std::uint32_t(steps_), numbers_.stream * 16 + what}; }
    void follow_source(const Vec3d& place);
    void move_part(const Air& air, double time, double dt, std::size_t first, std::size_t last);

    Torch torch_;
    TorchParams shared_;
    std::vector<geom::Body> bodies_;
    Numbers numbers_;
    FuelBed bed_;
    Eddies eddies_;

    FireParticles particles_, spare_, burnt_out_;
    particles::Nearest nearest_;
    std::vector<particles::NearestSums> sums_;
    std::vector<std::uint8_t> gone_;         ///< why a particle goes after the step; 0: it stays
    FlameAxes axes_;

    // The state beside the particles; whole numbers are kept as the rest of a model's numbers is.
    Vec3d origin_;                           ///< whole metres
    Vec3d source_place_;
    double steps_ = 0, next_id_ = 0, pending_ = 0, cycle_ = 1, cycle_start_ = 0, curve_ = 1, mean_composition_ = 0, placed_ = 0;
    std::map<std::string, double> changes_;
};

}  // namespace phlo::models
