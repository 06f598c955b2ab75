// Only for the .cpp files of io/: particle sets as OpenVDB points [museth2013], one grid each.
//
// | attribute          | type           | of a field::Points                                                                  |
// | P                  | vec3           | position                                                                            |
// | pscale             | float          | radius, as Houdini calls it                                                         |
// | id                 | int64          | id                                                                                  |
// | v                  | vec3           | velocity                                                                            |
// | any other          | float, int32, vec3 | a column                                                                        |
// | phlo_index, hidden | int32          | its number in the set: a file holds points voxel by voxel, and this brings back their order |
#pragma once
#include <openvdb/openvdb.h>

#include <filesystem>

#include "field/frame.h"
#include "io/vdb.h"

namespace phlo::io {

/// Throws RunError for a position, radius, velocity or value that is not finite.
openvdb::GridBase::Ptr points_grid(const std::filesystem::path& path, const field::Points& points, const field::Domain& lattice);

/// Voxels of a few points each, for points that are alone in a frame.
field::Domain lattice_of(const field::Points& points);

bool holds_points(const openvdb::GridBase& grid);

/// Of any program: without pscale the radius is half a voxel, without our index they come as the file has them; attributes of other types are
/// left out.
field::Points read_points(const std::filesystem::path& path, const openvdb::GridBase& grid);

void measure_points(const openvdb::GridBase& grid, GridInfo& info);

}  // namespace phlo::io
