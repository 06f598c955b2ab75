// Points spread evenly at random over a shape's surface: where a catalyst sits, where a body gives off gas.
//
//   for (const SurfaceSample& s : surface_samples(ball, 5000, {.seed = scene_seed, .stream = 7}))     // 5000 a square metre
//       glue(pose.world_from_local(s.point), pose.rotation(s.normal));
//
// The same key gives the same points. Their number is the area times `per_area`, rounded; sample n is drawn from the n-th equal part
// of the surface, so that no part is left bare by chance.
#pragma once
#include <vector>

#include "base/random.h"
#include "geom/shape.h"

namespace phlo::geom {

struct SurfaceSample {
    Vec3d point;  ///< on the surface, in the shape's own frame [m]
    Vec3d normal;  ///< unit, outward
};

double surface_area(const Shape& shape);  ///< [m^2]

std::vector<SurfaceSample> surface_samples(const Shape& shape, double per_area, const RandomKey& key);

}  // namespace phlo::geom
