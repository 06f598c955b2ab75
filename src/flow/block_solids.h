// Bodies as blocks of several levels see them: how much of each face and cell they leave open, and what they push through the rest.
#pragma once
#include <array>

#include "field/blocks.h"

namespace phlo::flow {

struct BlockSolids {
    bool present = false;                              ///< if not, the fields are empty and all is open
    field::BlockField<float> room;                     ///< open part of a cell, 0 to 1
    std::array<field::BlockField<float>, 3> open;      ///< open part of the face before a cell
    std::array<field::BlockField<float>, 3> pushed;    ///< velocity of bodies times the covered part [m/s]
};

}  // namespace phlo::flow
