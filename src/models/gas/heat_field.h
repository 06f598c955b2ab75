// The heat of a real gas as a field that transport can keep: H = Σ c_k (h_k(T) − z_k) [J/m³] in every cell
// (chem/rates/heat_content.h), and back to temperature.
//
//   temperature_to_heat(content, substances, excess, heat);
//   …                                                       // amounts and heat are carried and diffused alike
//   long lost = heat_to_temperature(content, substances, heat, excess);
#pragma once
#include "chem/rates/heat_content.h"
#include "models/gas/chemistry.h"

namespace phlo::models {

/// The substances are all species of the mechanism, in its order; `content` refers to the ambient temperature.
void temperature_to_heat(const chem::HeatContent& content, const std::vector<Substance>& substances, const field::Grid& excess, field::Grid& heat);
/// Returns the number of cells whose heat belongs to no temperature; they keep theirs.
long heat_to_temperature(const chem::HeatContent& content, const std::vector<Substance>& substances, const field::Grid& heat, field::Grid& excess);
/// Sum over the cells, formation included, times their room if that is given [J/m³].
double sum_of_enthalpy(const chem::HeatContent& content, const std::vector<Substance>& substances, const field::Grid& excess, const field::Grid* room);

}  // namespace phlo::models
