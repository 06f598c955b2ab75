// An axis-aligned box in space.
#pragma once
#include <limits>

#include "base/vec.h"

namespace phlo::field {

struct Bounds {
    Vec3d lower{std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()};
    Vec3d upper{-std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity(),
                -std::numeric_limits<double>::infinity()};

    bool empty() const { return !(lower.x <= upper.x && lower.y <= upper.y && lower.z <= upper.z); }
    Vec3d size() const { return upper - lower; }
    Vec3d center() const { return (lower + upper) * 0.5; }
    void include(const Vec3d& p) { lower = min(lower, p), upper = max(upper, p); }
    void include(const Bounds& box) { lower = min(lower, box.lower), upper = max(upper, box.upper); }
    Bounds grown(double distance) const { return {lower - Vec3d(distance), upper + Vec3d(distance)}; }
    friend bool operator==(const Bounds&, const Bounds&) = default;
    bool contains(const Vec3d& p) const {
        return p.x >= lower.x && p.y >= lower.y && p.z >= lower.z && p.x <= upper.x && p.y <= upper.y && p.z <= upper.z;
    }
};

}  // namespace phlo::field
