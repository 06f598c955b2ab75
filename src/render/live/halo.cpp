#include "render/live/halo.h"

#include <cmath>

#include "base/random.h"
#include "base/simd.h"

namespace phlo::render {
namespace {

using simd::Float;

constexpr int segment = 16;  // the pattern is linear between nodes so far apart [pixels]

/// Smooth noise in [-1, 1] on a lattice of unit size.
class Waver {
public:
    float at(float x, float y) const {
        const float i = std::floor(x), j = std::floor(y), u = smooth(x - i), v = smooth(y - j);
        const float low = mix(node(int(i), int(j)), node(int(i) + 1, int(j)), u);
        const float high = mix(node(int(i), int(j) + 1), node(int(i) + 1, int(j) + 1), u);
        return mix(low, high, v);
    }

private:
    static float smooth(float t) { return t * t * (3 - 2 * t); }
    static float mix(float a, float b, float t) { return a + (b - a) * t; }
    static float node(int i, int j) { return 2 * uniform4({.seed = 0x4a10}, std::uint32_t(i), std::uint32_t(j))[0] - 1; }
};

/// Upwards along the columns of a plane, from its last row to its first; `slope`: to the right for each row.
void rise(Plane& plane, const Halo& halo, float slope, float along, float across) {
    const int width = plane.width, nodes = width / segment + 2, padded = nodes * segment;
    const float kept = 1 / (1 + halo.height), handed = 1 - kept;
    const Waver waver;
    std::vector<float> drift(std::size_t(nodes) + 1);
    // What a pixel of the row below hands to the right, upwards and to the left; one more on each side.
    std::vector<float> right(std::size_t(padded) + 2), middle(right), left(right);
    for (int y = plane.height - 1; y >= 0; --y) {
        float* row = plane.row(y);
        for (int n = 0; n <= nodes; ++n) {
            const float u = (float(n * segment) - across) / halo.wavelength, v = (along - float(y)) / halo.wavelength - halo.phase;
            drift[std::size_t(n)] = std::clamp(slope + halo.jitter * waver.at(u, v), -0.98f, 0.98f);
        }
        for (int x = 0; x < width; x += simd::width) {
            const std::size_t at = std::size_t(x) + 1;
            const Float from_below = simd::load(&right[at - 1]) + simd::load(&middle[at]) + simd::load(&left[at + 1]);
            simd::store(row + x, fma(from_below, handed, simd::load(row + x) * Float(kept)));
        }
        for (int n = 0; n < nodes; ++n) {
            const Float first = drift[std::size_t(n)], step = (drift[std::size_t(n) + 1] - drift[std::size_t(n)]) / segment;
            for (int x = n * segment; x < std::min(width, (n + 1) * segment); x += simd::width) {
                const Float lane = simd::to_float(simd::lane_index()) + Float(float(x - n * segment));
                const Float d = fma(lane, step, first), spread = simd::max(simd::abs(d), 0.25f), half = 0.5f;
                const Float value = simd::select(simd::first_lanes(width - x), simd::load(row + x), 0.f);
                simd::store(&right[std::size_t(x) + 1], value * half * (spread + d));
                simd::store(&left[std::size_t(x) + 1], value * half * (spread - d));
                simd::store(&middle[std::size_t(x) + 1], value * (Float(1.f) - spread));
            }
        }
    }
}

/// Rows become columns, or run the other way.
Plane turned(const Plane& from, bool swap, bool flip) {
    Plane to(swap ? from.height : from.width, swap ? from.width : from.height);
    for (int y = 0; y < to.height; ++y) {
        const int source = flip ? to.height - 1 - y : y;
        for (int x = 0; x < to.width; ++x) to(x, y) = swap ? from(source, x) : from(x, source);
    }
    return to;
}

}  // namespace

void blur_upwards(Plane& amount, const Halo& halo) {
    if (!(halo.height > 0)) return;
    const bool swap = std::fabs(halo.up_x) > std::fabs(halo.up_y);
    const float main = swap ? halo.up_x : halo.up_y, side = swap ? halo.up_y : halo.up_x;
    const bool flip = main > 0;
    const float slope = side / std::fabs(main), x = swap ? halo.y : halo.x, y = swap ? halo.x : halo.y;
    if (!swap && !flip) return rise(amount, halo, slope, y, x);
    Plane plane = turned(amount, swap, flip);
    rise(plane, halo, slope, flip ? float(plane.height) - y : y, x);
    if (swap) {
        for (int row = 0; row < amount.height; ++row)
            for (int column = 0; column < amount.width; ++column)
                amount(column, row) = plane(row, flip ? plane.height - 1 - column : column);
    } else {
        amount = turned(plane, false, true);
    }
}

}  // namespace phlo::render
