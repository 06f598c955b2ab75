// The liquids of a mixture (mixture.h) in a step: carried, poured, mended, and pushed by their densities. Nothing happens where there is one liquid. Their heat, if they have any,
// is carried, poured and mended in the same way, as a mixture of cold and hot, and leaves through the surface.
#pragma once
#include "models/liquid/liquid_state.h"

namespace phlo::models {

/// By the velocity as it is before the step, and before the surface is carried.
void carry_liquids(LiquidState& liquid, double dt);
/// After the surface was carried and emitters have poured: into the air and into bodies, and each liquid's volume is brought back to its book.
void settle_liquids(LiquidState& liquid, double dt);
/// Through the surface, to the surroundings.
void cool(LiquidState& liquid, double dt);
/// The books begin anew with what is there.
void open_books(LiquidState& liquid);
/// What left through walls [m^3], or came in.
void book_walls_of_liquids(LiquidState& liquid, double dt);

/// What drops carry of each liquid, and of cold and hot [m^3].
struct DropsAloft {
    std::vector<double> liquids, warmth;
};
DropsAloft drops_aloft(const LiquidState& liquid);
/// After they have flown: what is no longer there has left.
void book_drops_that_left(LiquidState& liquid, const DropsAloft& before);

/// Around a change of phi by an emitter: what it adds is its liquid, what it takes is what was there.
class PouringOne {
public:
    explicit PouringOne(LiquidState& liquid);
    /// Returns by how much the whole volume has changed, without the `lost` part, which only came back [m^3]. `temperature` counts where the scene has heat [K].
    double added(int which, double temperature, double lost);
    double drained();

private:
    LiquidState& liquid_;
    double volume_before_ = 0;
    std::vector<double> liquids_before_, heat_before_;
};

/// Heavy liquid sinks in light liquid. The pressure is found for the lightest density rho_0 everywhere; the rest of its gradient, (1/rho_0 - 1/rho) grad p, is taken from the
/// last step's pressure [dong2012]. So what falls freely, without pressure, falls as everything does.
void push_by_density(LiquidState& liquid, double dt, field::MacGrid& u);
/// Of all liquids together, drops too; in the order of the setup [m^3].
std::vector<double> volumes_now(const LiquidState& liquid);
double heat_now(const LiquidState& liquid);            ///< over that of the coldest temperature of the scene, drops too [J]
double mean_temperature(const LiquidState& liquid);    ///< [K]; only where there is heat

}  // namespace phlo::models
