#include "render/live/streaks.h"

#include <cmath>
#include <cstring>
#include <map>
#include <numbers>

#include "base/error.h"
#include "base/simd_eight.h"
#include "base/simd_select.h"

namespace phlo::render {
namespace {

using simd::Float;

constexpr float pi = std::numbers::pi_v<float>;
/// Amount in the middle of a torch all of whose particles have composition one.
constexpr float thickness = 3;
constexpr float nearest = 1e-3f;  // nothing is drawn that touches the lens [m]
constexpr int tile_width = TileGrid::usual.x, tile_height = TileGrid::usual.y;
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

/// TileGrid::covering for a register of boxes, of which some are seen.
PHLO_INLINE void cover(const TileGrid& tiles, simd::Mask seen, Float x0, Float y0, Float x1, Float y1, TileRect* rects) {
    const Float zero(0.f), width(float(tiles.width)), height(float(tiles.height));
    const unsigned those = bits(seen & (x1 > zero) & (y1 > zero) & (x0 < width) & (y0 < height));
    const auto part = [&](Float v, int size, int last) { return simd::to_int(clamp(v / Float(float(size)), zero, Float(float(last)))); };
    alignas(64) int part_of[4][simd::width];
    simd::store(part_of[0], part(x0, tile_width, tiles.across - 1)), simd::store(part_of[1], part(y0, tile_height, tiles.down - 1));
    simd::store(part_of[2], part(x1, tile_width, tiles.across - 1)), simd::store(part_of[3], part(y1, tile_height, tiles.down - 1));
    for (int l = 0; l < simd::width; ++l)
        rects[l] = those >> l & 1 ? TileRect{std::int16_t(part_of[0][l]), std::int16_t(part_of[1][l]), std::int16_t(part_of[2][l]), std::int16_t(part_of[3][l])} : TileRect();
}

/// One streak in a tile: which pixels it may reach, and what its profile is computed from.
struct Stroke {
    int x0, y0, x1, y1;            ///< pixels, the last ones included
    float from_x, from_y;          ///< from the tail to the middle of the first pixel
    float dx, dy, along_x, along_y, falloff, tail, rise;

    Stroke(const Streaks::Record& s, const Window& in) : dx(s.dx), dy(s.dy), falloff(-s.inverse_radius * s.inverse_radius), tail(s.tail), rise(s.head - s.tail) {
        const float radius = 1 / s.inverse_radius, inverse = 1 / (s.dx * s.dx + s.dy * s.dy + 1e-6f);
        const float low = std::min(s.y, s.y + s.dy) - radius, high = std::max(s.y, s.y + s.dy) + radius;
        y0 = std::max(int(std::ceil(low - 0.5f)), in.top), y1 = std::min(int(std::floor(high - 0.5f)), in.bottom - 1);
        const float west = std::min(s.x, s.x + s.dx) - radius, east = std::max(s.x, s.x + s.dx) + radius;
        x0 = std::max(int(std::ceil(west - 0.5f)), in.left), x1 = std::min(int(std::floor(east - 0.5f)), in.right - 1);
        from_x = float(x0) + 0.5f - s.x, from_y = float(y0) + 0.5f - s.y;
        along_x = s.dx * inverse, along_y = s.dy * inverse;
    }
};

/// What a streak adds to pixels that are (px, py) from its tail, of which `seen` may take some away.
template <class Pixels, class Seen>
PHLO_INLINE Pixels composition(const Stroke& s, Pixels px, Pixels py, Pixels before, const Seen& seen) {
    const Pixels zero(0.f), one(1.f);
    const Pixels t = min(max(fma(px, Pixels(s.along_x), py * Pixels(s.along_y)), zero), one);
    const Pixels ex = px - t * Pixels(s.dx), ey = py - t * Pixels(s.dy);
    const Pixels w = max(fma(fma(ex, ex, ey * ey), Pixels(s.falloff), one), zero);
    return fma(seen(w * w), fma(t, Pixels(s.rise), Pixels(s.tail)), before);
}

/// At most eight pixels wide: most streaks are thin and rise.
PHLO_INLINE void draw_thin(const Stroke& s, const Window& in, float* buffer) {
    using simd::Eight;
    const Eight px = simd::count_to_eight() + Eight(s.from_x);
    Eight py = s.from_y;
    float* at = buffer + (s.y0 - in.top) * buffer_width - in.left + s.x0;
    for (int y = s.y0; y <= s.y1; ++y, at += buffer_width, py = py + Eight(1.f)) simd::store(at, composition(s, px, py, simd::load_eight(at), [](Eight w) { return w; }));
}

/// `seen(row, column, weight)` may take some of the weight away.
template <class Seen>
void draw_wide(const Stroke& s, const Window& in, float* buffer, const Seen& seen) {
    for (int y = s.y0; y <= s.y1; ++y) {
        const Float py = s.from_y + float(y - s.y0);
        float* row = buffer + (y - in.top) * buffer_width - in.left;
        Float px = simd::to_float(simd::lane_index()) + Float(s.from_x);
        for (int x = s.x0; x <= s.x1; x += simd::width, px = px + Float(float(simd::width)))
            simd::store(row + x, composition(s, px, py, simd::load(row + x), [&](Float w) { return seen(y, x, w); }));
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

    Float weights_of(std::size_t n, int lanes) const {
        if (torches.size() == 1) return torches.front().weight;
        alignas(64) float weight[simd::width] = {};
        for (int l = 0; l < lanes; ++l) weight[l] = std::ranges::lower_bound(torches, torch[n + std::size_t(l)], {}, &Torch::id)->weight;
        return simd::load(weight);
    }

    /// `lanes` streaks from the n-th on; room for a whole register of them.
    PHLO_INLINE void make(std::size_t n, int lanes, Record* records, TileRect* rects) const {
        const simd::Int lane = simd::select(simd::Int(lanes) > simd::lane_index(), simd::lane_index(), simd::Int(lanes - 1)), third = lane + lane + lane;
        const auto load = [&](const float* column) { return lanes == simd::width ? simd::load(column + n) : simd::load_first(column + n, lanes); };
        Float way[3], ago[3];
        for (int a = 0; a < 3; ++a) {
            way[a] = simd::gather(&points.position[n].x + a, third) - Float(projection.position[a]);
            ago[a] = points.velocity.empty() ? way[a] : way[a] - simd::gather(&points.velocity[n].x + a, third) * Float(time);
        }
        const Float reach = load(points.radius.data()), weight = weights_of(n, lanes), head = load(now), tail = before ? load(before) : head;
        const Float zero = 0.f, half = 0.5f;
        const auto along = [](const Float(&w)[3], const Vec3f& axis) { return fma(w[0], Float(axis.x), fma(w[1], Float(axis.y), w[2] * Float(axis.z))); };
        const Float to_depth = along(way, projection.forward), from_depth = along(ago, projection.forward);
        const simd::Mask drawn = (head + tail > zero) & (to_depth > Float(nearest)) & (from_depth > Float(nearest));
        const Float to_scale = Float(inverse) / to_depth, from_scale = Float(inverse) / from_depth;
        const Float middle_x = projection.middle_x * inverse, middle_y = projection.middle_y * inverse;
        const Float to_x = fma(along(way, projection.right), to_scale, middle_x), to_y = fma(along(way, projection.down), to_scale, middle_y);
        const Float x = fma(along(ago, projection.right), from_scale, middle_x), y = fma(along(ago, projection.down), from_scale, middle_y);
        const Float depth = half * (to_depth + from_depth), pixels = Float(inverse) / (Float(projection.pixel) * depth);
        const Float radius = max(reach * Float(width) * pixels, Float(min_radius));
        const Float dx = to_x - x, dy = to_y - y, length = sqrt(fma(dx, dx, dy * dy));
        const Float area = radius * fma(Float(pi / 3), radius, Float(16.f / 15) * length);
        const Float each = Float(gain) * weight * pixels * pixels / area;
        // A streak too short to run from one end to the other is a disk of their mean.
        const Float mean = half * (head + tail);
        const simd::Mask long_enough = length > Float(0.01f);
        const Float from = select(long_enough, tail, mean) * each, to = select(long_enough, head, mean) * each;
        const Float columns[] = {x, y, dx, dy, Float(1.f) / radius, from, to, depth};
        static_assert(sizeof(Record) == 8 * sizeof(float));
        alignas(64) Record made[simd::width];
        simd::store_rows(&made[0].x, columns);
        const simd::Mask seen = drawn & simd::first_lanes(lanes);
        TileRect covered[simd::width];
        cover(tiles, seen, min(x, to_x) - radius, min(y, to_y) - radius, max(x, to_x) + radius, max(y, to_y) + radius, covered);
        std::copy(made, made + lanes, records), std::copy(covered, covered + lanes, rects);
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
    const std::vector<int> order = bins_.fullest_first();
    parallel_items(int(order.size()), [&](int item) {
        const int tile = order[std::size_t(item)];
        const auto streaks = bins_.of(tile);
        const int left = tiles.left(tile), top = tiles.top(tile);
        const Window in{left, top, std::min(left + tile_width, amount.width), std::min(top + tile_height, amount.height)};
        alignas(64) float buffer[tile_height * buffer_width] = {};
        float front = surfaces(left, top);
        for (int y = top; y < in.bottom; ++y)
            for (int x = left; x < in.right; ++x) front = std::min(front, surfaces(x, y));
        for (const Record& s : streaks) {
            const Stroke stroke(s, in);
            if (s.depth < front && stroke.x1 - stroke.x0 < 8) {
                if (stroke.x0 <= stroke.x1) draw_thin(stroke, in, buffer);
            } else {
                draw_wide(stroke, in, buffer, [&](int y, int x, Float w) { return simd::select(Float(s.depth) < simd::load(surfaces.row(y) + x), w, 0.f); });
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
