// What a scene will cost, before it runs.
//
//   Estimate cost = estimate(scene);    // cost.cells, cost.memory_bytes, cost.seconds
#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include "base/vec.h"
#include "scene/scene.h"

namespace phlo::scene {

struct Estimate {
    Vec3i cells;
    double cell_count = 0;
    double memory_bytes = 0;
    double particles = 0;  ///< that carry what reacts, roughly
    int frames = 0;
    double substeps = 1;  ///< of a frame, roughly
    double seconds = 0;  ///< all frames, roughly, on two cores
    std::vector<std::string> notes;  ///< what is allowed but probably not meant
};

Estimate estimate(const Scene& scene);

/// The resolution at which the scene fits into `bytes` of memory; 1 if none does.
int largest_resolution(const Scene& scene, double bytes);

/// Memory that a process may still take on this machine [bytes]; the greatest number if that is not known.
std::size_t available_memory();
/// "1.3 GB".
std::string size_text(double bytes);

}  // namespace phlo::scene
