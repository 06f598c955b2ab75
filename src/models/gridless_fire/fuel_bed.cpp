#include "models/gridless_fire/fuel_bed.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "base/random.h"
#include "geom/placement.h"
#include "geom/surface_samples.h"

namespace phlo::models {
namespace {

constexpr std::uint32_t bed_stream = 0x6265640a;
constexpr int wanted_points = 4096;

const geom::Body* carrier(const Torch& torch, std::span<const geom::Body> bodies) {
    for (const geom::Body& body : bodies)
        if (!torch.on.empty() && body.name == torch.on) return &body;
    return nullptr;
}

std::vector<Vec3d> points_around(const geom::Shape& shape, double thickness, std::uint64_t seed) {
    std::vector<Vec3d> points;
    std::uint32_t n = 0;
    for (const geom::SurfaceSample& s : geom::surface_samples(shape, wanted_points / geom::surface_area(shape), {.seed = seed, .stream = bed_stream}))
        points.push_back(s.point + s.normal * (thickness * double(uniform4({seed, 1, bed_stream}, n++)[0])));
    return points;
}

std::vector<Vec3d> points_inside(const geom::Shape& shape, std::uint64_t seed) {
    std::vector<Vec3d> points;
    const geom::Bounds box = shape.bounds();
    for (std::uint32_t n = 0; int(points.size()) < wanted_points && n < 4000u * wanted_points; ++n) {
        const auto u = uniform4({seed, 2, bed_stream}, n);
        const Vec3d p = box.lower + box.size() * Vec3d(double(u[0]), double(u[1]), double(u[2]));
        if (shape.quick_distance(p, 1e-3 * length(box.size())) < 0) points.push_back(p);
    }
    return points;
}

}  // namespace

FuelBed::FuelBed(const Torch& torch, std::span<const geom::Body> bodies, std::uint64_t seed) {
    const geom::Body* body = carrier(torch, bodies);
    PHLO_CHECK(torch.has_shape || body);
    const geom::Shape& shape = torch.has_shape ? torch.shape : body->shape;
    const std::vector<Vec3d> places = torch.has_shape ? points_inside(shape, seed) : points_around(shape, torch.thickness, seed);
    PHLO_CHECK(!places.empty());
    const geom::Bounds box = torch.has_shape ? shape.bounds() : shape.bounds().grown(torch.thickness);
    half_width_ = box.size().x / 2;
    width_ = std::max(box.size().x, box.size().y);
    middle_ = box.center();
    volume_ = torch.has_shape ? shape.volume() : geom::surface_area(shape) * torch.thickness;
    spacing_ = std::cbrt(volume_ / double(places.size()));
    for (const Vec3d& p : places) points_.push_back({p, std::clamp((p.x - box.lower.x) / half_width_, 0.0, 1.999999)});
}

geom::Pose source_pose(const Torch& torch, std::span<const geom::Body> bodies, double time) {
    const geom::Pose own = torch.motion.pose(time);
    const geom::Body* body = carrier(torch, bodies);
    if (!body) return own;
    const geom::Pose under = body->pose(time);
    return {under.world_from_local(own.position), under.rotation * own.rotation};
}

}  // namespace phlo::models
