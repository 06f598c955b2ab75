#include "io/vdb_points.h"

#include <fmt/format.h>
#include <openvdb/points/PointConversion.h>
#include <openvdb/points/PointCount.h>

#include <cmath>

#include "base/error.h"
#include "base/parallel.h"
#include "io/vdb_place.h"

namespace phlo::io {
namespace {

using openvdb::points::PointDataGrid;
using Order = openvdb::tools::PointIndexGrid;
using Leaf = PointDataGrid::TreeType::LeafNodeType;
constexpr const char *place_name = "P", *radius_name = "pscale", *velocity_name = "v", *id_name = "id", *index_name = "phlo_index";

bool finite(float x) { return std::isfinite(x); }
bool finite(std::int32_t) { return true; }
bool finite(const Vec3f& v) { return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z); }

void check(const std::filesystem::path& path, const field::Points& points, const char* verb) {
    const auto all_finite = [&](const std::string& what, const auto& values) {
        for (std::size_t n = 0; n < values.size(); ++n)
            if (!finite(values[n]))
                throw RunError(
                    fmt::format("cannot {} {}: {} of point {} in '{}' is not finite", verb, path.string(), what, n, points.name));
    };
    all_finite("the position", points.position);
    all_finite("the radius", points.radius);
    all_finite("the velocity", points.velocity);
    for (const auto& [name, column] : points.columns)
        std::visit([&, &what = name](const auto& values) { all_finite(what, values); }, column);
}

void check_sizes(const field::Points& points) {
    const auto complete = [&](const auto& values) { return values.size() == points.size(); };
    PHLO_CHECK(complete(points.radius) && points.size() < (std::size_t(1) << 31));
    PHLO_CHECK((points.id.empty() || complete(points.id)) && (points.velocity.empty() || complete(points.velocity)));
    for (const auto& [name, column] : points.columns) {
        PHLO_CHECK(std::visit(complete, column));
        for (const char* taken : {place_name, radius_name, velocity_name, id_name, index_name}) PHLO_CHECK(name != taken);
    }
}

float stored(float x) { return x; }
std::int32_t stored(std::int32_t x) { return x; }
std::int64_t stored(std::uint64_t x) { return std::int64_t(x); }
openvdb::Vec3f stored(const Vec3f& v) { return {v.x, v.y, v.z}; }

template <class T>
void add_attribute(PointDataGrid& grid, const Order& order, const std::string& name, const std::vector<T>& values, bool hidden = false) {
    using Stored = decltype(stored(T()));
    std::vector<Stored> converted;
    converted.reserve(values.size());
    for (const T& value : values) converted.push_back(stored(value));
    openvdb::points::appendAttribute<Stored>(grid.tree(), name, openvdb::zeroVal<Stored>(), 1, true, nullptr, hidden);
    const openvdb::points::PointAttributeVector<Stored> wrapped(converted);
    openvdb::points::populateAttribute<PointDataGrid::TreeType, openvdb::tools::PointIndexTree,
                                       openvdb::points::PointAttributeVector<Stored>>(grid.tree(), order.tree(), name, wrapped);
}

const PointDataGrid& cast(const openvdb::GridBase& grid) { return static_cast<const PointDataGrid&>(grid); }

/// In the order of the file; hidden ones and groups of points are none.
std::vector<std::string> attribute_names(const openvdb::points::AttributeSet& set) {
    std::map<std::size_t, std::string> by_position;
    for (const auto& [name, position] : set.descriptor().map()) by_position[position] = name;
    std::vector<std::string> names;
    for (const auto& [position, name] : by_position) {
        const auto* array = set.getConst(position);
        if (!openvdb::points::isGroup(*array) && !array->isHidden()) names.push_back(name);
    }
    return names;
}

/// The points of a file one after the other, each with its number in the set.
class PointReader {
public:
    explicit PointReader(const PointDataGrid& grid) {
        grid.tree().getNodes(leaves_);
        for (const Leaf* leaf : leaves_) first_.push_back(first_.back() + std::size_t(leaf->pointCount()));
        number_.resize(size());
        for (std::size_t n = 0; n < size(); ++n) number_[n] = std::uint32_t(n);
        if (has<std::int32_t>(index_name)) find_order();
    }

    std::size_t size() const { return first_.back(); }
    std::vector<std::string> names() const {
        return leaves_.empty() ? std::vector<std::string>() : attribute_names(leaves_[0]->attributeSet());
    }

    template <class Stored>
    bool has(const std::string& name) const {
        if (leaves_.empty()) return false;
        const auto* array = leaves_[0]->attributeSet().getConst(name);
        return array && array->hasValueType<Stored>() && array->stride() == 1;
    }

    /// set(number, leaf's voxel, value)
    template <class Stored, class Set>
    void each(const std::string& name, const Set& set) const {
        parallel_for(int(leaves_.size()), [&](int n) {
            const Leaf& leaf = *leaves_[std::size_t(n)];
            const openvdb::points::AttributeHandle<Stored> handle(leaf.constAttributeArray(name));
            std::size_t at = first_[std::size_t(n)];
            for (auto index = leaf.beginIndexOn(); index; ++index, ++at) set(number_[at], index.getCoord(), handle.get(*index));
        });
    }

    template <class Stored, class T = Stored>
    std::vector<T> column(const std::string& name) const {
        std::vector<T> values(size());
        each<Stored>(name, [&](std::size_t n, const openvdb::Coord&, const Stored& value) {
            if constexpr (std::is_same_v<T, Vec3f>) values[n] = {value.x(), value.y(), value.z()};
            else values[n] = T(value);
        });
        return values;
    }

private:
    /// The numbers that the file keeps, if every point has one of its own.
    void find_order() {
        const std::vector<std::int32_t> kept = column<std::int32_t>(index_name);
        std::vector<std::uint8_t> taken(kept.size());
        for (const std::int32_t n : kept)
            if (n < 0 || std::size_t(n) >= kept.size() || taken[std::size_t(n)]++) return;
        number_.assign(kept.begin(), kept.end());
    }

    std::vector<const Leaf*> leaves_;
    std::vector<std::size_t> first_{0};
    std::vector<std::uint32_t> number_;
};

}  // namespace

openvdb::GridBase::Ptr points_grid(const std::filesystem::path& path, const field::Points& points, const field::Domain& lattice) {
    check_sizes(points);
    check(path, points, "write");
    const auto transform = transform_of(lattice);
    std::vector<openvdb::Vec3f> positions(points.size());
    for (std::size_t n = 0; n < points.size(); ++n) positions[n] = stored(points.position[n]);
    const openvdb::points::PointAttributeVector<openvdb::Vec3f> wrapped(positions);
    const auto order = openvdb::tools::createPointIndexGrid<Order>(wrapped, *transform);
    auto grid = openvdb::points::createPointDataGrid<openvdb::points::NullCodec, PointDataGrid>(*order, wrapped, *transform);
    if (grid->tree().empty()) return grid;
    add_attribute(*grid, *order, radius_name, points.radius);
    if (!points.id.empty()) add_attribute(*grid, *order, id_name, points.id);
    if (!points.velocity.empty()) add_attribute(*grid, *order, velocity_name, points.velocity);
    for (const auto& [name, column] : points.columns)
        std::visit([&, &attribute = name](const auto& values) { add_attribute(*grid, *order, attribute, values); }, column);
    std::vector<std::int32_t> numbers(points.size());
    for (std::size_t n = 0; n < numbers.size(); ++n) numbers[n] = std::int32_t(n);
    add_attribute(*grid, *order, index_name, numbers, true);
    return grid;
}

field::Domain lattice_of(const field::Points& points) {
    constexpr double points_a_voxel = 8, most_voxels = 1e6, smallest = 1e-4;  // along a side; [m]: OpenVDB takes less for no size at all
    field::Bounds box;
    for (const Vec3f& p : points.position) box.include(Vec3d(p));
    if (box.empty()) return {.cells = {1, 1, 1}, .origin = {}, .h = 1};
    const Vec3d size = box.size();
    const double longest = std::max({size.x, size.y, size.z}), thin = 1e-3 * longest;
    const double volume = std::max(size.x, thin) * std::max(size.y, thin) * std::max(size.z, thin);
    const double h = std::max({std::cbrt(volume * points_a_voxel / double(points.size())), longest / most_voxels, smallest});
    return {.cells = {1, 1, 1}, .origin = box.lower, .h = h};
}

bool holds_points(const openvdb::GridBase& grid) { return grid.isType<PointDataGrid>(); }

field::Points read_points(const std::filesystem::path& path, const openvdb::GridBase& base) {
    const PointDataGrid& grid = cast(base);
    const PointReader reader(grid);
    field::Points points{.name = grid.getName()};
    points.position.resize(reader.size());
    points.radius.assign(reader.size(), float(0.5 * grid.voxelSize().x()));
    for (const std::string& name : reader.names()) {
        if (name == place_name)
            reader.each<openvdb::Vec3f>(name, [&](std::size_t n, const openvdb::Coord& voxel, const openvdb::Vec3f& inside) {
                points.position[n] = Vec3f(vec(grid.transform().indexToWorld(inside + voxel.asVec3d())));
            });
        else if (name == radius_name && reader.has<float>(name)) points.radius = reader.column<float>(name);
        else if (name == velocity_name && reader.has<openvdb::Vec3f>(name)) points.velocity = reader.column<openvdb::Vec3f, Vec3f>(name);
        else if (name == id_name && reader.has<std::int64_t>(name)) points.id = reader.column<std::int64_t, std::uint64_t>(name);
        else if (reader.has<float>(name)) points.columns[name] = reader.column<float>(name);
        else if (reader.has<std::int32_t>(name)) points.columns[name] = reader.column<std::int32_t>(name);
        else if (reader.has<openvdb::Vec3f>(name)) points.columns[name] = reader.column<openvdb::Vec3f, Vec3f>(name);
    }
    check(path, points, "use");
    return points;
}

void measure_points(const openvdb::GridBase& base, GridInfo& info) {
    const PointDataGrid& grid = cast(base);
    info.type = "points";
    info.points = openvdb::points::pointCount(grid.tree());
    info.attributes = PointReader(grid).names();
    if (info.points == 0) return;
    const auto box = grid.evalActiveVoxelBoundingBox();
    for (int axis = 0; axis < 3; ++axis) info.first[std::size_t(axis)] = box.min()[axis], info.last[std::size_t(axis)] = box.max()[axis];
    const field::Points points = read_points(info.name, grid);
    info.least = double(*std::min_element(points.radius.begin(), points.radius.end()));
    info.most = double(*std::max_element(points.radius.begin(), points.radius.end()));
}

}  // namespace phlo::io
