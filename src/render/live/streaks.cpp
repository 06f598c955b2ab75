#include "render/live/streaks.h"

#include <cmath>
#include <cstring>
#include <map>
#include <numbers>

#include "base/error.h"
#include "base/simd.h"

namespace phlo::render {
namespace {

using simd::Float;

constexpr float pi = std::numbers::pi_v<float>;
/// Amount in the middle of a torch all of whose particles have composition one.
constexpr float thickness = 3;
constexpr float nearest = 1e-3f;  // nothing is drawn that touches the lens [m]
constexpr int tile_width = TileGrid::tile_width, tile_height = TileGrid::tile_height;
constexpr int buffer_width = tile_width + 16;  // what a pack writes beyond the tile's right edge is not seen

/// Sums over the particles of one torch.
struct Sums {
    int count = 0;
    Vec3d position, squares;
    void add(const Sums& o) { count += o.count, position += o.position, squares += o.squares; }
};

/// The part of a picture that a tile covers.
struct Window {
    int left, top, right, bottom;  ///< the last two are outside
};

/// The pixels of one streak that lie in a tile, 8 or 16 of a row at once. `seen(row, column, weight)` may take some of the weight away.
template <class Seen>
PHLO_INLINE void draw_streak(const Streaks::Record& s, const Window& in, float* buffer, const Seen& seen) {
    const float radius = 1 / s.inverse_radius;
    const float low = std::min(s.y, s.y + s.dy) - radius, high = std::max(s.y, s.y + s.dy) + radius;
    const int y0 = std::max(int(std::ceil(low - 0.5f)), in.top), y1 = std::min(int(std::floor(high - 0.5f)), in.bottom - 1);
    const float west = std::min(s.x, s.x + s.dx) - radius, east = std::max(s.x, s.x + s.dx) + radius;
    const int x0 = std::max(int(std::ceil(west - 0.5f)), in.left), x1 = std::min(int(std::floor(east - 0.5f)), in.right - 1);
    const float inverse = 1 / (s.dx * s.dx + s.dy * s.dy + 1e-6f), ax = s.dx * inverse, ay = s.dy * inverse;
    const Float dx = s.dx, dy = s.dy, along_x = ax, falloff = -s.inverse_radius * s.inverse_radius, tail = s.tail, rise = s.head - s.tail;
    const Float start = simd::to_float(simd::lane_index()) + Float(float(x0) + 0.5f - s.x);
    if (x1 - x0 < simd::width) {
        // Most streaks are thin and rise: one pack a row.
        if (x1 < x0) return;
        const Float from = start * along_x, along_y = ay;
        Float py = float(y0) + 0.5f - s.y;
        float* at = buffer + (y0 - in.top) * buffer_width - in.left + x0;
        for (int y = y0; y <= y1; ++y, at += buffer_width, py = py + Float(1.f)) {
            const Float t = simd::clamp(fma(py, along_y, from), 0.f, 1.f);
            const Float ex = start - t * dx, ey = py - t * dy;
            const Float w = simd::max(fma(fma(ex, ex, ey * ey), falloff, 1.f), 0.f);
            simd::store(at, fma(seen(y, x0, w * w), fma(t, rise, tail), simd::load(at)));
        }
        return;
    }
    for (int y = y0; y <= y1; ++y) {
        const float down = float(y) + 0.5f - s.y;
        const Float py = down, from = down * ay;
        float* row = buffer + (y - in.top) * buffer_width - in.left;
        Float px = start;
        for (int x = x0; x <= x1; x += simd::width, px = px + Float(float(simd::width))) {
            const Float t = simd::clamp(fma(px, along_x, from), 0.f, 1.f);
            const Float ex = px - t * dx, ey = py - t * dy;
            const Float w = simd::max(fma(fma(ex, ex, ey * ey), falloff, 1.f), 0.f);
            simd::store(row + x, fma(seen(y, x, w * w), fma(t, rise, tail), simd::load(row + x)));
        }
    }
}

}  // namespace

std::vector<Torch> find_torches(const field::Points& points) {
    const auto* torch = points.column<std::int32_t>("torch");
    constexpr int chunk = 16384;
    const int count = int(points.size());
    using ByTorch = std::map<int, Sums>;
    ByTorch sums;
    sum_in_order(
        (count + chunk - 1) / chunk,
        [&](int item) {
            ByTorch part;
            Sums* here = nullptr;
            int id = 0;
            for (int n = item * chunk; n < std::min(count, (item + 1) * chunk); ++n) {
                const int of = torch ? (*torch)[std::size_t(n)] : 0;
                if (!here || of != id) here = &part[of], id = of;
                const Vec3d p(points.position[std::size_t(n)]);
                ++here->count, here->position += p, here->squares += p * p;
            }
            return part;
        },
        [&](const ByTorch& part) {
            for (const auto& [id, s] : part) sums[id].add(s);
        });
    std::vector<Torch> torches;
    for (const auto& [id, s] : sums) {
        const Vec3d mean = s.position / double(s.count), square = s.squares / double(s.count) - mean * mean;
        Torch t{.id = id, .count = s.count, .middle = Vec3f(mean)};
        for (int axis = 0; axis < 3; ++axis) t.spread[axis] = float(std::sqrt(std::max(0.0, square[axis])));
        const float aside = std::sqrt(0.5f * (t.spread.x * t.spread.x + t.spread.y * t.spread.y));
        t.weight = thickness * 2 * pi * aside * t.spread.z / float(s.count);
        torches.push_back(t);
    }
    return torches;
}

double Streaks::mean_radius(const field::Points& points, const StreakLook& look, const Projection& projection) {
    // A few near the lens do not count.
    constexpr double most = 200;
    const std::size_t step = std::max<std::size_t>(1, points.size() / 4096);
    double sum = 0, count = 0;
    for (std::size_t n = 0; n < points.size(); n += step)
        if (const float depth = projection.depth(points.position[n]); depth > nearest)
            sum += std::min(most, look.width * double(points.radius[n] / (projection.pixel * depth))), ++count;
    return count > 0 ? sum / count : 0;
}

void Streaks::draw(const field::Points& points, const std::vector<Torch>& torches, const StreakLook& look, const Projection& projection,
                   const Canvas& canvas, Plane& amount) {
    const Plane& surfaces = canvas.depth;
    const float inverse = 1 / float(canvas.factor);
    const auto* now = points.column<float>("composition");
    const auto* before = points.column<float>("composition_before");
    const auto* torch = points.column<std::int32_t>("torch");
    PHLO_CHECK(now != nullptr && !torches.empty());
    const TileGrid tiles(amount.width, amount.height);
    const float time = float(look.time), width = float(look.width), gain = float(look.gain);
    const auto weight_of = [&](std::size_t n) {
        if (torches.size() == 1) return torches.front().weight;
        return std::ranges::lower_bound(torches, (*torch)[n], {}, &Torch::id)->weight;
    };
    bins_.fill(tiles, int(points.size()), [&](int item, Record& s) {
        const std::size_t n = std::size_t(item);
        const float head = (*now)[n], tail = before ? (*before)[n] : head;
        if (!(head + tail > 0)) return TileRect();
        Projection::Place to = projection(points.position[n]);
        Projection::Place from = points.velocity.empty() ? to : projection(points.position[n] - points.velocity[n] * time);
        if (!(to.depth > nearest && from.depth > nearest)) return TileRect();
        const float depth = 0.5f * (to.depth + from.depth), pixels = inverse / (projection.pixel * depth);
        const float radius = std::max(min_radius, points.radius[n] * width * pixels);
        to.x *= inverse, to.y *= inverse, from.x *= inverse, from.y *= inverse;
        s.x = from.x, s.y = from.y, s.dx = to.x - from.x, s.dy = to.y - from.y;
        const float length = std::sqrt(s.dx * s.dx + s.dy * s.dy);
        const float area = pi / 3 * radius * radius + 16.f / 15 * length * radius;
        const float each = gain * weight_of(n) * pixels * pixels / area;
        // A streak too short to run from one end to the other is a disk of their mean.
        const float mean = 0.5f * (head + tail), between = length > 0.01f ? 1.f : 0.f;
        s.inverse_radius = 1 / radius, s.depth = depth;
        s.tail = (mean + between * (tail - mean)) * each, s.head = (mean + between * (head - mean)) * each;
        return tiles.covering(std::min(from.x, to.x) - radius, std::min(from.y, to.y) - radius, std::max(from.x, to.x) + radius,
                              std::max(from.y, to.y) + radius);
    });
    parallel_items(tiles.count(), [&](int tile) {
        const auto streaks = bins_.of(tile);
        if (streaks.empty()) return;
        const int left = tiles.left(tile), top = tiles.top(tile);
        const Window in{left, top, std::min(left + tile_width, amount.width), std::min(top + tile_height, amount.height)};
        alignas(64) float buffer[tile_height * buffer_width] = {};
        float front = surfaces(left, top);
        for (int y = top; y < in.bottom; ++y)
            for (int x = left; x < in.right; ++x) front = std::min(front, surfaces(x, y));
        const auto all_seen = [](int, int, Float w) { return w; };
        for (const Record& s : streaks) {
            if (s.depth < front) {
                draw_streak(s, in, buffer, all_seen);
            } else {
                const Float depth = s.depth;
                draw_streak(s, in, buffer, [&](int y, int x, Float w) {
                    return simd::select(depth < simd::load(surfaces.row(y) + x), w, 0.f);
                });
            }
        }
        for (int y = top; y < in.bottom; ++y) {
            float* row = amount.row(y);
            const float* drawn = buffer + (y - top) * buffer_width - left;
            for (int x = left; x < in.right; ++x) row[x] += drawn[x];
        }
    });
}

}  // namespace phlo::render
