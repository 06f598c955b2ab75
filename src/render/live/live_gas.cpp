#include "render/live/live_gas.h"

#include <array>

#include "base/parallel_items.h"
#include "optics/phase.h"
#include "render/fast_math.h"
#include "render/film/film.h"
#include "render/light/fire_light.h"
#include "render/light/sky_light.h"
#include "render/light/sun_depth.h"
#include "render/volumes/lit_volume.h"
#include "render/volumes/scattering.h"

namespace phlo::render {
namespace {

constexpr int factor = 2;                         // full pixels along a coarse one
constexpr int sky_cells = 24, sky_directions = 12;
constexpr float sun_spacing = 2, step = 1;        // [cells]

bool has_gas(const field::Frame& frame) {
    return std::ranges::any_of(frame.volumes, [](const field::Volume& v) { return v.kind == field::VolumeClass::fog; });
}

/// Points of a frame are drawn as clouds, not as gas.
field::Frame without_points(const field::Frame& frame) {
    field::Frame gas{.number = frame.number, .time = frame.time, .fps = frame.fps, .world = frame.bounds()};
    gas.volumes = frame.volumes;
    return gas;
}

/// What a point of the gas sends towards the camera, per scattering: the sun's light, the sky's and the fire's.
struct GasSource {
    const OpticalVolume& volume;
    const Lights& lights;
    const SunDepth& sun_depth;
    const SkyLight& sky;
    Vec3f eye;

    Vec3f operator()(const Vec3f& world, const Vec3i& cell) const {
        const Vec3f albedo = volume.albedo_of(cell.x, cell.y, cell.z);
        const float depth = sun_depth.at(world), cosine = dot(normalized(world - eye), lights.to_sun);
        Vec3f sum = sky.at(Vec3f(cell)), kept(1.f);
        for (const Octave& octave : sun_octaves) {
            sum += lights.sun * kept * (octave.weight * optics::phase(cosine, volume.anisotropy * octave.rounding) * fast_exp(-octave.thinning * depth));
            kept = kept * albedo;
        }
        return sum;
    }
};

}  // namespace

LiveGas::LiveGas(const field::Frame& frame, const RenderParams& look) {
    volume_.last = volume_.first - Vec3i(1);
    if (has_gas(frame)) volume_ = make_volume(without_points(frame), look);
}

std::optional<Cast::Fire> LiveGas::fire(float light) const {
    if (empty() || !volume_.glows()) return std::nullopt;
    constexpr int block = 4;
    const Vec3i blocks = (volume_.last - volume_.first) / block + Vec3i(1);
    const float h = float(volume_.domain.h), cell = h * h * h;
    struct Block {
        Vec3f light;
        Vec3d place;   ///< sum of places times brightness
    };
    std::vector<Block> sums(std::size_t(blocks.x) * std::size_t(blocks.y) * std::size_t(blocks.z));
    parallel_items(blocks.z, [&](int bk) {
        for (int k = volume_.first.z + bk * block; k <= std::min(volume_.last.z, volume_.first.z + bk * block + block - 1); ++k)
            for (int j = volume_.first.y; j <= volume_.last.y; ++j)
                for (int i = volume_.first.x; i <= volume_.last.x; ++i) {
                    const Vec3f here = volume_.emission_of(i, j, k) * cell;
                    if (here == Vec3f()) continue;
                    const int bi = (i - volume_.first.x) / block, bj = (j - volume_.first.y) / block;
                    Block& to = sums[std::size_t((bk * blocks.y + bj) * blocks.x + bi)];
                    to.light += here, to.place += volume_.domain.cell_center(i, j, k) * double(here.x + here.y + here.z);
                }
    });
    Cast::Fire fire;
    Vec3d all;
    double powers = 0;
    for (const Block& b : sums) {
        const float power = b.light.x + b.light.y + b.light.z;
        if (!(power > 0)) continue;
        fire.glows.push_back({Vec3f(b.place / double(power)), power});
        all += Vec3d(b.light), powers += double(power);
    }
    if (!(powers > 0)) return std::nullopt;
    fire.intensity_per_power = Vec3f(all / powers) * light;
    return fire;
}

void LiveGas::draw(const Camera& camera, const Lights& lights, const Plane& surfaces, Picture& picture) const {
    if (empty()) return;
    const SunDepth sun_depth(volume_, lights.to_sun, sun_spacing);
    SkyLight sky(volume_, lights, sky_cells, sky_directions);
    FireLight(volume_).shine_into(sky, camera.position(), volume_.anisotropy);
    const LitVolume lit(volume_, GasSource{volume_, lights, sun_depth, sky, camera.position()});

    Coarse coarse;
    coarse.make(surfaces, factor);
    const Plane& depth = coarse.depth();
    std::array<Plane, 4> layer;   // red, green, blue, and what passes
    for (Plane& plane : layer) plane.resize(depth.width, depth.height);
    parallel_items(depth.height, [&](int y) {
        for (int x = 0; x < depth.width; ++x) {
            const Ray ray = camera.ray((float(x) + 0.5f) * factor, (float(y) + 0.5f) * factor);
            const Segment s = lit.march(ray, depth(x, y) / dot(ray.direction, camera.forward()), {step, pixel_noise(x, y)});
            for (int c = 0; c < 3; ++c) layer[std::size_t(c)](x, y) = s.radiance[c];
            layer[3](x, y) = s.transmittance;
        }
    });
    coarse.lay_over({&layer[0], &layer[1], &layer[2], &layer[3]}, picture);
}

}  // namespace phlo::render
