#include "render/film/denoise.h"

#include <cmath>

#include "base/parallel.h"
#include "render/fast_math.h"
#include "render/film/likeness.h"
#include "render/luminance.h"

namespace phlo::render {
namespace {

constexpr int passes = 5;  // holes of 1, 2, 4, 8, 16 pixels
constexpr float noise_reach = 3;  // light this many standard deviations away is another light: a shadow's edge

constexpr float kernel[3] = {3 / 8.f, 1 / 4.f, 1 / 16.f};  // B3 spline

/// To the nearer one's pixels: the ground far behind a log has wide ones, and the log's top would count as ground.
float alike(const SurfacePlace& p, const SurfacePlace& q, int hole) {
    return likeness(p.normal, q.normal, q.point - p.point, std::min(p.footprint, q.footprint) * (1 + float(hole) / 2));
}

/// Variances are noisy themselves: their mean over a small neighbourhood.
std::vector<float> smoothed_variance(const SurfaceLayer& layer, const std::vector<float>& variance) {
    std::vector<float> result(variance.size());
    parallel_for(layer.height, [&](int y) {
        for (int x = 0; x < layer.width; ++x) {
            float sum = 0, count = 0;
            for (int b = std::max(0, y - 2); b <= std::min(layer.height - 1, y + 2); ++b)
                for (int a = std::max(0, x - 2); a <= std::min(layer.width - 1, x + 2); ++a) {
                    const auto q = std::size_t(b * layer.width + a);
                    if (layer.place[q].normal == Vec3f()) continue;
                    sum += variance[q], count += 1;
                }
            result[std::size_t(y * layer.width + x)] = count > 0 ? sum / count : 0.f;
        }
    });
    return result;
}

/// How bright a surface is there, with less grain than the light itself: bright specks must not stand out, or they would be left out and
/// the picture would darken.
struct Guide {
    std::vector<float> brightness, reach;
};

/// One pass with holes between the pixels that it looks at; without a guide only geometry counts.
void filter_once(SurfaceLayer& layer, int hole, const Guide* guide) {
    const std::vector<Vec3f> light = layer.light;
    const std::vector<float> variance = layer.variance;
    parallel_for(layer.height, [&](int y) {
        for (int x = 0; x < layer.width; ++x) {
            const auto p = std::size_t(y * layer.width + x);
            if (layer.place[p].normal == Vec3f()) continue;
            Vec3f sum;
            float weights = 0, spread = 0;
            for (int b = -2; b <= 2; ++b)
                for (int a = -2; a <= 2; ++a) {
                    const int qx = x + a * hole, qy = y + b * hole;
                    if (qx < 0 || qy < 0 || qx >= layer.width || qy >= layer.height) continue;
                    const auto q = std::size_t(qy * layer.width + qx);
                    if (layer.place[q].normal == Vec3f()) continue;
                    float w = kernel[std::abs(a)] * kernel[std::abs(b)] * alike(layer.place[p], layer.place[q], hole);
                    if (guide)
                        w *= fast_exp(-std::fabs(guide->brightness[q] - guide->brightness[p]) / std::max(guide->reach[p], guide->reach[q]));
                    sum += light[q] * w, spread += variance[q] * w * w, weights += w;
                }
            layer.light[p] = sum / weights;
            layer.variance[p] = spread / (weights * weights);
        }
    });
}

/// The surfaces at an edge, lit as the pixels beside it that see one of them alone; as they were where there is no such pixel.
void light_edges(SurfaceLayer& layer) {
    constexpr float enough = 0.02f;
    parallel_for(layer.height, [&](int y) {
        for (int x = 0; x < layer.width; ++x)
            for (SurfaceLayer::Edge& edge : layer.edges[std::size_t(y * layer.width + x)]) {
                Vec3f sum;
                float weights = 0;
                for (int b = std::max(-2, -y); b <= std::min(2, layer.height - 1 - y); ++b)
                    for (int a = std::max(-2, -x); a <= std::min(2, layer.width - 1 - x); ++a) {
                        const auto q = std::size_t((y + b) * layer.width + x + a);
                        if (layer.place[q].normal == Vec3f()) continue;
                        const float w = kernel[std::abs(a)] * kernel[std::abs(b)] * alike(edge.place, layer.place[q], 1);
                        sum += layer.light[q] * w, weights += w;
                    }
                if (weights > enough) edge.light = sum / weights;
            }
    });
}

Guide guide_of(SurfaceLayer layer) {
    for (const int hole : {1, 2}) filter_once(layer, hole, nullptr);
    Guide guide;
    for (const Vec3f& light : layer.light) guide.brightness.push_back(luminance(light));
    for (const float variance : smoothed_variance(layer, layer.variance)) guide.reach.push_back(noise_reach * std::sqrt(variance) + 1e-6f);
    return guide;
}

}  // namespace

SurfaceLayer::SurfaceLayer(int width_, int height_) : width(width_), height(height_) {
    const auto n = std::size_t(width) * std::size_t(height);
    weight.resize(n), light.resize(n), variance.resize(n), place.resize(n), edges.resize(n);
}

Vec3f SurfaceLayer::seen(std::size_t pixel) const {
    Vec3f sum = weight[pixel] * light[pixel];
    for (const Edge& edge : edges[pixel]) sum += edge.weight * edge.light;
    return sum;
}

void denoise(SurfaceLayer& layer) {
    const Guide guide = guide_of(layer);
    for (int pass = 0; pass < passes; ++pass) filter_once(layer, 1 << pass, &guide);
    light_edges(layer);
}

}  // namespace phlo::render
