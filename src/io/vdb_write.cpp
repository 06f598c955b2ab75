#include <fmt/format.h>

#include <cmath>
#include <memory>
#include <optional>

#include "base/error.h"
#include "base/parallel.h"
#include "field/crop.h"
#include "io/atomic_file.h"
#include "io/usual_names.h"
#include "io/vdb.h"
#include "io/vdb_archive.h"
#include "io/vdb_place.h"
#include "io/vdb_points.h"

namespace phlo::io {
namespace {

constexpr int leaf_size = field::leaf_cells;

/// A volume's or a velocity's place in its room: voxel (i, j, k) of the file is cell (i, j, k) of the room.
struct StoredVoxels {
    Vec3i first, end;  ///< of the voxels that are stored, in the room

    StoredVoxels(const field::Domain& room, const field::Domain& domain, int more = 0)
        : first(cells_between(room, domain)), end(first + domain.cells + Vec3i(more)) {
        for (int axis = 0; axis < 3; ++axis) PHLO_CHECK(first[axis] >= 0 && end[axis] <= room.cells[axis] + more);
    }
};

/// The leaves of a room, one flag each: which of them hold something.
struct LeafMap {
    Vec3i leaves;
    std::vector<std::uint8_t> used;

    explicit LeafMap(Vec3i voxels) : leaves((voxels + Vec3i(leaf_size - 1)) / leaf_size), used(std::size_t(count())) {}
    int count() const { return leaves.x * leaves.y * leaves.z; }
    Vec3i at(int n) const { return {n % leaves.x, n / leaves.x % leaves.y, n / (leaves.x * leaves.y)}; }
    std::uint8_t& operator()(int x, int y, int z) { return used[std::size_t((z * leaves.y + y) * leaves.x + x)]; }
};

enum class Filled { nothing, some, inside };  ///< inside: all of a leaf lies deep inside a level set

/// Builds a tree leaf by leaf in parallel. fill(first voxel, past the last voxel, leaf) sets values and active flags of a leaf.
template <class GridType, class Fill>
typename GridType::Ptr build_grid(const typename GridType::ValueType& background, const StoredVoxels& part, const Fill& fill) {
    using Leaf = typename GridType::TreeType::LeafNodeType;
    typename GridType::Ptr grid = GridType::create(background);
    const Vec3i first_leaf = part.first / leaf_size;
    const LeafMap map(part.end - first_leaf * leaf_size);
    std::vector<std::unique_ptr<Leaf>> leaves(std::size_t(map.count()));
    std::vector<std::uint8_t> inside(std::size_t(map.count()));
    parallel_for(map.leaves.y * map.leaves.z, [&](int row) {
        std::unique_ptr<Leaf> leaf;
        for (int n = row * map.leaves.x; n < (row + 1) * map.leaves.x; ++n) {
            const Vec3i corner = (first_leaf + map.at(n)) * leaf_size;
            if (!leaf) leaf = std::make_unique<Leaf>(openvdb::Coord(corner.x, corner.y, corner.z), background, false);
            leaf->setOrigin(openvdb::Coord(corner.x, corner.y, corner.z));
            const Filled filled = fill(max(corner, part.first), min(corner + Vec3i(leaf_size), part.end), *leaf);
            if (filled == Filled::some) leaves[std::size_t(n)] = std::move(leaf);
            inside[std::size_t(n)] = filled == Filled::inside;
        }
    });
    for (std::size_t n = 0; n < leaves.size(); ++n) {
        const Vec3i corner = (first_leaf + map.at(int(n))) * leaf_size;
        if (leaves[n]) grid->tree().addLeaf(leaves[n].release());
        else if (inside[n]) grid->tree().addTile(1, openvdb::Coord(corner.x, corner.y, corner.z), -background, false);
    }
    return grid;
}

/// OpenVDB's order inside a leaf: z runs fastest.
openvdb::Index in_leaf(int i, int j, int k) { return openvdb::Index((i % leaf_size) << 6 | (j % leaf_size) << 3 | (k % leaf_size)); }

[[noreturn]] void not_finite(const std::filesystem::path& path, const std::string& grid, Vec3i cell) {
    throw RunError(fmt::format("cannot write {}: grid '{}' has a value that is not finite at cell ({}, {}, {})", path.string(), grid,
                               cell.x, cell.y, cell.z));
}

openvdb::FloatGrid::Ptr fog_grid(const std::filesystem::path& path, const field::Volume& volume, const FileForm& form, LeafMap* occupied) {
    const StoredVoxels part(volume.room, volume.domain);
    const float background = volume.background, negligible = volume.negligible;
    auto grid = build_grid<openvdb::FloatGrid>(form.background, part, [&](Vec3i first, Vec3i last, auto& leaf) {
        // A leaf of empty space costs one look at its rows.
        float furthest = 0;
        bool finite = true;
        const auto row_of = [&](int j, int k) { return volume.grid->row(j - part.first.y, k - part.first.z) - part.first.x; };
        for (int k = first.z; k < last.z; ++k)
            for (int j = first.y; j < last.y; ++j) {
                const float* row = row_of(j, k);
                for (int i = first.x; i < last.x; ++i) {
                    const float difference = std::fabs(row[i] - background);
                    finite &= difference <= std::numeric_limits<float>::max();
                    furthest = std::max(furthest, difference);
                }
            }
        if (finite && furthest <= negligible) return Filled::nothing;
        float* values = leaf.buffer().data();
        auto mask = leaf.getValueMask();
        for (int k = first.z; k < last.z; ++k)
            for (int j = first.y; j < last.y; ++j) {
                const float* row = row_of(j, k);
                for (int i = first.x; i < last.x; ++i) {
                    if (!std::isfinite(row[i])) not_finite(path, volume.name, {i, j, k});
                    if (std::fabs(row[i] - background) > negligible) values[in_leaf(i, j, k)] = row[i] / form.per_unit, mask.setOn(in_leaf(i, j, k));
                }
            }
        leaf.setValueMask(mask);
        if (occupied) (*occupied)(first.x / leaf_size, first.y / leaf_size, first.z / leaf_size) = 1;
        return Filled::some;
    });
    grid->setGridClass(openvdb::GRID_FOG_VOLUME);
    return grid;
}

/// Only the band around the surface is active; beyond it values are the band's width, with the sign of their side. What is not stored is
/// outside.
openvdb::FloatGrid::Ptr level_set_grid(const std::filesystem::path& path, const field::Volume& volume, LeafMap* occupied) {
    const StoredVoxels part(volume.room, volume.domain);
    const float width = volume.background;
    PHLO_CHECK(width > 0);
    auto grid = build_grid<openvdb::FloatGrid>(width, part, [&](Vec3i first, Vec3i last, auto& leaf) {
        float* values = leaf.buffer().data();
        auto mask = leaf.getValueMask();
        int deep = 0;
        for (int k = first.z; k < last.z; ++k)
            for (int j = first.y; j < last.y; ++j) {
                const float* row = volume.grid->row(j - part.first.y, k - part.first.z) - part.first.x;
                for (int i = first.x; i < last.x; ++i) {
                    if (!std::isfinite(row[i])) not_finite(path, volume.name, {i, j, k});
                    values[in_leaf(i, j, k)] = std::clamp(row[i], -width, width);
                    if (std::fabs(row[i]) < width) mask.setOn(in_leaf(i, j, k));
                    else deep += row[i] < 0;
                }
            }
        if (deep == leaf_size * leaf_size * leaf_size) {
            leaf.fill(width, false);  // it serves for the next one
            return Filled::inside;
        }
        if (mask.isOff() && deep == 0) return Filled::nothing;
        leaf.setValueMask(mask);
        if (occupied) (*occupied)(first.x / leaf_size, first.y / leaf_size, first.z / leaf_size) = 1;
        return Filled::some;
    });
    grid->setGridClass(openvdb::GRID_LEVEL_SET);
    return grid;
}

/// Marks the leaves next to a marked one, too.
LeafMap dilated(LeafMap map) {
    LeafMap result = map;
    for (int n = 0; n < map.count(); ++n) {
        const Vec3i at = map.at(n), low = max(at - Vec3i(1), Vec3i()), high = min(at + Vec3i(1), map.leaves - Vec3i(1));
        for (int z = low.z; z <= high.z; ++z)
            for (int y = low.y; y <= high.y; ++y)
                for (int x = low.x; x <= high.x; ++x) result.used[std::size_t(n)] |= map(x, y, z);
    }
    return result;
}

openvdb::Vec3SGrid::Ptr velocity_grid(const std::filesystem::path& path, const field::FaceVelocity& velocity,
                                      std::optional<LeafMap> region) {
    const field::MacGrid& u = *velocity.faces;
    const Vec3i cells = velocity.domain.cells;
    const StoredVoxels part(velocity.room, velocity.domain, 1);
    auto grid = build_grid<openvdb::Vec3SGrid>(openvdb::Vec3s(0), part, [&](Vec3i first, Vec3i last, auto& leaf) {
        if (region) {
            const Vec3i at = min(first / leaf_size, region->leaves - Vec3i(1));
            if (!(*region)(at.x, at.y, at.z)) return Filled::nothing;
        }
        openvdb::Vec3s* values = leaf.buffer().data();
        auto mask = leaf.getValueMask();
        for (int k = first.z; k < last.z; ++k)
            for (int j = first.y; j < last.y; ++j)
                for (int i = first.x; i < last.x; ++i) {
                    // One more face along its own axis; the other components do not exist there.
                    const Vec3i c = Vec3i(i, j, k) - part.first;
                    const bool in_x = c.x < cells.x, in_y = c.y < cells.y, in_z = c.z < cells.z;
                    if (int(in_x) + int(in_y) + int(in_z) < 2) continue;
                    const openvdb::Vec3s value(in_y && in_z ? u.x(c.x, c.y, c.z) : 0.f, in_x && in_z ? u.y(c.x, c.y, c.z) : 0.f,
                                               in_x && in_y ? u.z(c.x, c.y, c.z) : 0.f);
                    if (!value.isFinite()) not_finite(path, "velocity", {i, j, k});
                    values[in_leaf(i, j, k)] = value;
                    mask.setOn(in_leaf(i, j, k));
                }
        leaf.setValueMask(mask);
        return Filled::some;
    });
    grid->setGridClass(openvdb::GRID_STAGGERED);
    grid->setVectorType(openvdb::VEC_CONTRAVARIANT_RELATIVE);
    return grid;
}

void describe(openvdb::GridBase& grid, const std::string& name, const std::string& unit, bool half) {
    grid.setName(name);
    grid.setCreator("phlogiston");
    grid.setSaveFloatAsHalf(half);
    if (!unit.empty()) grid.insertMeta("unit", openvdb::StringMetadata(unit));
}

/// The lattice of the first volume, or of the velocity: the file's own metadata speaks of it, and a grid's only of another one.
const field::Domain* main_lattice(const field::Frame& frame) {
    if (!frame.volumes.empty()) return &frame.volumes.front().room;
    return frame.velocity ? &frame.velocity->room : nullptr;
}

/// Where the voxels lie; of a lattice other than the file's also how many they are.
void put_in_place(openvdb::GridBase& grid, const field::Domain& room, const field::Domain* main) {
    grid.setTransform(transform_of(room));
    if (main && !(room == *main)) grid.insertMeta("room_cells", openvdb::Vec3IMetadata({room.cells.x, room.cells.y, room.cells.z}));
}

openvdb::MetaMap file_metadata(const field::Frame& frame) {
    openvdb::MetaMap meta;
    for (const auto& [key, value] : frame.metadata) meta.insertMeta(key, openvdb::StringMetadata(value));
    meta.insertMeta("creator", openvdb::StringMetadata("phlogiston"));
    meta.insertMeta("frame", openvdb::Int32Metadata(frame.number));
    meta.insertMeta("fps", openvdb::DoubleMetadata(frame.fps));
    meta.insertMeta("time", openvdb::DoubleMetadata(frame.time));
    const field::Domain* main = main_lattice(frame);
    if (main) {
        meta.insertMeta("domain_cells", openvdb::Vec3IMetadata({main->cells.x, main->cells.y, main->cells.z}));
        meta.insertMeta("domain_origin", openvdb::Vec3DMetadata({main->origin.x, main->origin.y, main->origin.z}));
        meta.insertMeta("cell_size", openvdb::DoubleMetadata(main->h));
    }
    // A world that is the box of that lattice need not be said.
    if (!frame.world && main) meta.insertMeta("endless", openvdb::BoolMetadata(true));
    if (frame.world && !(main && *frame.world == main->bounds())) {
        const auto [lower, upper] = *frame.world;
        meta.insertMeta("world_lower", openvdb::Vec3DMetadata({lower.x, lower.y, lower.z}));
        meta.insertMeta("world_upper", openvdb::Vec3DMetadata({upper.x, upper.y, upper.z}));
    }
    return meta;
}

}  // namespace

void write_frame(const std::filesystem::path& path, const field::Frame& frame, const VdbOptions& options) {
    initialize_openvdb();
    const bool houdini = options.naming == GridNaming::houdini;
    const field::Domain* main = main_lattice(frame);
    std::vector<openvdb::GridBase::ConstPtr> grids;
    std::optional<LeafMap> occupied;  // of the velocity's room; none if no volume lies there
    for (const field::Volume& volume : frame.volumes) {
        PHLO_CHECK(volume.grid && volume.grid->layout().cells() == volume.domain.cells);
        const bool beside = frame.velocity && volume.room == frame.velocity->room;
        if (beside && !occupied) occupied.emplace(volume.room.cells);
        LeafMap* const leaves = beside ? &*occupied : nullptr;
        const FileForm form = file_form(volume, options.naming);
        auto grid = volume.kind == field::VolumeClass::fog ? fog_grid(path, volume, form, leaves) : level_set_grid(path, volume, leaves);
        put_in_place(*grid, volume.room, main);
        describe(*grid, volume.name, form.unit, options.half);
        if (form.ambient != form.background) grid->insertMeta(ambient_key, openvdb::FloatMetadata(form.ambient));
        grids.push_back(grid);
    }
    if (frame.velocity && options.velocity != VelocityRegion::none) {
        PHLO_CHECK(frame.velocity->faces->layout().cells() == frame.velocity->domain.cells);
        if (options.velocity == VelocityRegion::all) occupied.reset();
        auto grid = velocity_grid(path, *frame.velocity, occupied ? std::optional(dilated(std::move(*occupied))) : std::nullopt);
        put_in_place(*grid, frame.velocity->room, main);
        describe(*grid, houdini ? "vel" : "velocity", "m/s", options.half_velocity);
        grids.push_back(grid);
    }
    for (const field::Points& points : frame.points) {
        auto grid = points_grid(path, points, main ? *main : lattice_of(points));
        describe(*grid, points.name, "m", false);
        grids.push_back(grid);
    }
    write_atomically(path, archive_bytes(grids, file_metadata(frame)));
}

}  // namespace phlo::io
