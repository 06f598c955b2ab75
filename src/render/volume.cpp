#include "render/volume.h"

#include <algorithm>
#include <climits>
#include <cmath>

#include "base/parallel.h"

namespace phlo::render {
namespace {

/// What cannot be seen: an optical depth below this across the whole domain.
constexpr float invisible_depth = 1e-4f;

struct Box {
    Vec3i first{INT_MAX, INT_MAX, INT_MAX}, last{INT_MIN, INT_MIN, INT_MIN};
};

Box merged(const Box& a, const Box& b) { return {min(a.first, b.first), max(a.last, b.last)}; }

}  // namespace

float Volume::sample(const field::Grid& grid, const Vec3f& p) {
    const Vec3i n = grid.layout().cells();
    // Beyond half a cell outside everything is empty; the ghosts are zero, so the edge fades linearly.
    if (!(p.x > -1 && p.y > -1 && p.z > -1 && p.x < float(n.x) && p.y < float(n.y) && p.z < float(n.z))) return 0;
    const float fx = std::floor(p.x), fy = std::floor(p.y), fz = std::floor(p.z);
    const float x = p.x - fx, y = p.y - fy, z = p.z - fz;
    const std::ptrdiff_t sy = grid.layout().stride_y(), sz = grid.layout().stride_z();
    const float* c = grid.storage().data() + grid.layout().offset(int(fx), int(fy), int(fz));
    const auto mix = [](float a, float b, float t) { return a + (b - a) * t; };
    const float near_ = mix(mix(c[0], c[1], x), mix(c[sy], c[sy + 1], x), y);
    const float far_ = mix(mix(c[sz], c[sz + 1], x), mix(c[sz + sy], c[sz + sy + 1], x), y);
    return mix(near_, far_, z);
}

Volume make_volume(const field::Frame& frame, const SmokeLook& look) {
    Volume volume;
    volume.domain = frame.domain;
    volume.albedo = look.color;
    volume.anisotropy = float(look.anisotropy);
    volume.first = {0, 0, 0}, volume.last = {-1, -1, -1};
    const field::ScalarField* density = frame.find("density");
    if (!density) return volume;
    const Vec3i n = frame.domain.cells;
    const Vec3d size = frame.domain.size();
    const double longest = std::max({size.x, size.y, size.z});
    const float per_density = float(look.extinction.value_or(45 / longest));
    const float invisible = invisible_depth / float(longest);
    volume.extinction = field::Grid(field::Layout(n));
    const Box box = parallel_reduce(
        n.z, Box{},
        [&](int k) {
            Box plane;
            for (int j = 0; j < n.y; ++j) {
                const float* from = density->grid->row(j, k);
                float* to = volume.extinction.row(j, k);
                int low = INT_MAX, high = INT_MIN;
                for (int i = 0; i < n.x; ++i) {
                    const float sigma = per_density * from[i];
                    to[i] = sigma > invisible ? sigma : 0.f;
                    if (to[i] > 0) low = std::min(low, i), high = i;
                }
                if (high >= low) plane = merged(plane, {{low, j, k}, {high, j, k}});
            }
            return plane;
        },
        merged);
    if (box.first.x <= box.last.x) volume.first = box.first, volume.last = box.last;
    return volume;
}

}  // namespace phlo::render
