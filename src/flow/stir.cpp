#include "flow/stir.h"

#include <array>
#include <cmath>

#include "base/parallel.h"
#include "geom/noise.h"

namespace phlo::flow {
namespace {

/// Values on the lattice of corners of a coverage's box: (first .. last), both ends included.
class Lattice {
public:
    explicit Lattice(const Coverage& c) : first_(c.first), n_(c.last - c.first + Vec3i(1)), values_(std::size_t(n_.x) * std::size_t(n_.y) * std::size_t(n_.z)) {}
    int rows_z() const { return n_.z; }
    float* row(int j, int k) { return values_.data() + (std::size_t(k - first_.z) * std::size_t(n_.y) + std::size_t(j - first_.y)) * std::size_t(n_.x); }
    float operator()(int i, int j, int k) const {
        return values_[(std::size_t(k - first_.z) * std::size_t(n_.y) + std::size_t(j - first_.y)) * std::size_t(n_.x) + std::size_t(i - first_.x)];
    }

private:
    Vec3i first_, n_;
    std::vector<float> values_;
};

/// The potential along `axis`, at the middles of the edges along it, times the mean weight of the four cells around the edge. On the rim of
/// the box it is zero, so that nothing is stirred outside.
Lattice potential(const field::Domain& domain, const Coverage& c, const Turbulence& t, double time, int axis) {
    Lattice result(c);
    const geom::Noise pattern{.seed = std::uint32_t(t.seed) * 3u + std::uint32_t(axis), .octaves = t.octaves};
    const auto weight = [&](int i, int j, int k) {
        const bool in = i >= c.first.x && j >= c.first.y && k >= c.first.z && i < c.last.x && j < c.last.y && k < c.last.z;
        return in ? c.shape_weight[c.offset(j, k) + std::size_t(i - c.first.x)] : 0.f;
    };
    const int a = (axis + 1) % 3, b = (axis + 2) % 3;
    parallel_for(result.rows_z(), [&](int plane) {
        const int k = c.first.z + plane;
        std::vector<float> values(std::size_t(c.last.x - c.first.x + 1));
        for (int j = c.first.y; j <= c.last.y; ++j) {
            Vec3d p = domain.cell_center(c.first.x, j, k);
            p[a] -= 0.5 * domain.h, p[b] -= 0.5 * domain.h;
            p = p / t.scale;
            pattern.row(float(p.x), float(domain.h / t.scale), float(p.y), float(p.z), float(time * t.change), values);
            float* out = result.row(j, k);
            for (int i = c.first.x; i <= c.last.x; ++i) {
                Vec3i before_a{i, j, k}, before_b = before_a, before_both = before_a;
                --before_a[a], --before_b[b], --before_both[a], --before_both[b];
                const auto at = [&](const Vec3i& cell) { return weight(cell.x, cell.y, cell.z); };
                const float w = 0.25f * ((weight(i, j, k) + at(before_a)) + (at(before_b) + at(before_both)));
                const bool rim = (Vec3i(i, j, k))[a] == c.first[a] || (Vec3i(i, j, k))[a] == c.last[a] || (Vec3i(i, j, k))[b] == c.first[b] ||
                                 (Vec3i(i, j, k))[b] == c.last[b] || (Vec3i(i, j, k))[axis] == c.last[axis];
                out[i - c.first.x] = rim ? 0.f : w * values[std::size_t(i - c.first.x)];
            }
        }
    });
    return result;
}

}  // namespace

void stir(const field::Domain& domain, const Coverage& c, const Turbulence& turbulence, double speed, double time, const Solids* solids,
          field::MacGrid& u) {
    if (c.empty() || speed == 0) return;
    const std::array<Lattice, 3> psi{potential(domain, c, turbulence, time, 0), potential(domain, c, turbulence, time, 1),
                                     potential(domain, c, turbulence, time, 2)};
    // The curl at a face: both potentials that turn around it are at its four edges.
    const auto swirl = [&](int axis, int i, int j, int k) {
        const int a = (axis + 1) % 3, b = (axis + 2) % 3;
        Vec3i next_a{i, j, k}, next_b = next_a;
        ++next_a[a], ++next_b[b];
        const Lattice &pa = psi[std::size_t(a)], &pb = psi[std::size_t(b)];
        return (pb(next_a.x, next_a.y, next_a.z) - pb(i, j, k)) - (pa(next_b.x, next_b.y, next_b.z) - pa(i, j, k));
    };
    const Vec3i n = domain.cells;
    const auto each_face = [&](int axis, int k, const auto& body) {
        if (k >= c.last.z + (axis == 2)) return;
        for (int j = c.first.y; j < c.last.y; ++j)
            for (int i = c.first.x; i < c.last.x; ++i) {
                const int index = Vec3i(i, j, k)[axis];
                if (index == c.first[axis] || index == 0 || index == n[axis]) continue;  // the rim: nothing turns there
                body(i, j);
            }
    };
    const int planes = c.last.z - c.first.z;
    double weights = 0;
    for (const float w : c.shape_weight) weights += double(w);
    const double squares = parallel_sum(planes, [&](int plane) {
        double sum = 0;
        for (int axis = 0; axis < 3; ++axis)
            each_face(axis, c.first.z + plane, [&](int i, int j) {
                const double v = double(swirl(axis, i, j, c.first.z + plane));
                sum += v * v;
            });
        return sum;
    });
    if (!(squares > 0) || !(weights > 0)) return;
    const float scale = float(speed / std::sqrt(squares / weights));
    const bool cut = solids != nullptr && solids->present();
    parallel_for(planes, [&](int plane) {
        const int k = c.first.z + plane;
        for (int axis = 0; axis < 3; ++axis)
            each_face(axis, k, [&](int i, int j) {
                if (!cut || solids->aperture[axis].row(j, k)[i] > 0) u[axis].row(j, k)[i] += scale * swirl(axis, i, j, k);
            });
    });
}

}  // namespace phlo::flow
