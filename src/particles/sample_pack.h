// A field at a register of places at once: the numbers of sample.h, lane by lane, for sets with x, y and z in columns of their own.
//
//   const PackSampler density(grid, grid.layout().cells());
//   simd::Float value = density(x, y, z);                   // cell coordinates; lane l at (x[l], y[l], z[l])
//   const MacPackSampler velocity(u);
//   simd::Float3 v = velocity(x, y, z);
//
// Places are anywhere: each corner is gathered. Where those of a register lie side by side (advection), flow/sampler.h is faster.
#pragma once
#include "base/gather_pairs.h"
#include "field/mac.h"
#include "field/trilinear.h"

namespace phlo::particles {

class PackSampler {
public:
    /// `extent` entries on each axis, the first at cell coordinates `first`.
    PackSampler(const field::Grid& grid, const Vec3i& extent, const Vec3f& first = {})
        : origin_(grid.row(0, 0)), stride_y_(int(grid.layout().stride_y())), stride_z_(int(grid.layout().stride_z())),
          last_(float(extent.x - 1), float(extent.y - 1), float(extent.z - 1)), first_(first) {}

    PHLO_INLINE simd::Float operator()(simd::Float x, simd::Float y, simd::Float z) const {
        using simd::Float, simd::Int;
        const auto split = [](Float p, float first, float end, Float& t) {
            const Float inside = clamp(p - Float(first), Float(0.0f), Float(end)), whole = min(floor(inside), Float(std::max(end - 1, 0.0f)));
            t = inside - whole;
            return to_int(whole);
        };
        Float tx, ty, tz;
        const Int i = split(x, first_.x, last_.x, tx), j = split(y, first_.y, last_.y, ty), k = split(z, first_.z, last_.z, tz);
        const simd::LaneOffsets at(i + j * Int(stride_y_) + k * Int(stride_z_));
        // Two corners along x lie side by side in memory. The order is that of field::trilinear.
        const auto line = [&](int offset) {
            Float low, high;
            simd::gather_pairs(origin_ + offset, at, low, high);
            return field::blend(low, high, tx);
        };
        return field::blend(field::blend(line(0), line(stride_y_), ty), field::blend(line(stride_z_), line(stride_y_ + stride_z_), ty), tz);
    }

private:
    const float* origin_;
    int stride_y_, stride_z_;
    Vec3f last_, first_;
};

class MacPackSampler {
public:
    explicit MacPackSampler(const field::MacGrid& u)
        : x_(u.x, face_extent(u.layout(), 0), {-0.5f, 0, 0}), y_(u.y, face_extent(u.layout(), 1), {0, -0.5f, 0}), z_(u.z, face_extent(u.layout(), 2), {0, 0, -0.5f}) {}

    PHLO_INLINE simd::Float3 operator()(simd::Float x, simd::Float y, simd::Float z) const { return {x_(x, y, z), y_(x, y, z), z_(x, y, z)}; }

private:
    PackSampler x_, y_, z_;
};

}  // namespace phlo::particles
