// What passes between a body's surface and the gas beside it: heat, friction, a catalyst.
//
//   std::vector<SurfaceCell> surface = surface_cells(domain, solids);
//   double given = exchange_heat({.dt = dt, .h = domain.h}, surface, hot, excess);
//   rub(around, solids, surface, bodies, dt, free, u);
//   hold_on_surface(surface, b, 2.0, 0.01, domain.h, catalyst);
//
// The surface in a cell is what the open parts of the cell's six faces leave missing:
//
//      n A = h^2 (a_low - a_high) along each axis            n: out of the gas, into the body
//
// so the areas of a body's cells add up to its surface, whatever the grid: fluxes do not change with the resolution.
#pragma once
#include <functional>
#include <vector>

#include "flow/free_bodies.h"
#include "flow/solids.h"

namespace phlo::flow {

struct SurfaceCell {
    Vec3i cell;
    int body = 0;  ///< index into solids.placed: the nearest
    double area = 0;  ///< [m^2]
    Vec3d normal;  ///< unit, into the body
};

/// All cells with gas in them and a body's surface, in the order of the grid.
std::vector<SurfaceCell> surface_cells(const field::Domain& domain, const Solids& solids);

struct HeatExchange {
    double dt = 0;  ///< [s]
    double h = 1;  ///< cell size [m]
    double ambient = 293.15;  ///< [K]
    double gas_capacity = 1206;  ///< of a cubic metre of gas, rho c_p [J/(m^3 K)]
    const field::Grid* room = nullptr;  ///< of the gas in each cell (room.h); null: every cell is full
};

/// A body that gives or takes heat.
struct HotBody {
    int body = 0;
    double transfer = 25;  ///< [W/(m^2 K)]
    double capacity = 0;  ///< of the whole body [J/K]; 0: so large that it keeps its temperature
    double* temperature = nullptr;  ///< [K]
};

/// Newton's law of cooling, dT/dt = k (T_body - T) with k = transfer A / (rho c_p V), V the gas in the cell, solved exactly in each cell for the temperature that
/// the body has at the end of the step: both end between where they began, whatever dt. `excess` is the gas's temperature over ambient.
/// Returns the sum of the cells' changes, times their room [K].
double exchange_heat(const HeatExchange& how, std::span<const SurfaceCell> surface, std::span<const HotBody> hot, field::Grid& excess);

/// Friction of the gas along free bodies, tau = drag rho v^2 / 2 with v the sliding speed. What the gas loses the bodies get.
void rub(const BodySurroundings& around, const Solids& solids, std::span<const SurfaceCell> surface, std::span<const geom::Body> bodies, double dt,
         FreeBodies& free, field::MacGrid& u);

/// Adds to q in the cells of body `body` the content of a layer of `value` that is `thickness` [m] thick: value x area x thickness in all,
/// on any grid. With `room`, q is an amount per open volume.
void hold_on_surface(std::span<const SurfaceCell> surface, int body, double value, double thickness, double h, field::Grid& q,
                     const field::Grid* room = nullptr);

}  // namespace phlo::flow
