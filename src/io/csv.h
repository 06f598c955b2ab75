// Tables of numbers as text, one row a line, under a header that has names and units.
//
//   write_csv("ignition.csv", {"time [s]", "temperature [K]"}, {&times, &temperatures});      // appears whole or not at all
#pragma once
#include <filesystem>
#include <string>
#include <vector>

namespace phlo::io {

/// Columns of equal length. Numbers have ten digits; a header with a comma or a quote is quoted.
void write_csv(const std::filesystem::path& path, const std::vector<std::string>& header,
               const std::vector<const std::vector<double>*>& columns);

}  // namespace phlo::io
