// Random numbers one after the other for one path, photon or pixel: a pure function of what it is for and how many were drawn.
//
//   RandomStream random({.seed = 1, .stream = paths}, pixel);
//   float u = random.next();                                    // uniform in [0, 1)
#pragma once
#include "base/random.h"
#include "base/vec.h"

namespace phlo::render {

class RandomStream {
public:
    RandomStream(const RandomKey& key, std::uint32_t id) : key_(key), id_(id) {}

    float next() {
        if (used_ == 4) numbers_ = uniform4(key_, id_, index_++), used_ = 0;
        return numbers_[std::size_t(used_++)];
    }

private:
    RandomKey key_;
    std::uint32_t id_, index_ = 0;
    std::array<float, 4> numbers_{};
    int used_ = 4;
};

/// Two unit vectors across a third.
struct Sides {
    Vec3f u, v;
    explicit Sides(const Vec3f& w) {
        u = normalized(cross(w, std::fabs(w.z) > 0.9f ? Vec3f(0, 1, 0) : Vec3f(0, 0, 1)));
        v = cross(w, u);
    }
};

/// The direction with this cosine to `axis`, turned about it by a uniform number.
inline Vec3f direction_around(const Vec3f& axis, float cosine, float turn) {
    const Sides side(axis);
    const float sine = std::sqrt(std::max(0.f, 1 - cosine * cosine)), angle = 6.2831853f * turn;
    return normalized(axis * cosine + side.u * (sine * std::cos(angle)) + side.v * (sine * std::sin(angle)));
}

}  // namespace phlo::render
