#include "render/surfaces/ground_map.h"

#include <algorithm>
#include <cmath>

#include "base/parallel.h"

namespace phlo::render {

GroundMap::GroundMap(const field::Bounds& bounds, float height, int size, const std::function<Vec3f(const Vec3f&)>& light) : size_(size) {
    // Three times the size of the bounds: beyond that nothing dims the sky visibly.
    const Vec3f low(bounds.lower), extent(bounds.size());
    const float reach = std::max({extent.x, extent.y, extent.z});
    low_ = low - Vec3f(reach);
    scale_ = {float(size - 1) / (extent.x + 2 * reach), float(size - 1) / (extent.y + 2 * reach), 0};
    nodes_.resize(std::size_t(size) * std::size_t(size));
    parallel_for(size, [&](int y) {
        for (int x = 0; x < size; ++x)
            nodes_[std::size_t(y * size + x)] = light({low_.x + float(x) / scale_.x, low_.y + float(y) / scale_.y, height});
    });
    far_ = light({low.x + 1e4f * reach, low.y, height});
}

Vec3f GroundMap::at(const Vec3f& point) const {
    if (nodes_.empty()) return {};
    const float x = (point.x - low_.x) * scale_.x, y = (point.y - low_.y) * scale_.y;
    const float edge = std::min({x, y, float(size_ - 1) - x, float(size_ - 1) - y}) - 1.5f;
    if (!(edge > 0)) return far_;
    // Quadratic B-spline: smooth across the map's cells.
    const float cx = std::floor(x + 0.5f), cy = std::floor(y + 0.5f), tx = x - cx, ty = y - cy;
    const float wx[3] = {0.5f * (0.5f - tx) * (0.5f - tx), 0.75f - tx * tx, 0.5f * (0.5f + tx) * (0.5f + tx)};
    const float wy[3] = {0.5f * (0.5f - ty) * (0.5f - ty), 0.75f - ty * ty, 0.5f * (0.5f + ty) * (0.5f + ty)};
    Vec3f sum;
    for (int b = 0; b < 3; ++b)
        for (int a = 0; a < 3; ++a) sum += nodes_[std::size_t((int(cy) + b - 1) * size_ + int(cx) + a - 1)] * (wx[a] * wy[b]);
    const float inside = std::min(1.f, edge / (10 * float(size_) / 56));
    return far_ + (sum - far_) * (inside * inside * (3 - 2 * inside));
}

}  // namespace phlo::render
