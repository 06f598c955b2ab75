// What an animator can say about the gas and what its emitters give off. The tables in gas_params.cpp give each member its key, unit, range
// and help; chemistry_params.h has the words for reactions, shot/ those for the domain, time and where emitters are.
#pragma once
#include <vector>

#include "base/curve.h"
#include "base/vec.h"
#include "config/table.h"
#include "flow/advect.h"
#include "flow/stir.h"
#include "models/shot/shot.h"
#include "models/shot/source.h"

namespace phlo::models {

enum class GasMethod {
    smoke,    ///< one density and a temperature
    grid,     ///< every species is a concentration in every cell
    hybrid    ///< species that drive the reactions are carried by particles
};
enum class ScalarTransport { trilinear, cubic, maccormack, conserving };
using VelocityTransport = flow::Scheme;
using TraceOrder = flow::Trace;

struct GasParams {
    GasMethod method = GasMethod::smoke;
    ScalarTransport scalar_transport = ScalarTransport::maccormack;
    VelocityTransport velocity_transport = VelocityTransport::maccormack;
    TraceOrder trace = TraceOrder::rk2;
    double ambient_temperature = 293.15;   ///< [K]
    Curve<double> density_weight{0.0};     ///< alpha: downward acceleration per unit of density [m/s^2]
    Curve<double> mass_weight{8.15};       ///< downward acceleration per kg/m^3 that the species weigh more than the air they displace
    double air_molar_mass = 0.02897;       ///< of the gas around, which the species displace [kg/mol]
    Curve<double> temperature_lift{0.0335};///< beta: upward acceleration per kelvin [m/(s^2 K)]; g / T_ambient of an ideal gas
    Curve<double> vorticity{0.0};          ///< epsilon of the confinement force, dimensionless strength (f = eps h N x omega)
    double viscosity = 0;                  ///< nu [m^2/s]
    double density_diffusion = 0;          ///< kappa_d [m^2/s]
    double temperature_diffusion = 0;      ///< kappa_T [m^2/s]
    double cooling = 0;                    ///< rate towards the ambient temperature [1/s]
    double dissolve = 0;                   ///< rate at which density vanishes [1/s]
    Curve<double> expansion{0.0};          ///< prescribed divergence phi inside emitters [1/s]
    double pressure_tolerance = 1e-4;      ///< relative residual
    int pressure_iterations = 100;
    double gravity = 9.81;                 ///< on free bodies, downward [m/s^2]
    double air_density = 1.2;              ///< of the gas where free bodies and heat meet it [kg/m^3]
    double activity_threshold = 1e-3;      ///< density below which a tile counts as empty; 0: every tile works
};

struct Emitter : Source {
    Curve<double> density{1.0};
    std::vector<Concentration> species = {};  ///< [mol/m^3]
    Curve<double> temperature{293.15};     ///< [K]
    Curve<Vec3d> velocity{Vec3d()};        ///< [m/s]
    bool sets_velocity = false;            ///< true if the scene gives a velocity
    double scatter = 0;                    ///< up to so much more in any direction, for each particle that is fed [m/s]; hybrid
    flow::Turbulence turbulence = {};      ///< of speed at once with `start`, else each second
};

const config::Table<GasParams>& gas_table();
const config::Table<Emitter>& emitter_table();

}  // namespace phlo::models
