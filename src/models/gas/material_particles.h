// Material particles [kang2007, sec. 2.2]: each carries an amount of one species through the gas.
//
//   MaterialParticles particles;
//   particles.add({.position = x, .amount = 1e-3, .species = 2});
//   remove_marked(dead, particles);                     // keeps the order; this and more in particles/columns.h
//
// One array an attribute. A particle's number (id) is never used twice, so that random numbers belong to it for good.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/vec.h"
#include "particles/columns.h"

namespace phlo::models {

struct MaterialParticle {
    Vec3f position = {}, velocity = {};    ///< [m], [m/s]
    double amount = 0;           ///< [mol]
    std::uint8_t species = 0;    ///< in the mechanism
    std::int16_t body = -1;      ///< glued to this body's surface; -1: it drifts
    Vec3f anchor = {};           ///< where on the body, in the body's own frame [m]
    float radius = 0;            ///< of influence [m]; 0: the usual one
};

struct MaterialParticles {
    std::vector<Vec3f> position, velocity;
    std::vector<double> amount;
    std::vector<std::uint8_t> species;
    std::vector<std::int16_t> body;
    std::vector<Vec3f> anchor;
    std::vector<float> radius;
    std::vector<std::uint32_t> id;
    double next_id = 0;          ///< a whole number, kept as the rest of a model's numbers is

    int count() const { return int(position.size()); }
    bool drifts(int i) const { return body[std::size_t(i)] < 0; }
    void add(const MaterialParticle& particle);
    double total(int of_species) const;    ///< [mol]
    std::vector<double> totals(std::size_t species) const;   ///< of the first so many species [mol]

    /// For checkpoints: all columns and next_id, exactly.
    std::vector<char> save() const;
    void load(std::span<const char> data);

    static constexpr std::tuple columns{&MaterialParticles::position, &MaterialParticles::velocity, &MaterialParticles::amount,
                                        &MaterialParticles::species, &MaterialParticles::body, &MaterialParticles::anchor, &MaterialParticles::radius,
                                        &MaterialParticles::id};
};

}  // namespace phlo::models
