#include "render/path.h"

#include <cmath>

#include "render/light/direct_light.h"
#include "render/film/pixels.h"
#include "render/volumes/interior_flight.h"

namespace phlo::render {
namespace {

constexpr float far_away = 1e30f;

class PathTracer {
public:
    PathTracer(const RenderScene& scene, const Medium& medium, const EmissionSampler& fire)
        : scene_(scene), medium_(medium), fire_(fire), direct_(scene, medium, fire), offset_(scene.surface_offset()), eye_inside_(scene.surfaces.around(scene.camera.position())) {}

    Vec3f radiance(Ray ray, RandomStream& random) const {
        Vec3f light, weight(1.f);
        Inside inside = eye_inside_;
        float density = only_way;  // of the ray's direction
        bool seen_clearly = true;  // by the eye, through glass and water only
        for (int bounce = 0; bounce < most_bounces; ++bounce) {
            const bool from_camera = bounce == 0;
            const optics::Interior& filled = scene_.surfaces.interior(inside);
            const InteriorFlight flight = scene_.surfaces.flight(ray, inside, weight, random);
            const auto hit = scene_.surfaces.hit(ray, inside, flight.way);
            Medium::Point gas;
            // Where the liquid would scatter, or the next surface; gas, bubbles or foam may come before.
            float way = hit ? hit->distance : flight.way;
            const bool scattered = !hit && flight.way < far_away;
            const bool collided = medium_.track(ray, std::min(way, far_away), random, [&](const Medium::Point& p, float majorant, float t) {
                light += weight * flight.passed(t) * p.emission * ((density == only_way ? 1.f : fire_.met_share(t)) / majorant);
                gas = p, way = t;
                return random.next() * majorant < p.extinction;
            });
            if (!collided) way = hit ? hit->distance : flight.way;
            direct_.met(ray, std::min(way, far_away), density, from_camera,
                        [&](const Vec3f& lamp, float t) { light += weight * flight.passed(t) * lamp; });
            if (collided) {
                const Vec3f point = ray.origin + ray.direction * way;
                weight = weight * flight.passed(way) * gas.scattering / gas.extinction;
                if (!survives(weight, bounce, random)) break;
                const GasTurn turn{ray.direction, medium_.anisotropy()};
                light += weight * (direct_.outside(point, turn, random, Bodies::shown, filled) + direct_.from_fire(point, turn, random));
                const float cosine = optics::sample_phase(medium_.anisotropy(), random.next());
                ray = {point, direction_around(ray.direction, cosine, random.next())};
                density = optics::phase(cosine, medium_.anisotropy()), seen_clearly = false;
            } else if (scattered) {
                const Vec3f point = ray.origin + ray.direction * way;
                weight = weight * flight.scattered(way);
                if (!survives(weight, bounce, random)) break;
                // The liquid's surface is on the way of all light but that of lamps in it.
                if (!scene_.lights.lamps.empty() || !scene_.glow.empty())
                    light += weight * direct_.outside(point, GasTurn{ray.direction, filled.anisotropy}, random, Bodies::shown, filled);
                const float cosine = optics::sample_phase(filled.anisotropy, random.next());
                ray = {point, direction_around(ray.direction, cosine, random.next())};
                density = optics::phase(cosine, filled.anisotropy), seen_clearly = false;
            } else if (hit) {
                weight = weight * flight.passed(way);
                const float kept = seen_clearly ? scene_.kept_of(*hit) : 1.f;
                if (kept < 1) light += weight * scene_.behind(ray.direction) * (1 - kept);
                weight = weight * kept;
                light += weight * direct_.emitted(*hit, ray.direction, density);
                if (!hit->material->clear()) {
                    const Vec3f point = hit->point + hit->normal * offset_;
                    const SurfaceTurn turn{*hit, -ray.direction};
                    light += weight * (direct_.outside(point, turn, random, Bodies::shown, filled) + direct_.from_fire(point, turn, random));
                }
                const Bounce on = render::bounce(*hit, ray.direction, random);
                weight = weight * on.weight;
                if (!survives(weight, bounce, random)) break;
                ray = scene_.surfaces.onward(*hit, on.direction, inside);
                density = on.density;
                seen_clearly = seen_clearly && hit->material->dielectric();
            } else {
                light += weight * (from_camera ? scene_.behind(ray.direction) : direct_.sky(ray.direction, density));
                break;
            }
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

    const RenderScene& scene_;
    const Medium& medium_;
    const EmissionSampler& fire_;
    DirectLight direct_;
    float offset_;
    Inside eye_inside_;
};

}  // namespace

io::Image render_path(const RenderScene& scene, const PathSettings& settings) {
    const Medium medium(scene.volume);
    const EmissionSampler fire(scene.volume);
    const PathTracer tracer(scene, medium, fire);
    io::Image image(scene.width, scene.height);
    const auto shade = [&](int x, int y) {
        Vec3d sum;
        for (int s = settings.part.first; s < settings.part.first + settings.samples; ++s) {
            RandomStream random({.seed = settings.seed, .step = std::uint32_t(s), .stream = 0x9a7}, std::uint32_t(y * scene.width + x));
            const float px = random.next(), py = random.next(), u = random.next(), v = random.next();
            sum += Vec3d(tracer.radiance(scene.camera.ray(float(x) + px, float(y) + py, u, v), random));
        }
        image(x, y) = Vec3f(sum / double(settings.samples));
    };
    for_each_pixel(scene.width, scene.height, settings.watch, shade, [&](std::size_t pixel) { return image.pixels[pixel]; });
    return image;
}

}  // namespace phlo::render
