// The pressure of liquids with a free surface: cycles, seconds, and what set-up costs beside them. A part of the bench `liquid`.
#pragma once
#include <string>
#include <vector>

namespace phlo::bench {

/// Rows {n, liquid, cells, iterations, converged, setup_seconds, solve_seconds, setup_over_cycle, nanoseconds_per_cell, bytes_per_cell} as a JSON array; or
/// as a table to standard output, and nothing comes back.
std::string liquid_pressure_rows(const std::vector<int>& sizes, bool json);

}  // namespace phlo::bench
