#include "render/flipbook/live_cell.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

#include "base/parallel.h"
#include "render/live/cast.h"
#include "render/live/live_renderer.h"
#include "render/volumes/lattice.h"

namespace phlo::render {
namespace {

constexpr double degrees_per_radian = 180 / std::numbers::pi;

/// A lens so long that its lines of sight are parallel, as good as.
RenderParams long_lens(RenderParams look, const field::Frame& frame, const ParallelView& view, int width, int height) {
    const Vec3d forward = view.forward(), target = view.center + forward * std::max(0.0, dot(bounds_of(frame).center() - view.center, forward));
    const double distance = 200 * std::max(view.width, view.height);
    look.camera.position = Curve<Vec3d>(target - forward * distance);
    look.camera.target = Curve<Vec3d>(target);
    look.camera.fov = Curve<double>(2 * std::atan(0.5 * view.height / distance) * degrees_per_radian);
    look.camera.roll = Curve<double>(0.0);
    look.camera.f_number = std::nullopt;
    look.live.glare = 0;   // the engine makes its own
    look.width = width, look.height = height;
    return look;
}

io::Image draw(const field::Frame& frame, const RenderParams& look) { return LiveRenderer(look).render(frame); }

/// Without any light but the fire's own.
RenderParams dark(RenderParams look) {
    look.sun.strength = 0, look.sky.strength = 0, look.live.light = 0;
    look.sky.map.reset();
    look.lights.clear();
    return look;
}

/// White light from one direction, and a fire that does not shine: pi radiance / irradiance.
void draw_lit_from(const field::Frame& frame, const RenderParams& look, const Vec3d& to_light, int channel, io::Image& map) {
    RenderParams lit = dark(look);
    lit.fire.brightness = 0;
    lit.sun = {.azimuth = std::atan2(to_light.y, to_light.x) * degrees_per_radian,
               .elevation = std::asin(std::clamp(to_light.z, -1.0, 1.0)) * degrees_per_radian,
               .color = Vec3f(1.f),
               .strength = std::numbers::pi,
               .size = 0};
    const io::Image image = draw(frame, lit);
    for (std::size_t p = 0; p < map.pixels.size(); ++p) map.pixels[p][channel] = (image.pixels[p].x + image.pixels[p].y + image.pixels[p].z) / 3;
}

/// What a point burns or hides; 0: it is not drawn.
float weight_of(const field::Points& set, std::size_t n) {
    float sum = 0;
    bool known = false;
    for (const char* name : {"composition", "fuel", "flame", "smoke", "opacity"})
        if (const auto* column = set.column<float>(name)) sum += (*column)[n], known = true;
    return known ? sum : 0;
}

/// A point on the screen, as a small Gaussian cloud.
struct Mark {
    float x, y, deviation;   ///< [pixels]
    Vec3f motion;            ///< right, down, 1, times what it counts in the middle
};

std::vector<Mark> marks_of(const field::Frame& frame, const ParallelView& view, const CellParams& params) {
    std::vector<Mark> marks;
    const double across = params.width / view.width, up = params.height / view.height;
    const Vec3f right(view.right * (params.seconds / view.width)), down(view.up * (-params.seconds / view.height));
    for (const field::Points& set : frame.points)
        for (std::size_t n = 0; n < set.size(); ++n) {
            const float weight = weight_of(set, n);
            if (!(weight > 0) || set.velocity.empty()) continue;
            const Vec3d way = Vec3d(set.position[n]) - view.center;
            const float deviation = std::clamp(float(double(set.radius[n]) * across), 0.7f, 12.f);
            const Vec3f &v = set.velocity[n], moved(dot(v, right), dot(v, down), 1);
            marks.push_back({float(0.5 * params.width + dot(way, view.right) * across), float(0.5 * params.height - dot(way, view.up) * up), deviation,
                             moved * (weight / (deviation * deviation))});
        }
    return marks;
}

void draw_motion(const std::vector<Mark>& marks, io::Image& motion) {
    constexpr int band = 8;   // rows that one thread draws, all marks in their order
    const int bands = (motion.height + band - 1) / band;
    std::vector<std::vector<std::uint32_t>> of_band(static_cast<std::size_t>(bands));
    for (std::size_t n = 0; n < marks.size(); ++n) {
        const float reach = 2 * marks[n].deviation;
        if (!(marks[n].y + reach > 0 && marks[n].y - reach < float(motion.height))) continue;
        const int first = std::max(0, int((marks[n].y - reach) / band)), last = std::min(bands - 1, int((marks[n].y + reach) / band));
        for (int b = first; b <= last; ++b) of_band[std::size_t(b)].push_back(std::uint32_t(n));
    }
    parallel_for(bands, [&](int b) {
        for (const std::uint32_t n : of_band[std::size_t(b)]) {
            const Mark& m = marks[n];
            const float reach = 2 * m.deviation, inverse = 0.5f / (m.deviation * m.deviation);
            const int top = std::max(b * band, int(m.y - reach)), bottom = std::min({(b + 1) * band, motion.height, int(m.y + reach) + 1});
            const int left = std::max(0, int(m.x - reach)), right = std::min(motion.width, int(m.x + reach) + 1);
            for (int y = top; y < bottom; ++y)
                for (int x = left; x < right; ++x) {
                    const float dx = float(x) + 0.5f - m.x, dy = float(y) + 0.5f - m.y;
                    motion(x, y) += m.motion * std::exp(-(dx * dx + dy * dy) * inverse);
                }
        }
    });
}

}  // namespace

bool drawn_from_points(const field::Frame& frame) { return frame.volumes.empty() && holds_live_points(frame); }

void draw_live_light(const field::Frame& frame, const RenderParams& look, const ParallelView& view, io::Image& light, std::vector<float>& alpha) {
    RenderParams card = long_lens(card_look(look), frame, view, light.width, light.height);
    light = draw(frame, card);
    card.background = Vec3f(1.f);
    const io::Image white = draw(frame, card);
    for (std::size_t p = 0; p < alpha.size(); ++p) alpha[p] = std::clamp(1 - (white.pixels[p].y - light.pixels[p].y), 0.f, 1.f);
}

FlipbookCell render_live_cell(const field::Frame& given, const RenderParams& given_look, const ParallelView& view, const CellParams& params) {
    const field::Frame frame = card_frame(given);
    FlipbookCell cell(params.width, params.height);
    draw_live_light(frame, given_look, view, cell.light, cell.alpha);
    const RenderParams look = long_lens(card_look(given_look), frame, view, params.width, params.height);
    cell.emission = draw(frame, dark(look));
    if (std::ranges::any_of(cell.alpha, [](float a) { return a > 1e-3f; })) {
        const Vec3d axes[3] = {view.right, view.up, view.forward()};
        for (int n = 0; n < 3; ++n) {
            draw_lit_from(frame, look, axes[n], n, cell.positive);
            draw_lit_from(frame, look, -axes[n], n, cell.negative);
        }
    }
    draw_motion(marks_of(frame, view, params), cell.motion);
    return cell;
}

}  // namespace phlo::render
