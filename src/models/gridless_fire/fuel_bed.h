// Where the particles of a torch begin: points inside its source, with the brush each belongs to.
//
//   const FuelBed bed(torch, bodies, seed);
//   const FuelBed::Point& point = bed.point(word);             // one of them, by a random word
//   Vec3d place = source_pose(torch, bodies, time).world_from_local(point.local);
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "geom/body.h"
#include "geom/pose.h"
#include "models/gridless_fire/torch_params.h"

namespace phlo::models {

class FuelBed {
public:
    struct Point {
        Vec3d local;         ///< in the source's own frame [m]
        double across = 0;   ///< from the lower end of its x: 0 to 2, in half widths
    };
    FuelBed(const Torch& torch, std::span<const geom::Body> bodies, std::uint64_t seed);

    const Point& point(std::uint32_t word) const { return points_[std::size_t(std::uint64_t(word) * points_.size() >> 32)]; }
    double half_width() const { return half_width_; }   ///< along its own x [m]
    double width() const { return width_; }             ///< the larger of its sides in x and y [m]
    double spacing() const { return spacing_; }         ///< between points [m]
    double volume() const { return volume_; }           ///< [m^3]
    const Vec3d& middle() const { return middle_; }     ///< in its own frame [m]

private:
    std::vector<Point> points_;
    double half_width_ = 0, width_ = 0, spacing_ = 0, volume_ = 0;
    Vec3d middle_;
};

/// Where the source is: in the world, or carried by its body.
geom::Pose source_pose(const Torch& torch, std::span<const geom::Body> bodies, double time);

}  // namespace phlo::models
