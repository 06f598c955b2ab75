#include "geom/sampled_solid.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "base/parallel.h"
#include "geom/marching_cubes.h"
#include "geom/shape.h"

namespace phlo::geom {

field::Domain sampling_lattice(const Bounds& bounds, double spacing) {
    PHLO_CHECK(spacing > 0);
    field::Domain lattice;
    lattice.h = spacing;
    for (int axis = 0; axis < 3; ++axis) lattice.cells[axis] = int(std::ceil(bounds.size()[axis] / spacing)) + 2 * SampledSolid::margin;
    lattice.origin = bounds.center() - lattice.size() * 0.5;
    return lattice;
}

SampledSolid::SampledSolid(const Shape& shape, double spacing)
    : lattice(sampling_lattice(shape.bounds(), spacing)), distance(field::Layout(lattice.cells)) {
    const double exact_within = 3 * spacing;
    parallel_for(lattice.cells.z, [&](int k) {
        for (int j = 0; j < lattice.cells.y; ++j)
            for (int i = 0; i < lattice.cells.x; ++i) distance(i, j, k) = float(shape.quick_distance(lattice.cell_center(i, j, k), exact_within));
    });
    update();
}

SampledSolid::SampledSolid(const field::Domain& given, field::Grid distances) : lattice(given), distance(std::move(distances)) { update(); }

void SampledSolid::update() {
    extend_into_ghosts(distance, lattice.cells);
    surface_ = marching_cubes(lattice, distance);
    bounds_ = {};
    volume_ = area_ = 0;
    const Vec3d center = lattice.bounds().center();
    for (const Vec3i& t : surface_.triangles) {
        const auto corner = [&](int c) { return Vec3d(surface_.points[std::size_t(t[c])]) - center; };
        const Vec3d a = corner(0), b = corner(1), c = corner(2);
        volume_ += dot(a, cross(b, c)) / 6;
        area_ += length(cross(b - a, c - a)) / 2;
    }
    for (const Vec3f& p : surface_.points) bounds_.include(Vec3d(p));
    if (gone()) bounds_ = {center, center};
}

double SampledSolid::sample(const field::Grid& field, const Vec3d& p, bool grows_outside) const {
    const Vec3d q = lattice.grid_from_world(p);
    Vec3d inside;
    Vec3i cell;
    for (int axis = 0; axis < 3; ++axis) {
        inside[axis] = std::clamp(q[axis], 0.0, double(lattice.cells[axis] - 1));
        cell[axis] = std::min(int(inside[axis]), lattice.cells[axis] - 2);
    }
    const Vec3d f = inside - Vec3d(cell);
    const field::Layout& layout = field.layout();
    const float* at = field.storage().data() + layout.offset(cell.x, cell.y, cell.z);
    const auto along_x = [&](const float* row) { return double(row[0]) + f.x * (double(row[1]) - double(row[0])); };
    const auto plane = [&](const float* start) {
        const double near = along_x(start), far = along_x(start + layout.stride_y());
        return near + f.y * (far - near);
    };
    const double low = plane(at), high = plane(at + layout.stride_z()), value = low + f.z * (high - low);
    return grows_outside ? value + lattice.h * length(q - inside) : value;
}

}  // namespace phlo::geom
