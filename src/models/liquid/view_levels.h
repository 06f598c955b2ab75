// Which level each base cell of an adaptive liquid has: by what is in it, and by who sees it [002's rules: docs/models/liquid-adaptive.md].
//
//   LevelWishes wishes{.domain = domain, .depth = 4, .base = base, .what = what};        // what is in each base cell: air, water, where the surface is
//   std::vector<Sight> sights = sights_around(params.view, domain, time, 1 / fps);       // empty: all is seen
//   std::vector<std::int8_t> levels = view_levels(wishes, params, sights);               // balanced: Blocks can be made of them
//
//                        finest K    in view            outside of it
//        surface            K        (far away less)    K - surface_outside
//        water              K - 1    (far away less)    0
//        air                none
//
// Far away: a cell need be no smaller than a few pixels. What lies within a margin of the surface counts as surface: the level set has to be known on both sides, and it gets there before
// levels are chosen again. Air beside that is there, too, as coarse as may be: the velocity goes on into it. Levels of blocks that touch differ by one at most, so that water below a
// fine surface grows coarse step by step.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "field/domain.h"
#include "models/liquid/adapt_params.h"

namespace phlo::models {

/// What a camera sees at a moment: a pyramid.
struct Sight {
    Vec3d position, forward, right, up;     ///< unit vectors but the first
    double half_width = 1, half_height = 1; ///< of the picture at distance one, margin included
    double pixel = 0;                       ///< size of a pixel at distance one

    /// Any of a ball.
    bool sees(const Vec3d& center, double radius) const;
};
Sight sight(const AdaptView& view, const field::Domain& domain, double time);
/// From a frame ago to `view.ahead` from now, a frame apart. None if the view has no position: then all is seen.
std::vector<Sight> sights_around(const AdaptView& view, const field::Domain& domain, double time, double frame);

/// What is in a base cell.
struct BaseContent {
    bool water = false;                     ///< any
    bool surface = false;                   ///< any
    Vec3f lower, upper;                     ///< of the box around the surface in it; in units of finest cells, from the domain's corner
};

struct LevelWishes {
    field::Domain domain;                   ///< of the finest cells
    int depth = 4;                          ///< K
    Vec3i base;                             ///< base cells, each 2^depth finest cells wide
    std::span<const BaseContent> what;      ///< of the base cells, x fastest
    double margin = 6;                      ///< around the surface: the level set's band, and how far the surface may get until levels are chosen again [finest cells]
};

/// Of base cells, balanced. Without sights and in mode `surface` all is seen from nowhere: distance does not count.
std::vector<std::int8_t> view_levels(const LevelWishes& wishes, const AdaptParams& params, std::span<const Sight> sights);

}  // namespace phlo::models
