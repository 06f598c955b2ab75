#include "particles/splat.h"

#include <algorithm>
#include <cmath>

#include "base/parallel.h"
#include "base/simd.h"
#include "particles/slabs.h"

namespace phlo::particles {
namespace {

using simd::Float;
using simd::Int;

constexpr double reach = 1.3;    ///< R / r: the bell (1 - d²/R²)² is then as wide as the Gaussian of r cut off at r, in mean square
constexpr double min_share = 1e-3;   ///< of the bell's height: less in all cells together is no hold on an amount

/// A bell over cells: its box and the sum of its weights.
struct Ball {
    std::size_t place = 0;
    Vec3i first, last;               ///< cells [first, last)
    Vec3f center;                    ///< in cell coordinates
    float radius_squared = 0;        ///< R² in cells²
    double weights = 0;

    /// Rows begin aligned, and a store that crosses a cache line takes several times as long. Before `first` weights are 0.
    int first_pack() const { return first.x / simd::width * simd::width; }
    /// What R² leaves for x² in a row; negative: the row is beside the ball.
    float rest(int j, int k) const {
        const float y = float(j) - center.y, z = float(k) - center.z;
        return std::fma(-z, z, std::fma(-y, y, radius_squared));
    }
};

/// Weights of a pack of cells from i on in a row with this rest; the sum and the fields must see the same ones.
PHLO_INLINE Float weights_at(const Ball& ball, int i, float rest) {
    const Float x = simd::to_float(simd::lane_index() + Int(i)) - Float(ball.center.x);
    const Float inside = max(fma(-x, x, Float(rest)), Float(0.0f));
    return inside * inside;
}

/// A cell that bodies cut takes as much less as it has less room, so its value, which is per room, rises as in a full one.
float open_part(const field::Grid* open, int i, int j, int k) { return open == nullptr ? 1.0f : (*open)(i, j, k); }
PHLO_INLINE Float open_parts(const field::Grid* open, int i, int j, int k) {
    return open == nullptr ? Float(1.0f) : simd::load(open->row(j, k) + i);
}

void set_box(Ball& ball, const Vec3i& cells, double radius) {
    ball.radius_squared = float(radius * radius);
    for (int axis = 0; axis < 3; ++axis) {
        const double c = double(ball.center[axis]);
        ball.first[axis] = std::clamp(int(std::ceil(c - radius)), 0, cells[axis]);
        ball.last[axis] = std::clamp(int(std::floor(c + radius)) + 1, 0, cells[axis]);
    }
}

double sum_weights(const Ball& ball, const field::Grid* open) {
    double sum = 0;
    for (int i = ball.first_pack(); i < ball.last.x; i += simd::width)
        for (int k = ball.first.z; k < ball.last.z; ++k) {
            Float plane(0.0f);
            for (int j = ball.first.y; j < ball.last.y; ++j)
                if (const float rest = ball.rest(j, k); rest > 0) plane += weights_at(ball, i, rest) * open_parts(open, i, j, k);
            alignas(64) float lanes[simd::width];
            simd::store(lanes, plane);
            for (int l = 0; l < std::min(simd::width, ball.last.x - i); ++l) sum += double(lanes[l]);
        }
    return sum;
}

/// One cell takes all: the nearest that holds gas.
bool shrink_to_nearest(Ball& ball, const Vec3i& cells, const field::Grid* open) {
    constexpr int far = 4;
    float best = 1e30f;
    Vec3i found;
    const Vec3i middle{int(std::lround(ball.center.x)), int(std::lround(ball.center.y)), int(std::lround(ball.center.z))};
    for (int k = std::max(middle.z - far, 0); k <= std::min(middle.z + far, cells.z - 1); ++k)
        for (int j = std::max(middle.y - far, 0); j <= std::min(middle.y + far, cells.y - 1); ++j)
            for (int i = std::max(middle.x - far, 0); i <= std::min(middle.x + far, cells.x - 1); ++i) {
                const Vec3f d = Vec3f(float(i), float(j), float(k)) - ball.center;
                if (dot(d, d) < best && open_part(open, i, j, k) > 0) best = dot(d, d), found = {i, j, k};
            }
    if (best == 1e30f) return false;
    ball.first = found, ball.last = found + Vec3i(1);
    ball.center = Vec3f(found);
    ball.radius_squared = 1, ball.weights = double(open_part(open, found.x, found.y, found.z));
    return true;
}

void add_plane(const Ball& ball, int k, float scale, const field::Grid* open, field::Grid& field) {
    const int cells_x = field.layout().nx();
    for (int j = ball.first.y; j < ball.last.y; ++j) {
        const float rest = ball.rest(j, k);
        if (rest <= 0) continue;
        float* row = field.row(j, k);
        for (int i = ball.first_pack(); i < ball.last.x; i += simd::width) {
            const Float weight = select(open_parts(open, i, j, k) > Float(0.0f), weights_at(ball, i, rest), Float(0.0f));
            const Float sum = fma(Float(scale), weight, simd::load(row + i));
            // Beyond the ball weights are 0, beyond the domain they may not be; a masked store takes many times as long.
            if (i + simd::width <= cells_x) simd::store(row + i, sum);
            else simd::store(row + i, sum, simd::first_lanes(cells_x - i));
        }
    }
}

}  // namespace

std::vector<double> splat(const SplatPlace& where, std::span<const Vec3f> places, std::span<const Spread> spreads) {
    const field::Domain& domain = where.domain;
    std::vector<Ball> balls;
    for (std::size_t p = 0; p < places.size(); ++p)
        if (std::ranges::any_of(spreads, [&](const Spread& s) { return p < s.amounts->size() && (*s.amounts)[p] != 0; })) {
            balls.emplace_back();
            balls.back().place = p;
        }
    parallel_for((int(balls.size()) + 15) / 16, [&](int chunk) {
        for (std::size_t b = std::size_t(chunk) * 16; b < std::min(balls.size(), (std::size_t(chunk) + 1) * 16); ++b) {
            Ball& ball = balls[b];
            ball.center = Vec3f(domain.grid_from_world(Vec3d(places[ball.place])));
            const bool own = ball.place < where.radii.size() && where.radii[ball.place] > 0;
            set_box(ball, domain.cells, reach * (own ? double(where.radii[ball.place]) : where.radius) / domain.h);
            ball.weights = sum_weights(ball, where.open);
            if (ball.weights <= min_share * double(ball.radius_squared) * double(ball.radius_squared) && !shrink_to_nearest(ball, domain.cells, where.open)) ball.weights = 0;
        }
    });

    std::vector<double> lost(spreads.size(), 0);
    for (const Ball& ball : balls)
        for (std::size_t s = 0; s < spreads.size() && ball.weights == 0; ++s) lost[s] += (*spreads[s].amounts)[ball.place];
    const double cell = domain.h * domain.h * domain.h;
    const auto planes_of = [&](int b) {
        const Ball& ball = balls[std::size_t(b)];
        return ball.weights == 0 ? PlaneRange{} : PlaneRange{ball.first.z, ball.last.z};
    };
    for_each_slab(domain.cells.z, int(balls.size()), planes_of, [&](int first, int end, std::span<const int> those) {
        for (const Spread& s : spreads)
            for (const int b : those) {
                const Ball& ball = balls[std::size_t(b)];
                const double amount = (*s.amounts)[ball.place];
                if (amount == 0) continue;
                for (int k = std::max(ball.first.z, first); k < std::min(ball.last.z, end); ++k)
                    add_plane(ball, k, float(amount / (ball.weights * cell)), where.open, *s.field);
            }
    });
    return lost;
}

}  // namespace phlo::particles
