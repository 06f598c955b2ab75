// All pixels of a picture, tile by tile in parallel: neighbours meet the same bricks and the same triangles.
//
//   for_each_pixel(width, height, [&](int x, int y) { image(x, y) = ...; });
//   SamplePlaces places(samples);  SamplePlace place = places[s];   // of a pixel's s-th ray: well spread, the same in every frame
#pragma once
#include <algorithm>
#include <cmath>
#include <vector>

#include "base/parallel_items.h"

namespace phlo::render {

/// A picture's squares of 16 x 16 pixels, cut off at its edges.
class PixelTiles {
public:
    PixelTiles(int width, int height) : width_(width), height_(height), across_((width + side - 1) / side) {}
    int count() const { return across_ * ((height_ + side - 1) / side); }
    template <class Shade>
    void each(int n, const Shade& shade) const {
        const int left = n % across_ * side, top = n / across_ * side;
        for (int y = top; y < std::min(top + side, height_); ++y)
            for (int x = left; x < std::min(left + side, width_); ++x) shade(x, y);
    }

private:
    static constexpr int side = 16;
    int width_, height_, across_;
};

template <class Shade>
void for_each_pixel(int width, int height, const Shade& shade) {
    const PixelTiles tiles(width, height);
    parallel_items(tiles.count(), [&](int n) { tiles.each(n, shade); });
}

inline float fraction(float v) { return v - std::floor(v); }

/// Where in its pixel a ray goes: the R2 sequence [roberts2018].
struct SamplePlace {
    float x, y;
};
inline SamplePlace sample_place(int sample) {
    return {fraction(0.5f + float(sample) * 0.75487767f), fraction(0.5f + float(sample) * 0.56984029f)};
}

/// Which point of the lens it goes through: a sequence beside that one, turned by the pixel's own number so that neighbours differ.
inline SamplePlace lens_place(int sample, float noise) {
    return {fraction(0.5f + float(sample) * 0.81917251f + noise), fraction(0.5f + float(sample) * 0.67104361f + 5.17f * noise)};
}

/// Samples of a pixel that is made in several parts: the others are before and after these.
struct SamplePart {
    int first = 0, all = 0;  ///< all 0: there is only this part
};

/// As many of them, moved so that their mean is the pixel's middle: a few lie beside it by nature, and would shift the picture.
class SamplePlaces {
public:
    explicit SamplePlaces(int count) {
        SamplePlace mean{0, 0};
        for (int s = 0; s < count; ++s) mean.x += sample_place(s).x / float(count), mean.y += sample_place(s).y / float(count);
        for (int s = 0; s < count; ++s) places_.push_back({sample_place(s).x - mean.x + 0.5f, sample_place(s).y - mean.y + 0.5f});
    }
    const SamplePlace& operator[](int s) const { return places_[std::size_t(s)]; }

private:
    std::vector<SamplePlace> places_;
};

}  // namespace phlo::render
