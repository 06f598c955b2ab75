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

/// What the records of all streaks have in common.
struct Streaks::Maker {
    const field::Points& points;
    const std::vector<Torch>& torches;
    const Projection& projection;
    TileGrid tiles;
    float inverse;               ///< of the canvas's factor
    float time, width, gain;     ///< of the look
    const float *now, *before;   ///< composition
    const std::int32_t* torch;   ///< nullptr: all are of one

    float weight_of(std::size_t n) const {
        if (torches.size() == 1) return torches.front().weight;
        return std::ranges::lower_bound(torches, torch[n], {}, &Torch::id)->weight;
    }

    /// `lanes` streaks from the n-th on.
    PHLO_INLINE void make(std::size_t n, int lanes, Record* records, TileRect* rects) const {
        alignas(64) float place[3][simd::width] = {}, motion[3][simd::width] = {}, reach[simd::width] = {}, head_of[simd::width] = {}, tail_of[simd::width] = {}, weight[simd::width] = {};
        for (int l = 0; l < lanes; ++l) {
            const std::size_t at = n + std::size_t(l);
            for (int a = 0; a < 3; ++a) place[a][l] = points.position[at][a];
            if (!points.velocity.empty())
                for (int a = 0; a < 3; ++a) motion[a][l] = points.velocity[at][a];
            reach[l] = points.radius[at], head_of[l] = now[at], tail_of[l] = before ? before[at] : now[at], weight[l] = weight_of(at);
        }
        const Float head = simd::load(head_of), tail = simd::load(tail_of), zero = 0.f, half = 0.5f;
        Float way[3], ago[3];
        for (int a = 0; a < 3; ++a) way[a] = simd::load(place[a]) - Float(projection.position[a]), ago[a] = way[a] - simd::load(motion[a]) * Float(time);
        const auto along = [](const Float(&w)[3], const Vec3f& axis) { return fma(w[0], Float(axis.x), fma(w[1], Float(axis.y), w[2] * Float(axis.z))); };
        const Float to_depth = along(way, projection.forward), from_depth = along(ago, projection.forward);
        const simd::Mask drawn = (head + tail > zero) & (to_depth > Float(nearest)) & (from_depth > Float(nearest));
        const Float to_scale = Float(inverse) / to_depth, from_scale = Float(inverse) / from_depth;
        const Float middle_x = projection.middle_x * inverse, middle_y = projection.middle_y * inverse;
        const Float to_x = fma(along(way, projection.right), to_scale, middle_x), to_y = fma(along(way, projection.down), to_scale, middle_y);
        const Float x = fma(along(ago, projection.right), from_scale, middle_x), y = fma(along(ago, projection.down), from_scale, middle_y);
        const Float depth = half * (to_depth + from_depth), pixels = Float(inverse) / (Float(projection.pixel) * depth);
        const Float radius = max(simd::load(reach) * Float(width) * pixels, Float(min_radius));
        const Float dx = to_x - x, dy = to_y - y, length = sqrt(fma(dx, dx, dy * dy));
        const Float area = radius * fma(Float(pi / 3), radius, Float(16.f / 15) * length);
        const Float each = Float(gain) * simd::load(weight) * pixels * pixels / area;
        // A streak too short to run from one end to the other is a disk of their mean.
        const Float mean = half * (head + tail);
        const simd::Mask long_enough = length > Float(0.01f);
        const Float from = select(long_enough, tail, mean) * each, to = select(long_enough, head, mean) * each;
        const Float columns[] = {x, y, dx, dy, Float(1.f) / radius, from, to, depth, min(x, to_x) - radius, min(y, to_y) - radius, max(x, to_x) + radius, max(y, to_y) + radius};
        alignas(64) float made[std::size(columns)][simd::width];
        for (std::size_t c = 0; c < std::size(columns); ++c) simd::store(made[c], columns[c]);
        const unsigned those = bits(drawn);
        for (int l = 0; l < lanes; ++l) {
            records[l] = {made[0][l], made[1][l], made[2][l], made[3][l], made[4][l], made[5][l], made[6][l], made[7][l]};
            rects[l] = those >> l & 1 ? tiles.covering(made[8][l], made[9][l], made[10][l], made[11][l]) : TileRect();
        }
    }
};

void Streaks::draw(const field::Points& points, const std::vector<Torch>& torches, const StreakLook& look, const Projection& projection,
                   const Canvas& canvas, Plane& amount) {
    const Plane& surfaces = canvas.depth;
    const auto* now = points.column<float>("composition");
    const auto* before = points.column<float>("composition_before");
    const auto* torch = points.column<std::int32_t>("torch");
    PHLO_CHECK(now != nullptr && !torches.empty());
    const TileGrid tiles(amount.width, amount.height);
    const Maker maker{points, torches, projection, tiles, 1 / float(canvas.factor), float(look.time), float(look.width), float(look.gain), now->data(),
                      before ? before->data() : nullptr, torch ? torch->data() : nullptr};
    bins_.fill_runs(tiles, int(points.size()), [&](int first, int last, Record* records, TileRect* rects) {
        for (int n = first; n < last; n += simd::width) maker.make(std::size_t(n), std::min(simd::width, last - n), records + (n - first), rects + (n - first));
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
