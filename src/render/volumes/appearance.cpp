#include "render/volumes/appearance.h"

#include <array>
#include <numbers>

#include "base/parallel.h"

namespace phlo::render {
namespace {

using Profile = std::vector<double>;   ///< a sum for each slice of cells

/// Where along the axis `share` of the sum lies behind; even inside each slice. In slices from the lower end of the profile.
double quantile(const Profile& slices, double all, double share) {
    double wanted = share * all;
    for (std::size_t s = 0; s < slices.size(); ++s) {
        if (wanted <= slices[s] && slices[s] > 0) return double(s) + wanted / slices[s];
        wanted -= slices[s];
    }
    return double(slices.size());
}

struct Sums {
    Profile x, y;
    double extinction = 0, luminance = 0;
};

}  // namespace

Appearance appearance(const OpticalVolume& volume) {
    Appearance seen;
    if (volume.empty()) return seen;
    const Vec3i first = volume.first, count = volume.last - volume.first + Vec3i(1);
    std::vector<Sums> planes(std::size_t(count.z), Sums{Profile(std::size_t(count.x), 0), Profile(std::size_t(count.y), 0)});
    parallel_for(count.z, [&](int plane) {
        Sums& sums = planes[std::size_t(plane)];
        const int k = first.z + plane;
        for (int j = 0; j < count.y; ++j)
            for (int i = 0; i < count.x; ++i) {
                const double sigma = double(volume.extinction(first.x + i, first.y + j, k));
                sums.x[std::size_t(i)] += sigma, sums.y[std::size_t(j)] += sigma, sums.extinction += sigma;
                if (!volume.glows()) continue;
                const Vec3f light = volume.emission_of(first.x + i, first.y + j, k);
                sums.luminance += 0.2126 * double(light.x) + 0.7152 * double(light.y) + 0.0722 * double(light.z);
            }
    });
    std::array<Profile, 3> profiles{Profile(std::size_t(count.x), 0), Profile(std::size_t(count.y), 0), Profile(std::size_t(count.z), 0)};
    double luminance = 0, all = 0;
    for (std::size_t k = 0; k < planes.size(); ++k) {
        for (std::size_t i = 0; i < profiles[0].size(); ++i) profiles[0][i] += planes[k].x[i];
        for (std::size_t j = 0; j < profiles[1].size(); ++j) profiles[1][j] += planes[k].y[j];
        profiles[2][k] = planes[k].extinction;
        luminance += planes[k].luminance, all += planes[k].extinction;
    }
    const double h = volume.domain.h, cell = h * h * h;
    seen.luminous_power = 4 * std::numbers::pi * luminance * cell;
    seen.opacity = all * cell;
    if (!(all > 0)) return seen;
    for (int axis = 0; axis < 3; ++axis) {
        const Profile& slices = profiles[std::size_t(axis)];
        const double start = volume.domain.origin[axis] + first[axis] * h;
        double moment = 0;
        for (std::size_t s = 0; s < slices.size(); ++s) moment += (double(s) + 0.5) * slices[s];
        seen.centre[axis] = start + h * moment / all;
        seen.box.lower[axis] = start + h * quantile(slices, all, 0.01);
        seen.box.upper[axis] = start + h * quantile(slices, all, 0.99);
    }
    return seen;
}

Appearance appearance(const field::Frame& frame, const RenderParams& look) { return appearance(make_volume(frame, look)); }

}  // namespace phlo::render
