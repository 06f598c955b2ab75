// Transport that keeps amounts: what leaves a cell through a face enters the next one, so the total changes only by what
// crosses the walls, and that is written down.
//
//   const Conserving how{.dt = dt, .h = h, .x_first = step % 2 == 0};
//   Throughput through = transport_conserving(how, velocity, {&density, &new_density, walls_with(0.0f)}, active);
//   // sum(new_density) h^3 = sum(density) h^3 + through.in - through.out
//
// Flux-limited finite volumes on the MAC faces, one axis after the other: second order where the field is smooth, positive, and no
// new extrema in a divergence-free flow. The step is divided so that no cell loses more than it has, so any dt will do.
// Fields that belong together, the species of a gas and its heat, can share one limiter: then what was a sum of others with fixed weights
// stays that sum (nitrogen 3.76 times the oxygen that came with it), and a mixture stays one that mixing can make.
// With bodies, faces carry their open fraction and cells their open volume; a value then is an amount per open volume.
#pragma once
#include "field/mac.h"
#include "flow/advect.h"

namespace phlo::flow {

struct Conserving {
    double dt = 0;                               ///< [s]
    double h = 1;                                ///< [m]
    const field::MacGrid* aperture = nullptr;    ///< open fraction of each face, wall faces included; null: all open
    const field::Grid* volume = nullptr;         ///< open fraction of each cell; null: all full
    bool x_first = true;                         ///< order of the axes: alternate it from step to step
};

/// Cells with a smaller open fraction are treated as having this one: the number of sub-steps goes with 1 / volume.
inline constexpr float smallest_volume = 0.1f;

/// What crossed the walls [value x m^3], and in how many sub-steps.
struct Throughput {
    double in = 0, out = 0;
    int substeps = 0;
};

/// A wall face with inward flow brings the wall's value (the nearest cell's where the wall has none); with outward flow it takes the
/// cell's. Closed walls are faces whose velocity or aperture is 0. Nothing crosses from active tiles (and those beside them) to the
/// rest, so the active set must reach beyond where the field has amounts that matter.
Throughput transport_conserving(const Conserving& how, const field::MacGrid& u, const Carried& carried, const TileSet& active);

/// A field that is carried in place.
struct Companion {
    field::Grid* field = nullptr;
    Boundary boundary{};
    bool leads = true;                           ///< false: takes the slopes that the others allow, and has no say in them
};

/// Several fields in one go. With `share` (a grid to work in) they have one limiter: of the slope between a cell's neighbours each takes
/// the same share, the least that any field of weight there (a ten-thousandth of their sum) allows. Without, each has its own.
std::vector<Throughput> transport_together(const Conserving& how, const field::MacGrid& u, std::span<const Companion> fields, const TileSet& active,
                                       field::Grid* share);

}  // namespace phlo::flow
