// Triangle surfaces as binary PLY: the bodies of a frame in one file, readable by every mesh viewer.
//
//   write_ply("cache/frame_0007.ply", frame.surfaces, liquid_volumes(frame));
//   std::vector<Surface> surfaces = read_ply("cache/frame_0007.ply");
//
// Vertices carry the body's colour (sRGB bytes, as viewers expect). A comment line for each body keeps its name and exact colour:
//   comment surface <points> <triangles> <r> <g> <b> <name>
//   comment substance <liquid>                                  of the surface before; only if it is a liquid's
// If any of them moves, all vertices carry a velocity, vx vy vz [m/s]; it is 0 where a surface has none. Where liquids are mixed,
// vertices carry the share of each but the first, share_<substance>, and where they have a temperature, liquid_temperature [K], which is 0 for other surfaces; that is for
// other programs: we read both from the volumes beside.
#pragma once
#include <filesystem>
#include <span>
#include <vector>

#include "field/liquid_shares.h"

namespace phlo::io {

void write_ply(const std::filesystem::path& path, const std::vector<field::Surface>& surfaces, std::span<const field::Volume> of_liquid = {});

/// Ours, or any binary little-endian PLY with x y z and triangular faces (then one surface, named after the file).
std::vector<field::Surface> read_ply(const std::filesystem::path& path);

}  // namespace phlo::io
