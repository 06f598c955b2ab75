// Only for the .cpp files of io/: particle sets as OpenVDB points [museth2013], one grid each.
#pragma once
#include <openvdb/openvdb.h>

#include <filesystem>

#include "field/frame.h"
#include "io/vdb.h"

namespace phlo::io {

/// Attributes P, pscale (the radius) and one float for each of the values. The transform is still to be set, as that of a scalar grid.
/// Throws RunError for a position, radius or value that is not finite.
openvdb::GridBase::Ptr points_grid(const std::filesystem::path& path, const field::Points& points, const field::Domain& domain);

bool holds_points(const openvdb::GridBase& grid);

/// Of any program: without pscale the radius is half a voxel; attributes that are no floats are left out.
field::Points read_points(const std::filesystem::path& path, const openvdb::GridBase& grid);

void measure_points(const openvdb::GridBase& grid, GridInfo& info);

}  // namespace phlo::io
