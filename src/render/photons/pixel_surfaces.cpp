#include "render/photons/pixel_surfaces.h"

#include <algorithm>
#include <cmath>

#include "render/luminance.h"

namespace phlo::render {
namespace {

constexpr float same_normal = 0.9f;   // cosine
constexpr float same_plane = 2;       // pixels

bool belongs(const PixelSurfaces::Seen& seen, const Hit& hit) {
    const Vec3f normal = normalized(seen.normal);
    return dot(normal, hit.normal) > same_normal && std::fabs(dot(normal, hit.point - seen.point / seen.rays)) < same_plane * seen.footprint;
}

}  // namespace

void PixelSurfaces::Seen::shine(const Vec3f& weight_of_ray, const Vec3f& light, float shared) {
    const float value = luminance(light);
    weight_shaded_ += weight_of_ray, light_ += weight_of_ray * light;
    sum_ += value, squares_ += value * value, shared_ = std::max(shared_, shared), ++shaded;
}

Vec3f PixelSurfaces::Seen::mean_light() const {
    Vec3f mean;
    for (int c = 0; c < 3; ++c) mean[c] = weight_shaded_[c] > 0 ? light_[c] / weight_shaded_[c] : 0.f;
    return mean;
}

float PixelSurfaces::Seen::variance() const {
    const float n = float(shaded), mean = sum_ / n;
    return shared_ + (n > 1 ? std::max(0.f, squares_ / n - mean * mean) / (n - 1) : mean * mean);
}

PixelSurfaces::Seen& PixelSurfaces::add(const Hit& hit, const Vec3f& weight, float footprint) {
    int at = 0;
    while (at < count_ && !belongs(seen_[std::size_t(at)], hit)) ++at;
    if (at == most) --at;   // of so many surfaces none is large: the last stands for the rest
    count_ = std::max(count_, at + 1);
    Seen& seen = seen_[std::size_t(at)];
    seen.footprint = seen.rays > 0 ? std::min(seen.footprint, footprint) : footprint;
    seen.weight += weight, seen.normal += hit.normal, seen.point += hit.point, seen.rays += 1;
    return seen;
}

void PixelSurfaces::enter(SurfaceLayer& layer, std::size_t pixel, float share) const {
    const auto place = [](const Seen& seen) { return SurfacePlace{normalized(seen.normal), seen.point / seen.rays, seen.footprint}; };
    if (count_ == 1) {
        layer.weight[pixel] = seen_[0].weight * share, layer.light[pixel] = seen_[0].mean_light();
        layer.variance[pixel] = seen_[0].variance(), layer.place[pixel] = place(seen_[0]);
        return;
    }
    for (int n = 0; n < count_; ++n) {
        const Seen& seen = seen_[std::size_t(n)];
        layer.edges[pixel].push_back({seen.weight * share, seen.mean_light(), place(seen)});
    }
}

}  // namespace phlo::render
