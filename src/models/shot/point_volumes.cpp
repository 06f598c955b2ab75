#include "models/shot/point_volumes.h"

#include <algorithm>
#include <cmath>
#include <memory>

#include "base/parallel.h"
#include "particles/splat.h"

namespace phlo::models {
namespace {

using field::Grid;

/// Whole cells around all points and what they are spread over.
field::Domain lattice_around(const VolumePoints& points, double h, double radius) {
    field::Bounds box;
    for (const Vec3f& p : points.position) box.include(Vec3d(p));
    const double around = 1.5 * radius + h;   // splat() reaches 1.3 radii
    field::Domain domain;
    domain.h = h;
    for (int a = 0; a < 3; ++a) {
        const double first = std::floor((box.lower[a] - around) / h), last = std::ceil((box.upper[a] + around) / h);
        domain.origin[a] = first * h;
        domain.cells[a] = int(std::min(last - first, 1e6));
    }
    return domain;
}

double cell_count(const field::Domain& d) { return double(d.cells.x) * d.cells.y * d.cells.z; }

}  // namespace

void VolumePoints::add(const One& one) {
    position.push_back(one.position);
    volume.push_back(one.volume), flame.push_back(one.volume * one.flame);
    heat.push_back(one.volume * one.temperature), smoke.push_back(one.volume * one.smoke);
}

std::vector<field::Volume> point_volumes(const VolumePoints& points, const PointVolumeParams& params) {
    if (points.position.empty()) return {};
    double h = params.cell;
    const auto radius = [&] { return std::max(params.radius, 1.5 * h); };
    field::Domain domain = lattice_around(points, h, radius());
    while (cell_count(domain) > params.max_cells) h *= 2, domain = lattice_around(points, h, radius());

    const field::Layout layout(domain.cells);
    Grid part(layout);
    const auto flame = std::make_shared<Grid>(layout), temperature = std::make_shared<Grid>(layout), density = std::make_shared<Grid>(layout);
    const particles::Spread into[] = {{&points.volume, &part}, {&points.flame, flame.get()}, {&points.heat, temperature.get()}, {&points.smoke, density.get()}};
    particles::splat({.domain = domain, .radius = radius()}, points.position, into);
    const float ambient = float(params.ambient);
    parallel_for(domain.cells.z, [&](int k) {
        for (int j = 0; j < domain.cells.y; ++j) {
            const float* c = part.row(j, k);
            float *f = flame->row(j, k), *t = temperature->row(j, k);
            for (int i = 0; i < domain.cells.x; ++i) {
                if (!(c[i] > 0)) {
                    f[i] = 0, t[i] = ambient;
                    continue;
                }
                const float filled = -std::expm1(-c[i]);
                f[i] *= filled / c[i];
                t[i] = ambient + filled * (t[i] / c[i] - ambient);
            }
        }
    });
    const auto volume = [&](const char* name, const char* unit, float background, float negligible, std::shared_ptr<const Grid> grid) {
        return field::Volume{.name = name, .unit = unit, .background = background, .negligible = negligible, .domain = domain, .room = domain, .grid = std::move(grid)};
    };
    return {volume("density", "1", 0, 1e-4f, density), volume("temperature", "K", ambient, 0.01f, temperature), volume("flame", "1", 0, 1e-4f, flame)};
}

}  // namespace phlo::models
