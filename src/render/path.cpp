#include "render/path.h"

#include <cmath>

#include "optics/phase.h"
#include "render/emitters.h"
#include "render/medium.h"
#include "render/pixels.h"

namespace phlo::render {
namespace {

constexpr float pi = std::numbers::pi_v<float>, far_away = 1e30f;

class PathTracer {
public:
    PathTracer(const RenderScene& scene, const Medium& medium, const EmissionSampler& fire)
        : scene_(scene), medium_(medium), fire_(fire), offset_(scene.surface_offset()) {}

    Vec3f radiance(Ray ray, RandomStream& random) const {
        Vec3f light, weight(1.f);
        bool from_camera = true;
        for (int bounce = 0; bounce < most_bounces; ++bounce) {
            const auto hit = scene_.surfaces.hit(ray);
            Medium::Point gas;
            float way = 0;
            const bool collided =
                medium_.track(ray, hit ? hit->distance : far_away, random, [&](const Medium::Point& p, float majorant, float t) {
                    light += weight * p.emission * ((from_camera ? 1.f : fire_.met_share(t)) / majorant);
                    gas = p, way = t;
                    return random.next() * majorant < p.extinction;
                });
            if (collided) {
                const Vec3f point = ray.origin + ray.direction * way;
                weight = weight * gas.scattering / gas.extinction;
                if (!survives(weight, bounce, random)) break;
                light += weight * (sunlight_in_gas(point, ray.direction, random) + firelight_in_gas(point, ray.direction, random));
                ray = {point, direction_around(ray.direction, optics::sample_phase(medium_.anisotropy(), random.next()), random.next())};
            } else if (hit) {
                const float kept = from_camera ? scene_.kept_of(*hit) : 1.f;
                light += weight * scene_.background * (1 - kept);
                weight = weight * hit->color * kept;
                if (!survives(weight, bounce, random)) break;
                const Vec3f point = hit->point + hit->normal * offset_;
                light += weight * (sunlight_on(point, hit->normal, random) + firelight_on(point, hit->normal, random));
                ray = {point, direction_around(hit->normal, std::sqrt(random.next()), random.next())};
            } else {
                light += weight * (from_camera ? scene_.background : scene_.lights.radiance(ray.direction));
                break;
            }
            from_camera = false;
        }
        return light;
    }

private:
    static constexpr int most_bounces = 10000;  // a net under white scenes; paths end by chance long before

    static bool survives(Vec3f& weight, int bounce, RandomStream& random) {
        const float most = std::max({weight.x, weight.y, weight.z});
        if (!(most > 0)) return false;
        if (bounce < 3 || most >= 1) return true;
        if (random.next() >= most) return false;
        weight = weight / most;
        return true;
    }

    /// A direction towards a point of the sun's disc.
    Vec3f to_sun(RandomStream& random) const {
        const Sides side(scene_.lights.to_sun);
        const float radius = scene_.lights.sun_spread * std::sqrt(random.next()), angle = 2 * pi * random.next();
        return normalized(scene_.lights.to_sun + side.u * (radius * std::cos(angle)) + side.v * (radius * std::sin(angle)));
    }

    Vec3f sunlight_in_gas(const Vec3f& point, const Vec3f& direction, RandomStream& random) const {
        if (scene_.lights.sun == Vec3f()) return {};
        const Vec3f sun = to_sun(random);
        if (scene_.surfaces.blocked(point, sun)) return {};
        return scene_.lights.sun *
               (optics::phase(dot(direction, sun), medium_.anisotropy()) * medium_.transmittance({point, sun}, far_away, random));
    }

    Vec3f sunlight_on(const Vec3f& point, const Vec3f& normal, RandomStream& random) const {
        if (scene_.lights.sun == Vec3f()) return {};
        const Vec3f sun = to_sun(random);
        const float facing = dot(sun, normal);
        if (!(facing > 0) || scene_.surfaces.blocked(point, sun)) return {};
        return scene_.lights.sun * (facing / pi * medium_.transmittance({point, sun}, far_away, random));
    }

    Vec3f firelight_in_gas(const Vec3f& point, const Vec3f& direction, RandomStream& random) const {
        if (fire_.empty()) return {};
        const EmissionSampler::Sample lamp = fire_.sample(random);
        const Vec3f way = lamp.position - point;
        const float distance = length(way);
        if (!(distance > 0) || scene_.surfaces.blocked(point, way / distance, distance)) return {};
        const float falloff = fire_.drawn_share(distance) / (distance * distance);
        return lamp.light * (optics::phase(dot(direction, way) / distance, medium_.anisotropy()) * falloff *
                             medium_.transmittance({point, way / distance}, distance, random));
    }

    Vec3f firelight_on(const Vec3f& point, const Vec3f& normal, RandomStream& random) const {
        if (fire_.empty()) return {};
        const EmissionSampler::Sample lamp = fire_.sample(random);
        const Vec3f way = lamp.position - point;
        const float distance = length(way), facing = dot(way, normal) / distance;
        if (!(facing > 0) || scene_.surfaces.blocked(point, way / distance, distance)) return {};
        const float falloff = fire_.drawn_share(distance) / (distance * distance);
        return lamp.light * (facing / pi * falloff * medium_.transmittance({point, way / distance}, distance, random));
    }

    const RenderScene& scene_;
    const Medium& medium_;
    const EmissionSampler& fire_;
    float offset_;
};

}  // namespace

io::Image render_path(const RenderScene& scene, const PathSettings& settings) {
    const Medium medium(scene.volume);
    const EmissionSampler fire(scene.volume);
    const PathTracer tracer(scene, medium, fire);
    io::Image image(scene.width, scene.height);
    for_each_pixel(scene.width, scene.height, [&](int x, int y) {
        Vec3d sum;
        for (int s = 0; s < settings.samples; ++s) {
            RandomStream random({.seed = settings.seed, .step = std::uint32_t(s), .stream = 0x9a7}, std::uint32_t(y * scene.width + x));
            const float px = random.next(), py = random.next();
            sum += Vec3d(tracer.radiance(scene.camera.ray(float(x) + px, float(y) + py), random));
        }
        image(x, y) = Vec3f(sum / double(settings.samples));
    });
    return image;
}

}  // namespace phlo::render
