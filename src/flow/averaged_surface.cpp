#include "flow/averaged_surface.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <vector>

#include "base/simd.h"
#include "base/vec.h"
#include "flow/markers.h"
#include "flow/surface_cells.h"
#include "particles/slabs.h"

namespace phlo::flow {
namespace {

using field::Grid;
using field::Layout;
using simd::Float;

constexpr float reach = 2;  ///< R [cells]

/// What a half space full of particles gives, in units of R. With the weights (1 - r²)³ a plane at depth z below a point counts pi/4 (1 -
/// z²)⁴, so that at a height s above the surface
///      sum = pi/4 Integral_s^1 (1 - z²)⁴ dz,    mean depth = pi/40 (1 - s²)⁵ / sum.
class HalfSpace {
public:
    HalfSpace() {
        // The mean depth rises with s, from 0 to 1.
        std::size_t at = 0;
        constexpr int fine = 20000;
        for (int n = 0; n <= fine && at < height_.size(); ++n) {
            const double s = -1 + 2.0 * n / fine;
            const double depth = n == fine ? 1 : std::pow(1 - s * s, 5) / 10 / (4 / std::numbers::pi * sum(s));
            while (at < height_.size() && double(at) / last <= depth) height_[at] = float(s), sum_[at] = float(sum(s)), ++at;
        }
    }
    struct Found {
        float height, sum;
    };
    Found operator()(float depth) const {
        const float p = std::clamp(depth, 0.0f, 1.0f) * float(last);
        const auto low = std::min(std::size_t(p), last - 1);
        const float t = p - float(low);
        return {height_[low] + t * (height_[low + 1] - height_[low]), sum_[low] + t * (sum_[low + 1] - sum_[low])};
    }

private:
    static double sum(double s) {
        const auto integral = [](double z) {
            return z - 4 * std::pow(z, 3) / 3 + 6 * std::pow(z, 5) / 5 - 4 * std::pow(z, 7) / 7 + std::pow(z, 9) / 9;
        };
        return std::numbers::pi / 4 * (integral(1) - integral(s));
    }
    static constexpr std::size_t last = 256;
    std::array<float, last + 1> height_{}, sum_{};
};

/// The particles near the surface, and their mirror images beyond walls as far as cells feel them.
std::vector<Vec3f> places(const std::vector<int>& drawn, const Vec3i& cells, std::span<const float> x, std::span<const float> y,
                          std::span<const float> z) {
    std::vector<Vec3f> all;
    all.reserve(drawn.size() + drawn.size() / 4);
    for (const int p : drawn) {
        std::size_t first = all.size();
        all.push_back({x[std::size_t(p)], y[std::size_t(p)], z[std::size_t(p)]});
        for (int axis = 0; axis < 3; ++axis) {
            const std::size_t end = all.size();
            for (const float wall : {-0.5f, float(cells[axis]) - 0.5f})
                if (std::fabs(all[first][axis] - wall) < reach - 0.5f)
                    for (std::size_t n = first; n < end; ++n) {
                        Vec3f image = all[n];
                        image[axis] = 2 * wall - image[axis];
                        all.push_back(image);
                    }
        }
    }
    return all;
}

/// Sums over particles for the cells of a few planes.
class Sums {
public:
    Sums(const Layout& layout, int first, int end)
        : layout_(layout),
          first_(first),
          end_(end),
          row_(layout.nx() + simd::width),
          data_(std::size_t(4 * row_) * std::size_t(layout.ny()) * std::size_t(end - first), 0.0f) {}

    /// Of a row: the weights, then the weights times the way from the cell to the particle along x, y, z.
    float* row(int j, int k, int which) {
        return data_.data() +
               std::size_t(row_) * (std::size_t(which) + 4 * (std::size_t(j) + std::size_t(layout_.ny()) * std::size_t(k - first_)));
    }

    void add(const Vec3f& p) {
        const int i0 = std::max(int(std::ceil(p.x - reach)), 0), i1 = std::min(int(std::floor(p.x + reach)) + 1, layout_.nx());
        const int j0 = std::max(int(std::ceil(p.y - reach)), 0), j1 = std::min(int(std::floor(p.y + reach)) + 1, layout_.ny());
        for (int k = std::max(int(std::ceil(p.z - reach)), first_); k < std::min(int(std::floor(p.z + reach)) + 1, end_); ++k)
            for (int j = j0; j < j1; ++j) {
                const float dy = p.y - float(j), dz = p.z - float(k), rest = 1 - (dy * dy + dz * dz) / (reach * reach);
                if (rest <= 0) continue;
                for (int i = i0; i < i1; i += simd::width) {
                    const Float dx = Float(p.x) - simd::to_float(simd::lane_index() + simd::Int(i));
                    const Float inside = max(fma(dx * Float(-1 / (reach * reach)), dx, Float(rest)), Float(0.0f)),
                                weight = inside * inside * inside;
                    const auto more = [&](int which, Float value) {
                        float* to = row(j, k, which) + i;
                        simd::store(to, fma(weight, value, simd::load(to)));
                    };
                    more(0, Float(1.0f)), more(1, dx), more(2, Float(dy)), more(3, Float(dz));
                }
            }
    }

private:
    Layout layout_;
    int first_, end_, row_;
    std::vector<float> data_;
};

/// The level set at a cell [cells], from the sum of the weights and the way to the mean.
float level(const HalfSpace& plane, const AveragedSurface& how, float weight, float way) {
    const HalfSpace::Found found = plane(way / reach);
    const float share = std::clamp((weight / (float(how.per_cell) * reach * reach * reach * found.sum) - 0.1f) / 0.4f, 0.0f, 1.0f);
    const float dense = share * share * (3 - 2 * share);
    return dense * reach * found.height + (1 - dense) * (way - float(how.radius));
}

}  // namespace

void averaged_level_set(const AveragedSurface& how, std::span<const float> x, std::span<const float> y, std::span<const float> z,
                        Grid& phi) {
    static const HalfSpace plane;
    const Layout& layout = phi.layout();
    spheres_level_set(x, y, z, how.radius, how.h, phi);
    const SurfaceCells near(layout, x, y, z, 2);
    const std::vector<Vec3f> points = places(near.drawn(2), layout.cells(), x, y, z);
    const auto planes_of = [&](int n) {
        const float at = points[std::size_t(n)].z;
        return particles::PlaneRange{int(std::ceil(at - reach)), int(std::floor(at + reach)) + 1};
    };
    particles::for_each_slab(layout.nz(), int(points.size()), planes_of, [&](int first, int end, std::span<const int> those) {
        if (those.empty()) return;
        Sums sums(layout, first, end);
        for (const int n : those) sums.add(points[std::size_t(n)]);
        for (int k = first; k < end; ++k)
            for (int j = 0; j < layout.ny(); ++j) {
                const float *weight = sums.row(j, k, 0), *dx = sums.row(j, k, 1), *dy = sums.row(j, k, 2), *dz = sums.row(j, k, 3);
                const std::uint8_t* deep = near.deep_row(j, k);
                float* row = phi.row(j, k);
                for (int i = 0; i < layout.nx(); ++i)
                    if (weight[i] > 0 && !deep[i]) {
                        const float way = std::sqrt(dx[i] * dx[i] + dy[i] * dy[i] + dz[i] * dz[i]) / weight[i];
                        row[i] = std::max(row[i], level(plane, how, weight[i], way) * float(how.h));
                    }
            }
    });
}

}  // namespace phlo::flow
