// A surface as the zero of a level set: phi < 0 inside, a signed distance [m] in a band around the surface, flat beyond it (redistance.h).
//
//   const TileSet band = band_tiles(phi, 4 * h);
//   advect_level_set({.scheme = Scheme::maccormack, .dt = dt, .h = h}, u, phi, moved, band, work);
//   redistance({.h = h}, moved, scratch);
//   double litres = 1e3 * inside_volume(h, moved, &solids.volume);
//   curvature(h, moved, band_tiles(moved, 2 * h), kappa);
//   slope_into_ghosts(h, moved);                                          // then geom::marching_cubes(domain, moved)
//   std::vector<Vec3f> velocity = velocities_at(domain, u, mesh.points);
//
// Volumes are those of planes through cells: exact for a flat surface in any place, second order for a curved one. A cell in which the
// level set bends (a film, an edge) is divided into eight, each with its own plane.
#pragma once
#include <span>
#include <vector>

#include "field/domain.h"
#include "flow/advect.h"
#include "flow/tiles.h"

namespace phlo::flow {

/// Tiles with a cell where |phi| < width [m].
TileSet band_tiles(const field::Grid& phi, double width);
/// Tiles with a cell where phi < 0.
TileSet inside_tiles(const field::Grid& phi);

/// Carries phi; tiles outside the band are copied. Beyond walls phi has the boundary's value, or goes on with zero slope.
void advect_level_set(const Advection& how, field::MacGrid& u, field::Grid& phi, field::Grid& to, const TileSet& band, Workspace& work,
                      const Boundary& boundary = {});

/// The part of each cell where phi < 0, 0 to 1, in one go. The ghosts of phi must be filled.
void inside_fractions(const field::Grid& phi, double h, field::Grid& fraction);

/// Volume where phi < 0 [m^3], the sum of the fractions times `open`, the part of each cell that no body covers; null: all of it. With the `distance` to the
/// nearest body, < 0 inside, the liquid of a cell that is cut is what of it is open: a film on the body fills it, liquid that has not reached the body does not. The same
/// for any number of threads.
double inside_volume(double h, const field::Grid& phi, const field::Grid* open = nullptr, const field::Grid* distance = nullptr);
/// The liquid part of a cell: `part` of it lies inside the surface, `open` outside of bodies, and `cosine` is that between the slopes of both. Exact where the two surfaces run along each
/// other or across.
double part_in_open(double part, double open, double cosine);

/// Twice the mean curvature, div(grad phi / |grad phi|) [1/m]: 2/R for a sphere of liquid. Central differences; at most 1/h in size,
/// sharper bends are not resolved. In cells of the given tiles; others are not touched. The ghosts of phi must be filled.
void curvature(double h, const field::Grid& phi, const TileSet& tiles, field::Grid& kappa);

/// Continues phi into its ghosts with its slope, for a mesh: a surface that meets a wall obliquely goes on straight to it. Where it runs
/// along the wall phi goes on with zero slope instead: liquid beside a wall touches it.
void slope_into_ghosts(double h, field::Grid& phi);

/// The velocity at points in world space [m/s]: for the points of a mesh.
std::vector<Vec3f> velocities_at(const field::Domain& domain, const field::MacGrid& u, std::span<const Vec3f> points);

}  // namespace phlo::flow
