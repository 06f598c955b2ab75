// What an animator can say about a liquid and where it comes from. The tables in liquid_params.cpp give each member its key, unit, range and
// help; shot/ has the words for the domain, time and where emitters are.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "base/curve.h"
#include "base/vec.h"
#include "config/table.h"
#include "flow/free_surface.h"
#include "models/liquid/adapt_params.h"
#include "models/liquid/whitewater_params.h"
#include "models/shot/source.h"

namespace phlo::models {

/// How the surface is followed.
enum class SurfaceTracking {
    particles,            ///< the union of spheres around particles
    level_set,            ///< a level set alone: smooth, loses or gains volume where it is thin
    particle_level_set    ///< a level set that markers on both sides correct
};
/// What carries the velocity.
enum class VelocityCarrier { grid, apic };

struct SurfaceMarkerParams {
    int per_cell = 16;         ///< on each side of the surface
    bool outside = true;       ///< in the air too; without them nothing takes air back from the liquid
    int reseed_interval = 20;  ///< [steps]
};

/// Of particles that carry the velocity or make the surface.
struct CarrierParams {
    int per_axis = 2;          ///< of a cell: 8 in each
    double band = 3;           ///< below the surface in which there are particles [cells]
};

/// A liquid that is warmer here and colder there.
struct LiquidHeatParams {
    std::optional<double> temperature = {};   ///< of what no emitter or wall says otherwise [K]; none: liquids have no temperature
    std::optional<double> surroundings = {};  ///< what the surface cools to [K]; none: the same
    double cooling = 0;                       ///< heat through the surface [W/(m^2 K)]
    std::string thickening = {};              ///< viscosity over that at 20 degrees, an expression of T [K]; none: by the substance

    bool any() const { return temperature.has_value(); }
    double around() const { return surroundings.value_or(*temperature); }   ///< [K]
};

/// A liquid beside the first.
struct OtherLiquid {
    std::string substance = "milk";
    std::optional<double> density = {};                  ///< [kg/m^3]; none: the substance's
    std::optional<double> viscosity = {};                ///< nu [m^2/s]; none: the substance's
};

struct LiquidParams {
    std::string substance = "water";
    std::vector<OtherLiquid> others;                     ///< that mix with it
    SurfaceTracking surface = SurfaceTracking::particle_level_set;
    VelocityCarrier velocity = VelocityCarrier::grid;
    Curve<Vec3d> gravity{Vec3d(0, 0, -9.81)};            ///< [m/s^2]
    std::optional<double> density;                       ///< [kg/m^3]; none: the substance's
    std::optional<double> viscosity;                     ///< nu [m^2/s]; none: the substance's
    double tension = 0;                                  ///< sigma [N/m]
    LiquidHeatParams heat;
    bool walls_stick = false;                            ///< where viscosity counts: the liquid sticks to the walls of the box
    flow::SealedAir sealed_air = flow::SealedAir::empty;
    SurfaceMarkerParams markers;
    bool drops = true;                                   ///< markers that the level set has lost fly, and come back with their volume
    WhitewaterParams whitewater;                         ///< spray, foam and bubbles
    CarrierParams particles;
    AdaptParams adapt;                                   ///< where cells are fine
    double volume_rate = 250;                            ///< at which volume that was lost or gained by the numbers is mended [1/s]; 0: not
    double pressure_tolerance = 1e-4;                    ///< relative residual
    int pressure_iterations = 100;
    double friction_tolerance = 1e-4;                    ///< of the velocity
    int friction_iterations = 1000;

    double density_now() const;                          ///< given, or the substance's [kg/m^3]
    double viscosity_now() const;                        ///< given, or the substance's [m^2/s]
    int count() const { return 1 + int(others.size()); } ///< liquids
    std::vector<std::string> substances() const;         ///< of all liquids, the first one first; the vectors below are in this order
    std::vector<double> densities() const;               ///< [kg/m^3]
    std::vector<double> viscosities() const;             ///< at 20 degrees, or at any if there is no heat [m^2/s]
    double least_density() const;                        ///< [kg/m^3]
};

/// The longest step in which ripples on cells of size h stay calm [brackbill1992] [s]; infinite without tension.
double tension_step(const LiquidParams& liquid, double h);

/// The longest step in which waves of four cells, the shortest that the grid can carry, turn by no more than 0.6 rad under gravity [s]: longer
/// ones would damp them. Infinite without gravity.
double wave_step(double gravity, double h);

/// Below nu dt / h^2 = 1e-3 the grid's own errors are larger than what friction would do in a step, and it is left out: water. `nu` is the largest there is.
bool feels_friction(double nu, double dt, double h);

/// start: liquid is there at the first frame; pour: it is always full of liquid that moves as it says; drain: no liquid stays in it
enum class LiquidMode { start, pour, drain };

struct LiquidEmitter : Source {
    LiquidMode mode = LiquidMode::start;
    std::string substance = {};        ///< which of the scene's liquids; none: the first
    Curve<Vec3d> velocity{Vec3d()};    ///< of the liquid in it [m/s]
    std::optional<Curve<double>> temperature = {};   ///< of what comes out of it [K]; none: liquid.heat.temperature
};

/// Which liquid an emitter pours, 0: the first; -1: none of the scene's.
int liquid_of(const LiquidParams& liquid, const LiquidEmitter& emitter);

const config::Table<LiquidParams>& liquid_table();
const config::Table<LiquidEmitter>& liquid_emitter_table();

}  // namespace phlo::models
