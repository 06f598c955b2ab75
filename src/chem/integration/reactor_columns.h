// A reactor's path as columns of numbers, for tables and plots.
//
//   for (const Column& column : columns_of(mechanism, params, run)) …      // time [s], temperature [K], pressure, density, species …
#pragma once
#include <string>
#include <vector>

#include "chem/integration/reactor.h"

namespace phlo::chem {

struct Column {
    std::string name, unit;  ///< unit "": a fraction
    int species = -1;  ///< which one it is; −1: none
    std::vector<double> values = {};
    std::string header() const { return unit.empty() ? name : name + " [" + unit + "]"; }
};

/// Time, temperature, pressure and density come first. Rows are `params.points`, or as many as the curves need.
std::vector<Column> columns_of(const Mechanism& mechanism, const ReactorParams& params, const ReactorRun& run);

/// The species worth drawing, at most `most`: those that react and change, largest peak first. Fewer if the rest never reaches a millionth
/// of it.
std::vector<const Column*> notable_species(const Network& network, const std::vector<Column>& columns, std::size_t most);

}  // namespace phlo::chem
