#include "models/shot/source.h"

namespace phlo::models {

flow::SourceShape source_shape(const Source& source, std::span<const geom::Placement> bodies, double time) {
    flow::SourceShape where{.shape = &source.shape, .pose = source.motion.pose(time), .softness = source.softness, .noise = source.noise};
    for (const geom::Placement& placed : bodies) {
        if (source.on.empty() || placed.body->name != source.on) continue;
        where.pose = {placed.pose.world_from_local(where.pose.position), placed.pose.rotation * where.pose.rotation};
        if (!source.has_shape) where.shape = &placed.body->shape, where.grown = source.thickness;
    }
    return where;
}

}  // namespace phlo::models
