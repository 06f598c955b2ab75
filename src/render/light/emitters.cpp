#include "render/light/emitters.h"

#include <algorithm>

#include "render/luminance.h"

namespace phlo::render {
namespace {

/// Distributed as a tent over [-1, 1]: the weights of linear interpolation.
float tent(float u) { return u < 0.5f ? std::sqrt(2 * u) - 1 : 1 - std::sqrt(2 - 2 * u); }

}  // namespace

EmissionSampler::EmissionSampler(const OpticalVolume& volume) : volume_(&volume) {
    if (!volume.glows() || volume.empty()) return;
    double sum = 0, square = 0;  // moments of brightness
    Vec3d first;
    for (int k = volume.first.z; k <= volume.last.z; ++k)
        for (int j = volume.first.y; j <= volume.last.y; ++j)
            for (int i = volume.first.x; i <= volume.last.x; ++i) {
                const Vec3f light = volume.emission_of(i, j, k);
                const float b = luminance(light);
                if (!(b > 0)) continue;
                sum += double(b);
                const Vec3d at(i, j, k);
                first += at * double(b), square += dot(at, at) * double(b);
                total_ += Vec3d(light);
                cells_.push_back({sum, {i, j, k}});
            }
    const Vec3d middle = first / sum;
    near_ = float(volume.domain.h * std::max(2.0, 0.7 * std::sqrt(std::max(0.0, square / sum - dot(middle, middle)))));
    total_ *= volume.domain.h * volume.domain.h * volume.domain.h;
}

EmissionSampler::Sample EmissionSampler::sample(double uniform, RandomStream& random) const {
    const double u = uniform * cells_.back().sum;
    const auto cell = std::min(std::upper_bound(cells_.begin(), cells_.end(), u, [](double value, const Cell& c) { return value < c.sum; }),
                               cells_.end() - 1);
    const Vec3i& c = cell->at;
    const Vec3f light = volume_->emission_of(c.x, c.y, c.z);
    const float x = tent(random.next()), y = tent(random.next()), z = tent(random.next());
    const double h = volume_->domain.h;
    const Vec3d center = volume_->domain.cell_center(c.x, c.y, c.z);
    return {Vec3f(center + Vec3d(double(x), double(y), double(z)) * h),
            light * float(cells_.back().sum * h * h * h / double(luminance(light)))};
}

}  // namespace phlo::render
