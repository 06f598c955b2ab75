#include "render/live/glare.h"

#include <vector>

#include "base/simd_eight.h"

namespace phlo::render {
namespace {

constexpr int block = 8;              // pixels along a coarse one: glare has no detail
constexpr float spread = 1 / 20.f;    // of the picture's height: deviation of the blur

/// Means of blocks.
Plane shrunk(const Plane& from) {
    Plane to((from.width + block - 1) / block, (from.height + block - 1) / block);
    parallel_for(to.height, [&](int y) {
        const int top = y * block, bottom = std::min(from.height, top + block);
        for (int x = 0; x < to.width; ++x) {
            const int left = x * block, right = std::min(from.width, left + block);
            // Column by column, which a compiler can do at once.
            float columns[block] = {}, sum = 0;
            for (int j = top; j < bottom; ++j) {
                const float* row = from.row(j) + left;
                for (int i = 0; i < block; ++i) columns[i] += row[i];
            }
            for (int i = 0; i < right - left; ++i) sum += columns[i];
            to(x, y) = sum / float((bottom - top) * (right - left));
        }
    });
    return to;
}

/// Along rows, and turned by a quarter: twice this blurs both ways. What is beyond an edge is as what is before it, mirrored, so that no light is lost.
Plane blurred_and_turned(const Plane& from, const std::vector<float>& kernel) {
    Plane to(from.height, from.width);
    const int reach = int(kernel.size()) - 1, n = from.width;
    const auto inside = [n](int x) {
        x = x < 0 ? -1 - x : x;
        x %= 2 * n;
        return x < n ? x : 2 * n - 1 - x;
    };
    parallel_for(from.height, [&](int y) {
        std::vector<float> padded(std::size_t(n + 2 * reach)), sums(std::size_t(n), 0.f);
        for (int x = -reach; x < n + reach; ++x) padded[std::size_t(x + reach)] = from(inside(x), y);
        const float* middle = padded.data() + reach;
        float* sum = sums.data();
        for (int k = 0; k <= reach; ++k) {
            const float weight = k == 0 ? 0.5f * kernel[0] : kernel[std::size_t(k)], *before = middle - k, *behind = middle + k;
#pragma omp simd
            for (int x = 0; x < n; ++x) sum[x] += weight * (before[x] + behind[x]);
        }
        for (int x = 0; x < n; ++x) to(y, x) = sum[x];
    });
    return to;
}

std::vector<float> bell(float deviation) {
    std::vector<float> kernel;
    float sum = 0;
    for (int k = 0; k <= int(3 * deviation) + 1; ++k) {
        kernel.push_back(std::exp(-0.5f * float(k * k) / (deviation * deviation)));
        sum += (k == 0 ? 1.f : 2.f) * kernel.back();
    }
    for (float& w : kernel) w /= sum;
    return kernel;
}

}  // namespace

void Glare::find(const Picture& picture, float share) {
    share_ = share;
    if (!(share > 0)) return;
    const std::vector<float> kernel = bell(std::max(0.5f, spread * float(picture.height()) / block));
    for (std::size_t c = 0; c < 3; ++c) glow_[c] = blurred_and_turned(blurred_and_turned(shrunk(picture.channels[c]), kernel), kernel);
}

void Glare::add_to_row(const Picture& picture, int channel, int y, float* to) const {
    using simd::Eight;
    static_assert(block == 8);
    const Plane &plane = picture.channels[std::size_t(channel)], &glow = glow_[std::size_t(channel)];
    const float* row = plane.row(y);
    if (!(share_ > 0)) return void(std::copy(row, row + plane.width, to));
    const float v = std::clamp((float(y) + 0.5f) / block - 0.5f, 0.f, float(glow.height - 1));
    const int j = int(v), below = std::min(j + 1, glow.height - 1);
    const float fv = v - float(j), *a = glow.row(j), *b = glow.row(below);
    const auto at = [&](int i) { return a[i] + (b[i] - a[i]) * fv; };
    // Between the middles of coarse pixels on straight lines, from the one before and to the one behind.
    const Eight from_middle = (simd::count_to_eight() - Eight(3.5f)) * Eight(1.f / block), left = min(from_middle, Eight(0.f)), right = max(from_middle, Eight(0.f)), share = share_;
    float before = at(0), here = before;
    for (int i = 0; i < glow.width; ++i) {
        const float behind = at(std::min(i + 1, glow.width - 1));
        const Eight spread_here = fma(left, Eight(here - before), fma(right, Eight(behind - here), Eight(here))), own = simd::load_eight(row + i * block);
        simd::store(to + i * block, fma(share, spread_here - own, own));
        before = here, here = behind;
    }
}

}  // namespace phlo::render
