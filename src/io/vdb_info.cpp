// What a .vdb holds, without making a Frame of it.
#include <openvdb/tools/Count.h>

#include <cmath>

#include "io/vdb.h"
#include "io/vdb_archive.h"
#include "io/vdb_place.h"
#include "io/vdb_points.h"

namespace phlo::io {
namespace {

/// Range, box and count of a grid's active values.
template <class GridType>
void measure(const GridType& grid, GridInfo& info) {
    if (grid.empty()) return;
    const auto box = grid.evalActiveVoxelBoundingBox();
    for (int axis = 0; axis < 3; ++axis) info.first[std::size_t(axis)] = box.min()[axis], info.last[std::size_t(axis)] = box.max()[axis];
    bool begun = false;
    for (auto value = grid.cbeginValueOn(); value; ++value) {
        double x;
        if constexpr (std::is_arithmetic_v<typename GridType::ValueType>) x = double(*value);
        else x = double(value->length());
        if (!begun || std::isnan(x)) info.least = info.most = x, begun = true;
        info.least = std::min(info.least, x), info.most = std::max(info.most, x);
    }
}

}  // namespace

FileInfo file_info(const std::filesystem::path& path) {
    const VdbContent content = load(path);
    FileInfo result{.path = path, .file_bytes = std::filesystem::file_size(path), .metadata = {}, .grids = {}};
    for (auto entry = content.metadata->beginMeta(); entry != content.metadata->endMeta(); ++entry)
        if (entry->second) result.metadata[entry->first] = entry->second->str();
    for (const auto& grid : content.grids) {
        GridInfo info;
        info.name = grid->getName();
        info.type = grid->valueType();
        info.grid_class = openvdb::GridBase::gridClassToString(grid->getGridClass());
        info.unit = meta_or<std::string>(*grid, "unit", "");
        info.active_voxels = grid->activeVoxelCount();
        info.memory_bytes = grid->memUsage();
        info.half = grid->saveFloatAsHalf();
        info.voxel_size = vec(grid->transform().voxelSize());
        info.origin = vec(grid->transform().indexToWorld(openvdb::Vec3d(0, 0, 0)));
        if (const auto scalar = openvdb::gridPtrCast<openvdb::FloatGrid>(grid))
            measure(*scalar, info), info.background = double(scalar->background());
        if (const auto vector = openvdb::gridPtrCast<openvdb::Vec3SGrid>(grid)) measure(*vector, info);
        if (holds_points(*grid)) measure_points(*grid, info);
        result.grids.push_back(std::move(info));
    }
    return result;
}

}  // namespace phlo::io
