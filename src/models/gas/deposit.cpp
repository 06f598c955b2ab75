#include "models/gas/deposit.h"

#include <algorithm>
#include <cmath>

#include "base/parallel.h"

namespace phlo::models {
namespace {

constexpr int slab = 4;  ///< planes of cells that one task fills

/// A sphere over cells: its box, one factor an axis, and the sum of the weights.
struct Ball {
    std::size_t place = 0;
    Vec3i first, last;               ///< cells [first, last)
    Vec3f center;                    ///< in cell coordinates
    float radius_squared = 0;        ///< in cells²
    double weights = 0;
    std::vector<float> factor[3];    ///< from `first` on

    /// Cells [from, to) of a row that lie in the sphere.
    std::pair<int, int> row(int j, int k) const {
        const float y = float(j) - center.y, z = float(k) - center.z, rest = radius_squared - y * y - z * z;
        if (rest < 0) return {0, 0};
        const float reach = std::sqrt(rest);
        return {std::max(first.x, int(std::ceil(center.x - reach))), std::min(last.x, int(std::floor(center.x + reach)) + 1)};
    }
};

/// A cell that bodies cut takes as much less as it has less room.
float open_part(const flow::Solids* solids, int i, int j, int k) { return solids == nullptr ? 1.0f : solids->volume(i, j, k); }

void set_box(Ball& ball, const Vec3i& cells, double radius) {
    ball.radius_squared = float(radius * radius);
    for (int axis = 0; axis < 3; ++axis) {
        const double c = double(ball.center[axis]);
        ball.first[axis] = std::clamp(int(std::ceil(c - radius)), 0, cells[axis]);
        ball.last[axis] = std::clamp(int(std::floor(c + radius)) + 1, 0, cells[axis]);
        ball.factor[axis].clear();
        for (int i = ball.first[axis]; i < ball.last[axis]; ++i)
            ball.factor[axis].push_back(float(std::exp(-0.5 * (i - c) * (i - c) / (radius * radius))));
    }
}

double sum_weights(const Ball& ball, const flow::Solids* solids) {
    double sum = 0;
    for (int k = ball.first.z; k < ball.last.z; ++k)
        for (int j = ball.first.y; j < ball.last.y; ++j) {
            const auto [from, to] = ball.row(j, k);
            const float across = ball.factor[1][std::size_t(j - ball.first.y)] * ball.factor[2][std::size_t(k - ball.first.z)];
            float line = 0;
            for (int i = from; i < to; ++i)
                line += open_part(solids, i, j, k) * ball.factor[0][std::size_t(i - ball.first.x)];
            sum += double(across) * double(line);
        }
    return sum;
}

/// One cell takes all: the nearest that holds gas.
bool shrink_to_nearest(Ball& ball, const Vec3i& cells, const flow::Solids* solids) {
    constexpr int reach = 4;
    float best = 1e30f;
    Vec3i found;
    const Vec3i middle{int(std::lround(ball.center.x)), int(std::lround(ball.center.y)), int(std::lround(ball.center.z))};
    for (int k = std::max(middle.z - reach, 0); k <= std::min(middle.z + reach, cells.z - 1); ++k)
        for (int j = std::max(middle.y - reach, 0); j <= std::min(middle.y + reach, cells.y - 1); ++j)
            for (int i = std::max(middle.x - reach, 0); i <= std::min(middle.x + reach, cells.x - 1); ++i) {
                const Vec3f d = Vec3f(float(i), float(j), float(k)) - ball.center;
                if (dot(d, d) < best && open_part(solids, i, j, k) > 0) best = dot(d, d), found = {i, j, k};
            }
    if (best == 1e30f) return false;
    ball.first = found, ball.last = found + Vec3i(1);
    ball.center = Vec3f(found);
    ball.radius_squared = 1, ball.weights = double(open_part(solids, found.x, found.y, found.z));
    for (auto& factor : ball.factor) factor = {1.0f};
    return true;
}

void add_plane(const Ball& ball, int k, float scale, const flow::Solids* solids, field::Grid& field) {
    for (int j = ball.first.y; j < ball.last.y; ++j) {
        const auto [from, to] = ball.row(j, k);
        const float across = scale * ball.factor[1][std::size_t(j - ball.first.y)] * ball.factor[2][std::size_t(k - ball.first.z)];
        float* row = field.row(j, k);
        const float* along = ball.factor[0].data() - ball.first.x;
        if (solids == nullptr)
            for (int i = from; i < to; ++i) row[i] += across * along[i];
        else
            for (int i = from; i < to; ++i) row[i] += across * along[i] * open_part(solids, i, j, k);
    }
}

}  // namespace

std::vector<double> deposit(const DepositPlace& where, std::span<const Vec3f> places, std::span<const Spread> spreads) {
    const flow::Solids* solids = where.solids != nullptr && where.solids->present() ? where.solids : nullptr;
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
            set_box(ball, domain.cells, where.radius / domain.h);
            ball.weights = sum_weights(ball, solids);
            if (ball.weights <= 0 && !shrink_to_nearest(ball, domain.cells, solids)) ball.weights = 0;
        }
    });

    std::vector<double> lost(spreads.size(), 0);
    std::vector<std::vector<std::uint32_t>> in_slab(std::size_t((domain.cells.z + slab - 1) / slab));
    for (std::size_t b = 0; b < balls.size(); ++b) {
        const Ball& ball = balls[b];
        for (std::size_t s = 0; s < spreads.size() && ball.weights == 0; ++s) lost[s] += (*spreads[s].amounts)[ball.place];
        if (ball.weights == 0 || ball.first.z >= ball.last.z) continue;
        for (int z = ball.first.z / slab; z <= (ball.last.z - 1) / slab; ++z) in_slab[std::size_t(z)].push_back(std::uint32_t(b));
    }
    // Every task fills its own planes, with the balls in their order.
    const double cell = domain.h * domain.h * domain.h;
    parallel_for(int(in_slab.size()), [&](int z) {
        for (const std::uint32_t b : in_slab[std::size_t(z)]) {
            const Ball& ball = balls[b];
            for (int k = std::max(ball.first.z, z * slab); k < std::min(ball.last.z, (z + 1) * slab); ++k)
                for (const Spread& s : spreads)
                    if (const double amount = (*s.amounts)[ball.place]; amount != 0)
                        add_plane(ball, k, float(amount / (ball.weights * cell)), solids, *s.field);
        }
    });
    return lost;
}

}  // namespace phlo::models
