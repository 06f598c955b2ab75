// Triangles into pixels: which one is in front at each pixel's middle, and how near it is.
//
//   Raster raster(width, height);
//   raster.draw(corners, triangles);              // corners: x, y in pixels and a nearness that is linear across the picture: 1 / depth
//   int triangle = raster.triangle(x, y);         // -1: none
#pragma once
#include <span>
#include <vector>

#include "base/vec.h"
#include "render/live/tiles.h"

namespace phlo::render {

class Raster {
public:
    /// Farther away than anything.
    static constexpr float nothing = -1e30f;

    Raster() = default;
    Raster(int width, int height) { begin(width, height); }

    /// An empty picture, in the memory of an earlier one if that was as large.
    void begin(int width, int height);

    /// Corners whose z is not a number, and the triangles at them, are left out. Of triangles just as near the first is kept.
    void draw(std::span<const Vec3f> corners, std::span<const Vec3i> triangles);

    /// Of the triangle in front, `nothing` if there is none.
    const Plane& nearness() const { return nearness_; }
    int triangle(int x, int y) const { return nearness_(x, y) > nothing ? int(triangle_(x, y)) : -1; }
    /// Pixels that a triangle of the last draw() covers lie in these tiles only.
    bool drawn(int tile) const { return !bins_.of(tile).empty(); }
    const TileGrid& tiles() const { return tiles_; }

private:
    struct Record {
        float edge[3][3];  ///< a x + b y + c >= 0 inside, for each edge
        float near[3];     ///< nearness is near[0] x + near[1] y + near[2]
        float x0, y0, x1, y1;
        float number;      ///< of the triangle: whole numbers up to 2^24
    };
    void draw_tile(int tile);

    TileGrid tiles_;
    Plane nearness_, triangle_;
    Bins<Record> bins_;
    std::vector<std::uint8_t> touched_;   ///< by tile: something was drawn there since begin()
};

}  // namespace phlo::render
