#include "render/volumes/particles.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/error.h"
#include "base/parallel.h"
#include "render/volumes/parts.h"

namespace phlo::render {
namespace {

/// A particle in cells, and the planes that it touches.
struct Splat {
    Vec3f at;  ///< continuous cell coordinates
    float deviation;  ///< of the Gaussian [cells]; at least a third of a cell, or its samples would miss it
    float reach;  ///< [cells]
};

/// Samples of a Gaussian at the cells along one axis, and their sum.
struct Row {
    int first = 0, count = 0;
    std::array<float, 64> weight;
    float sum = 0;

    Row(float at, float deviation, float reach) {
        first = int(std::ceil(at - reach));
        count = std::min(int(std::floor(at + reach)) - first + 1, int(weight.size()));
        for (int n = 0; n < count; ++n) {
            const float d = (float(first + n) - at) / deviation;
            weight[std::size_t(n)] = std::exp(-0.5f * d * d);
            sum += weight[std::size_t(n)];
        }
    }
    void add_to(field::Grid& grid, int j, int k, float factor) const {
        float* row = grid.row(j, k);
        for (int n = std::max(0, -first); n < std::min(count, grid.layout().nx() - first); ++n)
            row[first + n] += factor * weight[std::size_t(n)];
    }
};

/// add(j, k, weights along x, factor, point) for every row of cells that a point reaches; planes in parallel, points in their order.
template <class Add>
void for_each_row(const PointCloud& cloud, const field::Points& points, const Add& add) {
    const Vec3i n = cloud.domain.cells;
    const auto deviation_of = [&](std::size_t p) { return 0.5f * cloud.size * points.radius[p] / float(cloud.domain.h); };
    std::vector<Splat> splats(points.size());
    // The particles of each plane, in their order: so the sums do not depend on the number of threads.
    std::vector<std::vector<std::uint32_t>> of_plane(std::size_t(n.z));
    for (std::size_t p = 0; p < points.size(); ++p) {
        if (!(deviation_of(p) > 0)) continue;
        Splat& s = splats[p];
        const Vec3f way = points.velocity.empty() ? Vec3f() : points.velocity[p] * cloud.later;
        s.at = Vec3f(cloud.domain.grid_from_world(Vec3d(points.position[p] + way)));
        s.deviation = std::clamp(deviation_of(p), 0.34f, 10.f);
        s.reach = std::max(3 * s.deviation, 1.01f);
        const int low = std::max(0, int(std::ceil(s.at.z - s.reach))), high = std::min(n.z - 1, int(std::floor(s.at.z + s.reach)));
        for (int k = low; k <= high; ++k) of_plane[std::size_t(k)].push_back(std::uint32_t(p));
    }
    parallel_for(n.z, [&](int k) {
        for (const std::uint32_t p : of_plane[std::size_t(k)]) {
            const Splat& s = splats[p];
            const Row x(s.at.x, s.deviation, s.reach), y(s.at.y, s.deviation, s.reach), z(s.at.z, s.deviation, s.reach);
            const float true_deviation = deviation_of(p);
            const float integral =
                cloud.peak * float(std::pow(2 * std::numbers::pi, 1.5)) * true_deviation * true_deviation * true_deviation;
            const float scale = integral * z.weight[std::size_t(k - z.first)] / (x.sum * y.sum * z.sum);
            for (int b = 0; b < y.count; ++b)
                if (const int j = y.first + b; j >= 0 && j < n.y) add(j, k, x, scale * y.weight[std::size_t(b)], p);
        }
    });
}

/// Numbers of either type.
std::vector<float> numbers_of(const field::Points& points, const std::string& column) {
    if (const auto* floats = points.column<float>(column)) return *floats;
    if (const auto* whole = points.column<std::int32_t>(column)) return {whole->begin(), whole->end()};
    throw InputError(fmt::format("render.points: the points '{}' have no column of numbers '{}'", points.name, column));
}

}  // namespace

void add_particles(const PointCloud& cloud, const field::Points& points, field::Grid& grid) {
    for_each_row(cloud, points, [&](int j, int k, const Row& x, float factor, std::uint32_t) { x.add_to(grid, j, k, factor); });
}

void add_particles(const PointCloud& cloud, const field::Points& points, field::Grid& grid, const std::vector<Vec3f>& colours,
                   const std::array<field::Grid*, 3>& coloured) {
    for_each_row(cloud, points, [&](int j, int k, const Row& x, float factor, std::uint32_t p) {
        x.add_to(grid, j, k, factor);
        for (int c = 0; c < 3; ++c) x.add_to(*coloured[std::size_t(c)], j, k, factor * colours[p][c]);
    });
}

std::vector<Vec3f> point_colours(const field::Points& points, const ColumnColour& by, const FireLook& fire) {
    const std::vector<float> values = numbers_of(points, by.column);
    std::vector<Vec3f> colours(values.size());
    const optics::BlackBody light = fire_colours(fire, 1);
    for (std::size_t n = 0; n < values.size(); ++n) colours[n] = by.ramp.empty() ? light(values[n]) : colour_at(by.ramp, double(values[n]));
    return colours;
}

}  // namespace phlo::render
