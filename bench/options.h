// What every bench is asked.
#pragma once
#include <filesystem>
#include <string>

namespace phlo::bench {

struct BenchOptions {
    int resolution = 0;   ///< one size only; 0: all of them
    bool json = false;
    std::string only = {};               ///< liquid: rows with this in their names; empty: all of them
    bool cycles = false;                 ///< render: Blender's Cycles, too, if it is installed
    std::filesystem::path keep = {};     ///< render, adaptive: where frames, pictures and plots go; empty: nowhere
};

}  // namespace phlo::bench
