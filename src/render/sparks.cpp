#include "render/sparks.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "render/volumes/medium.h"
#include "render/volumes/particles.h"

namespace phlo::render {
namespace {

constexpr float least_deviation = 0.6f;   ///< of a spark's image [pixels]: less would flicker as it crosses pixels

struct Streak {
    Projection::Place from, to;
    Vec3f light;       ///< radiance summed over pixels
    float deviation;   ///< across [pixels]
};

/// Light at distance d from a segment of length l whose light is spread evenly: a Gaussian across, its integral along. u along the segment from its start.
float spread(float u, float d, float length, float deviation) {
    const float across = std::exp(-0.5f * d * d / (deviation * deviation)) / (deviation * std::sqrt(2 * std::numbers::pi_v<float>));
    if (length < 1e-3f) return across * std::exp(-0.5f * u * u / (deviation * deviation)) / (deviation * std::sqrt(2 * std::numbers::pi_v<float>));
    const float scale = 1 / (deviation * std::numbers::sqrt2_v<float>);
    return across * 0.5f * (std::erf(u * scale) - std::erf((u - length) * scale)) / length;
}

void draw(const Streak& s, io::Image& image) {
    const float dx = s.to.x - s.from.x, dy = s.to.y - s.from.y, length = std::hypot(dx, dy), reach = 4 * s.deviation;
    const float ax = length > 0 ? dx / length : 1, ay = length > 0 ? dy / length : 0;
    const int x0 = std::max(0, int(std::floor(std::min(s.from.x, s.to.x) - reach))), x1 = std::min(image.width, int(std::ceil(std::max(s.from.x, s.to.x) + reach)));
    const int y0 = std::max(0, int(std::floor(std::min(s.from.y, s.to.y) - reach))), y1 = std::min(image.height, int(std::ceil(std::max(s.from.y, s.to.y) + reach)));
    for (int y = y0; y < y1; ++y)
        for (int x = x0; x < x1; ++x) {
            const float px = float(x) + 0.5f - s.from.x, py = float(y) + 0.5f - s.from.y;
            image(x, y) += s.light * spread(px * ax + py * ay, py * ax - px * ay, length, s.deviation);
        }
}

/// What of a point's light arrives at the camera.
float arriving(const RenderScene& scene, const Medium& medium, const Vec3f& point) {
    const Vec3f way = point - scene.camera.position();
    const float distance = length(way);
    const Ray ray{scene.camera.position(), way / distance};
    if (scene.surfaces.hit(ray, distance)) return 0;
    return std::exp(-medium.depth(ray, distance));
}

}  // namespace

bool has_sparks(const field::Frame& frame, const RenderParams& look) {
    return std::ranges::any_of(look.points, [&](const PointsLook& one) { return one.kind == PointKind::spark && frame.find_points(one.points) != nullptr; });
}

void add_sparks(const SparkMoment& moment, const field::Frame& frame, io::Image& image) {
    if (!has_sparks(frame, moment.look)) return;
    const Projection project = moment.scene.camera.projection();
    const Medium medium(moment.scene.volume);
    for (const PointsLook& look : moment.look.points) {
        const field::Points* points = look.kind == PointKind::spark ? frame.find_points(look.points) : nullptr;
        if (points == nullptr) continue;
        const auto* plain = std::get_if<Vec3f>(&look.color);
        const std::vector<Vec3f> colours = plain ? std::vector<Vec3f>() : point_colours(*points, std::get<ColumnColour>(look.color), moment.look.fire);
        const float bright = float(look.brightness.value_or(moment.look.fire.brightness));
        const double seconds = look.streak.value_or(moment.open);
        for (std::size_t n = 0; n < points->position.size(); ++n) {
            const Vec3f v = points->velocity.empty() ? Vec3f() : points->velocity[n];
            const Vec3f middle = points->position[n] + v * float(moment.later);
            const Projection::Place from = project(middle - v * float(0.5 * seconds)), to = project(middle + v * float(0.5 * seconds));
            if (from.depth <= 0 || to.depth <= 0) continue;
            const float radius = float(look.size) * points->radius[n] / (project.pixel * project.depth(middle));   // [pixels]
            const Vec3f color = plain ? *plain : colours[n];
            const Vec3f light = color * (bright * std::numbers::pi_v<float> * radius * radius);
            if (light == Vec3f()) continue;
            const float seen = arriving(moment.scene, medium, middle);
            if (seen > 0) draw({from, to, light * seen, std::max(0.5f * radius, least_deviation)}, image);
        }
    }
}

}  // namespace phlo::render
