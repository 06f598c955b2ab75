// Particles as density: see add_particles in volume.h.
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "base/parallel.h"
#include "render/volume.h"

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
};

}  // namespace

void add_particles(const field::Domain& domain, const field::Points& points, float peak, field::Grid& grid) {
    const Vec3i n = domain.cells;
    std::vector<Splat> splats(points.size());
    // The particles of each plane, in their order: so the sums do not depend on the number of threads.
    std::vector<std::vector<std::uint32_t>> of_plane(std::size_t(n.z));
    for (std::size_t p = 0; p < points.size(); ++p) {
        const float true_deviation = 0.5f * points.radius[p] / float(domain.h);
        if (!(true_deviation > 0)) continue;
        Splat& s = splats[p];
        s.at = Vec3f(domain.grid_from_world(Vec3d(points.position[p])));
        s.deviation = std::clamp(true_deviation, 0.34f, 10.f);
        s.reach = std::max(3 * s.deviation, 1.01f);
        const int low = std::max(0, int(std::ceil(s.at.z - s.reach))), high = std::min(n.z - 1, int(std::floor(s.at.z + s.reach)));
        for (int k = low; k <= high; ++k) of_plane[std::size_t(k)].push_back(std::uint32_t(p));
    }
    parallel_for(n.z, [&](int k) {
        for (const std::uint32_t p : of_plane[std::size_t(k)]) {
            const Splat& s = splats[p];
            const Row x(s.at.x, s.deviation, s.reach), y(s.at.y, s.deviation, s.reach), z(s.at.z, s.deviation, s.reach);
            const float true_deviation = 0.5f * points.radius[p] / float(domain.h);
            const float integral = peak * float(std::pow(2 * std::numbers::pi, 1.5)) * true_deviation * true_deviation * true_deviation;
            const float scale = integral * z.weight[std::size_t(k - z.first)] / (x.sum * y.sum * z.sum);
            for (int b = 0; b < y.count; ++b) {
                const int j = y.first + b;
                if (j < 0 || j >= n.y) continue;
                float* row = grid.row(j, k);
                for (int a = 0; a < x.count; ++a)
                    if (const int i = x.first + a; i >= 0 && i < n.x) row[i] += scale * y.weight[std::size_t(b)] * x.weight[std::size_t(a)];
            }
        }
    });
}

}  // namespace phlo::render
