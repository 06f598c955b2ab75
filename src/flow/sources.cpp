#include "flow/sources.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "base/parallel.h"

namespace phlo::flow {
namespace {

bool same(const geom::Pose& a, const geom::Pose& b) {
    return a.position == b.position && a.rotation.w == b.rotation.w && a.rotation.v == b.rotation.v;
}

bool same(const field::Domain& a, const field::Domain& b) { return a.cells == b.cells && a.origin == b.origin && a.h == b.h; }

void cover_shape(const field::Domain& domain, const SourceShape& source, Coverage& c) {
    const double h = domain.h, width = std::max(source.softness, 1e-3);
    const geom::Bounds box = source.pose.world_from_local(source.shape->bounds()).grown(source.grown + 0.5 * width * h);
    for (int axis = 0; axis < 3; ++axis) {
        const double n = domain.cells[axis];
        c.first[axis] = int(std::clamp(std::floor((box.lower[axis] - domain.origin[axis]) / h), 0.0, n));
        c.last[axis] = int(std::clamp(std::ceil((box.upper[axis] - domain.origin[axis]) / h), 0.0, n));
    }
    const Vec3i count = c.last - c.first;
    c.shape_weight.clear();
    if (count.x <= 0 || count.y <= 0 || count.z <= 0) return;
    c.shape_weight.resize(std::size_t(count.x) * std::size_t(count.y) * std::size_t(count.z));
    parallel_for(count.z, [&](int plane) {
        const int k = c.first.z + plane;
        for (int j = c.first.y; j < c.last.y; ++j) {
            float* row = c.shape_weight.data() + c.offset(j, k);
            for (int i = c.first.x; i < c.last.x; ++i) {
                const Vec3d p = source.pose.local_from_world(domain.cell_center(i, j, k));
                const double d = source.shape->quick_distance(p, source.grown + width * h) - source.grown;
                const double s = std::clamp(0.5 - d / (width * h), 0.0, 1.0);
                row[i - c.first.x] = float(s * s * (3 - 2 * s));
            }
        }
    });
}

}  // namespace

void cover(const field::Domain& domain, const SourceShape& source, double time, const Solids* solids, Coverage& c) {
    PHLO_CHECK(source.shape != nullptr);
    if (c.shape != source.shape || !same(c.pose, source.pose) || c.softness != source.softness ||
        c.grown != source.grown || !same(c.domain, domain)) {
        cover_shape(domain, source, c);
        c.shape = source.shape, c.pose = source.pose, c.softness = source.softness, c.grown = source.grown,
        c.domain = domain;
    }
    c.weight = c.shape_weight;
    if (c.empty()) return;

    const SourceNoise& noise = source.noise;
    const bool noisy = noise.amplitude > 0, cut = solids != nullptr && solids->present();
    if (!noisy && !cut) return;
    const geom::Noise pattern{.seed = std::uint32_t(noise.seed), .octaves = noise.octaves};
    const int nx = c.last.x - c.first.x;
    const float amplitude = float(std::min(noise.amplitude, 1.0));
    parallel_for(c.last.z - c.first.z, [&](int plane) {
        const int k = c.first.z + plane;
        std::vector<float> values(noisy ? std::size_t(nx) : 0);
        for (int j = c.first.y; j < c.last.y; ++j) {
            float* w = c.weight.data() + c.offset(j, k);
            if (noisy) {
                const Vec3d p = (domain.cell_center(c.first.x, j, k) - source.pose.position) / noise.scale;
                pattern.row(float(p.x), float(domain.h / noise.scale), float(p.y), float(p.z), float(time * noise.speed), values);
                for (int i = 0; i < nx; ++i) w[i] *= 1 - amplitude * std::clamp(0.5f - 0.5f * values[std::size_t(i)], 0.f, 1.f);
            }
            if (cut)
                for (int i = 0; i < nx; ++i)
                    if (solids->covered(c.first.x + i, j, k)) w[i] = 0;
        }
    });
}

namespace {

/// change(old value, weight) gives the new value of each cell of the box; returns the sum of the differences.
template <class Change>
double change_cells(const Coverage& c, field::Grid& q, Change&& change) {
    if (c.empty()) return 0;
    return parallel_sum(c.last.z - c.first.z, [&](int plane) {
        const int k = c.first.z + plane, nx = c.last.x - c.first.x;
        double total = 0;
        for (int j = c.first.y; j < c.last.y; ++j) {
            const float* w = c.row(j, k);
            float* row = q.row(j, k) + c.first.x;
            double line = 0;
            for (int i = 0; i < nx; ++i) {
                const float before = row[i];
                row[i] = w[i] > 0 ? change(before, w[i]) : before;
                line += double(row[i]) - double(before);
            }
            total += line;
        }
        return total;
    });
}

}  // namespace

double hold(const Coverage& coverage, field::Grid& q, double value, double background) {
    const float base = float(background), rise = float(value - background);
    if (rise >= 0) return change_cells(coverage, q, [=](float before, float w) { return std::max(before, base + w * rise); });
    return change_cells(coverage, q, [=](float before, float w) { return std::min(before, base + w * rise); });
}

double replace(const Coverage& coverage, field::Grid& q, double value, double from) {
    const float v = float(value), least = float(from);
    return change_cells(coverage, q, [=](float before, float w) { return w >= least ? v : before; });
}

double add(const Coverage& coverage, field::Grid& q, double amount) {
    const float a = float(amount);
    return change_cells(coverage, q, [=](float before, float w) { return before + w * a; });
}

void blend_velocity(const Coverage& c, const Vec3d& velocity, const Solids* solids, field::MacGrid& u) {
    if (c.empty()) return;
    const Vec3i n = u.layout().cells();
    const bool cut = solids != nullptr && solids->present();
    const std::vector<float> nothing(std::size_t(c.last.x - c.first.x) + 1, 0.f);
    parallel_for(c.last.z - c.first.z + 1, [&](int plane) {
        const int k = c.first.z + plane;
        const auto weights = [&](int j, int l) {  // of a row of cells; none outside the box
            const bool in = j >= c.first.y && j < c.last.y && l >= c.first.z && l < c.last.z;
            return (in ? c.row(j, l) : nothing.data()) - c.first.x;
        };
        for (int axis = 0; axis < 3; ++axis) {
            const float wanted = float(velocity[axis]);
            for (int j = c.first.y; j < c.last.y + (axis == 1) && k < c.last.z + (axis == 2); ++j) {
                const int wall = axis == 1 ? j : axis == 2 ? k : -1;
                if (wall == 0 || wall == n[axis]) continue;
                const float *high = weights(j, k), *low = weights(j - (axis == 1), k - (axis == 2));
                const float* open = cut ? solids->aperture[axis].row(j, k) : nullptr;
                float* v = u[axis].row(j, k);
                const auto blend = [&](int i, float w) {
                    if (open == nullptr || open[i] > 0) v[i] += w * (wanted - v[i]);
                };
                if (axis != 0) {
                    for (int i = c.first.x; i < c.last.x; ++i) blend(i, 0.5f * (low[i] + high[i]));
                    continue;
                }
                for (int i = c.first.x + 1; i < c.last.x; ++i) blend(i, 0.5f * (high[i - 1] + high[i]));
                if (c.first.x > 0) blend(c.first.x, 0.5f * high[c.first.x]);
                if (c.last.x < n.x) blend(c.last.x, 0.5f * high[c.last.x - 1]);
            }
        }
    });
}

}  // namespace phlo::flow
