#include "render/light/lamps.h"

#include <cmath>
#include <numbers>

#include "optics/black_body.h"

namespace phlo::render {
namespace {

constexpr float pi = std::numbers::pi_v<float>;

void place_flat(Lamp& lamp, double half_width, double half_height) {
    const Sides side(lamp.normal);
    lamp.u = side.u * float(half_width), lamp.v = side.v * float(half_height);
}

/// A point of a flat lamp, from numbers in [0, 1).
Vec3f flat_point(const Lamp& lamp, float a, float b) {
    if (lamp.kind == Lamp::Kind::rectangle) return lamp.position + lamp.u * (2 * a - 1) + lamp.v * (2 * b - 1);
    const float r = std::sqrt(a), angle = 2 * pi * b;
    return lamp.position + lamp.u * (r * std::cos(angle)) + lamp.v * (r * std::sin(angle));
}

/// 1 - cosine of the angle under which a ball's radius is seen, from the square of its sine: exact for far balls, too.
float cap_height(float sine_squared) { return sine_squared / (1 + std::sqrt(1 - sine_squared)); }

LightSample sample_ball(const Lamp& lamp, const Vec3f& point, float a, float b) {
    const Vec3f way = lamp.position - point;
    const float d2 = dot(way, way), r2 = lamp.radius * lamp.radius;
    if (!(d2 > r2)) return {};  // inside nothing shines
    const float distance = std::sqrt(d2), height = cap_height(r2 / d2), below = height * a, cosine = 1 - below;
    LightSample result;
    result.direction = direction_around(way / distance, cosine, b);
    result.distance = distance * cosine - std::sqrt(std::max(0.f, r2 - d2 * below * (2 - below)));
    result.light = lamp.radiance * (2 * pi * height);
    result.density = 1 / (2 * pi * height);
    return result;
}

LightSample sample_flat(const Lamp& lamp, const Vec3f& point, float a, float b) {
    const Vec3f way = flat_point(lamp, a, b) - point;
    const float d2 = dot(way, way), distance = std::sqrt(d2), facing = -dot(way, lamp.normal) / distance;
    if (!(facing > 0)) return {};
    const float density = d2 / (facing * lamp.area);
    return {way / distance, distance, lamp.radiance / density, density};
}

}  // namespace

Vec3d Lamp::power() const { return Vec3d(intensity) * ((flat() ? 1 : 4) * std::numbers::pi); }

Vec3f colour_of_temperature(double temperature) {
    const Vec3d rgb = optics::in_gamut(optics::srgb_from_xyz(optics::BlackBody::xyz({}, temperature)));
    return Vec3f(rgb / optics::xyz_from_srgb(rgb).y);
}

std::vector<Lamp> make_lamps(const std::vector<LampParams>& params, double time) {
    std::vector<Lamp> lamps;
    for (const LampParams& p : params) {
        Lamp lamp;
        const Vec3d position = p.position(time), sight = p.target ? (*p.target)(time)-position : Vec3d(0, 0, -1);
        lamp.position = Vec3f(position);
        if (length(sight) > 0) lamp.normal = Vec3f(normalized(sight));
        lamp.intensity = p.color * float(p.strength(time));
        if (p.temperature) lamp.intensity = lamp.intensity * colour_of_temperature(*p.temperature);
        lamp.visible = p.visible;
        if (const auto* rectangle = std::get_if<RectangleShape>(&p.shape)) {
            lamp.kind = Lamp::Kind::rectangle;
            place_flat(lamp, 0.5 * rectangle->width, 0.5 * rectangle->height);
            lamp.area = float(rectangle->width * rectangle->height);
        } else if (const auto* disk = std::get_if<DiskShape>(&p.shape)) {
            lamp.kind = Lamp::Kind::disk;
            place_flat(lamp, disk->radius, disk->radius);
            lamp.area = pi * float(disk->radius * disk->radius);
        } else if (const auto* ball = std::get_if<BallShape>(&p.shape)) {
            lamp.kind = Lamp::Kind::ball;
            lamp.radius = float(ball->radius);
            lamp.area = pi * lamp.radius * lamp.radius;  // as it is seen
        }
        if (lamp.area > 0) lamp.radiance = lamp.intensity / lamp.area;
        if (lamp.kind == Lamp::Kind::ball) lamp.area *= 4;
        if (!(lamp.intensity == Vec3f())) lamps.push_back(lamp);
    }
    return lamps;
}

LightSample sample_lamp(const Lamp& lamp, const Vec3f& point, float u, float v) {
    if (lamp.flat()) return sample_flat(lamp, point, u, v);
    if (lamp.kind == Lamp::Kind::ball) return sample_ball(lamp, point, u, v);
    const Vec3f way = lamp.position - point;
    const float d2 = dot(way, way), distance = std::sqrt(d2);
    if (!(d2 > 0)) return {};
    return {way / distance, distance, lamp.intensity / d2, 0};
}

std::optional<LampHit> hit_lamp(const Lamp& lamp, const Ray& ray) {
    const Vec3f way = lamp.position - ray.origin;
    if (lamp.flat()) {
        const float facing = -dot(ray.direction, lamp.normal), t = -dot(way, lamp.normal) / facing;
        if (!(facing > 0) || !(t > 0)) return std::nullopt;
        const Vec3f at = ray.direction * t - way;
        const float a = dot(at, lamp.u) / dot(lamp.u, lamp.u), b = dot(at, lamp.v) / dot(lamp.v, lamp.v);
        const bool inside = lamp.kind == Lamp::Kind::rectangle ? std::fabs(a) < 1 && std::fabs(b) < 1 : a * a + b * b < 1;
        if (!inside) return std::nullopt;
        return LampHit{t, t * t / (facing * lamp.area)};
    }
    if (lamp.kind == Lamp::Kind::point) return std::nullopt;
    const float d2 = dot(way, way), r2 = lamp.radius * lamp.radius, along = dot(way, ray.direction);
    const Vec3f across = way - ray.direction * along;
    const float inside = r2 - dot(across, across);
    if (!(d2 > r2) || !(along > 0) || !(inside > 0)) return std::nullopt;
    return LampHit{along - std::sqrt(inside), 1 / (2 * pi * cap_height(r2 / d2))};
}

Emission emit(const Lamp& lamp, RandomStream& random) {
    const float a = random.next(), b = random.next(), c = random.next(), d = random.next();
    const Vec3f power(lamp.power());
    if (lamp.flat()) return {{flat_point(lamp, a, b), direction_around(lamp.normal, std::sqrt(c), d)}, power};
    const Vec3f out = direction_around({0, 0, 1}, 1 - 2 * a, b);
    if (lamp.kind == Lamp::Kind::point) return {{lamp.position, out}, power};
    return {{lamp.position + out * lamp.radius, direction_around(out, std::sqrt(c), d)}, power};
}

}  // namespace phlo::render
