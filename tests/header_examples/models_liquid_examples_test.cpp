#include "examples.h"

#include "models/liquid/films.h"
#include "models/liquid/liquid.h"
#include "models/liquid/substance.h"

namespace phlo::models {


void liquid_example(const Shot& shot, const LiquidSetup& s) {
    using field::Frame;
    Liquid liquid(shot, {.liquid = s.liquid, .emitters = s.emitters});
    FrameStats stats = liquid.advance(1.0 / 24);
    Frame frame = liquid.show();
}

void films_example(const flow::Walls& walls, double h, const field::Grid& phi, field::Grid& wet) {
    count_films(walls, h, phi, wet);
}

void substance_example() {
    const LiquidSubstance* honey = find_liquid_substance("honey");
    double nu = honey->viscosity;
}


}  // namespace phlo::models
