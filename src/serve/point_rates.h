// How fast each reaction goes at one point.
//
//   std::vector<double> q = rates_at(network, 1500, time, concentrations);     // [mol/(m^3 s)], of the concentrations of all species
#pragma once
#include <vector>

#include "chem/rates/network.h"

namespace phlo::serve {

std::vector<double> rates_at(const chem::Network& network, double temperature, double time, const std::vector<double>& concentrations);

}  // namespace phlo::serve
