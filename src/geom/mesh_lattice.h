// Distances to a surface at the points of a coarse lattice: a first guess for every query, and the answer far from the surface.
#pragma once
#include <functional>
#include <vector>

#include "field/frame.h"
#include "geom/bounds.h"

namespace phlo::geom {

class DistanceLattice {
public:
    struct Estimate {
        double distance;  ///< signed, interpolated; 0 outside the lattice: nothing is known
        double at_most;  ///< an upper bound of the distance's size
    };

    DistanceLattice() = default;
    /// Unsigned distances: exact next to the surface, elsewhere to the nearest triangle that the neighbours know of [bridson2015].
    DistanceLattice(const field::TriangleMesh& mesh, const Bounds& bounds);
    /// inside(point, nearest triangle), asked for every lattice point, from several threads.
    void set_signs(const std::function<bool(const Vec3d&, int)>& inside);

    Estimate at(const Vec3d& p) const;
    double error() const { return 0.8661 * spacing_; }  ///< how far estimates can be off [m]

private:
    std::size_t index(int i, int j, int k) const {
        return (std::size_t(k) * std::size_t(count_.y) + std::size_t(j)) * std::size_t(count_.x) + std::size_t(i);
    }
    Vec3d point(int i, int j, int k) const { return origin_ + Vec3d(i, j, k) * spacing_; }

    Vec3d origin_;
    double spacing_ = 0;
    Vec3i count_;
    std::vector<float> distance_;
    std::vector<int> nearest_;  ///< triangle; emptied by set_signs
};

}  // namespace phlo::geom
