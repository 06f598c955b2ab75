#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <atomic>
#include <cmath>
#include <deque>

#include "base/error.h"
#include "base/log.h"
#include "base/parallel.h"
#include "field/crop.h"
#include "io/usual_names.h"
#include "io/vdb.h"
#include "io/vdb_archive.h"
#include "io/vdb_place.h"
#include "io/vdb_points.h"

namespace phlo::io {
namespace {

using Path = std::filesystem::path;

bool is_velocity(const std::string& name) { return name == "velocity" || name == "vel" || name == "v"; }

bool is_colour(const std::string& name) { return name == "color" || name == "Cd"; }

/// set(cell, value) for the voxels of a box, in parallel over leaves; constant tiles are filled, too. `which` chooses the iterator of a
/// node: over active values, or all of them.
template <class GridType, class Which, class Set>
void for_each_value(const GridType& grid, Vec3i first, Vec3i cells, const Which& which, const Set& set) {
    const auto inside = [&](const openvdb::Coord& at) {
        const Vec3i local(at.x() - first.x, at.y() - first.y, at.z() - first.z);
        return local.x >= 0 && local.y >= 0 && local.z >= 0 && local.x < cells.x && local.y < cells.y && local.z < cells.z;
    };
    std::vector<const typename GridType::TreeType::LeafNodeType*> leaves;
    grid.tree().getNodes(leaves);
    parallel_for(int(leaves.size()), [&](int n) {
        for (auto value = which(*leaves[std::size_t(n)]); value; ++value) {
            const openvdb::Coord at = value.getCoord();
            if (inside(at)) set({at.x() - first.x, at.y() - first.y, at.z() - first.z}, *value);
        }
    });
    auto tile = which(grid.tree());
    tile.setMaxDepth(tile.getLeafDepth() - 1);
    for (; tile; ++tile) {
        openvdb::CoordBBox box = tile.getBoundingBox();
        box.intersect({{first.x, first.y, first.z}, {first.x + cells.x - 1, first.y + cells.y - 1, first.z + cells.z - 1}});
        if (box.empty()) continue;
        for (auto at = box.begin(); at; ++at) set({(*at).x() - first.x, (*at).y() - first.y, (*at).z() - first.z}, *tile);
    }
}

constexpr auto active = [](const auto& node) { return node.cbeginValueOn(); };
constexpr auto all = [](const auto& node) { return node.cbeginValueAll(); };

/// What can be drawn without being asked for, and our own species: none of it can be negative. Other programs' pressures can.
bool is_amount(const std::string& name) {
    for (const char* known : {"density", "temperature", "heat", "flame", "fuel", "color_r", "color_g", "color_b"})
        if (name == known) return true;
    return name.starts_with("c_");
}

/// Traces of another program's overshoots are set to zero, and said; more than that is an error.
void check_amounts(const Path& path, const field::Volume& volume, field::Grid& grid) {
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
    if (!range.finite) throw RunError(fmt::format("{}: grid '{}' holds values that are not finite", path.string(), volume.name));
    if (range.least >= 0 || volume.kind == field::VolumeClass::level_set || !is_amount(volume.name)) return;
    if (range.least < -0.01f * range.most)
        throw RunError(fmt::format("{}: grid '{}' holds negative values down to {}", path.string(), volume.name, range.least));
    log::once(fmt::format("negative-{}", volume.name),
              fmt::format("{}: grid '{}' holds slightly negative values (down to {}); read as 0", path.string(), volume.name, range.least));
    parallel_for(cells.z, [&](int k) {
        for (int j = 0; j < cells.y; ++j)
            for (int i = 0; i < cells.x; ++i) grid(i, j, k) = std::max(0.f, grid(i, j, k));
    });
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

/// The lattice of a grid: voxel `first` becomes cell (0, 0, 0) of the domain.
struct VoxelLattice {
    Place place;
    Vec3i first;
    field::Domain domain, room;
    std::size_t grids = 0;  ///< of floats, that will have to be held
};

/// The lattices of a file: those that our metadata tell, or else the box of all active voxels of the grids at one place; of that, with
/// `occupied`, the leaves where something is and one around.
class VoxelLattices {
public:
    VoxelLattices(const Path& path, const VdbContent& content, bool occupied) : path_(path), content_(content), occupied_(occupied) {
        const auto cells = content.metadata->getMetadata<openvdb::Vec3IMetadata>("domain_cells");
        const auto origin = content.metadata->getMetadata<openvdb::Vec3DMetadata>("domain_origin");
        if (cells && origin)
            main_ = {.cells = vec(cells->value()), .origin = vec(origin->value()), .h = meta_or(*content.metadata, "cell_size", 0.0)};
    }

    const VoxelLattice& of(const openvdb::GridBase& grid, std::size_t grids) {
        const Place place = place_of(path_, grid);
        const std::optional<field::Domain> room = room_of(grid, place);
        for (VoxelLattice& known : known_)
            if (known.place == place && (!room || known.room.cells == room->cells)) return check_size(known, grids);
        VoxelLattice lattice{.place = place, .first = {}, .domain = {}, .room = {}};
        const openvdb::CoordBBox box = active_box(place);
        const Vec3i first(box.min().x(), box.min().y(), box.min().z()), last(box.max().x(), box.max().y(), box.max().z());
        if (!room) {
            lattice.first = box.empty() ? Vec3i() : first;
            lattice.room = {.cells = box.empty() ? Vec3i(1) : last - first + Vec3i(1), .origin = {}, .h = place.h};
            lattice.room.origin = place.center + (Vec3d(lattice.first) - Vec3d(0.5)) * place.h;
            lattice.domain = lattice.room;
        } else {
            lattice.room = lattice.domain = *room;
            if (occupied_ && box.empty()) lattice.domain.cells = min(room->cells, Vec3i(field::leaf_cells));
            else if (occupied_) lattice.domain = part_around(*room, first, last);
            lattice.first = cells_between(lattice.room, lattice.domain);
        }
        return check_size(known_.emplace_back(lattice), grids);
    }

    /// What our own files say of the box in which the model lives.
    std::optional<field::Bounds> world() const {
        const openvdb::MetaMap& meta = *content_.metadata;
        const auto lower = meta.getMetadata<openvdb::Vec3DMetadata>("world_lower"),
                   upper = meta.getMetadata<openvdb::Vec3DMetadata>("world_upper");
        if (lower && upper) return field::Bounds{vec(lower->value()), vec(upper->value())};
        if (!main_ || meta_or(meta, "endless", false)) return std::nullopt;
        return main_->bounds();
    }

private:
    std::optional<field::Domain> room_of(const openvdb::GridBase& grid, const Place& place) const {
        if (const auto cells = grid.getMetadata<openvdb::Vec3IMetadata>("room_cells"))
            return field::Domain{.cells = vec(cells->value()), .origin = place.center - Vec3d(0.5 * place.h), .h = place.h};
        if (!main_) return std::nullopt;
        field::Domain room = *main_;
        if (!(room.h > 0)) room.h = place.h;
        if (!(place == Place{room.h, room.cell_center(0, 0, 0)})) return std::nullopt;
        return room;
    }

    /// Of all volumes at a place, or of a velocity that is alone there.
    openvdb::CoordBBox active_box(const Place& place) const {
        openvdb::CoordBBox volumes, vectors;
        for (const auto& grid : content_.grids) {
            const bool scalar = grid->isType<openvdb::FloatGrid>();
            if ((!scalar && !grid->isType<openvdb::Vec3SGrid>()) || grid->empty() || !(place_of(path_, *grid) == place)) continue;
            (scalar ? volumes : vectors).expand(grid->evalActiveVoxelBoundingBox());
        }
        return volumes.empty() ? vectors : volumes;
    }

    /// Refuses what would not fit this machine's memory, before it is asked for.
    const VoxelLattice& check_size(VoxelLattice& lattice, std::size_t grids) const {
        lattice.grids += grids;
        const Vec3d n(lattice.domain.cells);
        const double bytes = n.x * n.y * n.z * sizeof(float) * double(lattice.grids),
                     memory = double(sysconf(_SC_PHYS_PAGES)) * double(sysconf(_SC_PAGESIZE));
        if (!(n.x >= 1 && n.y >= 1 && n.z >= 1) || n.x * n.y * n.z > 4e9 || bytes > 0.5 * memory)
            throw RunError(fmt::format(
                "{}: its voxels span {} x {} x {} cells, {:.3g} GB for {} {}, too many to hold in {:.3g} GB of memory", path_.string(), n.x,
                n.y, n.z, bytes / 1e9, lattice.grids, lattice.grids == 1 ? "grid" : "grids", memory / 1e9));
        return lattice;
    }

    const Path& path_;
    const VdbContent& content_;
    const bool occupied_;
    std::optional<field::Domain> main_;
    std::deque<VoxelLattice> known_;
};

field::Volume read_volume(const Path& path, const openvdb::FloatGrid& source, const VoxelLattice& lattice) {
    const bool level_set = source.getGridClass() == openvdb::GRID_LEVEL_SET;
    field::Volume volume{.name = source.getName(),
                         .unit = meta_or<std::string>(source, "unit", ""),
                         .kind = level_set ? field::VolumeClass::level_set : field::VolumeClass::fog,
                         .background = meta_or<float>(source, ambient_key, source.background()),
                         .domain = lattice.domain,
                         .room = lattice.room};
    auto grid = std::make_shared<field::Grid>(field::Layout(lattice.domain.cells), volume.background);
    const auto set = [&](Vec3i at, float value) { (*grid)(at.x, at.y, at.z) = value; };
    if (level_set) for_each_value(source, lattice.first, lattice.domain.cells, all, set);  // inside a body no value is active
    else for_each_value(source, lattice.first, lattice.domain.cells, active, set);
    check_amounts(path, volume, *grid);
    volume.grid = grid;
    return volume;
}

/// A vector grid of colours becomes color_r, color_g and color_b, as Blender's older caches have them.
void add_colour(const Path& path, const openvdb::Vec3SGrid& source, const VoxelLattice& lattice, field::Frame& frame) {
    const char* names[] = {"color_r", "color_g", "color_b"};
    for (int c = 0; c < 3; ++c) {
        auto grid = std::make_shared<field::Grid>(field::Layout(lattice.domain.cells));
        for_each_value(source, lattice.first, lattice.domain.cells, active,
                       [&](Vec3i at, const openvdb::Vec3s& value) { (*grid)(at.x, at.y, at.z) = value[c]; });
        field::Volume volume{.name = names[c], .domain = lattice.domain, .room = lattice.room};
        check_amounts(path, volume, *grid);
        volume.grid = grid;
        frame.volumes.push_back(std::move(volume));
    }
}

/// On faces, whether the file has it there or at cell centres, where each face gets the mean of its two cells.
field::FaceVelocity read_velocity(const Path& path, const openvdb::Vec3SGrid& source, const VoxelLattice& lattice) {
    const bool staggered = source.getGridClass() == openvdb::GRID_STAGGERED;
    auto velocity = std::make_shared<field::MacGrid>(field::Layout(lattice.domain.cells));
    std::atomic<bool> finite = true;
    for_each_value(
        source, lattice.first, lattice.domain.cells + Vec3i(staggered ? 1 : 0), active, [&](Vec3i at, const openvdb::Vec3s& value) {
            if (!value.isFinite()) finite = false;
            velocity->x(at.x, at.y, at.z) = value.x(), velocity->y(at.x, at.y, at.z) = value.y(), velocity->z(at.x, at.y, at.z) = value.z();
        });
    if (!finite) throw RunError(fmt::format("{}: grid '{}' holds values that are not finite", path.string(), source.getName()));
    if (!staggered) *velocity = faces_from_centres(*velocity);
    return {.domain = lattice.domain, .room = lattice.room, .faces = velocity};
}

void read_metadata(const openvdb::MetaMap& meta, field::Frame& frame) {
    frame.number = meta_or<std::int32_t>(meta, "frame", 1);
    frame.fps = meta_or<double>(meta, "fps", 24);
    frame.time = meta_or<double>(meta, "time", 0);
    for (auto entry = meta.beginMeta(); entry != meta.endMeta(); ++entry)
        if (entry->second && entry->second->typeName() == "string") frame.metadata[entry->first] = entry->second->str();
}

}  // namespace

field::Frame read_frame(const Path& path, const VdbReadOptions& options) {
    const VdbContent content = load(path);
    VoxelLattices lattices(path, content, options.occupied);
    field::Frame frame;
    frame.world = lattices.world();
    std::vector<std::string> names;
    std::vector<std::pair<const openvdb::FloatGrid*, const VoxelLattice*>> volumes;  // places and sizes are judged before any is made
    for (const auto& grid : content.grids) {
        names.push_back(grid->getName());
        if (const auto volume = openvdb::gridPtrCast<openvdb::FloatGrid>(grid))
            volumes.emplace_back(volume.get(), &lattices.of(*volume, 1));
        else if (holds_points(*grid)) frame.points.push_back(read_points(path, *grid));
    }
    if (volumes.empty() && frame.points.empty() && !names.empty())
        throw InputError(fmt::format("{}: no float volume in it (density, temperature, flame …) and no points; its grids: {}",
                                     path.string(), fmt::join(names, ", ")));
    for (const auto& [volume, lattice] : volumes) frame.volumes.push_back(read_volume(path, *volume, *lattice));
    for (const auto& base : content.grids) {
        const auto source = openvdb::gridPtrCast<openvdb::Vec3SGrid>(base);
        if (source && is_colour(source->getName())) add_colour(path, *source, lattices.of(*source, 3), frame);
        if (source && options.velocity && is_velocity(source->getName()))
            frame.velocity = read_velocity(path, *source, lattices.of(*source, 3));
    }
    read_metadata(*content.metadata, frame);
    adopt_usual_names(frame, path);
    return frame;
}

}  // namespace phlo::io
