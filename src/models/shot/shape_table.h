// The scene file's words for shapes, motions and bodies:
//
//   shape: {sphere: {radius: 20 cm}}
//   position: {keys: [[0, [-1, 0, 1]], [2, [1, 0, 1]]], interpolation: smooth}
//   rotation: [0, 0, 45 deg]
#pragma once
#include "config/table.h"
#include "geom/body.h"

namespace phlo::models {

const config::Variant<geom::Shape>& shape_variant();
const config::Table<geom::Body>& body_table();

inline const config::Key position_key{.unit = "m", .help = "where its origin is; may be keyframed"};
inline const config::Key rotation_key{.unit = "rad", .help = "turned about x, then y, then z; may be keyframed"};

}  // namespace phlo::models
