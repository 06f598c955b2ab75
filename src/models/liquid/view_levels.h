// How fine each base cell of an adaptive liquid is to be, by who sees it: the rules of [kang2005, section 3.3].
//
//   std::vector<Sight> sights = sights_around(params.view, domain, time, 1 / fps);      // empty: there is no camera, and all is seen
//   std::vector<std::int8_t> levels = levels_by_view(query, params, sights);            // query: adaptive_levels.h
//   field::balance(query.base, levels);
//
//                        in view            outside of it
//        surface            K                  K - surface_outside          K: the finest level
//        water              K - 1              0
//        air                0                  0
//
// Far away less: a cell need be no smaller than a few pixels. Levels of blocks that touch then differ by one at most, so that water around a fine surface grows coarse step by step.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "models/liquid/adapt_params.h"
#include "models/liquid/adaptive_levels.h"

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

/// Not balanced yet. Without sights as levels_by_surface().
std::vector<std::int8_t> levels_by_view(const LevelQuery& query, const AdaptParams& params, std::span<const Sight> sights);

}  // namespace phlo::models
