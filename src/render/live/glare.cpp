#include "render/live/glare.h"

#include <vector>

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
        std::vector<float> padded(std::size_t(n + 2 * reach));
        for (int x = -reach; x < n + reach; ++x) padded[std::size_t(x + reach)] = from(inside(x), y);
        for (int x = 0; x < n; ++x) {
            const float* at = padded.data() + x + reach;
            float sum = kernel[0] * at[0];
            for (int k = 1; k <= reach; ++k) sum += kernel[std::size_t(k)] * (at[k] + at[-k]);
            to(y, x) = sum;
        }
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

void add_glare(Picture& picture, float share) {
    if (!(share > 0)) return;
    const std::vector<float> kernel = bell(std::max(0.5f, spread * float(picture.height()) / block));
    for (Plane& plane : picture.channels) {
        const Plane glow = blurred_and_turned(blurred_and_turned(shrunk(plane), kernel), kernel);
        parallel_for(plane.height, [&](int y) {
            const float v = std::clamp((float(y) + 0.5f) / block - 0.5f, 0.f, float(glow.height - 1));
            const int j = int(v), below = std::min(j + 1, glow.height - 1);
            const float fv = v - float(j), *a = glow.row(j), *b = glow.row(below);
            float* row = plane.row(y);
            float last = a[0] + (b[0] - a[0]) * fv;
            for (int i = 0; i < glow.width; ++i) {
                // From the middle of the coarse pixel before to the middle of this one, and on to the edge after the last.
                const float here = a[i] + (b[i] - a[i]) * fv;
                const int first = i == 0 ? 0 : i * block - block / 2, end = std::min(plane.width, i == glow.width - 1 ? plane.width : i * block + block / 2);
                const int whole = i * block + block / 2;
                if (first == whole - block && end >= whole) {
                    for (int l = 0; l < block; ++l) row[first + l] += share * (last + (here - last) * ((float(l) + 0.5f) / block) - row[first + l]);
                } else {
                    for (int x = first; x < std::min(end, whole); ++x)
                        row[x] += share * (last + (here - last) * ((float(x - whole + block) + 0.5f) / block) - row[x]);
                }
                for (int x = std::max(first, whole); x < end; ++x) row[x] += share * (here - row[x]);
                last = here;
            }
        });
    }
}

}  // namespace phlo::render
