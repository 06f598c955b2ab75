// The particles of a flame, one array an attribute.
//
//   FireParticles particles;
//   remove_unordered(dead, particles);                 // the last ones take the places of those that go
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "particles/columns.h"
#include "particles/nearest.h"

namespace phlo::models {

struct FireParticles {
    std::vector<float> x, y, z;                            ///< relative to the flame's origin [m]
    std::vector<particles::NearestRecord> motion;          ///< velocity [m/s], turbulent frequency [1/s], then three normal numbers of the step
    std::vector<float> composition;                        ///< Y
    std::vector<float> age;                                ///< [s]
    std::vector<float> reach;                              ///< within it were its neighbours in the last step [m]
    std::vector<std::uint32_t> brush;                      ///< from the lower end of the source's x
    std::vector<std::uint32_t> cycle;                      ///< in which it was born: cycles are the times between two extinctions
    std::vector<std::uint32_t> id;                         ///< never used twice

    std::size_t count() const { return x.size(); }
    static constexpr std::tuple columns{&FireParticles::x, &FireParticles::y, &FireParticles::z, &FireParticles::motion, &FireParticles::composition,
                                        &FireParticles::age, &FireParticles::reach, &FireParticles::brush, &FireParticles::cycle, &FireParticles::id};
};

/// `dead`: indices in rising order.
inline void remove_unordered(std::span<const int> dead, FireParticles& particles) {
    particles::for_each_column(particles, [&](auto& column) {
        for (std::size_t d = dead.size(); d-- > 0;) {
            column[std::size_t(dead[d])] = column.back();
            column.pop_back();
        }
    });
}

/// Particle order[i] becomes particle i. `spare` is room to work in, kept from step to step.
inline void reorder(std::span<const int> order, FireParticles& particles, FireParticles& spare) {
    constexpr std::size_t chunk = 8192;
    const int chunks = int((order.size() + chunk - 1) / chunk);
    particles::for_each_column(spare, [&](auto& column) { column.resize(order.size()); });
    parallel_for(chunks, [&](int c) {
        const std::size_t first = std::size_t(c) * chunk, last = std::min(order.size(), first + chunk);
        std::apply([&](auto... column) {
            const auto move = [&](const auto& from, auto& to) {
                for (std::size_t i = first; i < last; ++i) to[i] = from[std::size_t(order[i])];
            };
            (move(particles.*column, spare.*column), ...);
        }, FireParticles::columns);
    });
    std::swap(particles, spare);
}

}  // namespace phlo::models
