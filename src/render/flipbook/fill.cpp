#include "render/flipbook/fill.h"

#include <algorithm>

#include "base/error.h"

namespace phlo::render {
namespace {

/// Between the centres of the pixels of a picture half as large.
Vec3f from_half(const io::Image& half, int x, int y) {
    const auto place = [](int at, int size, int& first, int& second, float& part) {
        const float p = std::clamp(0.5f * float(at) - 0.25f, 0.f, float(size - 1));
        first = int(p), second = std::min(first + 1, size - 1), part = p - float(first);
    };
    int x0, x1, y0, y1;
    float u, v;
    place(x, half.width, x0, x1, u), place(y, half.height, y0, y1, v);
    const Vec3f top = half(x0, y0) * (1 - u) + half(x1, y0) * u, bottom = half(x0, y1) * (1 - u) + half(x1, y1) * u;
    return top * (1 - v) + bottom * v;
}

}  // namespace

io::Image filled(const io::Image& sums, const std::vector<float>& weights, float enough) {
    PHLO_CHECK(sums.pixels.size() == weights.size());
    const int width = sums.width, height = sums.height;
    io::Image result(width, height);
    const bool last = width == 1 && height == 1;
    io::Image around;
    if (!last) {
        io::Image half((width + 1) / 2, (height + 1) / 2);
        std::vector<float> half_weights(half.pixels.size());
        for (int y = 0; y < height; ++y)
            for (int x = 0; x < width; ++x) {
                half(x / 2, y / 2) += sums(x, y);
                half_weights[std::size_t(y / 2) * std::size_t(half.width) + std::size_t(x / 2)] += weights[std::size_t(y) * std::size_t(width) + std::size_t(x)];
            }
        for (std::size_t p = 0; p < half_weights.size(); ++p)
            if (half_weights[p] > enough) half.pixels[p] *= enough / half_weights[p], half_weights[p] = enough;
        around = filled(half, half_weights, enough);
    }
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) {
            const float weight = weights[std::size_t(y) * std::size_t(width) + std::size_t(x)];
            if (weight >= enough || (last && weight > 0)) result(x, y) = sums(x, y) / weight;
            else if (!last) result(x, y) = (sums(x, y) + from_half(around, x, y) * (enough - weight)) / enough;
        }
    return result;
}

}  // namespace phlo::render
