#include "render/surfaces/surface_glow.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "render/luminance.h"

namespace phlo::render {
namespace {

/// A point of a triangle from two numbers in [0, 1): the shares of its edges.
struct Shares {
    float a, b;
    Shares(float u, float v) {
        const float root = std::sqrt(u);
        a = root * (1 - v), b = root * v;
    }
};

}  // namespace

SurfaceGlow::SurfaceGlow(const Surfaces& surfaces) {
    double sum = 0;
    surfaces.for_each_triangle([&](const Vec3f& a, const Vec3f& b, const Vec3f& c, const Material& material) {
        const float bright = luminance(material.emission);
        const Vec3f across = cross(b - a, c - a);
        const float size = length(across);
        if (!(bright > 0) || !(size > 0)) return;
        sum += double(0.5f * size * bright);
        power_ += Vec3d(material.emission) * (std::numbers::pi * 0.5 * double(size));
        triangles_.push_back({sum, a, b - a, c - a, across / size, material.emission});
    });
}

const SurfaceGlow::Triangle& SurfaceGlow::pick(float choice) const {
    const double u = double(choice) * triangles_.back().sum;
    return *std::min(
        std::upper_bound(triangles_.begin(), triangles_.end(), u, [](double value, const Triangle& t) { return value < t.sum; }),
        triangles_.end() - 1);
}

LightSample SurfaceGlow::sample(const Vec3f& point, float choice, float u, float v) const {
    const Triangle& t = pick(choice);
    const Shares share(u, v);
    const Vec3f way = t.corner + t.a * share.a + t.b * share.b - point;
    const float d2 = dot(way, way), distance = std::sqrt(d2), facing = -dot(way, t.face) / distance;
    if (!(facing > 0)) return {};
    const float density = luminance(t.emission) / float(triangles_.back().sum) * d2 / facing;
    return {way / distance, distance * 0.9999f, t.emission / density, density};
}

float SurfaceGlow::density(const Hit& hit, const Vec3f& direction) const {
    const float facing = std::fabs(dot(direction, hit.face));
    return luminance(hit.material->emission) / float(triangles_.back().sum) * hit.distance * hit.distance / std::max(facing, 1e-6f);
}

Emission SurfaceGlow::emit(float offset, RandomStream& random) const {
    const float choice = random.next(), u = random.next(), v = random.next(), cosine = std::sqrt(random.next()), turned = random.next();
    const Triangle& t = pick(choice);
    const Shares share(u, v);
    const Vec3f from = t.corner + t.a * share.a + t.b * share.b + t.face * offset;
    const float area_over_density = float(triangles_.back().sum) / luminance(t.emission);
    return {{from, direction_around(t.face, cosine, turned)}, t.emission * (std::numbers::pi_v<float> * area_over_density)};
}

}  // namespace phlo::render
