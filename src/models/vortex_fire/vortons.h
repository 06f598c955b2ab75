// The particles of a vortex fire. Vortons carry the vorticity and the matter; tracers are only there to be seen.
//
//   Vortons vortons;
//   append_vorton(vortons, {.position = p, .strength = omega * volume, .volume = volume, .matter = air});
//   remove_marked(dead, vortons);                          // particles/columns.h
//
// A vorton stands for the gas in its volume. Fractions are shares of that gas's mass; what is not fuel, flame or smoke is air, and oxygen is a part of
// the air. Where there are no vortons the gas is clean air at rest.
#pragma once
#include <array>
#include <cstdint>
#include <tuple>
#include <vector>

#include "base/vec.h"

namespace phlo::models {

/// What the gas at a place is made of, beside air.
struct FireMatter {
    float temperature = 0;          ///< [K]
    float fuel = 0, flame = 0, smoke = 0;   ///< shares of mass
    float oxygen = 0;               ///< that is left, as a share of mass
    float lit = 0;                  ///< 1 where fuel has just caught fire, fading within a tick or two
};

struct Vorton {
    Vec3f position{};               ///< [m]
    Vec3f strength{};               ///< Gamma = omega times volume [m^3/s]
    float volume = 0;               ///< [m^3]
    FireMatter matter{};
};

struct Vortons {
    std::vector<Vec3f> position;    ///< [m]
    std::vector<Vec3f> velocity;    ///< [m/s]
    std::vector<Vec3f> strength;    ///< Gamma [m^3/s]
    std::vector<Vec3f> rate;        ///< of change of the strength in the last step [m^3/s^2]
    std::vector<float> volume;      ///< [m^3]
    std::vector<float> temperature, fuel, flame, smoke, oxygen, lit;   ///< as in FireMatter
    static constexpr std::tuple columns{&Vortons::position, &Vortons::velocity, &Vortons::strength, &Vortons::rate, &Vortons::volume, &Vortons::temperature,
                                        &Vortons::fuel, &Vortons::flame, &Vortons::smoke, &Vortons::oxygen, &Vortons::lit};

    std::size_t size() const { return position.size(); }
    FireMatter matter(std::size_t i) const { return {temperature[i], fuel[i], flame[i], smoke[i], oxygen[i], lit[i]}; }
};

inline void append_vorton(Vortons& set, const Vorton& one) {
    set.position.push_back(one.position), set.velocity.emplace_back(), set.strength.push_back(one.strength), set.rate.emplace_back(), set.volume.push_back(one.volume);
    set.temperature.push_back(one.matter.temperature);
    set.fuel.push_back(one.matter.fuel), set.flame.push_back(one.matter.flame), set.smoke.push_back(one.matter.smoke);
    set.oxygen.push_back(one.matter.oxygen), set.lit.push_back(one.matter.lit);
}

/// Those near each other in space are near each other in memory, more or less.
struct Tracers {
    std::vector<Vec3f> position;        ///< [m]
    std::vector<Vec3f> velocity;        ///< where it was in the last step, which the next step needs again [m/s]
    std::vector<float> age, life;       ///< [s]; a tracer older than its life is not there
    std::vector<FireMatter> matter;     ///< of the gas around it
    std::vector<std::uint64_t> id;      ///< every tracer that ever was has its own
    static constexpr std::tuple columns{&Tracers::position, &Tracers::velocity, &Tracers::age, &Tracers::life, &Tracers::matter, &Tracers::id};

    std::size_t size() const { return position.size(); }
    bool alive(std::size_t i) const { return age[i] < life[i]; }
};

struct NewTracer {
    Vec3f position{};               ///< [m]
    float life = 0;                 ///< [s]
    std::uint64_t id = 0;
};

inline void append_tracer(Tracers& set, const NewTracer& one, const FireMatter& air) {
    set.position.push_back(one.position), set.velocity.emplace_back(), set.age.push_back(0), set.life.push_back(one.life), set.matter.push_back(air), set.id.push_back(one.id);
}

}  // namespace phlo::models
