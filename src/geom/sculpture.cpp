#include "geom/sculpture.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "base/parallel.h"
#include "geom/sampled_solid.h"

namespace phlo::geom {
namespace {

constexpr int block = 4;   ///< samples along the edge of a block that is judged as a whole

double smooth_minimum(double a, double b, double width) {
    if (!(width > 0)) return std::min(a, b);
    const double near = std::max(width - std::fabs(a - b), 0.0) / width;
    return std::min(a, b) - near * near * width / 4;
}

/// A part with what every sample needs of it.
struct Placed {
    const SculpturePart* part;
    Pose pose;
    double smallest_scale;

    explicit Placed(const SculpturePart& p)
        : part(&p), pose{p.position, Rotation::from_euler(p.rotation)}, smallest_scale(std::min({p.scale.x, p.scale.y, p.scale.z})) {}

    double distance(const Vec3d& p) const {
        const Vec3d local = pose.local_from_world(p), &scale = part->scale;
        return part->shape.signed_distance({local.x / scale.x, local.y / scale.y, local.z / scale.z}) * smallest_scale;
    }
    Bounds bounds() const {
        const Bounds own = part->shape.bounds();
        return pose.world_from_local(Bounds{own.lower * part->scale, own.upper * part->scale});
    }
};

double joined(double before, double own, const Placed& placed, double smooth) {
    return placed.part->carves ? -smooth_minimum(-before, own, smooth) : smooth_minimum(before, own, smooth);
}

double joined(std::span<const Placed> parts, const Vec3d& p, double smooth) {
    double d = 1e300;
    for (const Placed& placed : parts) d = joined(d, placed.distance(p), placed, smooth);
    return d;
}

/// Distances change by no more than the way walked: blocks far from the surface need one sample, and in the others few parts count.
void sample_block(const field::Domain& lattice, std::span<const Placed> parts, double smooth, const Vec3i& first, const Vec3i& last, field::Grid& distance) {
    const Vec3d center = (lattice.cell_center(first.x, first.y, first.z) + lattice.cell_center(last.x - 1, last.y - 1, last.z - 1)) * 0.5;
    const double radius = 0.5 * std::sqrt(3.0) * (block - 1) * lattice.h;
    std::vector<Placed> near;
    double middle = 1e300;
    for (const Placed& placed : parts) {
        const double own = placed.distance(center), before = placed.part->carves ? -middle : middle;
        if (own - before <= smooth + 2 * radius) near.push_back(placed);
        middle = joined(middle, own, placed, smooth);
    }
    const bool far = std::fabs(middle) > radius + 2 * lattice.h;
    for (int k = first.z; k < last.z; ++k)
        for (int j = first.y; j < last.y; ++j)
            for (int i = first.x; i < last.x; ++i) distance(i, j, k) = float(far ? middle : joined(near, lattice.cell_center(i, j, k), smooth));
}

}  // namespace

double signed_distance(const Sculpture& sculpture, const Vec3d& p) {
    return joined(std::vector<Placed>(sculpture.parts.begin(), sculpture.parts.end()), p, sculpture.smooth);
}

std::shared_ptr<const ClosedMesh> sculpt(const Sculpture& sculpture) {
    const std::vector<Placed> parts(sculpture.parts.begin(), sculpture.parts.end());
    Bounds box;
    for (const Placed& placed : parts)
        if (!placed.part->carves) box.include(placed.bounds());
    if (box.empty()) throw InputError("sculpture: no part that adds something; expected one without 'carve'");
    const Vec3d size = box.size();
    const field::Domain lattice = sampling_lattice(box, std::max({size.x, size.y, size.z}) / sculpture.detail);
    field::Grid distance{field::Layout(lattice.cells)};
    const auto blocks = [](int n) { return (n + block - 1) / block; };
    parallel_for(blocks(lattice.cells.z) * blocks(lattice.cells.y), [&](int item) {
        const int k = item / blocks(lattice.cells.y) * block, j = item % blocks(lattice.cells.y) * block;
        for (int i = 0; i < lattice.cells.x; i += block)
            sample_block(lattice, parts, sculpture.smooth, {i, j, k}, min(Vec3i(i, j, k) + Vec3i(block), lattice.cells), distance);
    });
    const SampledSolid solid(lattice, std::move(distance));
    if (solid.gone()) throw InputError("sculpture: nothing is left of it; expected parts that are larger than what is carved, and than a cell of 'detail'");
    return std::make_shared<ClosedMesh>(solid.surface(), "sculpture");
}

}  // namespace phlo::geom
