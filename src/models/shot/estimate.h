// What a shot will cost, before it runs. Each model makes its own; what does not apply stays 0.
#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include "base/vec.h"

namespace phlo::models {

struct Estimate {
    Vec3i cells;              ///< of its grid
    double cell_size = 0;     ///< [m]
    double particles = 0;     ///< roughly
    double memory_bytes = 0;
    int frames = 0;
    double substeps = 1;      ///< of a frame, roughly
    double seconds = 0;       ///< all frames, roughly, on two cores
    std::vector<std::string> notes;  ///< what is allowed but probably not meant

    double cell_count() const { return double(cells.x) * cells.y * cells.z; }
};

/// Memory that a process may still take on this machine [bytes]; the greatest number if that is not known.
std::size_t available_memory();
/// "1.3 GB".
std::string size_text(double bytes);

}  // namespace phlo::models
