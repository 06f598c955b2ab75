#include "render/light/sun_depth.h"

#include <algorithm>
#include <cmath>

#include "base/parallel.h"
#include "field/trilinear.h"

namespace phlo::render {

SunDepth::SunDepth(const OpticalVolume& volume, const Vec3f& to_sun, float spacing) {
    if (volume.empty()) return;
    w_ = -to_sun;
    u_ = normalized(cross(w_, std::fabs(w_.z) > 0.99f ? Vec3f(0, 1, 0) : Vec3f(0, 0, 1)));
    v_ = cross(w_, u_);
    const field::Domain& domain = volume.domain;
    spacing_ = spacing * float(domain.h), inverse_spacing_ = 1 / spacing_;

    // The box of gas, a cell larger, seen along the light.
    const Vec3f low(domain.origin + (Vec3d(volume.first) - Vec3d(0.5)) * domain.h);
    const Vec3f high(domain.origin + (Vec3d(volume.last) + Vec3d(1.5)) * domain.h);
    Vec3f least(1e30f), most(-1e30f);
    for (int corner = 0; corner < 8; ++corner) {
        const Vec3f p(corner & 1 ? high.x : low.x, corner & 2 ? high.y : low.y, corner & 4 ? high.z : low.z);
        const Vec3f q(dot(p, u_), dot(p, v_), dot(p, w_));
        least = min(least, q), most = max(most, q);
    }
    origin_ = u_ * least.x + v_ * least.y + w_ * least.z;
    const Vec3f extent = (most - least) * inverse_spacing_;
    count_ = {int(extent.x) + 2, int(extent.y) + 2, int(extent.z) + 2};
    depth_.resize(std::size_t(count_.x) * std::size_t(count_.y) * std::size_t(count_.z));

    const Vec3f step = w_ * spacing_;
    const Vec3f inside_low = low - Vec3f(float(domain.h)), inside_high = high + Vec3f(float(domain.h));
    parallel_for(count_.y, [&](int v) {
        for (int u = 0; u < count_.x; ++u) {
            float* column = depth_.data() + (std::size_t(v) * std::size_t(count_.x) + std::size_t(u)) * std::size_t(count_.z);
            const Vec3f start = origin_ + u_ * (float(u) * spacing_) + v_ * (float(v) * spacing_);
            // Where the column is inside the box; outside nothing is gathered.
            float enter = 0, leave = float(count_.z);
            for (int axis = 0; axis < 3; ++axis) {
                if (std::fabs(step[axis]) < 1e-12f) {
                    if (start[axis] < inside_low[axis] || start[axis] > inside_high[axis]) leave = -1;
                    continue;
                }
                const float a = (inside_low[axis] - start[axis]) / step[axis], b = (inside_high[axis] - start[axis]) / step[axis];
                enter = std::max(enter, std::min(a, b)), leave = std::min(leave, std::max(a, b));
            }
            float depth = 0;
            for (int w = 0; w < count_.z; ++w) {
                const float middle = float(w) - 0.5f;
                if (middle >= enter && middle <= leave) depth += spacing_ * volume.extinction_at(start + step * middle);
                column[w] = depth;
            }
        }
    });
}

float SunDepth::at_node(Vec3f p) const {
    if (depth_.empty() || !(p.x > 0 && p.y > 0 && p.z > 0 && p.x < float(count_.x - 1) && p.y < float(count_.y - 1))) return 0;
    p.z = std::min(p.z, float(count_.z) - 1.001f);
    const int x = int(p.x), y = int(p.y), z = int(p.z);
    const float fx = p.x - float(x), fy = p.y - float(y), fz = p.z - float(z);
    const std::ptrdiff_t su = count_.z, sv = su * count_.x;
    const float* c = depth_.data() + y * sv + x * su + z;
    return field::trilinear(fz, fx, fy, [&](int w, int u, int v) { return c[w + u * su + v * sv]; });   // a column of rays runs along w
}

float SunDepth::at(const Vec3f& world, float offset_u, float offset_v) const {
    if (depth_.empty()) return 0;
    Vec3f p = to_nodes(world);
    // The rays of another part of the disc diverge with the way from the gas to the point.
    const float way = std::max(0.f, p.z - 0.5f * float(count_.z));
    p.x += offset_u * way, p.y += offset_v * way;
    return at_node(p);
}

}  // namespace phlo::render
