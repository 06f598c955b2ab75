// What an animator can say about the gas and where it comes from. The tables in gas_params.cpp give each member its key, unit, range and
// help; chemistry_params.h has the words for reactions.
#pragma once
#include <array>
#include <string>
#include <vector>

#include "base/curve.h"
#include "base/vec.h"
#include "config/table.h"
#include "field/domain.h"
#include "flow/advect.h"
#include "flow/sources.h"
#include "flow/stir.h"
#include "flow/walls.h"
#include "geom/body.h"

namespace phlo::models {

using flow::WallKind;

/// Of a species, by its name [mol/m^3].
using Concentration = config::Named<Curve<double>>;

struct Wall {
    WallKind kind = WallKind::open;
    Curve<double> velocity{0.0};           ///< into the domain [m/s]; inflow only
    Curve<double> density{0.0};            ///< carried in; inflow only
    Curve<double> temperature{293.15};     ///< carried in [K]; inflow only
    std::vector<Concentration> species = {};  ///< carried in [mol/m^3]; inflow only
};

/// In the order of DomainParams::walls.
inline constexpr std::array<const char*, 6> wall_names = {"left", "right", "front", "back", "floor", "ceiling"};

struct DomainParams {
    Vec3d size{1, 1, 1.5};                 ///< [m]
    Vec3d origin{-0.5, -0.5, 0};           ///< lower corner [m]; by default centred in x and y, standing on z = 0
    int resolution = 96;                   ///< cells along the longest side; cells are cubes, the other sides are rounded
    /// -x, +x, -y, +y, -z, +z: left right front back floor ceiling; only the floor is closed by default
    std::array<Wall, 6> walls = {Wall{}, Wall{}, Wall{}, Wall{}, Wall{.kind = WallKind::closed}, Wall{}};
};

/// Cells of a domain: cubes, `resolution` of them along the longest side, the other sides rounded to whole cells.
field::Domain make_domain(const DomainParams& params);

struct TimeParams {
    int first_frame = 1;
    int last_frame = 120;
    double fps = 24;
    double cfl = 4;                        ///< most cells a fluid parcel may cross in one sub-step
    double fixed_step = 0;                 ///< [s]; 0: from cfl
    int max_substeps = 32;                 ///< per frame; reaching it is reported

    /// Time at which a frame is shown; the clock starts at the first frame [s].
    double seconds_at(double frame) const { return (frame - first_frame) / fps; }
};

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

/// hold: at least this value inside; add: this much per second; start: these values at the first frame, nothing later
enum class EmitMode { hold, add, start };

using NoiseParams = flow::SourceNoise;

struct Emitter {
    std::string name;
    std::string on = {};                   ///< a body that carries it along; place and rotation are then the body's own
    double thickness = 0.02;               ///< without a shape of its own: of the layer around that body [m]
    bool has_shape = true;                 ///< false: all around the body it is on
    geom::Shape shape;
    geom::Motion motion;
    EmitMode mode = EmitMode::hold;
    Curve<double> density{1.0};
    std::vector<Concentration> species = {};  ///< [mol/m^3]
    Curve<double> temperature{293.15};     ///< [K]
    Curve<Vec3d> velocity{Vec3d()};        ///< [m/s]
    bool sets_velocity = false;            ///< true if the scene gives a velocity
    Curve<double> strength{1.0};           ///< 0 switches it off; keyframe it
    double softness = 1.5;                 ///< width of the edge [cells]
    NoiseParams noise;
    flow::Turbulence turbulence = {};      ///< of speed at once with `start`, else each second
};

const config::Table<DomainParams>& domain_table();
const config::Table<TimeParams>& time_table();
const config::Table<GasParams>& gas_table();
const config::Table<Emitter>& emitter_table();

}  // namespace phlo::models
