#include "render/film/film.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <memory>
#include <mutex>

#include "base/parallel.h"
#include "base/random.h"

namespace phlo::render {
namespace {

/// 255 times the display's level by radiance: a table over the exponent and the first bits of the mantissa, linear between its entries. Off by less
/// than 0.01 of a step.
class LevelTable {
public:
    LevelTable() {
        for (int n = 0; n < entries; ++n) {
            const float low = radiance_at(n), high = radiance_at(n + 1);
            level_[n] = exact(low), rise_[n] = exact(high) - level_[n];
        }
    }
    float operator()(float radiance) const {
        const float bounded = radiance < lowest ? lowest : radiance > highest ? highest : radiance;  // a NaN is black
        const std::uint32_t from_lowest = std::bit_cast<std::uint32_t>(bounded == bounded ? bounded : lowest) - std::bit_cast<std::uint32_t>(lowest);
        const std::uint32_t n = from_lowest >> shift;
        const float between = float(from_lowest & ((1u << shift) - 1)) * (1.f / float(1u << shift));
        return level_[n] + rise_[n] * between;
    }

private:
    static constexpr int bits = 7, shift = 23 - bits, octaves = 30, entries = (octaves << bits) + 1;
    static constexpr float lowest = 0x1p-22f, highest = 0x1p8f;
    static float radiance_at(int n) { return std::bit_cast<float>(std::bit_cast<std::uint32_t>(lowest) + (std::uint32_t(n) << shift)); }
    static float exact(float radiance) { return 255 * io::srgb_from_linear(filmic(radiance)); }

    float level_[entries], rise_[entries];
};

/// Triangular noise of one step on each side leaves no trace of the 8-bit steps in the mean or the variance. The same for every picture of a size.
std::shared_ptr<const std::vector<float>> dither_for(int width, int height) {
    static std::mutex lock;
    static std::shared_ptr<const std::vector<float>> last;
    static int last_width = 0, last_height = 0;
    const std::lock_guard hold(lock);
    if (last && last_width == width && last_height == height) return last;
    auto noise = std::make_shared<std::vector<float>>(3 * std::size_t(width) * std::size_t(height));
    parallel_for(height, [&](int y) {
        float* to = noise->data() + 3 * std::size_t(width) * std::size_t(y);
        for (int x = 0; x < width; ++x) {
            const auto up = uniform4({.seed = 1}, std::uint32_t(x), std::uint32_t(y)), down = uniform4({.seed = 2}, std::uint32_t(x), std::uint32_t(y));
            for (std::size_t c = 0; c < 3; ++c) *to++ = up[c] - down[c];
        }
    });
    last = noise, last_width = width, last_height = height;
    return last;
}

}  // namespace

float filmic(float radiance) {
    // A rational fit of the ACES reference curve [narkowicz2015]: a toe that deepens blacks, a shoulder that holds highlights.
    const float x = std::max(radiance, 0.f) * 0.8f;
    return std::min(1.f, x * (2.51f * x + 0.03f) / (x * (2.43f * x + 0.59f) + 0.14f));
}

io::DisplayImage develop(const io::Image& radiance, const FilmParams& params) {
    static const LevelTable level;
    io::DisplayImage picture(radiance.width, radiance.height);
    const float gain = float(std::exp2(params.exposure)), strength = params.dither ? 1.f : 0.f;
    const auto noise = dither_for(radiance.width, radiance.height);
    parallel_for(radiance.height, [&](int y) {
        const std::size_t first = 3 * std::size_t(radiance.width) * std::size_t(y);
        const float* light = &radiance(0, y).x;
        const float* dither = noise->data() + first;
        std::uint8_t* to = picture.bytes.data() + first;
        for (int n = 0; n < 3 * radiance.width; ++n)
            to[n] = std::uint8_t(int(std::clamp(level(light[n] * gain) + 0.5f + strength * dither[n], 0.f, 255.f)));
    });
    return picture;
}

}  // namespace phlo::render
