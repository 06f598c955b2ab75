#include "render/live/live_liquid.h"

#include <cmath>
#include <limits>
#include <numbers>

#include "base/parallel_items.h"
#include "render/fast_math.h"
#include "render/surfaces/frame_surfaces.h"
#include "render/surfaces/liquid_mix.h"
#include "render/surfaces/subsurface.h"

namespace phlo::render {
namespace {

/// Of light that falls on a dull floor under water, is sent back and gets out again, against that of a dry one: some is reflected at the surface on its way in
/// and out, what gets out spreads over more directions, and what does not lights the floor once more.
constexpr float left_below = 0.75f;

constexpr float pi = std::numbers::pi_v<float>, not_a_number = std::numeric_limits<float>::quiet_NaN();

/// Of the sun: waves too small to be seen spread its mirror image.
Vec3f glint(const Vec3f& normal, const Vec3f& to_eye, const Lights& lights, float ior) {
    static const Material polished = make_material(GlossySurface{.roughness = 0.16}, Vec3f(0.02f));
    const Vec3f half = normalized(to_eye + lights.to_sun);
    const float share = fresnel(std::max(0.02f, dot(to_eye, half)), ior);
    return turn(polished, normal, to_eye, lights.to_sun).value * lights.sun * (share / 0.02f);
}

}  // namespace

void LiveLiquid::place(const field::Frame& frame, const Camera& camera) {
    corners_.clear(), triangles_.clear();
    materials_ = body_materials(frame, look_);
    for (std::size_t n = 0; n < frame.surfaces.size(); ++n) {
        if (frame.surfaces[n].substance.empty() || !materials_[n].dielectric()) continue;
        const SmoothMesh mesh = smooth_liquid(frame.surfaces[n].mesh);
        const int first = int(corners_.size());
        for (const SmoothMesh::Corner& c : mesh.corners) corners_.push_back({c.point, c.normal, materials_[n].color, int(n)});
        if (const auto& mix = materials_[n].mix; mix && materials_[n].cloudy)
            for (std::size_t c = std::size_t(first); c < corners_.size(); ++c) corners_[c].color = comes_out(materials_[n], mix->albedo(corners_[c].point, -corners_[c].normal));
        for (const Vec3i& t : mesh.triangles) triangles_.push_back(t + Vec3i(first));
    }
    if (triangles_.empty()) return;
    projection_ = camera.projection();
    std::vector<Vec3f> near, far;
    for (const Corner& c : corners_) {
        const Projection::Place place = projection_(c.point);
        near.push_back({place.x, place.y, place.depth > 1e-3f ? 1 / place.depth : not_a_number});
        far.push_back({place.x, place.y, -near.back().z});
    }
    std::vector<Vec3i> away;
    for (const Vec3i& t : triangles_) {
        const Vec3f &a = corners_[std::size_t(t.x)].point, &b = corners_[std::size_t(t.y)].point, &c = corners_[std::size_t(t.z)].point;
        if (dot(cross(b - a, c - a), a - projection_.position) > 0) away.push_back(t);
    }
    front_.begin(look_.width, look_.height), back_.begin(look_.width, look_.height);
    front_.draw(near, triangles_), back_.draw(far, away);
}

LiveLiquid::Spot LiveLiquid::spot(const Ray& ray, int triangle) const {
    const Vec3i& t = triangles_[std::size_t(triangle)];
    const Corner &a = corners_[std::size_t(t.x)], &b = corners_[std::size_t(t.y)], &c = corners_[std::size_t(t.z)];
    const Vec3f ab = b.point - a.point, ac = c.point - a.point, p = cross(ray.direction, ac), from = ray.origin - a.point, q = cross(from, ab);
    const float inverse = 1 / dot(ab, p), v = std::clamp(dot(from, p) * inverse, 0.f, 1.f), w = std::clamp(dot(ray.direction, q) * inverse, 0.f, 1.f);
    Spot spot{a.point + ab * v + ac * w, normalized(a.normal * (1 - v - w) + b.normal * v + c.normal * w), a.color * (1 - v - w) + b.color * v + c.color * w,
              &materials_[std::size_t(a.body)]};
    if (const float facing = -dot(spot.normal, ray.direction); facing < 0.02f) spot.normal = normalized(spot.normal - ray.direction * (0.02f - facing));
    return spot;
}

/// Of the picture of the bodies, where a point is seen; beside it if something stands before the liquid there.
Vec3f LiveLiquid::behind(const Vec3f& point, float front, const Plane& depth, int x, int y) const {
    const Projection::Place at = projection_(point);
    float px = float(x), py = float(y);
    if (at.depth > 0) {
        const float u = std::clamp(at.x - 0.5f, 0.f, float(depth.width - 1)), v = std::clamp(at.y - 0.5f, 0.f, float(depth.height - 1));
        if (depth(int(u), int(v)) > front) px = u, py = v;
    }
    const int i = std::min(int(px), depth.width - 2), j = std::min(int(py), depth.height - 2);
    const float fx = px - float(i), fy = py - float(j);
    Vec3f sum;
    for (int c = 0; c < 3; ++c) {
        const float *low = bodies_.channels[std::size_t(c)].row(j) + i, *high = bodies_.channels[std::size_t(c)].row(j + 1) + i;
        sum[c] = (low[0] * (1 - fx) + low[1] * fx) * (1 - fy) + (high[0] * (1 - fx) + high[1] * fx) * fy;
    }
    return sum;
}

/// Light that entered milk comes out softly: also where the sun just does not reach.
Vec3f LiveLiquid::cloudy_light(const Spot& spot, const Lights& lights) const {
    constexpr float soft = 0.25f;
    const float sun = std::max(0.f, dot(spot.normal, lights.to_sun) + soft) / ((1 + soft) * (1 + soft));
    return spot.color * ((*sky_)(spot.normal) + lights.sun * (sun / pi)) * spot.material->passed_evenly;
}

Vec3f LiveLiquid::light(const Spot& spot, const Ray& ray, float way, const Plane& depth, const Lights& lights, int x, int y) const {
    const optics::Interior& filled = spot.material->interior;
    const float share = fresnel(-dot(spot.normal, ray.direction), filled.ior);
    Vec3f sum = lights.radiance(mirrored(ray.direction, spot.normal)) * share + glint(spot.normal, -ray.direction, lights, filled.ior);
    if (spot.material->cloudy) return sum + cloudy_light(spot, lights) * (1 - share);
    const Vec3f onward = refracted(ray.direction, spot.normal, filled.ior), end = spot.point + onward * way;
    const Vec3f faded = spot.material->mix ? spot.material->mix->depth({spot.point, onward}, way) : filled.extinction() * way;
    const Vec3f seen = behind(end, projection_.depth(spot.point), depth, x, y);
    for (int c = 0; c < 3; ++c) sum[c] += (1 - share) * left_below * seen[c] * fast_exp(-faded[c]);
    return sum;
}

void LiveLiquid::draw(const Camera& camera, const Lights& lights, const Plane& depth, Picture& picture) {
    if (triangles_.empty()) return;
    if (!sky_) sky_.emplace(lights);
    bodies_ = picture;
    const TileGrid& tiles = front_.tiles();
    parallel_items(tiles.count(), [&](int tile) {
        if (!front_.drawn(tile)) return;
        const int left = tiles.left(tile), top = tiles.top(tile);
        const int right = std::min(left + tiles.tile_width, tiles.width), bottom = std::min(top + tiles.tile_height, tiles.height);
        for (int y = top; y < bottom; ++y)
            for (int x = left; x < right; ++x) {
                const int triangle = front_.triangle(x, y);
                if (triangle < 0) continue;
                const float near = 1 / front_.nearness()(x, y);
                if (!(near < depth(x, y))) continue;
                const Ray ray = camera.ray(float(x) + 0.5f, float(y) + 0.5f);
                const float back = back_.nearness()(x, y), far = std::min(back > Raster::nothing ? -1 / back : near, depth(x, y));
                const float way = std::max(0.f, far - near) / dot(ray.direction, projection_.forward);
                const Vec3f here = light(spot(ray, triangle), ray, way, depth, lights, x, y);
                for (int c = 0; c < 3; ++c) picture.channels[std::size_t(c)](x, y) = here[c];
            }
    });
}

}  // namespace phlo::render
