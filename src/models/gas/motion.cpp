#include "models/gas/motion.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/parallel.h"
#include "flow/activity.h"
#include "flow/forces.h"
#include "flow/sticky_faces.h"
#include "models/gas/expansion.h"

namespace phlo::models {
namespace {

/// Inflow walls bring smoke into tiles that hold none yet.
void activate_bringing_walls(const GasState& gas, flow::TileSet& tiles, int reach) {
    for (int w = 0; w < 6; ++w) {
        if (gas.flow.shot().domain.walls[std::size_t(w)].kind != WallKind::inflow) continue;
        const int axis = w / 2;
        flow::CellBox box{Vec3i(), gas.flow.layout().cells()};
        if (w % 2) box.lower[axis] = box.upper[axis] - reach;
        else box.upper[axis] = reach;
        tiles.activate(box);
    }
}

/// How much more a cubic metre weighs than the air that the species displace [kg/m^3]; of smoke: its density.
const field::Grid& mass_excess(GasState& gas) {
    if (!gas.chemistry) return gas.substances.front().amount;
    const field::Layout& layout = gas.flow.layout();
    field::Grid& mass = gas.flow.workspace().grid(0, layout);
    double ambient = 0;
    for (const Substance& substance : gas.substances) ambient += substance.weight * substance.ambient;
    parallel_for(layout.nz(), [&](int k) {
        for (int j = 0; j < layout.ny(); ++j) {
            float* __restrict to = mass.row(j, k);
            std::fill(to, to + layout.nx(), float(-ambient));
            for (const Substance& substance : gas.substances) {
                const float weight = substance.carried ? float(substance.weight) : 0.0f;   // what sits on bodies weighs on them
                const float* __restrict c = substance.amount.row(j, k);
                if (weight == 0) continue;
#pragma omp simd
                for (int i = 0; i < layout.nx(); ++i) to[i] += weight * c[i];
            }
        }
    });
    gas.chemistry->weigh(gas.reacting(), gas.setup.gas.air_molar_mass, mass);
    return mass;
}

/// before = (u - before) / dt.
void difference(const field::MacGrid& u, double dt, field::MacGrid& before) {
    const float per_second = float(1 / dt);
    for (int axis = 0; axis < 3; ++axis) {
        const Vec3i extent = face_extent(u.layout(), axis);
        parallel_for(extent.z, [&](int k) {
            for (int j = 0; j < extent.y; ++j) {
                const float* __restrict now = u[axis].row(j, k);
                float* __restrict was = before[axis].row(j, k);
#pragma omp simd
                for (int i = 0; i < extent.x; ++i) was[i] = (now[i] - was[i]) * per_second;
            }
        });
    }
}

}  // namespace

void find_activity(GasState& gas, double dt) {
    const double threshold = gas.setup.gas.activity_threshold;
    if (threshold <= 0) return;
    const double h = gas.flow.domain().h;
    const int reach = int(std::ceil(gas.flow.fastest() * dt / h)) + 2;
    flow::TileSet& tiles = gas.scalar_tiles;
    tiles.clear();
    for (const Substance& substance : gas.substances) {
        if (!substance.carried) continue;
        if (substance.ambient != 0) tiles.activate_all();   // the conserving transport needs every cell that something crosses
        tiles.activate_where(substance.amount, float(substance.ambient), float(threshold), reach);
    }
    tiles.activate_where(gas.excess_temperature, 0, float(threshold * gas.setup.gas.ambient_temperature), reach);
    if (!gas.expansion.empty() && !gas.real()) tiles.activate_where(gas.expansion.asked(), 0, float(threshold), reach);
    if (gas.chemistry) gas.chemistry->activate(tiles, reach);
    activate_bringing_walls(gas, tiles, reach);
    gas.velocity_tiles = flow::stirred_tiles(gas.flow.velocity(), dt, h);
    gas.velocity_tiles.dilate(reach);
    gas.velocity_tiles |= tiles;
}

void advect_velocity(GasState& gas, double dt) {
    gas.flow.advect_velocity(gas.setup.gas.velocity_transport, gas.setup.gas.trace, dt, gas.velocity_tiles);
}

void add_forces(GasState& gas, double dt) {
    const GasParams& params = gas.setup.gas;
    const double time = gas.flow.time(), h = gas.flow.domain().h;
    field::MacGrid& u = gas.flow.next_velocity();
    field::MacGrid* felt = gas.chemistry ? gas.chemistry->felt_acceleration() : nullptr;
    if (felt) *felt = u;
    flow::add_forces({.dt = dt, .h = h, .alpha = gas.chemistry ? params.mass_weight(time) : params.density_weight(time),
                      .beta = params.temperature_lift(time), .epsilon = params.vorticity(time)},
                     gas.flow.velocity(), mass_excess(gas), gas.excess_temperature, gas.velocity_tiles, u);
    if (gas.chemistry) gas.chemistry->push(gas.reacting(), dt, u);
    if (felt) difference(u, dt, *felt);
    if (const flow::StickyFaces sticky(gas.flow.domain(), gas.flow.solids()); !sticky.empty()) {
        sticky.hold(u);
        gas.diffuser.diffuse_velocity(u, params.viscosity * dt / (h * h), gas.flow.walls(), gas.flow.solids(), &sticky);
    } else {
        gas.diffuser.diffuse_velocity(u, params.viscosity * dt / (h * h), gas.flow.walls(), gas.flow.solids());
    }
}

void project(GasState& gas, double dt) {
    const int most = gas.setup.gas.pressure_iterations;
    gas.flow.project(dt, wanted_divergence(gas, dt), {.tolerance = gas.setup.gas.pressure_tolerance, .max_iterations = most}, *gas.warnings);
    const flow::ProjectionReport& report = gas.flow.projection();
    if (!report.converged && report.iterations >= most)
        gas.warnings->once("pressure", fmt::format("the pressure solve stopped at a relative residual of {:.1e} after {} iterations (t = {:.3f} s); "
                                                   "raise gas.pressure.iterations", report.residual, report.iterations, gas.flow.time()));
}

}  // namespace phlo::models
