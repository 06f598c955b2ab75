#include "render/flipbook/cell.h"

#include <array>
#include <cmath>
#include <numbers>

#include "base/parallel.h"
#include "render/film/film.h"
#include "render/film/shutter.h"
#include "render/light/fire_light.h"
#include "render/light/gas_light.h"
#include "render/volumes/lit_volume.h"
#include "render/volumes/particles.h"
#include "render/luminance.h"

namespace phlo::render {
namespace {

constexpr float far_away = 1e30f;

/// Means over each pixel's rays: of what `lit` sends, and what passes, if `alpha` is asked for.
void gather(const LitVolume& lit, const Camera& camera, const PreviewSettings& settings, io::Image& radiance, std::vector<float>* alpha = nullptr) {
    const SamplePlaces places(settings.samples);
    for_each_pixel(radiance.width, radiance.height, [&](int x, int y) {
        const float noise = pixel_noise(x, y), share = 1 / float(settings.samples);
        Vec3f sum;
        float through = 0;
        for (int s = 0; s < settings.samples; ++s) {
            const Ray ray = camera.ray(float(x) + places[s].x, float(y) + places[s].y);
            const Segment gas = lit.march(ray, far_away, {settings.step, fraction(noise + float(s) * 0.61803399f)});
            sum += gas.radiance * share, through += gas.transmittance * share;
        }
        radiance(x, y) = sum;
        if (alpha) (*alpha)[std::size_t(y) * std::size_t(radiance.width) + std::size_t(x)] = 1 - through;
    });
}

/// The gas with all its light, as the preview lights it.
LitVolume lit_gas(const RenderScene& scene, const PreviewSettings& settings) {
    const SunDepth sun_depth(scene.volume, scene.lights.to_sun, settings.sun_spacing);
    SkyLight sky(scene.volume, scene.lights, settings.sky_cells, settings.sky_directions);
    FireLight(scene.volume).shine_into(sky, scene.camera.position(), scene.volume.anisotropy);
    return LitVolume(scene.volume, GasLight{scene, sun_depth, sky});
}

/// The same gas, grey and dark: engines tint their lightmaps themselves, and add emission.
OpticalVolume grey(OpticalVolume volume) {
    volume.emission.clear();
    volume.albedo = Vec3f((volume.albedo.x + volume.albedo.y + volume.albedo.z) / 3);
    if (volume.scattering.empty()) return volume;
    parallel_for(volume.domain.cells.z, [&](int k) {
        for (int j = 0; j < volume.domain.cells.y; ++j)
            for (int i = 0; i < volume.domain.cells.x; ++i) {
                float sum = 0;
                for (const field::Grid& colour : volume.scattering) sum += colour(i, j, k);
                for (field::Grid& colour : volume.scattering) colour(i, j, k) = sum / 3;
            }
    });
    return volume;
}

/// Three lights at once, each in a channel of its own. A white surface that faces a light would have the value 1.
LitVolume lit_from(const OpticalVolume& volume, const Vec3f& forward, const std::array<Vec3f, 3>& to_light, float spacing) {
    std::array<SunDepth, 3> depth;
    for (std::size_t n = 0; n < 3; ++n) depth[n] = SunDepth(volume, to_light[n], spacing);
    return LitVolume(volume, [&](const Vec3f& world, const Vec3i& cell) {
        const Vec3f albedo = volume.albedo_of(cell.x, cell.y, cell.z);
        Vec3f sent;
        for (int n = 0; n < 3; ++n)
            sent[n] = scattered_light(Vec3f(std::numbers::pi_v<float>), dot(forward, to_light[std::size_t(n)]), depth[std::size_t(n)].at(world), albedo,
                                      volume.anisotropy)[n];
        return sent;
    });
}

using Velocity = std::array<std::shared_ptr<const field::Grid>, 3>;

/// Of points that no gas carries: the mean of those that reach a cell, by what they weigh there.
Velocity velocity_of_points(const field::Frame& frame, const field::Domain& domain) {
    field::Grid weight{field::Layout(domain.cells)};
    std::array<std::shared_ptr<field::Grid>, 3> sum;
    for (auto& grid : sum) grid = std::make_shared<field::Grid>(field::Layout(domain.cells));
    for (const field::Points& set : frame.points)
        if (!set.velocity.empty())
            add_particles({.domain = domain, .size = 2}, set, weight, set.velocity, {sum[0].get(), sum[1].get(), sum[2].get()});
    parallel_for(domain.cells.z, [&](int k) {
        for (int j = 0; j < domain.cells.y; ++j)
            for (int i = 0; i < domain.cells.x; ++i)
                for (const auto& grid : sum)
                    if (weight(i, j, k) > 0) (*grid)(i, j, k) /= weight(i, j, k);
    });
    return {sum[0], sum[1], sum[2]};
}

Velocity velocity_on(const field::Domain& domain, const field::Frame& frame) {
    if (!frame.velocity) return velocity_of_points(frame, domain);
    Velocity v;
    for (int axis = 0; axis < 3; ++axis) v[std::size_t(axis)] = velocity_component(*frame.velocity, axis, domain);
    return v;
}

/// Screen motion of the gas, times what a ray sees of it. Motions are made positive for the march, whose sharpening expects amounts, and back afterwards.
void gather_motion(const OpticalVolume& dark, const LitVolume& lit, const field::Frame& frame, const RenderParams& look, const ParallelView& view,
                   const Camera& camera, const CellParams& params, io::Image& motion) {
    const Velocity velocity = velocity_on(dark.domain, frame);
    const Vec3f right(view.right * (params.seconds / view.width)), down(view.up * (-params.seconds / view.height));
    const auto motion_of = [&](const Vec3i& c) {
        const Vec3f v((*velocity[0])(c.x, c.y, c.z), (*velocity[1])(c.x, c.y, c.z), (*velocity[2])(c.x, c.y, c.z));
        return std::pair(dot(v, right), dot(v, down));
    };
    const Vec3i n = dark.domain.cells;
    const auto most = float(parallel_max(n.z, 0, [&](int k) {
        float largest = 0;
        for (int j = 0; j < n.y; ++j)
            for (int i = 0; i < n.x; ++i) {
                const auto [u, v] = motion_of({i, j, k});
                largest = std::max({largest, std::fabs(u), std::fabs(v)});
            }
        return double(largest);
    }));
    const float gain = float(std::exp2(look.exposure));
    const LitVolume moving(dark, [&](const Vec3f&, const Vec3i& cell) {
        const auto [u, v] = motion_of(cell);
        const float sigma = dark.extinction(cell.x, cell.y, cell.z);
        return Vec3f(u + most, v + most, 1) * (1 + gain * luminance(lit.cell(cell).light) / sigma);
    });
    gather(moving, camera, params.settings, motion);
    for (Vec3f& m : motion.pixels) m.x -= most * m.z, m.y -= most * m.z;
}

}  // namespace

RenderParams card_look(RenderParams look) {
    look.ground.visible = false, look.sky.visible = false;
    look.materials.clear();
    look.background = Vec3f();
    look.camera.shutter = 0;
    return look;
}

field::Frame card_frame(field::Frame frame) {
    frame.surfaces.clear();
    return frame;
}

FlipbookCell render_cell(const field::Frame& given, const RenderParams& given_look, const ParallelView& view, const CellParams& params) {
    const field::Frame frame = card_frame(given);
    const RenderParams look = card_look(given_look);
    FlipbookCell cell(params.width, params.height);
    RenderScene scene(frame, look);
    if (scene.volume.empty()) return cell;
    scene.camera = Camera(view, params.width, params.height);
    const Camera& camera = scene.camera;
    const LitVolume lit = lit_gas(scene, params.settings);
    gather(lit, camera, params.settings, cell.light, &cell.alpha);
    if (scene.volume.glows()) gather(LitVolume(scene.volume, [](const Vec3f&, const Vec3i&) { return Vec3f(); }), camera, params.settings, cell.emission);

    OpticalVolume dark = grey(std::move(scene.volume));
    const Vec3f right(view.right), up(view.up), forward(view.forward());
    const float spacing = params.settings.sun_spacing;
    gather(lit_from(dark, forward, {right, up, forward}, spacing), camera, params.settings, cell.positive);
    gather(lit_from(dark, forward, {-right, -up, -forward}, spacing), camera, params.settings, cell.negative);
    dark.albedo = Vec3f(1.f), dark.scattering.clear();
    gather_motion(dark, lit, frame, look, view, camera, params, cell.motion);
    return cell;
}

FlipbookCell blended(const FlipbookCell& a, const FlipbookCell& b, float share) {
    FlipbookCell result(a.width, a.height);
    const auto mix = [&](const io::Image& x, const io::Image& y, io::Image& to) {
        for (std::size_t p = 0; p < to.pixels.size(); ++p) to.pixels[p] = x.pixels[p] * (1 - share) + y.pixels[p] * share;
    };
    mix(a.light, b.light, result.light), mix(a.emission, b.emission, result.emission);
    mix(a.positive, b.positive, result.positive), mix(a.negative, b.negative, result.negative), mix(a.motion, b.motion, result.motion);
    for (std::size_t p = 0; p < result.alpha.size(); ++p) result.alpha[p] = a.alpha[p] * (1 - share) + b.alpha[p] * share;
    return result;
}

}  // namespace phlo::render
