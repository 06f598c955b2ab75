// Everything a liquid is made of, and what can be asked of it. The parts of a step change it: pouring.h, surface_motion.h, liquid_motion.h.
#pragma once
#include "flow/free_surface.h"
#include "flow/markers.h"
#include "flow/redistance.h"
#include "flow/tiles.h"
#include "models/liquid/liquid_setup.h"
#include "models/shot/grid_flow.h"

namespace phlo::models {

/// Where the volume went, since the first frame [m^3].
struct VolumeBook {
    double start = 0;      ///< at the first frame
    double poured = 0;     ///< by emitters and walls
    double drained = 0;    ///< by emitters
    double left = 0;       ///< through open walls

    double expected() const { return start + poured - drained - left; }
};

struct LiquidState {
    LiquidState(const Shot& shot, const LiquidSetup& setup);

    LiquidSetup setup;
    GridFlow flow;
    field::Grid phi;                    ///< the level set: < 0 in the liquid, a distance within five cells of its surface [m]
    field::Grid carried;                ///< where phi is carried to; scratch between the steps
    field::Grid wet;                    ///< phi, but negative in cells that hold only a film on a wall or a body (films.h) [m]
    flow::Markers markers;              ///< of the particle level set
    flow::FreeSurfaceProjector projector;
    flow::FreeSurfaceReport pressure;   ///< of the last step
    double last_dt = 0;                 ///< [s]; 0: there was no step
    VolumeBook book;
    flow::TileSet tiles, old_tiles;     ///< near the liquid: now, and in the last step
    flow::MarchScratch march;
    flow::CorrectScratch spheres;
    Ledger ledger;                      ///< of this frame
    Warnings* warnings = nullptr;       ///< of this run

    double h() const { return flow.domain().h; }
    double volume() const;              ///< of the liquid, without what bodies cover [m^3]
    const field::Grid* solid_distance() const { return flow.solids().present() ? &flow.solids().distance : nullptr; }
    flow::MarkerParams marker_params() const;
    bool has_markers() const { return setup.liquid.surface == SurfaceTracking::particle_level_set; }
    std::size_t bytes() const;
};

/// Cells on either side of the surface in which phi is a distance.
inline constexpr double distance_band = 5;

}  // namespace phlo::models
