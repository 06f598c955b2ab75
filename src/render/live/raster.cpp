#include "render/live/raster.h"

#include <cmath>

#include "base/error.h"
#include "base/simd.h"

namespace phlo::render {

using simd::Float;
using simd::Mask;

void Raster::begin(int width, int height) {
    const bool fresh = nearness_.width != width || nearness_.height != height;
    const TileGrid tiles(width, height);
    nearness_.resize(width, height), triangle_.resize(width, height);
    if (fresh) nearness_.fill(nothing);
    else
        for (int tile = 0; tile < tiles.count(); ++tile)   // most hold nothing
            if (touched_[std::size_t(tile)])
                for (int y = tiles.top(tile); y < std::min(tiles.top(tile) + tiles.tile_height, height); ++y)
                    std::fill_n(nearness_.row(y) + tiles.left(tile), std::min(tiles.tile_width, width - tiles.left(tile)), nothing);
    tiles_ = tiles, bins_.clear(tiles), touched_.assign(std::size_t(tiles.count()), 0);
}

void Raster::draw(std::span<const Vec3f> corners, std::span<const Vec3i> triangles) {
    PHLO_CHECK(triangles.size() < (1u << 24));
    bins_.fill(tiles_, int(triangles.size()), [&](int n, Record& r) {
        const Vec3i& t = triangles[std::size_t(n)];
        Vec3f p[3] = {corners[std::size_t(t.x)], corners[std::size_t(t.y)], corners[std::size_t(t.z)]};
        const float area = (p[1].x - p[0].x) * (p[2].y - p[0].y) - (p[2].x - p[0].x) * (p[1].y - p[0].y);
        if (!(std::fabs(area) > 1e-12f) || !std::isfinite(p[0].z + p[1].z + p[2].z)) return TileRect();
        if (area < 0) std::swap(p[1], p[2]);
        const Vec3f low = min(min(p[0], p[1]), p[2]), high = max(max(p[0], p[1]), p[2]);
        // Coordinates from the box's corner, so that far away from (0, 0) no digits are lost.
        r.x0 = low.x, r.y0 = low.y, r.x1 = high.x, r.y1 = high.y, r.number = float(n);
        for (int e = 0; e < 3; ++e) {
            const Vec3f a = p[(e + 1) % 3] - low, b = p[(e + 2) % 3] - low;
            const float inverse = 1 / std::fabs(area);
            r.edge[e][0] = (a.y - b.y) * inverse, r.edge[e][1] = (b.x - a.x) * inverse, r.edge[e][2] = (a.x * b.y - b.x * a.y) * inverse;
        }
        for (int c = 0; c < 3; ++c) r.near[c] = r.edge[0][c] * p[0].z + r.edge[1][c] * p[1].z + r.edge[2][c] * p[2].z;
        return tiles_.covering(low.x, low.y, high.x, high.y);
    });
    parallel_items(tiles_.count(), [&](int tile) {
        if (drawn(tile)) touched_[std::size_t(tile)] = 1, draw_tile(tile);
    });
}

void Raster::draw_tile(int tile) {
    const int left = tiles_.left(tile), top = tiles_.top(tile);
    const int right = std::min(left + tiles_.tile_width, tiles_.width), bottom = std::min(top + tiles_.tile_height, tiles_.height);
    for (const Record& r : bins_.of(tile)) {
        const int y0 = std::max(int(std::ceil(r.y0 - 0.5f)), top), y1 = std::min(int(std::floor(r.y1 - 0.5f)), bottom - 1);
        const int x0 = std::max(int(std::ceil(r.x0 - 0.5f)), left), x1 = std::min(int(std::floor(r.x1 - 0.5f)), right - 1);
        const Float lanes = simd::to_float(simd::lane_index()), rim = -1e-4f;  // shares of the triangle: no crack between two of them
        for (int y = y0; y <= y1; ++y) {
            const float v = float(y) + 0.5f - r.y0;
            float* near = nearness_.row(y);
            float* number = triangle_.row(y);
            for (int x = x0; x <= x1; x += simd::width) {
                const Float u = lanes + Float(float(x) + 0.5f - r.x0);
                const auto line = [&](const float* k) { return fma(u, k[0], Float(k[1] * v + k[2])); };
                const Float z = line(r.near), known = simd::load(near + x);
                const Mask inside = (line(r.edge[0]) >= rim) & (line(r.edge[1]) >= rim) & (line(r.edge[2]) >= rim);
                const Mask front = inside & (z > known) & simd::first_lanes(right - x);
                if (!simd::any(front)) continue;
                simd::store(near + x, z, front);
                simd::store(number + x, Float(r.number), front);
            }
        }
    }
}

}  // namespace phlo::render
