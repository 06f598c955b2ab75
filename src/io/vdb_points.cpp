#include "io/vdb_points.h"

#include <fmt/format.h>
#include <openvdb/points/PointConversion.h>
#include <openvdb/points/PointCount.h>

#include <cmath>

#include "base/error.h"
#include "base/parallel.h"

namespace phlo::io {
namespace {

using openvdb::points::PointDataGrid;
using FloatAttribute = openvdb::points::TypedAttributeArray<float>;
constexpr const char* radius_name = "pscale";

void check_finite(const std::filesystem::path& path, const field::Points& points, const char* verb) {
    const auto complain = [&](const std::string& what, std::size_t n) {
        throw RunError(fmt::format("cannot {} {}: {} of point {} in '{}' is not finite", verb, path.string(), what, n, points.name));
    };
    for (std::size_t n = 0; n < points.size(); ++n) {
        const Vec3f& p = points.position[n];
        if (!std::isfinite(p.x) || !std::isfinite(p.y) || !std::isfinite(p.z)) complain("the position", n);
        if (!std::isfinite(points.radius[n])) complain("the radius", n);
    }
    for (const auto& [name, values] : points.values)
        for (std::size_t n = 0; n < points.size(); ++n)
            if (!std::isfinite(values[n])) complain(name, n);
}

void add_attribute(PointDataGrid& grid, const openvdb::tools::PointIndexGrid& order, const std::string& name,
                   const std::vector<float>& values) {
    openvdb::points::appendAttribute<float>(grid.tree(), name);
    const openvdb::points::PointAttributeVector<float> wrapped(values);
    openvdb::points::populateAttribute<PointDataGrid::TreeType, openvdb::tools::PointIndexTree,
                                       openvdb::points::PointAttributeVector<float>>(grid.tree(), order.tree(), name, wrapped);
}

const PointDataGrid& cast(const openvdb::GridBase& grid) { return static_cast<const PointDataGrid&>(grid); }

/// The names of the float attributes, and of all.
struct Attributes {
    std::vector<std::string> floats, all;
};

Attributes attributes_of(const PointDataGrid& grid) {
    Attributes result;
    const auto leaf = grid.tree().cbeginLeaf();
    if (!leaf) return result;
    const auto& descriptor = leaf->attributeSet().descriptor();
    std::map<std::size_t, std::string> by_position;
    for (const auto& [name, position] : descriptor.map()) by_position[position] = name;
    for (const auto& [position, name] : by_position) {
        const auto* array = leaf->attributeSet().getConst(position);
        if (openvdb::points::isGroup(*array)) continue;
        result.all.push_back(name);
        if (array->hasValueType<float>() && array->stride() == 1) result.floats.push_back(name);
    }
    return result;
}

}  // namespace

openvdb::GridBase::Ptr points_grid(const std::filesystem::path& path, const field::Points& points, const field::Domain& domain) {
    PHLO_CHECK(points.radius.size() == points.size());
    for (const auto& [name, values] : points.values) PHLO_CHECK(values.size() == points.size());
    check_finite(path, points, "write");
    const Vec3d center = domain.cell_center(0, 0, 0);
    auto transform = openvdb::math::Transform::createLinearTransform(domain.h);
    transform->postTranslate(openvdb::Vec3d(center.x, center.y, center.z));
    std::vector<openvdb::Vec3f> positions(points.size());
    for (std::size_t n = 0; n < points.size(); ++n) positions[n] = {points.position[n].x, points.position[n].y, points.position[n].z};
    const openvdb::points::PointAttributeVector<openvdb::Vec3f> wrapped(positions);
    const auto order = openvdb::tools::createPointIndexGrid<openvdb::tools::PointIndexGrid>(wrapped, *transform);
    auto grid = openvdb::points::createPointDataGrid<openvdb::points::NullCodec, PointDataGrid>(*order, wrapped, *transform);
    if (!grid->tree().empty()) {
        add_attribute(*grid, *order, radius_name, points.radius);
        for (const auto& [name, values] : points.values) add_attribute(*grid, *order, name, values);
    }
    return grid;
}

bool holds_points(const openvdb::GridBase& grid) { return grid.isType<PointDataGrid>(); }

field::Points read_points(const std::filesystem::path& path, const openvdb::GridBase& base) {
    const PointDataGrid& grid = cast(base);
    field::Points points;
    points.name = grid.getName();
    std::vector<const PointDataGrid::TreeType::LeafNodeType*> leaves;
    grid.tree().getNodes(leaves);
    std::vector<std::size_t> first{0};
    for (const auto* leaf : leaves) first.push_back(first.back() + std::size_t(leaf->pointCount()));
    points.position.resize(first.back());
    points.radius.assign(first.back(), float(0.5 * grid.voxelSize().x()));
    std::vector<std::pair<std::string, std::vector<float>*>> targets;
    for (const std::string& name : attributes_of(grid).floats) {
        auto& values = name == radius_name ? points.radius : points.values[name];
        values.resize(first.back());
        targets.emplace_back(name, &values);
    }
    parallel_for(int(leaves.size()), [&](int n) {
        const auto& leaf = *leaves[std::size_t(n)];
        const openvdb::points::AttributeHandle<openvdb::Vec3f> position(leaf.constAttributeArray("P"));
        std::size_t at = first[std::size_t(n)];
        for (auto index = leaf.beginIndexOn(); index; ++index, ++at) {
            const openvdb::Vec3d world = grid.transform().indexToWorld(position.get(*index) + index.getCoord().asVec3d());
            points.position[at] = Vec3f(Vec3d(world.x(), world.y(), world.z()));
        }
        for (const auto& [name, values] : targets) {
            const openvdb::points::AttributeHandle<float> handle(leaf.constAttributeArray(name));
            at = first[std::size_t(n)];
            for (auto index = leaf.beginIndexOn(); index; ++index, ++at) (*values)[at] = handle.get(*index);
        }
    });
    check_finite(path, points, "use");
    return points;
}

void measure_points(const openvdb::GridBase& base, GridInfo& info) {
    const PointDataGrid& grid = cast(base);
    info.type = "points";
    info.points = openvdb::points::pointCount(grid.tree());
    info.attributes = attributes_of(grid).all;
    if (info.points == 0) return;
    const auto box = grid.evalActiveVoxelBoundingBox();
    for (int axis = 0; axis < 3; ++axis) info.first[std::size_t(axis)] = box.min()[axis], info.last[std::size_t(axis)] = box.max()[axis];
    const field::Points points = read_points(info.name, grid);
    info.least = double(*std::min_element(points.radius.begin(), points.radius.end()));
    info.most = double(*std::max_element(points.radius.begin(), points.radius.end()));
}

}  // namespace phlo::io
