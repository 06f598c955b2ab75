// Drops too small for the grid: markers of the particle level set that were thrown out of it fly by themselves and come back to the water
// with their volume and their momentum.
//
//   ledger.record("volume", "to drops", throw_drops(markers_params, around, mixture, warmth, markers, drops)); // after the level set was corrected
//   double gone = fly_drops({.air_drag = 1}, around, drops);                                        // through open walls
//   double back = return_drops(around, drops, u, divergence, mixture, warmth);                       // before the pressure is found
//   add_drops(drops, domain, phi, liquid.mesh, liquid.velocity);                                    // spheres, to be seen
//
// An inside marker has become a drop when it is out in the air and none of the eight cells around it is liquid: the level set has lost it. It then
// stands for its share of a cell, h³ / per_cell: the markers of a piece of water that is lost whole give all of its volume. Drops that touch in the
// air coalesce, as surface tension would have it. Where friction holds a cell's worth of liquid together, |u| h < nu, there are no drops: such a marker is gone. Volumes are those of the spheres, so that at any time
//
//      thrown = in the air + returned + gone through open walls              to the rounding of floats.
//
// A drop that touches water pours its volume into the liquid cells around it: `divergence` gets V / (h³ dt), which the projection turns into water that
// makes room. A cell takes a tenth of its volume in a step, and none beside a body, where there may be no way out but slits: what is left of a drop
// goes on with the water and is poured in the next steps. The level set itself is not touched; a sphere drawn into it would add nothing where it lies in water already, and
// would not be seen by the grid where it does not. The drop's velocity is mixed into the faces of those cells,
// (h³ + V) u' = h³ u + V v: with the volume that comes, no momentum is lost. In the same way its liquids are mixed into the cells.
#pragma once
#include "field/frame.h"
#include "flow/markers.h"
#include "models/liquid/liquid_around.h"
#include "models/liquid/mixture.h"

namespace phlo::models {

struct Drops {
    std::vector<Vec3f> position;   ///< world space [m]
    std::vector<Vec3f> velocity;   ///< [m/s]
    std::vector<float> radius;     ///< [m]
    std::vector<Shares> shares;    ///< of the liquids in it
    std::vector<Shares> warmth;    ///< of cold and hot
    static constexpr std::tuple columns{&Drops::position, &Drops::velocity, &Drops::radius, &Drops::shares, &Drops::warmth};
};

struct DropParams {
    double air_drag = 1;          ///< times that of spheres of water; 0: none
};

double volume_of(const Drops& drops);                         ///< [m^3]
/// Of one of the liquids in them, or of cold or hot: `column` says of what, `which` says which [m^3].
double volume_of(const Drops& drops, std::vector<Shares> Drops::* column, int which);

/// Markers that have left the water become drops, appended to those there are, of the liquids that the mixture has there. Returns their volume [m^3].
double throw_drops(const flow::MarkerParams& params, const LiquidAround& around, const Mixture& mixture, const Mixture& warmth, flow::Markers& markers, Drops& drops);

/// A step of around.dt; they bounce off nothing: solids stop them. Those that touch each other become one, of up to 0.75 h in radius. Returns the
/// volume that left through open walls [m^3].
double fly_drops(const DropParams& params, const LiquidAround& around, Drops& drops);

/// Drops that touch water go back into it, as far as it takes them. `u` may be the velocity that `around` shows. Returns the volume that did [m^3].
double return_drops(const LiquidAround& around, Drops& drops, field::MacGrid& u, field::Grid& divergence, Mixture& mixture, Mixture& warmth);

/// Closed spheres of 80 triangles with the volumes of those drops that are in the air, phi >= 0, and the velocities of their points. None reaches
/// through the walls of the box: a drop whose centre is nearer to one than its radius is seen to lie against it.
void add_drops(const Drops& drops, const field::Domain& domain, const field::Grid& phi, field::TriangleMesh& mesh, std::vector<Vec3f>& velocity);
/// Gives cells of air around those drops their share of a liquid, or of cold or hot, so that it is found where they are seen.
void stamp_shares(const Drops& drops, std::vector<Shares> Drops::* column, int which, const field::Domain& domain, const field::Grid& phi, field::Grid& share);

}  // namespace phlo::models
