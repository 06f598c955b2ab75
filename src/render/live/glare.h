// Glare: a little of what is bright is scattered by lens and eye over what is around it, which is how bright a fire at night looks on a screen.
//
//   Glare glare;
//   glare.find(picture, 0.06f);             // 6 % of all light spreads over a twentieth of the picture's height; the mean stays
//   glare.add_to_row(picture, 0, y, row);   // the red of row y with it
#pragma once
#include "render/live/tiles.h"

namespace phlo::render {

class Glare {
public:
    void find(const Picture& picture, float share);
    /// A row of a channel of that picture, and what spreads into it. Room for eight numbers behind the row.
    void add_to_row(const Picture& picture, int channel, int y, float* to) const;

private:
    std::array<Plane, 3> glow_;   ///< what spreads, an eighth of the picture's resolution: it has no detail
    float share_ = 0;
};

}  // namespace phlo::render
