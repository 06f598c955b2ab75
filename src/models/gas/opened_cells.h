// Room that a receding body opens. A cell that was covered holds no gas; it takes its share from the open cells beside it: the gas there gets thinner, and
// nothing is made. Flow and diffusion bring more; a real gas flows in by its pressure.
//
//   const OpenedCells opened(gas);          // before the bodies are placed anew
//   gas.flow.place_bodies(time);
//   opened.fill(gas);
//
// Behind a body that moves the flow comes along with the body; such cells are left to it.
#pragma once
#include <cstdint>
#include <vector>

#include "models/gas/gas_state.h"

namespace phlo::models {

class OpenedCells {
public:
    explicit OpenedCells(const GasState& gas);
    void fill(GasState& gas) const;

private:
    std::vector<std::uint8_t> covered_;   ///< one a grid entry
};

}  // namespace phlo::models
