// A picture in tiles, and things sorted into them: each tile is drawn by one thread, its things in their order, so that the sums do not depend
// on the number of threads.
//
//   Plane light(width, height);
//   TileGrid tiles(width, height);
//   Bins<Record> bins;
//   bins.fill(tiles, count, [&](int n, Record& record) { ...; return tiles.covering(x0, y0, x1, y1); });
//   bins.fill_runs(tiles, count, [&](int first, int last, Record* records, TileRect* rects) { ... });      // the same for many at once
//   parallel_items(tiles.count(), [&](int tile) { for (const Record& record : bins.of(tile)) ... });
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "base/parallel_items.h"

namespace phlo::render {

/// One number a pixel. Rows are as long as whole packs need, and what is behind their end is not seen.
struct Plane {
    int width = 0, height = 0, stride = 0;
    std::vector<float> values;

    Plane() = default;
    Plane(int w, int h, float value = 0) { resize(w, h), fill(value); }
    /// What it holds is kept if it has that size already.
    void resize(int w, int h) {
        width = w, height = h, stride = (w + 31) / 16 * 16;
        values.resize(std::size_t(stride) * std::size_t(h));
    }
    void fill(float value) {
        parallel_for(height, [&](int y) { std::fill(row(y), row(y) + stride, value); });
    }
    float* row(int y) { return values.data() + std::size_t(stride) * std::size_t(y); }
    const float* row(int y) const { return values.data() + std::size_t(stride) * std::size_t(y); }
    float& operator()(int x, int y) { return row(y)[x]; }
    float operator()(int x, int y) const { return row(y)[x]; }
};

/// Red, green and blue radiance.
struct Picture {
    std::array<Plane, 3> channels;
    /// As of a Plane.
    void resize(int width, int height) {
        for (Plane& plane : channels) plane.resize(width, height);
    }
    int width() const { return channels[0].width; }
    int height() const { return channels[0].height; }
};

/// Tiles from (x0, y0) to (x1, y1), both included; none if x1 < x0.
struct TileRect {
    std::int16_t x0 = 0, y0 = 0, x1 = -1, y1 = -1;
    bool empty() const { return x1 < x0; }
};

struct TileGrid {
    struct Tile {
        int x, y;   ///< [pixels]
    };
    static constexpr Tile usual = {128, 48};   ///< one float a pixel of it fits into the nearest cache
    int width = 0, height = 0, tile_width = usual.x, tile_height = usual.y, across = 0, down = 0;

    TileGrid() = default;
    TileGrid(int w, int h, Tile tile = usual)
        : width(w), height(h), tile_width(tile.x), tile_height(tile.y), across((w + tile.x - 1) / tile.x), down((h + tile.y - 1) / tile.y) {}
    int count() const { return across * down; }
    int left(int tile) const { return tile % across * tile_width; }
    int top(int tile) const { return tile / across * tile_height; }

    /// Of a box in pixels. Nothing if it lies outside the picture, or is not a number.
    TileRect covering(float x0, float y0, float x1, float y1) const {
        if (!(x1 > 0 && y1 > 0 && x0 < float(width) && y0 < float(height))) return {};
        const auto part = [](float v, int size, int last) { return std::int16_t(std::clamp(int(std::floor(v / float(size))), 0, last)); };
        // Far beyond the edges an int could not hold what a float can.
        x0 = std::max(x0, -1.f), y0 = std::max(y0, -1.f), x1 = std::min(x1, float(width)), y1 = std::min(y1, float(height));
        return {part(x0, tile_width, across - 1), part(y0, tile_height, down - 1), part(x1, tile_width, across - 1),
                part(y1, tile_height, down - 1)};
    }
};

/// Copies of records, tile by tile; within a tile in the order in which they came.
template <class Record>
class Bins {
public:
    /// make(n, record) fills record n and gives the tiles that it covers.
    template <class Make>
    void fill(const TileGrid& tiles, int count, const Make& make) {
        fill_runs(tiles, count, [&](int first, int last, Record* records, TileRect* rects) {
            for (int n = first; n < last; ++n) rects[n - first] = make(n, records[n - first]);
        });
    }

    /// make(first, last, records, rects) fills the records from `first` to before `last`, and the tiles that each covers.
    template <class Make>
    void fill_runs(const TileGrid& tiles, int count, const Make& make) {
        constexpr int chunk = 4096;
        const int chunks = (count + chunk - 1) / chunk, all = tiles.count();
        grow(made_, std::size_t(count));
        rects_.resize(std::size_t(count));
        place_.assign(std::size_t(chunks) * std::size_t(all), 0);
        const auto each = [&](int item, const auto& visit) {
            int* places = place_.data() + std::size_t(item) * std::size_t(all);
            for (int n = item * chunk; n < std::min(count, (item + 1) * chunk); ++n) visit(n, places);
        };
        parallel_items(chunks, [&](int item) {
            const int first = item * chunk;
            make(first, std::min(count, first + chunk), &made_[std::size_t(first)], &rects_[std::size_t(first)]);
            each(item, [&](int n, int* places) {
                for_tiles(tiles, rects_[std::size_t(n)], [&](int tile) { ++places[tile]; });
            });
        });
        starts_.assign(std::size_t(all) + 1, 0);
        int sum = 0;
        for (int tile = 0; tile < all; ++tile) {
            starts_[std::size_t(tile)] = sum;
            for (int item = 0; item < chunks; ++item) {
                int& place = place_[std::size_t(item) * std::size_t(all) + std::size_t(tile)];
                const int here = place;
                place = sum;
                sum += here;
            }
        }
        starts_.back() = sum;
        grow(sorted_, std::size_t(sum));
        parallel_items(chunks, [&](int item) {
            each(item, [&](int n, int* places) {
                for_tiles(tiles, rects_[std::size_t(n)], [&](int tile) { sorted_[std::size_t(places[tile]++)] = made_[std::size_t(n)]; });
            });
        });
    }

    /// Nothing in any of them.
    void clear(const TileGrid& tiles) { starts_.assign(std::size_t(tiles.count()) + 1, 0); }

    std::span<const Record> of(int tile) const {
        const int first = starts_[std::size_t(tile)], last = starts_[std::size_t(tile) + 1];
        return {sorted_.get() + first, std::size_t(last - first)};
    }
    /// Tiles that hold any, the fullest first: so that no thread begins a long one when the others are done.
    std::vector<int> fullest_first() const {
        std::vector<int> tiles;
        for (int tile = 0; tile + 1 < int(starts_.size()); ++tile)
            if (!of(tile).empty()) tiles.push_back(tile);
        std::ranges::stable_sort(tiles, std::greater(), [&](int tile) { return of(tile).size(); });
        return tiles;
    }
    /// In all tiles together: a record counts once for each.
    int size() const { return starts_.empty() ? 0 : starts_.back(); }

private:
    /// Memory that is kept between pictures, and written before it is read.
    struct Buffer {
        std::unique_ptr<Record[]> data;
        std::size_t capacity = 0;
        Record& operator[](std::size_t n) { return data[n]; }
        const Record* get() const { return data.get(); }
    };
    static void grow(Buffer& buffer, std::size_t count) {
        if (count <= buffer.capacity) return;
        buffer.capacity = count + count / 4;
        buffer.data = std::make_unique_for_overwrite<Record[]>(buffer.capacity);
    }
    template <class Visit>
    static void for_tiles(const TileGrid& tiles, const TileRect& rect, const Visit& visit) {
        const int first = rect.y0 * tiles.across + rect.x0;
        if (rect.x0 == rect.x1 && rect.y0 == rect.y1) return visit(first);   // most do
        for (int y = rect.y0; y <= rect.y1; ++y)
            for (int x = rect.x0; x <= rect.x1; ++x) visit(y * tiles.across + x);
    }

    Buffer made_, sorted_;
    std::vector<TileRect> rects_;
    std::vector<int> place_, starts_;
};

}  // namespace phlo::render
