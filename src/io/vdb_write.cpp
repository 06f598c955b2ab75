#include <fmt/format.h>

#include <cmath>
#include <memory>

#include "base/error.h"
#include "base/parallel.h"
#include "io/atomic_file.h"
#include "io/usual_names.h"
#include "io/vdb.h"
#include "io/vdb_archive.h"
#include "io/vdb_points.h"

namespace phlo::io {
namespace {

constexpr int leaf_size = 8;

/// The leaves that cover a box of voxels, one flag each: which of them hold something.
struct LeafMap {
    Vec3i leaves;
    std::vector<std::uint8_t> used;

    explicit LeafMap(Vec3i voxels)
        : leaves((voxels.x + leaf_size - 1) / leaf_size, (voxels.y + leaf_size - 1) / leaf_size, (voxels.z + leaf_size - 1) / leaf_size),
          used(std::size_t(count())) {}
    int count() const { return leaves.x * leaves.y * leaves.z; }
    Vec3i at(int n) const { return {n % leaves.x, n / leaves.x % leaves.y, n / (leaves.x * leaves.y)}; }
    std::uint8_t& operator()(int x, int y, int z) { return used[std::size_t((z * leaves.y + y) * leaves.x + x)]; }
};

/// Builds a tree leaf by leaf in parallel. fill(first voxel, past the last voxel, leaf) sets values and active flags; false: leaf is empty.
template <class GridType, class Fill>
typename GridType::Ptr build_grid(const typename GridType::ValueType& background, Vec3i voxels, const Fill& fill) {
    using Leaf = typename GridType::TreeType::LeafNodeType;
    typename GridType::Ptr grid = GridType::create(background);
    const LeafMap map(voxels);
    std::vector<std::unique_ptr<Leaf>> leaves(std::size_t(map.count()));
    parallel_for(map.leaves.y * map.leaves.z, [&](int row) {
        std::unique_ptr<Leaf> leaf;
        for (int n = row * map.leaves.x; n < (row + 1) * map.leaves.x; ++n) {
            const Vec3i at = map.at(n), first = at * leaf_size;
            const Vec3i last = min(first + Vec3i(leaf_size), voxels);
            if (!leaf) leaf = std::make_unique<Leaf>(openvdb::Coord(first.x, first.y, first.z), background, false);
            leaf->setOrigin(openvdb::Coord(first.x, first.y, first.z));
            if (fill(first, last, *leaf)) leaves[std::size_t(n)] = std::move(leaf);
        }
    });
    for (auto& leaf : leaves)
        if (leaf) grid->tree().addLeaf(leaf.release());
    return grid;
}

[[noreturn]] void not_finite(const std::filesystem::path& path, const std::string& grid, Vec3i cell) {
    throw RunError(fmt::format("cannot write {}: grid '{}' has a value that is not finite at cell ({}, {}, {})", path.string(), grid,
                               cell.x, cell.y, cell.z));
}

openvdb::FloatGrid::Ptr scalar_grid(const std::filesystem::path& path, const field::ScalarField& scalar, const FileForm& form,
                                    LeafMap& occupied) {
    const field::Grid& source = *scalar.grid;
    const float background = scalar.background, negligible = scalar.negligible;
    return build_grid<openvdb::FloatGrid>(form.background, source.layout().cells(), [&](Vec3i first, Vec3i last, auto& leaf) {
        // A leaf of empty space costs one look at its rows.
        float furthest = 0;
        bool finite = true;
        for (int k = first.z; k < last.z; ++k)
            for (int j = first.y; j < last.y; ++j) {
                const float* row = source.row(j, k);
                for (int i = first.x; i < last.x; ++i) {
                    const float difference = std::fabs(row[i] - background);
                    finite &= difference <= std::numeric_limits<float>::max();
                    furthest = std::max(furthest, difference);
                }
            }
        if (finite && furthest <= negligible) return false;
        float* values = leaf.buffer().data();
        auto mask = leaf.getValueMask();
        for (int k = first.z; k < last.z; ++k)
            for (int j = first.y; j < last.y; ++j) {
                const float* row = source.row(j, k);
                for (int i = first.x; i < last.x; ++i) {
                    const auto n = openvdb::Index((i - first.x) << 6 | (j - first.y) << 3 | (k - first.z));  // OpenVDB: z fastest
                    if (!std::isfinite(row[i])) not_finite(path, scalar.name, {i, j, k});
                    if (std::fabs(row[i] - background) > negligible) values[n] = row[i] / form.per_unit, mask.setOn(n);
                }
            }
        leaf.setValueMask(mask);
        occupied(first.x / leaf_size, first.y / leaf_size, first.z / leaf_size) = 1;
        return true;
    });
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

openvdb::Vec3SGrid::Ptr velocity_grid(const std::filesystem::path& path, const field::MacGrid& u, LeafMap region, bool everywhere) {
    const Vec3i cells = u.layout().cells();
    auto grid = build_grid<openvdb::Vec3SGrid>(openvdb::Vec3s(0), cells + Vec3i(1), [&](Vec3i first, Vec3i last, auto& leaf) {
        const Vec3i at = min(first / leaf_size, region.leaves - Vec3i(1));
        if (!everywhere && !region(at.x, at.y, at.z)) return false;
        openvdb::Vec3s* values = leaf.buffer().data();
        auto mask = leaf.getValueMask();
        for (int k = first.z; k < last.z; ++k)
            for (int j = first.y; j < last.y; ++j) {
                const float *x = u.x.row(j, k), *y = u.y.row(j, k), *z = u.z.row(j, k);
                for (int i = first.x; i < last.x; ++i) {
                    // One more face along its own axis; the other components do not exist there.
                    const bool in_x = i < cells.x, in_y = j < cells.y, in_z = k < cells.z;
                    if (int(in_x) + int(in_y) + int(in_z) < 2) continue;
                    const auto n = openvdb::Index((i - first.x) << 6 | (j - first.y) << 3 | (k - first.z));
                    const openvdb::Vec3s value(in_y && in_z ? x[i] : 0.f, in_x && in_z ? y[i] : 0.f, in_x && in_y ? z[i] : 0.f);
                    if (!value.isFinite()) not_finite(path, "velocity", {i, j, k});
                    values[n] = value;
                    mask.setOn(n);
                }
            }
        leaf.setValueMask(mask);
        return true;
    });
    grid->setGridClass(openvdb::GRID_STAGGERED);
    grid->setVectorType(openvdb::VEC_CONTRAVARIANT_RELATIVE);
    return grid;
}

void describe(openvdb::GridBase& grid, const std::string& name, const std::string& unit, const field::Frame& frame, bool half) {
    const field::Domain& domain = frame.domain;
    const Vec3d center = domain.cell_center(0, 0, 0);
    auto transform = openvdb::math::Transform::createLinearTransform(domain.h);
    transform->postTranslate(openvdb::Vec3d(center.x, center.y, center.z));
    grid.setTransform(transform);
    grid.setName(name);
    grid.setCreator("phlogiston");
    grid.setSaveFloatAsHalf(half);
    if (!unit.empty()) grid.insertMeta("unit", openvdb::StringMetadata(unit));
}

openvdb::MetaMap file_metadata(const field::Frame& frame) {
    const field::Domain& domain = frame.domain;
    openvdb::MetaMap meta;
    for (const auto& [key, value] : frame.metadata) meta.insertMeta(key, openvdb::StringMetadata(value));
    meta.insertMeta("creator", openvdb::StringMetadata("phlogiston"));
    meta.insertMeta("frame", openvdb::Int32Metadata(frame.number));
    meta.insertMeta("fps", openvdb::DoubleMetadata(frame.fps));
    meta.insertMeta("time", openvdb::DoubleMetadata(frame.time));
    meta.insertMeta("domain_cells", openvdb::Vec3IMetadata({domain.cells.x, domain.cells.y, domain.cells.z}));
    meta.insertMeta("domain_origin", openvdb::Vec3DMetadata({domain.origin.x, domain.origin.y, domain.origin.z}));
    meta.insertMeta("cell_size", openvdb::DoubleMetadata(domain.h));
    return meta;
}

}  // namespace

void write_frame(const std::filesystem::path& path, const field::Frame& frame, const VdbOptions& options) {
    initialize_openvdb();
    const bool houdini = options.naming == GridNaming::houdini;
    std::vector<openvdb::GridBase::ConstPtr> grids;
    LeafMap occupied(frame.domain.cells);
    for (const field::ScalarField& scalar : frame.scalars) {
        PHLO_CHECK(scalar.grid && scalar.grid->layout().cells() == frame.domain.cells);
        const FileForm form = file_form(scalar, options.naming);
        auto grid = scalar_grid(path, scalar, form, occupied);
        grid->setGridClass(openvdb::GRID_FOG_VOLUME);
        describe(*grid, scalar.name, form.unit, frame, options.half);
        if (form.ambient != form.background) grid->insertMeta(ambient_key, openvdb::FloatMetadata(form.ambient));
        grids.push_back(grid);
    }
    if (frame.velocity && options.velocity != VelocityRegion::none) {
        PHLO_CHECK(frame.velocity->layout().cells() == frame.domain.cells);
        auto grid = velocity_grid(path, *frame.velocity, dilated(std::move(occupied)), options.velocity == VelocityRegion::all);
        describe(*grid, houdini ? "vel" : "velocity", "m/s", frame, options.half_velocity);
        grids.push_back(grid);
    }
    for (const field::Points& points : frame.points) {
        auto grid = points_grid(path, points, frame.domain);
        describe(*grid, points.name, "m", frame, false);
        grids.push_back(grid);
    }
    write_atomically(path, archive_bytes(grids, file_metadata(frame)));
}

}  // namespace phlo::io
