// Everything a liquid is made of, and what can be asked of it. The parts of a step change it: pouring.h, surface_motion.h, liquid_motion.h.
#pragma once
#include <optional>

#include "flow/free_surface.h"
#include "flow/liquid_particles.h"
#include "flow/markers.h"
#include "flow/redistance.h"
#include "flow/tiles.h"
#include "flow/viscosity.h"
#include "models/liquid/drops.h"
#include "models/liquid/liquid_setup.h"
#include "models/liquid/mixture.h"
#include "models/liquid/viscosity_law.h"
#include "models/liquid/whitewater.h"
#include "models/shot/grid_flow.h"

namespace phlo::models {

struct LiquidState {
    LiquidState(const Shot& shot, const LiquidSetup& setup);

    LiquidSetup setup;
    GridFlow flow;
    field::Grid phi;                    ///< the level set: < 0 in the liquid, a distance within five cells of its surface [m]
    field::Grid wet;                    ///< phi, but negative in cells that hold only a film on a wall (films.h) [m]
    flow::Markers markers;              ///< of the particle level set
    Drops drops;                        ///< in the air
    Whitewater white;                   ///< spray, foam and bubbles
    flow::LiquidParticles particles;    ///< that carry the velocity, or make the surface
    long spray = 0;                     ///< particles that fly alone
    std::vector<geom::Placement> bodies_before, bodies_after;   ///< where this step began, and where it ends
    flow::FreeSurfaceProjector projector;
    flow::FreeSurfaceReport pressure;   ///< of the last step
    std::optional<flow::ViscositySolver> viscosity;   ///< none until the liquid feels friction
    flow::ViscosityReport friction;     ///< of the last step
    field::MacGrid carried;             ///< the velocity of this step before anything has pushed it
    const field::Grid* wanted_divergence = nullptr;   ///< that this step's pressure leaves in the liquid, to mend its volume [1/s]; null: none
    std::vector<double> foreseen;       ///< of each emitter: what will be in it when the surface was carried [m^3]
    double last_dt = 0;                 ///< [s]; 0: there was no step
    VolumeBook book;
    VolumeLoss loss;
    Mixture mixture;                    ///< which liquid is where, if there are several
    Mixture warmth;                     ///< how much of it is cold, how much hot, if it has a temperature
    TemperatureSpan temperatures;       ///< what cold and hot mean
    ViscosityLaw law;
    flow::TileSet tiles, old_tiles;     ///< near the liquid: now, and in the last step
    flow::MarchScratch march;
    flow::TransferScratch transfer;
    Ledger ledger;                      ///< of this frame
    Warnings* warnings = nullptr;       ///< of this run

    double h() const { return flow.domain().h; }
    double joules() const;              ///< of a cubic metre of hot liquid, over that of cold [J/m^3]
    double volume() const;              ///< of the liquid on the grid, without what bodies cover [m^3]
    double all_volume() const { return volume() + volume_of(drops); }   ///< with drops in the air [m^3]
    flow::BodyContacts contacts() const { return {flow.domain(), bodies_before, bodies_after}; }
    const field::Grid* open() const { return flow.solids().present() ? &flow.solids().volume : nullptr; }   ///< part of each cell; null: all
    const field::Grid* solid_distance() const { return flow.solids().present() ? &flow.solids().distance : nullptr; }
    flow::MarkerParams marker_params() const;
    flow::LiquidParticleParams particle_params() const;
    bool particles_make_surface() const { return setup.liquid.surface == SurfaceTracking::particles; }
    bool has_particles() const { return particles_make_surface() || setup.liquid.velocity == VelocityCarrier::apic; }
    bool has_markers() const { return setup.liquid.surface == SurfaceTracking::particle_level_set; }
    bool has_drops() const { return has_markers() && setup.liquid.drops; }
    std::size_t bytes() const;
};

/// Cells on either side of the surface in which phi is a distance.
inline constexpr double distance_band = 5;

}  // namespace phlo::models
