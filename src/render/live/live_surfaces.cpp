#include "render/live/live_surfaces.h"

#include <cmath>
#include <limits>
#include <numbers>

#include "base/parallel_items.h"
#include "base/simd.h"
#include "render/fast_math.h"
#include "render/live/finer_mesh.h"
#include "render/surfaces/frame_surfaces.h"
#include "render/volumes/lattice.h"

namespace phlo::render {
namespace {

constexpr float pi = std::numbers::pi_v<float>, infinity = std::numeric_limits<float>::infinity();

bool same(const std::vector<field::Surface>& a, const std::vector<field::Surface>& b) {
    return std::ranges::equal(a, b, [](const field::Surface& s, const field::Surface& t) {
        return s.name == t.name && s.color == t.color && s.mesh.points == t.mesh.points && s.mesh.triangles == t.mesh.triangles;
    });
}

/// The part of the world that a shot is about.
struct Room {
    Vec3f middle;  ///< [m]
    float reach;   ///< its size [m]
};

/// Particles without a domain fly about: the room must not change with each of them. What a camera is pointed at stays.
Room room_of(const field::Frame& frame, const field::Bounds& bounds, const RenderParams& look) {
    const CameraParams& camera = look.camera;
    if (!frame.world && camera.position && camera.target) {
        const Vec3d target = (*camera.target)(frame.time), way = target - (*camera.position)(frame.time);
        return {Vec3f(target), float(2 * length(way) * std::tan(0.5 * camera.fov(frame.time) * std::numbers::pi / 180))};
    }
    return {Vec3f(bounds.center()), float(longest_side(bounds))};
}

/// Of the fire's light on a body: the share that comes by way of everything around, from all sides.
constexpr float bounced = 0.04f;

Vec3f reflected(const Vec3f& direction, const Vec3f& normal) { return direction - normal * (2 * dot(direction, normal)); }

}  // namespace

void LiveSurfaces::place(const field::Frame& frame, const field::Bounds& bounds, const Camera& camera, const Lights& lights) {
    const Projection projection = camera.projection();
    const bool lamps_move = !look_.lights.empty() || !look_.materials.empty();
    const Room room = room_of(frame, bounds, look_);
    const auto ground = ground_of(bounds, look_.ground);
    std::vector<field::Surface> bodies;
    std::vector<Material> materials;
    const std::vector<Material> all = body_materials(frame, look_);
    for (std::size_t n = 0; n < frame.surfaces.size(); ++n)
        if (frame.surfaces[n].substance.empty() || !all[n].dielectric()) bodies.push_back(frame.surfaces[n]), materials.push_back(all[n]);
    if (projection_ == projection && same(bodies_, bodies) && (!lamps_move || time_ == frame.time) && room.middle == middle_ &&
        room.reach == reach_ && ground.has_value() == ground_.has_value() && (!ground || ground->height == ground_->height))
        return;
    if (!projection_) sky_ = SkyHarmonics(lights);
    projection_ = projection, time_ = frame.time, ground_ = ground;
    middle_ = room.middle, reach_ = room.reach, sky_visible_ = shows_sky(frame, look_);
    bodies_ = std::move(bodies), materials_ = std::move(materials);
    build_bodies(projection);
    light_corners(lights);
    place_nodes(camera, lights);
    const int width = look_.width, height = look_.height;
    depth_.resize(width, height), ground_share_.resize(width, height), still_.resize(width, height);
    spots_.resize(std::size_t(raster_.tiles().count()));
    still_drawn_ = false;
}

void LiveSurfaces::build_bodies(const Projection& projection) {
    corners_.clear(), triangles_.clear(), rods_.clear();
    for (std::size_t n = 0; n < bodies_.size(); ++n) {
        const SmoothMesh whole = smooth_mesh(bodies_[n].mesh), mesh = finer_mesh(whole, reach_ / 24);   // light is known at corners
        const int first = int(corners_.size());
        for (const SmoothMesh::Corner& c : mesh.corners) corners_.push_back({.point = c.point, .normal = c.normal, .body = int(n)});
        for (const Vec3i& t : mesh.triangles) triangles_.push_back(t + Vec3i(first));
        rods_.push_back(soft_rod(whole, int(n)));
    }
    std::vector<Vec3f> screen;
    for (const Corner& c : corners_) {
        const Projection::Place place = projection(c.point);
        screen.push_back({place.x, place.y, place.depth > 1e-3f ? 1 / place.depth : std::numeric_limits<float>::quiet_NaN()});
    }
    raster_.begin(look_.width, look_.height);
    raster_.draw(screen, triangles_);
    find_seen_corners();
}

void LiveSurfaces::find_seen_corners() {
    std::vector<std::uint8_t> seen(corners_.size());
    const TileGrid& tiles = raster_.tiles();
    for (int tile = 0; tile < tiles.count(); ++tile) {
        if (!raster_.drawn(tile)) continue;
        const int left = tiles.left(tile), top = tiles.top(tile);
        for (int y = top; y < std::min(top + tiles.tile_height, tiles.height); ++y)
            for (int x = left; x < std::min(left + tiles.tile_width, tiles.width); ++x)
                if (const int number = raster_.triangle(x, y); number >= 0)
                    for (int c = 0; c < 3; ++c) seen[std::size_t(triangles_[std::size_t(number)][c])] = 1;
    }
    seen_corners_.clear();
    for (std::size_t n = 0; n < seen.size(); ++n)
        if (seen[n] != 0) seen_corners_.push_back(int(n));
}

template <class Light>
void LiveSurfaces::for_seen_corners(const Light& light) {
    constexpr int chunk = 64;
    const int count = int(seen_corners_.size());
    parallel_items((count + chunk - 1) / chunk, [&](int item) {
        for (int n = item * chunk; n < std::min(count, (item + 1) * chunk); ++n) light(corners_[std::size_t(seen_corners_[std::size_t(n)])]);
    });
}

Vec3f LiveSurfaces::soft_light(const Vec3f& point, const Vec3f& normal, int body, const Lights& lights) const {
    const float contact = float(look_.live.contact);
    float open = sky_seen(rods_, point, normal, body);
    // The ground under a body is dark: what faces it from near gets none of its light.
    if (body >= 0 && ground_) open *= 1 - (0.5f - 0.5f * normal.z) * fast_exp(-std::max(0.f, point.z - ground_->height) / (0.5f * rods_[std::size_t(body)].radius + 1e-6f));
    Vec3f sum = sky_(normal) * (1 + contact * (open - 1));
    for (const Lamp& lamp : lights.lamps) {
        const LightSample s = sample_lamp(lamp, point, 0.5f, 0.5f);
        const float cosine = dot(s.direction, normal);
        if (s.light == Vec3f() || !(cosine > 0)) continue;
        const float size = std::max(lamp.radius, std::sqrt(lamp.area / pi));
        sum += s.light * (cosine / pi * lamp_seen(rods_, point, body, lamp.position, size));
    }
    return sum;
}

Vec3f LiveSurfaces::fire_light(const Vec3f& point, const Vec3f& normal, int body, std::span<const FireLamp> lamps) const {
    Vec3f sum;
    for (const FireLamp& lamp : lamps) {
        const Vec3f light = lamp.at(point, normal);
        if (!(light == Vec3f())) sum += light * (lamp_seen(rods_, point, body, lamp.position, lamp.radius) / pi);
        if (body >= 0) sum += lamp.around(point) * (bounced / pi);
    }
    return sum;
}

void LiveSurfaces::light_corners(const Lights& lights) {
    for_seen_corners([&](Corner& c) {
        c.soft = soft_light(c.point, c.normal, c.body, lights);
        c.sun = sun_seen(rods_, c.point, c.body, lights.to_sun, lights.sun_spread);
    });
}

Vec3f LiveSurfaces::behind(const Vec3f& direction, const Lights& lights) const {
    if (!sky_visible_) return look_.background;
    const Vec3f up(direction.x, direction.y, ground_ ? std::max(direction.z, 0.f) : direction.z);
    return lights.radiance(normalized(up)) + lights.sun_disc(direction);
}

void LiveSurfaces::draw_tile(int tile, const Camera& camera, const Lights& lights) {
    const TileGrid& tiles = raster_.tiles();
    const int left = tiles.left(tile), top = tiles.top(tile);
    const int right = std::min(left + tiles.tile_width, tiles.width), bottom = std::min(top + tiles.tile_height, tiles.height);
    std::vector<Spot>& spots = spots_[std::size_t(tile)];
    spots.clear();
    for (int y = top; y < bottom; ++y) {
        draw_ground(left, right, y, lights);
        if (!raster_.drawn(tile)) continue;
        for (int x = left; x < right; ++x) {
            const int number = raster_.triangle(x, y);
            if (number < 0) continue;
            const float depth = 1 / raster_.nearness()(x, y);
            if (!(depth < depth_(x, y))) continue;
            depth_(x, y) = depth, ground_share_(x, y) = 0;
            // Where the pixel's ray meets the triangle's plane, in its own coordinates.
            const Ray ray = camera.ray(float(x) + 0.5f, float(y) + 0.5f);
            const Vec3i& t = triangles_[std::size_t(number)];
            const Vec3f &a = corners_[std::size_t(t.x)].point, ab = corners_[std::size_t(t.y)].point - a, ac = corners_[std::size_t(t.z)].point - a;
            const Vec3f p = cross(ray.direction, ac), from = ray.origin - a, q = cross(from, ab);
            const float inverse = 1 / dot(ab, p);
            const Spot spot{x, y, number, std::clamp(dot(from, p) * inverse, 0.f, 1.f), std::clamp(dot(ray.direction, q) * inverse, 0.f, 1.f)};
            spots.push_back(spot);
            const Vec3f light = body_light(spot, ray, lights);
            for (int c = 0; c < 3; ++c) still_.channels[std::size_t(c)](x, y) = light[c];
        }
    }
}

Vec3f LiveSurfaces::body_light(const Spot& spot, const Ray& ray, const Lights& lights) const {
    const Vec3i& t = triangles_[std::size_t(spot.triangle)];
    const Corner &a = corners_[std::size_t(t.x)], &b = corners_[std::size_t(t.y)], &c = corners_[std::size_t(t.z)];
    const float w = 1 - spot.b - spot.c;
    Vec3f normal = normalized(a.normal * w + b.normal * spot.b + c.normal * spot.c);
    if (dot(normal, ray.direction) > 0) normal = -normal;
    const Material& material = materials_[std::size_t(a.body)];
    const Vec3f soft = a.soft * w + b.soft * spot.b + c.soft * spot.c;
    const float seen = a.sun * w + b.sun * spot.b + c.sun * spot.c;
    Vec3f light = material.emission;
    if (material.diffuse()) return light + material.color * (soft + lights.sun * (seen * std::max(0.f, dot(normal, lights.to_sun)) / pi));
    // Metal and glass show the sky that they mirror; what else they would show is left out.
    const Vec3f mirrored = lights.radiance(reflected(ray.direction, normal));
    if (material.kind == Material::Kind::dielectric) {
        const float share = fresnel(-dot(ray.direction, normal), material.interior.ior);
        return light + mirrored * share + behind(ray.direction, lights) * (1 - share);
    }
    const float dull = material.roughness;
    light += material.color * (mirrored * (1 - dull) + soft * dull);
    return light + turn(material, normal, -ray.direction, lights.to_sun).value * lights.sun * seen;
}

void LiveSurfaces::shade(std::span<const FireLamp> lamps, const Camera& camera, const Lights& lights, Picture& picture) {
    picture.resize(look_.width, look_.height);
    light_nodes(lamps);
    for_seen_corners([&](Corner& c) { c.fire = fire_light(c.point, c.normal, c.body, lamps); });
    // A tile is lit while what was just drawn of it is in the cache.
    parallel_items(raster_.tiles().count(), [&](int tile) {
        if (!still_drawn_) draw_tile(tile, camera, lights);
        light_tile(tile, picture);
    });
    still_drawn_ = true;
}

void LiveSurfaces::light_tile(int tile, Picture& picture) const {
    const TileGrid& tiles = raster_.tiles();
    const int left = tiles.left(tile), top = tiles.top(tile);
    const int right = std::min(left + tiles.tile_width, tiles.width), bottom = std::min(top + tiles.tile_height, tiles.height);
    for (int y = top; y < bottom; ++y) light_ground(left, right, y, picture);
    for (const Spot& spot : spots_[std::size_t(tile)]) {
        const Vec3i& t = triangles_[std::size_t(spot.triangle)];
        const Corner &a = corners_[std::size_t(t.x)], &b = corners_[std::size_t(t.y)], &c = corners_[std::size_t(t.z)];
        const Vec3f light = materials_[std::size_t(a.body)].color * (a.fire * (1 - spot.b - spot.c) + b.fire * spot.b + c.fire * spot.c);
        for (int k = 0; k < 3; ++k) picture.channels[std::size_t(k)](spot.x, spot.y) += light[k];
    }
}

}  // namespace phlo::render
