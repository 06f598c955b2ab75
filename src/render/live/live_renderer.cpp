#include "render/live/live_renderer.h"

#include <cmath>

#include "base/parallel_items.h"
#include "render/fast_math.h"
#include "render/live/halo.h"
#include "render/volumes/lattice.h"

namespace phlo::render {
namespace {

constexpr int fire_lamps = 8;
/// Composition that a ray meets in the middle of a flame, about; and the share of the ramp that it reaches, 1 - exp(-it).
constexpr float usual_amount = 0.8f;

}  // namespace

LiveRenderer::LiveRenderer(const RenderParams& look)
    : look_(look), surfaces_(look_), by_composition_(composition_ramp(look.live.streaks, look.fire)) {}

io::Image LiveRenderer::render(const field::Frame& frame) {
    times_.clear();
    const Camera camera(look_.camera, bounds_of(frame), frame.time, look_.width, look_.height);
    const Lights lights(look_, frame.time);
    {
        const Stage stage(times_, "surfaces");
        surfaces_.place(frame, camera, lights);
    }
    {
        const Stage stage(times_, "light");
        lamps_.clear();
        for (const field::Points& points : frame.points) light_of(points);
        surfaces_.shade(lamps_, picture_);
    }
    for (const field::Points& points : frame.points)
        if (points.column<float>("composition") && points.size() > 0) draw_streaks(points, camera, frame.time);
    const Stage stage(times_, "picture");
    io::Image image(look_.width, look_.height);
    parallel_for(look_.height, [&](int y) {
        const float *r = picture_.channels[0].row(y), *g = picture_.channels[1].row(y), *b = picture_.channels[2].row(y);
        Vec3f* to = &image(0, y);
        for (int x = 0; x < look_.width; ++x) to[x] = {r[x], g[x], b[x]};
    });
    return image;
}

void LiveRenderer::light_of(const field::Points& points) {
    const auto* composition = points.column<float>("composition");
    if (!composition || look_.live.light == 0) return;
    const std::vector<Torch> torches = find_torches(points);
    const auto* torch = points.column<std::int32_t>("torch");
    std::vector<Glow> glows(points.size());
    for (std::size_t n = 0; n < points.size(); ++n) {
        const auto of = torch ? std::ranges::lower_bound(torches, (*torch)[n], {}, &Torch::id) : torches.begin();
        glows[n] = {points.position[n], (*composition)[n] * of->weight};
    }
    // Where little burns, radiance grows with the amount; thick fire shines less than all its particles would alone.
    const Vec3f usual = by_composition_(1 - std::exp(-usual_amount)) / usual_amount;
    const auto more = gather_lamps(glows, usual * float(look_.live.light * look_.live.streaks.gain), fire_lamps);
    lamps_.insert(lamps_.end(), more.begin(), more.end());
}

void LiveRenderer::draw_streaks(const field::Points& points, const Camera& camera, double time) {
    const StreakLook& look = look_.live.streaks;
    const Projection projection = camera.projection();
    std::vector<Torch> torches;
    {
        const Stage stage(times_, "streaks");
        torches = find_torches(points);
        amount_.resize(look_.width, look_.height);
        streaks_.draw(points, torches, look, projection, surfaces_.depth(), amount_);
    }
    {
        const Stage stage(times_, "halo");
        const Torch& largest = *std::ranges::max_element(torches, {}, [](const Torch& t) { return t.count; });
        const Projection::Place at = projection(largest.middle), above = projection(largest.middle + Vec3f(0, 0, largest.spread.z));
        const float up = std::hypot(above.x - at.x, above.y - at.y);
        if (at.depth > 0 && up > 0) {
            const float height = float(look.halo) * 4 * up;
            blur_upwards(amount_, {.height = height,
                                   .up_x = (above.x - at.x) / up,
                                   .up_y = (above.y - at.y) / up,
                                   .jitter = float(look.jitter),
                                   .wavelength = std::max(4.f, 0.35f * up),
                                   .phase = float(std::fmod(3 * time, 4096.0)),
                                   .x = at.x,
                                   .y = at.y});
        }
    }
    const Stage stage(times_, "ramp");
    parallel_for(look_.height, [&](int y) {
        const float* amount = amount_.row(y);
        float *r = picture_.channels[0].row(y), *g = picture_.channels[1].row(y), *b = picture_.channels[2].row(y);
        for (int x = 0; x < look_.width; ++x) {
            if (!(amount[x] > 0)) continue;
            const Vec3f light = by_composition_(1 - fast_exp(-amount[x]));
            r[x] += light.x, g[x] += light.y, b[x] += light.z;
        }
    });
}

}  // namespace phlo::render
