#include <fmt/format.h>
#include <fmt/ranges.h>
#include <openvdb/io/Stream.h>
#include <openvdb/tools/Count.h>
#include <unistd.h>

#include <atomic>
#include <cmath>
#include <fstream>

#include "base/error.h"
#include "base/log.h"
#include "base/parallel.h"
#include "io/usual_names.h"
#include "io/vdb.h"
#include "io/vdb_archive.h"
#include "io/vdb_points.h"

namespace phlo::io {
namespace {

using Path = std::filesystem::path;

struct Content {
    std::vector<openvdb::GridBase::Ptr> grids;
    openvdb::MetaMap::Ptr metadata;
};

bool is_velocity(const std::string& name) { return name == "velocity" || name == "vel" || name == "v"; }

bool is_colour(const std::string& name) { return name == "color" || name == "Cd"; }

Content load(const Path& path) {
    initialize_openvdb();
    if (!std::filesystem::exists(path)) throw RunError(fmt::format("{}: no such file", path.string()));
    if (std::filesystem::is_directory(path)) throw RunError(fmt::format("{}: is a directory, not an OpenVDB file", path.string()));
    try {
        std::ifstream bytes(path, std::ios::binary);
        bytes.exceptions(std::ios::badbit | std::ios::failbit | std::ios::eofbit);  // or OpenVDB would go on with what was never read
        openvdb::io::Stream stream(bytes, /*delayLoad=*/false);
        const auto pointers = stream.getGrids();
        return {{pointers->begin(), pointers->end()}, stream.getMetadata()};
    } catch (const std::exception& error) {  // OpenVDB throws its own errors, std::ios_base::failure and std::bad_alloc for broken files
        throw RunError(
            fmt::format("{}: not a complete OpenVDB file ({}). Delete it and make the frame again", path.string(), error.what()));
    }
}

/// The grid's place: cubic, unrotated voxels. Anything else cannot become a Frame.
struct Place {
    double h = 1;
    Vec3d center;  ///< world position of the centre of voxel (0, 0, 0)

    bool operator==(const Place& o) const { return std::fabs(h - o.h) < 1e-6 * h && length(center - o.center) < 1e-3 * h; }
};

Vec3d vec(const openvdb::Vec3d& v) { return {v.x(), v.y(), v.z()}; }

Place place_of(const Path& path, const openvdb::GridBase& grid) {
    const openvdb::math::Transform& transform = grid.transform();
    const Vec3d zero = vec(transform.indexToWorld(openvdb::Vec3d(0, 0, 0)));
    const double h = transform.voxelSize().x();
    constexpr double smallest = 1e-9, largest = 1e9;  // [m]
    if (!(h > smallest && h < largest))
        throw RunError(
            fmt::format("{}: grid '{}' has voxels of {} m; expected {} m to {} m", path.string(), grid.getName(), h, smallest, largest));
    // World positions are floats, with seven digits.
    if (const double away = std::max({std::fabs(zero.x), std::fabs(zero.y), std::fabs(zero.z)}) / h; !(away < 1e6))
        throw RunError(fmt::format("{}: grid '{}' lies {:.3g} voxels from the world's origin, too far to place them; move it closer",
                                   path.string(), grid.getName(), away));
    for (int axis = 0; axis < 3; ++axis) {
        openvdb::Vec3d step(0);
        step[axis] = 1;
        Vec3d expected;
        expected[axis] = h;
        if (!transform.isLinear() || !(length(vec(transform.indexToWorld(step)) - zero - expected) < 1e-5 * h))
            throw InputError(fmt::format("{}: grid '{}' has a rotated, sheared or uneven transform; only cubic, upright voxels can be read",
                                         path.string(), grid.getName()));
    }
    return {h, zero};
}

/// Copies the voxels into a dense grid, in parallel over leaves; constant tiles are filled, too.
template <class GridType, class Set>
void for_each_value(const GridType& grid, Vec3i first, Vec3i cells, const Set& set) {
    const auto inside = [&](const openvdb::Coord& at) {
        const Vec3i local(at.x() - first.x, at.y() - first.y, at.z() - first.z);
        return local.x >= 0 && local.y >= 0 && local.z >= 0 && local.x < cells.x && local.y < cells.y && local.z < cells.z;
    };
    std::vector<const typename GridType::TreeType::LeafNodeType*> leaves;
    grid.tree().getNodes(leaves);
    parallel_for(int(leaves.size()), [&](int n) {
        for (auto value = leaves[std::size_t(n)]->cbeginValueOn(); value; ++value) {
            const openvdb::Coord at = value.getCoord();
            if (inside(at)) set({at.x() - first.x, at.y() - first.y, at.z() - first.z}, *value);
        }
    });
    auto tile = grid.cbeginValueOn();
    tile.setMaxDepth(tile.getLeafDepth() - 1);
    for (; tile; ++tile) {
        openvdb::CoordBBox box = tile.getBoundingBox();
        box.intersect({{first.x, first.y, first.z}, {first.x + cells.x - 1, first.y + cells.y - 1, first.z + cells.z - 1}});
        for (auto at = box.begin(); at; ++at) set({(*at).x() - first.x, (*at).y() - first.y, (*at).z() - first.z}, *tile);
    }
}

/// What can be drawn without being asked for, and our own species: none of it can be negative. Other programs' pressures can.
bool is_amount(const std::string& name) {
    for (const char* known : {"density", "temperature", "heat", "flame", "fuel", "color_r", "color_g", "color_b"})
        if (name == known) return true;
    return name.starts_with("c_");
}

/// Traces of another program's overshoots are set to zero, and said; more than that is an error.
void check_amounts(const Path& path, field::ScalarField& scalar, field::Grid& grid) {
    const Vec3i cells = grid.layout().cells();
    struct Range {
        float least, most;
        bool finite;
    };
    const Range range = parallel_reduce(
        cells.z, Range{0, 0, true},
        [&](int k) {
            Range plane{0, 0, true};
            for (int j = 0; j < cells.y; ++j) {
                const float* row = grid.row(j, k);
                for (int i = 0; i < cells.x; ++i) {
                    plane.finite &= bool(std::isfinite(row[i]));
                    plane.least = std::min(plane.least, row[i]), plane.most = std::max(plane.most, row[i]);
                }
            }
            return plane;
        },
        [](const Range& a, const Range& b) {
            return Range{std::min(a.least, b.least), std::max(a.most, b.most), a.finite && b.finite};
        });
    if (!range.finite) throw RunError(fmt::format("{}: grid '{}' holds values that are not finite", path.string(), scalar.name));
    if (range.least >= 0 || !is_amount(scalar.name)) return;
    if (range.least < -0.01f * range.most)
        throw RunError(fmt::format("{}: grid '{}' holds negative values down to {}", path.string(), scalar.name, range.least));
    log::once(fmt::format("negative-{}", scalar.name),
              fmt::format("{}: grid '{}' holds slightly negative values (down to {}); read as 0", path.string(), scalar.name, range.least));
    parallel_for(cells.z, [&](int k) {
        for (int j = 0; j < cells.y; ++j)
            for (int i = 0; i < cells.x; ++i) grid(i, j, k) = std::max(0.f, grid(i, j, k));
    });
}

/// A vector grid of colours becomes color_r, color_g and color_b, as Blender's older caches have them.
void add_colour(const Path& path, const openvdb::Vec3SGrid& source, const Vec3i& first, field::Frame& frame) {
    const field::Layout layout(frame.domain.cells);
    const char* names[] = {"color_r", "color_g", "color_b"};
    for (int c = 0; c < 3; ++c) {
        auto grid = std::make_shared<field::Grid>(layout);
        for_each_value(source, first, frame.domain.cells,
                       [&](Vec3i at, const openvdb::Vec3s& value) { (*grid)(at.x, at.y, at.z) = value[c]; });
        field::ScalarField scalar{.name = names[c], .unit = "", .background = 0};
        check_amounts(path, scalar, *grid);
        scalar.grid = grid;
        frame.scalars.push_back(std::move(scalar));
    }
}

field::MacGrid faces_from_centres(const field::MacGrid& centred) {
    field::MacGrid result(centred.layout());
    for (int axis = 0; axis < 3; ++axis) {
        const Vec3i n = centred.layout().cells(), faces = field::face_extent(centred.layout(), axis);
        parallel_for(faces.z, [&](int k) {
            for (int j = 0; j < faces.y; ++j)
                for (int i = 0; i < faces.x; ++i) {
                    Vec3i low(i, j, k), high(i, j, k);
                    low[axis] = std::max(0, low[axis] - 1), high[axis] = std::min(n[axis] - 1, high[axis]);
                    result[axis](i, j, k) = 0.5f * (centred[axis](low.x, low.y, low.z) + centred[axis](high.x, high.y, high.z));
                }
        });
    }
    return result;
}

template <class T>
T meta_or(const openvdb::MetaMap& meta, const char* key, T fallback) {
    const auto typed = meta.getMetadata<openvdb::TypedMetadata<T>>(key);
    return typed ? typed->value() : fallback;
}

/// The box of all active voxels of the scalars and of the particles.
openvdb::CoordBBox occupied_box(const Content& content, const std::vector<field::Points>& points, double h) {
    openvdb::CoordBBox box;
    for (const auto& grid : content.grids) {
        if (!grid->isType<openvdb::FloatGrid>() && !holds_points(*grid)) continue;
        if (grid->empty()) continue;
        openvdb::CoordBBox own = grid->evalActiveVoxelBoundingBox();
        for (const field::Points& set : points)
            if (set.name == grid->getName() && set.size() > 0)  // their Gaussians end at three times half their radius
                own.expand(1 + int(std::min(32.0, 1.5 * double(*std::max_element(set.radius.begin(), set.radius.end())) / h)));
        box.expand(own);
    }
    return box;
}

/// Where the fields of a frame lie: voxel `first` becomes cell (0, 0, 0).
struct Extent {
    Vec3i first;
    field::Domain domain;
    std::optional<field::Domain> room;
};

/// What our own files say, or the box of all active voxels; of that, with `occupied`, the leaves where something is and one around.
Extent find_extent(const Content& content, const std::vector<field::Points>& points, const Place& place, bool occupied) {
    Extent extent;
    extent.domain.h = place.h;
    const auto cells = content.metadata->getMetadata<openvdb::Vec3IMetadata>("domain_cells");
    const auto origin = content.metadata->getMetadata<openvdb::Vec3DMetadata>("domain_origin");
    if (!(cells && origin)) {
        openvdb::CoordBBox box = occupied_box(content, {}, place.h);
        if (box.empty()) box = {{0, 0, 0}, {0, 0, 0}};
        extent.first = {box.min().x(), box.min().y(), box.min().z()};
        extent.domain.cells = {box.dim().x(), box.dim().y(), box.dim().z()};
        extent.domain.origin = place.center + (Vec3d(extent.first) - Vec3d(0.5)) * place.h;
        return extent;
    }
    extent.domain.cells = {cells->value().x(), cells->value().y(), cells->value().z()};
    extent.domain.origin = vec(origin->value());
    if (!occupied) return extent;
    extent.room = extent.domain;
    constexpr int leaf = 8;
    const openvdb::CoordBBox box = occupied_box(content, points, place.h);
    Vec3i last(0, 0, 0);  // one past
    if (!box.empty())
        for (int axis = 0; axis < 3; ++axis) {
            const int n = extent.room->cells[axis];
            extent.first[axis] = std::clamp((box.min()[axis] >> 3) - 1, 0, (n - 1) / leaf) * leaf;
            last[axis] = std::min(n, std::max((box.max()[axis] >> 3) + 2, extent.first[axis] / leaf + 1) * leaf);
        }
    extent.domain.cells = max(last - extent.first, Vec3i(1));
    extent.domain.origin = extent.room->origin + Vec3d(extent.first) * place.h;
    return extent;
}

/// Refuses what would not fit this machine's memory, before it is asked for.
void check_size(const Path& path, const Extent& extent, std::size_t grids) {
    const Vec3d n(extent.domain.cells);
    const double bytes = n.x * n.y * n.z * sizeof(float) * double(grids),
                 all = double(sysconf(_SC_PHYS_PAGES)) * double(sysconf(_SC_PAGESIZE));
    if (!(n.x >= 1 && n.y >= 1 && n.z >= 1) || n.x * n.y * n.z > 4e9 || bytes > 0.5 * all)
        throw RunError(fmt::format("{}: its voxels span {} x {} x {} cells, {:.3g} GB for {} {}, too many to hold in {:.3g} GB of memory",
                                   path.string(), n.x, n.y, n.z, bytes / 1e9, grids, grids == 1 ? "grid" : "grids", all / 1e9));
}

/// On faces, whether the file has it there or at cell centres, where each face gets the mean of its two cells.
std::shared_ptr<const field::MacGrid> read_velocity(const Path& path, const openvdb::Vec3SGrid& source, const Extent& extent) {
    const bool staggered = source.getGridClass() == openvdb::GRID_STAGGERED;
    auto velocity = std::make_shared<field::MacGrid>(field::Layout(extent.domain.cells));
    std::atomic<bool> finite = true;
    for_each_value(source, extent.first, extent.domain.cells + Vec3i(staggered ? 1 : 0), [&](Vec3i at, const openvdb::Vec3s& value) {
        if (!value.isFinite()) finite = false;
        velocity->x(at.x, at.y, at.z) = value.x(), velocity->y(at.x, at.y, at.z) = value.y(), velocity->z(at.x, at.y, at.z) = value.z();
    });
    if (!finite) throw RunError(fmt::format("{}: grid '{}' holds values that are not finite", path.string(), source.getName()));
    if (!staggered) *velocity = faces_from_centres(*velocity);
    return velocity;
}

}  // namespace

field::Frame read_frame(const Path& path, const VdbReadOptions& options) {
    const Content content = load(path);
    std::vector<openvdb::FloatGrid::Ptr> scalars;
    std::vector<std::string> names;
    for (const auto& grid : content.grids) {
        names.push_back(grid->getName());
        if (auto scalar = openvdb::gridPtrCast<openvdb::FloatGrid>(grid); scalar && scalar->getGridClass() != openvdb::GRID_LEVEL_SET)
            scalars.push_back(scalar);
    }
    const auto cloud = std::find_if(content.grids.begin(), content.grids.end(), [](const auto& g) { return holds_points(*g); });
    if (scalars.empty() && cloud == content.grids.end())
        throw InputError(fmt::format("{}: no float volume in it (density, temperature, flame …) and no points; its grids: {}",
                                     path.string(), names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", "))));
    // The density decides where the frame is; grids that lie otherwise cannot be part of it.
    const auto density = std::find_if(scalars.begin(), scalars.end(), [](const auto& g) { return g->getName() == "density"; });
    const Place place = place_of(path, density != scalars.end() ? **density : scalars.empty() ? **cloud : *scalars.front());

    field::Frame frame;
    for (const auto& grid : content.grids)
        if (holds_points(*grid)) frame.points.push_back(read_points(path, *grid));
    const Extent extent = find_extent(content, frame.points, place, options.occupied);
    check_size(path, extent, scalars.size() + (options.velocity ? 3 : 0));
    frame.domain = extent.domain, frame.room = extent.room;
    const field::Layout layout(frame.domain.cells);
    for (const auto& source : scalars) {
        if (!(place_of(path, *source) == place)) {
            log::warn("{}: grid '{}' lies on other voxels than the density; left out", path.string(), source->getName());
            continue;
        }
        field::ScalarField scalar{.name = source->getName(),
                                  .unit = meta_or<std::string>(*source, "unit", ""),
                                  .background = meta_or<float>(*source, ambient_key, source->background())};
        auto grid = std::make_shared<field::Grid>(layout, scalar.background);
        for_each_value(*source, extent.first, frame.domain.cells, [&](Vec3i at, float value) { (*grid)(at.x, at.y, at.z) = value; });
        check_amounts(path, scalar, *grid);
        scalar.grid = grid;
        frame.scalars.push_back(std::move(scalar));
    }
    for (const auto& base : content.grids) {
        const auto source = openvdb::gridPtrCast<openvdb::Vec3SGrid>(base);
        if (!source || !(place_of(path, *source) == place)) continue;
        if (is_colour(source->getName())) add_colour(path, *source, extent.first, frame);
        if (options.velocity && is_velocity(source->getName())) frame.velocity = read_velocity(path, *source, extent);
    }
    const openvdb::MetaMap& meta = *content.metadata;
    frame.number = meta_or<std::int32_t>(meta, "frame", 1);
    frame.fps = meta_or<double>(meta, "fps", 24);
    frame.time = meta_or<double>(meta, "time", 0);
    for (auto entry = meta.beginMeta(); entry != meta.endMeta(); ++entry)
        if (entry->second && entry->second->typeName() == "string") frame.metadata[entry->first] = entry->second->str();
    adopt_usual_names(frame, path);
    return frame;
}

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

FileInfo file_info(const Path& path) {
    const Content content = load(path);
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
