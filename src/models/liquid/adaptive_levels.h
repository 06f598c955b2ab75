// How fine each base cell of an adaptive liquid (adaptive.h) is to be.
//
//   std::vector<Holds> holds = what_cells_hold(blocks, domain.h, phi, u, dt);
//   std::vector<std::int8_t> levels = levels_by_surface({.domain = domain, .base = blocks.base(), .depth = blocks.depth(), .holds = holds});
//   field::balance(blocks.base(), levels);
#pragma once
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "field/blocks.h"
#include "field/domain.h"
#include "flow/block_liquid.h"

namespace phlo::models {

/// What a base cell holds, or may hold before the step is over.
enum class Holds : std::uint8_t { air, liquid, surface };

struct LevelQuery {
    field::Domain domain;             ///< of the finest cells
    Vec3i base;                       ///< base cells, each 2^depth finest cells wide
    int depth = 0;
    std::span<const Holds> holds;     ///< of the base cells, x fastest
    double time = 0;                  ///< [s]
};

/// Decides the levels of the base cells. They are balanced afterwards (field/blocks.h), and what was asked for stays for a frame.
using LevelChooser = std::function<std::vector<std::int8_t>(const LevelQuery& query)>;

/// The surface is finest, all else as coarse as its distance to it allows.
std::vector<std::int8_t> levels_by_surface(const LevelQuery& query);

/// Where the surface is, where it may be after `dt` seconds, and three cells around. The ghosts of phi must be filled.
std::vector<Holds> what_cells_hold(const field::Blocks& blocks, double h, const field::BlockField<float>& phi, const flow::BlockVelocity& u, double dt);

}  // namespace phlo::models
