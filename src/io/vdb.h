// Frames as OpenVDB files. No OpenVDB header is included here: they cost 25 s a file.
//
//   write_frame("cache/frame_0007.vdb", frame);                              // opens in Blender as it is
//   write_frame(path, frame, {.naming = GridNaming::houdini, .half = true});
//   Frame frame = read_frame("cache/frame_0007.vdb");                        // ours, or any with the usual grid names
//   Frame seen = read_frame(path, {.velocity = false, .occupied = true});    // what a picture needs: the cost of empty space is nothing
//   FileInfo info = file_info("cache/frame_0007.vdb");                       // without loading voxels into a Frame
//
// Each grid has its own transform: index (i, j, k) is the centre of cell (i, j, k) of its room, world = origin + (i + 1/2) h. The file's metadata
// tell the room of the first volume, a grid's own (room_cells) that of another one.
// The velocity has the transform of its room and the class "staggered": component x of voxel i is the face between cells i - 1 and i.
// A level set has the class "level set": its band is active, and beyond it stands the band's width, negative inside.
// Particles are OpenVDB points (vdb_points.h); they come back in the order in which they were written.
// A frame of surfaces alone is a file with metadata and no grid.
#pragma once
#include <array>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "field/frame.h"

namespace phlo::io {

enum class GridNaming {
    blender,  ///< temperature in thousands of kelvin, and 0 in empty space: as the Principled Volume shader takes it (usual_names.h)
    houdini,  ///< temperature in kelvin; the velocity is called vel
};
enum class VelocityRegion {
    none,    ///< do not write it
    active,  ///< where a scalar is not empty, and up to 8 cells around
    all,
};

struct VdbOptions {
    GridNaming naming = GridNaming::blender;
    bool half = false;                        ///< 16-bit scalars on disk: half the size, 3 digits
    bool half_velocity = true;                ///< 16-bit velocity: it serves motion blur, and is most of a file
    VelocityRegion velocity = VelocityRegion::active;
};

/// Atomic: a reader never sees half a frame. Throws RunError naming the path (disk full, no permission, NaN in a field).
void write_frame(const std::filesystem::path& path, const field::Frame& frame, const VdbOptions& options = {});

struct VdbReadOptions {
    bool velocity = true;   ///< false: left out; it is most of a frame
    bool occupied = false;  ///< volumes cover only the box of leaves (8^3 voxels) where something is and one leaf around; `room` is the rest
};

/// Volumes, velocity, colours, by the usual names (usual_names.h), points and metadata. Rooms come from our metadata, or are the box of all active
/// voxels that lie on one lattice; the world comes from our metadata, too.
/// A broken file, a size or a value that cannot be (NaN, infinite, clearly negative density) is a RunError naming file and grid.
field::Frame read_frame(const std::filesystem::path& path, const VdbReadOptions& options = {});

struct GridInfo {
    std::string name, type, grid_class, unit;
    std::uint64_t active_voxels = 0;
    std::uint64_t memory_bytes = 0;           ///< in memory, as OpenVDB keeps it
    std::array<int, 3> first{}, last{};       ///< box of active voxels, inclusive
    double least = 0, most = 0;               ///< of the active values; of their length for a vector grid; of the radii of points
    std::uint64_t points = 0;                 ///< of a set of points
    std::vector<std::string> attributes = {}; ///< of points
    double background = 0;
    Vec3d voxel_size;                         ///< [m]
    Vec3d origin;                             ///< world position of the centre of voxel (0, 0, 0) [m]
    bool half = false;
};

struct FileInfo {
    std::filesystem::path path;
    std::uint64_t file_bytes = 0;
    std::map<std::string, std::string> metadata;
    std::vector<GridInfo> grids;
};

/// Throws RunError if the file is broken.
FileInfo file_info(const std::filesystem::path& path);

}  // namespace phlo::io
