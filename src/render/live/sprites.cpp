#include "render/live/sprites.h"

#include <cmath>
#include <limits>

#include "base/random.h"
#include "base/simd_eight.h"

namespace phlo::render {
namespace {

using simd::Float;
using simd::Int;

constexpr int tile_size = 32, buffer_width = tile_size + 16;   // four floats a pixel of it fit into the nearest cache
constexpr float nearest = 1e-3f;   // nothing is drawn that touches the lens [m]
constexpr int slices = 1 << 12;    // of depth; within one, sprites keep their order

/// Clouds inside a puff: smooth noise of three sizes, mean 0, about -1 to 1.
class Puffs {
public:
    static constexpr int size = 64, count = 4;

    Puffs() : table_(std::size_t(size * size * count)) {
        for (int n = 0; n < count; ++n)
            for (int y = 0; y < size; ++y)
                for (int x = 0; x < size; ++x) {
                    float sum = 0, weight = 0.6f;
                    for (const float cell : {24.f, 12.f, 6.f}) {
                        sum += weight * noise(float(x) / cell, float(y) / cell, std::uint32_t(n * 8) + std::uint32_t(cell));
                        weight *= 0.55f;
                    }
                    table_[std::size_t((n * size + y) * size + x)] = sum;
                }
    }
    const float* table() const { return table_.data(); }

private:
    static float noise(float x, float y, std::uint32_t stream) {
        const float i = std::floor(x), j = std::floor(y);
        const auto smooth = [](float t) { return t * t * (3 - 2 * t); };
        const auto node = [&](int a, int b) {
            return 2 * uniform4({.seed = 0x9ff, .stream = stream}, std::uint32_t(int(i) + a), std::uint32_t(int(j) + b))[0] - 1;
        };
        const float u = smooth(x - i), v = smooth(y - j);
        return (node(0, 0) * (1 - u) + node(1, 0) * u) * (1 - v) + (node(0, 1) * (1 - u) + node(1, 1) * u) * v;
    }
    std::vector<float> table_;
};

struct Window {
    int left, top, right, bottom;
};

struct Layer {
    alignas(64) float red[tile_size * buffer_width], green[tile_size * buffer_width], blue[tile_size * buffer_width],
        passed[tile_size * buffer_width];
};

/// Blends a row of a sprite into a few pixels from `at` on.
template <class Pixels, class Load>
PHLO_INLINE void blend(const Sprites::Record& s, Pixels weight, Layer& to, int at, const Load& load) {
    const Pixels passed = load(to.passed + at), share = weight * passed;
    simd::store(to.red + at, fma(share, Pixels(s.red), load(to.red + at)));
    simd::store(to.green + at, fma(share, Pixels(s.green), load(to.green + at)));
    simd::store(to.blue + at, fma(share, Pixels(s.blue), load(to.blue + at)));
    simd::store(to.passed + at, passed - share * Pixels(s.opacity));
}

/// The share of a sprite that is in front of surfaces at these depths.
template <class Pixels>
PHLO_INLINE Pixels in_front(const Sprites::Record& s, Pixels depth) { return min(max((depth - Pixels(s.depth)) * Pixels(s.per_depth), Pixels(0.f)), Pixels(1.f)); }

/// A sprite less than eight pixels wide, without clouds: most of them.
PHLO_INLINE void draw_small(const Sprites::Record& s, const Window& in, const Plane& depth, bool hidden, Layer& to) {
    using simd::Eight;
    const float radius = 1 / s.inverse_radius;
    const int y0 = std::max(int(std::ceil(s.y - radius - 0.5f)), in.top), y1 = std::min(int(std::floor(s.y + radius - 0.5f)), in.bottom - 1);
    const int x0 = std::max(int(std::ceil(s.x - radius - 0.5f)), in.left);
    const Eight falloff = -s.inverse_radius * s.inverse_radius, zero = 0.f, u = simd::count_to_eight() + Eight(float(x0) + 0.5f - s.x), from = fma(u * u, falloff, Eight(1.f));
    for (int y = y0; y <= y1; ++y) {
        const Eight v = float(y) + 0.5f - s.y;
        Eight w = max(fma(v * v, falloff, from), zero);
        w = w * w;
        if (hidden) w = w * in_front(s, simd::load_eight(depth.row(y) + x0));
        blend(s, w, to, (y - in.top) * buffer_width - in.left + x0, simd::load_eight);
    }
}

/// `shape(u, v)` is a factor on the weight, from the place in the sprite, in pixels from its middle.
template <class Shape>
PHLO_INLINE void draw_large(const Sprites::Record& s, const Window& in, const Plane& depth, bool hidden, Layer& to, const Shape& shape) {
    const float radius = 1 / s.inverse_radius;
    const int y0 = std::max(int(std::ceil(s.y - radius - 0.5f)), in.top), y1 = std::min(int(std::floor(s.y + radius - 0.5f)), in.bottom - 1);
    const float falloff = -s.inverse_radius * s.inverse_radius;
    const Float lanes = simd::to_float(simd::lane_index());
    for (int y = y0; y <= y1; ++y) {
        const float v = float(y) + 0.5f - s.y, half = std::sqrt(std::max(0.f, radius * radius - v * v));
        const int x0 = std::max(int(std::ceil(s.x - half - 0.5f)), in.left), x1 = std::min(int(std::floor(s.x + half - 0.5f)), in.right - 1);
        const Float from = fma(Float(v * v), falloff, 1.f);
        for (int x = x0; x <= x1; x += simd::width) {
            const Float u = lanes + Float(float(x) + 0.5f - s.x);
            Float w = simd::max(fma(u * u, falloff, from), 0.f);
            w = w * w * shape(u, v);
            if (hidden) w = w * in_front(s, simd::load(depth.row(y) + x));
            blend(s, w, to, (y - in.top) * buffer_width - in.left + x, [](const float* p) { return simd::load(p); });
        }
    }
}

}  // namespace

void Sprites::sort_by_depth(std::span<const Sprite> sprites, const Projection& projection) {
    constexpr int chunk = 8192;
    const int count = int(sprites.size()), chunks = (count + chunk - 1) / chunk;
    depths_.resize(sprites.size()), slices_.resize(sprites.size()), order_.resize(sprites.size());
    const auto each = [&](int item, const auto& visit) {
        for (int n = item * chunk; n < std::min(count, (item + 1) * chunk); ++n) visit(std::size_t(n));
    };
    struct Range {
        float low = std::numeric_limits<float>::infinity(), high = 0;
    };
    const Range range = parallel_reduce(
        chunks, Range(),
        [&](int item) {
            Range part;
            each(item, [&](std::size_t n) {
                const float z = depths_[n] = projection.depth(sprites[n].position);
                if (z > nearest) part.low = std::min(part.low, z), part.high = std::max(part.high, z);
            });
            return part;
        },
        [](const Range& a, const Range& b) { return Range{std::min(a.low, b.low), std::max(a.high, b.high)}; });
    const float scale = range.high > range.low ? float(slices - 1) / (range.high - range.low) : 0.f;
    std::vector<int> places(std::size_t(chunks) * slices);
    parallel_items(chunks, [&](int item) {
        int* here = places.data() + std::size_t(item) * slices;
        each(item, [&](std::size_t n) {
            slices_[n] = std::uint16_t(std::clamp((depths_[n] - range.low) * scale, 0.f, float(slices - 1)));
            ++here[slices_[n]];
        });
    });
    int sum = 0;
    for (int s = 0; s < slices; ++s)
        for (int item = 0; item < chunks; ++item) {
            int& place = places[std::size_t(item) * slices + std::size_t(s)];
            const int here = place;
            place = sum, sum += here;
        }
    parallel_items(chunks, [&](int item) {
        int* here = places.data() + std::size_t(item) * slices;
        each(item, [&](std::size_t n) { order_[std::size_t(here[slices_[n]]++)] = std::uint32_t(n); });
    });
}

void Sprites::draw(std::span<const Sprite> sprites, const Projection& projection, const Plane& surfaces, float texture, Picture& picture) {
    if (sprites.empty()) return;
    sort_by_depth(sprites, projection);
    coarse_.make(surfaces, factor_for(sprites, projection));
    make_records(sprites, projection);
    draw_tiles(texture);
    coarse_.lay_over({&layer_[0], &layer_[1], &layer_[2], &layer_[3]}, picture);
}

int Sprites::factor_for(std::span<const Sprite> sprites, const Projection& projection) const {
    // A few near the lens do not count.
    constexpr float most = 200;
    const std::size_t step = std::max<std::size_t>(1, sprites.size() / 4096);
    double sum = 0, count = 0;
    for (std::size_t n = 0; n < sprites.size(); n += step)
        if (depths_[n] > nearest) sum += double(std::min(most, sprites[n].radius / (projection.pixel * depths_[n]))), ++count;
    return count > 0 ? coarse_factor(sum / count) : 1;
}

void Sprites::make_records(std::span<const Sprite> sprites, const Projection& projection) {
    const TileGrid tiles(coarse_.depth().width, coarse_.depth().height, {tile_size, tile_size});
    const float inverse = 1 / float(coarse_.factor());
    const std::size_t count = sprites.size();
    bins_.fill(tiles, int(count), [&](int item, Record& r) {
        // In the order of their depths sprites lie anywhere in memory: each is asked for before it is needed.
        constexpr std::size_t ahead = 16;
        if (const std::size_t later = std::size_t(item) + ahead; later < count) {
            const char* next = reinterpret_cast<const char*>(&sprites[order_[later]]);
            __builtin_prefetch(next), __builtin_prefetch(next + sizeof(Sprite) - 1), __builtin_prefetch(&depths_[order_[later]]);
        }
        const std::uint32_t n = order_[std::size_t(item)];
        const Sprite& s = sprites[n];
        const float z = depths_[n];
        if (!(z > nearest) || !(s.opacity > 0 || s.light.x + s.light.y + s.light.z > 0)) return TileRect();
        const Projection::Place at = projection(s.position);
        const float wanted = s.radius / (projection.pixel * z) * inverse, radius = std::max(min_radius, wanted);
        const float thinned = wanted * wanted / (radius * radius);  // the same light from a larger disk
        r.x = at.x * inverse, r.y = at.y * inverse, r.inverse_radius = 1 / radius;
        r.red = s.light.x * thinned, r.green = s.light.y * thinned, r.blue = s.light.z * thinned, r.opacity = s.opacity * thinned;
        r.depth = z, r.per_depth = 2 / std::max(s.radius, 1e-6f);
        r.turn_x = r.turn_y = r.puff = 0;
        if (s.opacity > 0 && radius > 5) {
            const auto random = philox({s.id, 0, 0, 0x5b}, {1, 2});
            const float angle = float(random[0] >> 8) * (6.2831853f / 16777216), fits = (0.5f * Puffs::size - 1) / radius;
            r.turn_x = std::cos(angle) * fits, r.turn_y = std::sin(angle) * fits, r.puff = float(random[1] % Puffs::count);
        }
        return tiles.covering(r.x - radius, r.y - radius, r.x + radius, r.y + radius);
    });
}

void Sprites::draw_tiles(float texture) {
    static const Puffs puffs;
    const Plane& depth = coarse_.depth();
    const TileGrid tiles(depth.width, depth.height, {tile_size, tile_size});
    for (std::size_t c = 0; c < 4; ++c) layer_[c].resize(depth.width, depth.height), layer_[c].fill(c == 3 ? 1.f : 0.f);
    const std::vector<int> order = bins_.fullest_first();
    parallel_items(int(order.size()), [&](int item) {
        const int tile = order[std::size_t(item)];
        const auto records = bins_.of(tile);
        const int left = tiles.left(tile), top = tiles.top(tile);
        const Window in{left, top, std::min(left + tile_size, depth.width), std::min(top + tile_size, depth.height)};
        auto layer = std::make_unique_for_overwrite<Layer>();
        std::fill(std::begin(layer->red), std::end(layer->red), 0.f), std::fill(std::begin(layer->green), std::end(layer->green), 0.f);
        std::fill(std::begin(layer->blue), std::end(layer->blue), 0.f), std::fill(std::begin(layer->passed), std::end(layer->passed), 1.f);
        float front = std::numeric_limits<float>::infinity();
        for (int y = top; y < in.bottom; ++y)
            for (int x = left; x < in.right; ++x) front = std::min(front, depth(x, y));
        for (const Record& s : records) {
            const bool hidden = s.depth + 1 / s.per_depth > front;
            if (s.turn_x == 0 && s.turn_y == 0) {
                if (s.inverse_radius > 2.f / 7) draw_small(s, in, depth, hidden, *layer);
                else draw_large(s, in, depth, hidden, *layer, [](Float, float) { return Float(1.f); });
                continue;
            }
            const float* table = puffs.table() + int(s.puff) * Puffs::size * Puffs::size;
            const Float middle = 0.5f * Puffs::size, last = float(Puffs::size - 1), contrast = texture;
            draw_large(s, in, depth, hidden, *layer, [&](Float u, float v) {
                const Float a = simd::clamp(fma(u, s.turn_x, middle - Float(v * s.turn_y)), 0.f, last);
                const Float b = simd::clamp(fma(u, s.turn_y, middle + Float(v * s.turn_x)), 0.f, last);
                const Int at = simd::to_int(b) * Int(Puffs::size) + simd::to_int(a);
                return simd::max(fma(simd::gather(table, at), contrast, 1.f), 0.f);
            });
        }
        for (int y = top; y < in.bottom; ++y) {
            const int row = (y - top) * buffer_width - left;
            for (int x = left; x < in.right; ++x)
                layer_[0](x, y) = layer->red[row + x], layer_[1](x, y) = layer->green[row + x], layer_[2](x, y) = layer->blue[row + x],
                layer_[3](x, y) = layer->passed[row + x];
        }
    });
}

}  // namespace phlo::render
