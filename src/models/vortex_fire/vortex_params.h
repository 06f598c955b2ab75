// What an animator can say about a vortex fire and its emitters. The tables in vortex_params.cpp give each member its key, unit, range and help.
#pragma once
#include <optional>
#include <vector>

#include "base/curve.h"
#include "base/vec.h"
#include "config/table.h"
#include "field/bounds.h"
#include "models/shot/source.h"
#include "models/vortex_fire/combustion.h"

namespace phlo::models {

enum class VortexVelocity {
    grid,    ///< vortex in cell: Poisson's equation on a lattice that follows the fire
    tree     ///< Biot and Savart's integral by a tree code
};

struct TracerParams {
    int count = 100'000;
    double life = 2.5;                 ///< of the longest-lived [s]
    double radius = 0.012;             ///< [m]
};

/// Where vortons may be.
struct FireBoxParams {
    std::optional<Vec3d> lower, upper; ///< corners [m]; none: wherever the fire goes
    bool closed = false;               ///< walls, else the fire leaves through the sides

    field::Bounds bounds() const { return lower && upper ? field::Bounds{*lower, *upper} : field::Bounds(); }
};

struct VortexFireParams {
    VortexVelocity velocity = VortexVelocity::grid;
    double spacing = 0.025;            ///< h, of vortons and nodes [m]
    int max_vortons = 60'000;
    double max_cells = 600'000;        ///< of the box that follows the fire
    TracerParams tracers;
    int remesh = 5;                    ///< steps from one remeshing to the next
    double quiet = 2e-3;               ///< of the greatest vorticity: less is let go when remeshing
    double lift = 0.0335;              ///< upward acceleration per kelvin [m/(s^2 K)]; g / T of an ideal gas
    double viscosity = 1e-4;           ///< nu [m^2/s]
    double eddies = 0.2;               ///< C of the eddy viscosity (C h)^2 |omega|
    double cleaning = 2;               ///< rate at which vorticity loses its divergence [1/s]
    double theta = 0.5;                ///< opening angle of the tree
    double tolerance = 3e-3;           ///< of the velocity's residual
    double gravity = 9.81;             ///< on free bodies, downward [m/s^2]
    double air_density = 1.2;          ///< [kg/m^3]
    CombustionParams combustion;
    bool finite_oxygen = false;        ///< true: a fire uses up the oxygen of its gas
    FireBoxParams box;
    bool show_vortons = false;
    bool show_volumes = false;         ///< flame, temperature and density, for the other qualities of rendering
};

struct FireEmitter : Source {
    Curve<double> fuel{0.8};           ///< share of mass
    Curve<double> smoke{0.0};          ///< share of mass
    Curve<double> temperature{1100.0}; ///< [K]
    std::optional<Curve<Vec3d>> velocity = {};   ///< of the gas inside [m/s]
    Curve<double> stir{0.0};           ///< acceleration of swirls as large as the noise's features [m/s^2]
    double tracers = 1;                ///< its share of all tracers, beside the other emitters' shares
};

const config::Table<VortexFireParams>& vortex_fire_table();
const config::Table<FireEmitter>& fire_emitter_table();

}  // namespace phlo::models
