#include "render/flipbook/framing.h"

#include <cmath>
#include <numbers>
#include <vector>

#include "base/parallel.h"
#include "render/flipbook/cell.h"
#include "render/flipbook/live_cell.h"
#include "render/volumes/lit_volume.h"

namespace phlo::render {
namespace {

constexpr int lines = 128;              // of the raster
constexpr float visible = 1.5f / 255;

bool is_seen(const Vec3f& light, float alpha, float gain) { return alpha > visible || gain * std::max({light.x, light.y, light.z}) > visible; }

/// What of a raster over `all` is seen.
template <class Seen>
CardBox seen_part(const CardBox& all, const Seen& seen) {
    const double wide = all.upper.x - all.lower.x, high = all.upper.y - all.lower.y;
    std::vector<CardBox> rows(lines);
    parallel_for(lines, [&](int y) {
        for (int x = 0; x < lines; ++x) {
            if (!seen(x, y)) continue;
            const double top = all.upper.y - high * y / lines, left = all.lower.x + wide * x / lines;
            rows[std::size_t(y)].include({left, top - high / lines, all.lower.z});
            rows[std::size_t(y)].include({left + wide / lines, top, all.upper.z});
        }
    });
    CardBox box;
    for (const CardBox& row : rows) box.include(row);
    return box;
}

/// Points and the clouds around them; flames also reach above theirs.
CardBox points_box(const field::Frame& frame, const CardAxes& axes) {
    CardBox box;
    for (const field::Points& set : frame.points)
        for (std::size_t n = 0; n < set.size(); ++n) {
            const Vec3d p(set.position[n]), at(dot(p, axes.right), dot(p, axes.up), dot(p, axes.forward())), reach(3.0 * double(set.radius[n]));
            box.include(at - reach), box.include(at + reach);
        }
    if (box.empty()) return box;
    const Vec3d size = box.upper - box.lower;
    box.lower.x -= 0.1 * size.x, box.upper.x += 0.1 * size.x, box.upper.y += 0.25 * size.y;
    return box;
}

CardBox points_seen(const field::Frame& frame, const RenderParams& look, const CardAxes& axes) {
    const CardBox all = points_box(frame, axes);
    if (all.empty()) return {};
    io::Image light(lines, lines);
    std::vector<float> alpha(light.pixels.size());
    draw_live_light(card_frame(frame), look, view_around(all, axes, (all.upper.x - all.lower.x) / (all.upper.y - all.lower.y), 0), light, alpha);
    const float gain = float(std::exp2(look.exposure));
    return seen_part(all, [&](int x, int y) { return is_seen(light(x, y), alpha[std::size_t(y * lines + x)], gain); });
}

/// The box of gas, half a cell larger, on the card.
CardBox gas_box(const OpticalVolume& volume, const CardAxes& axes) {
    CardBox box;
    const Vec3d low = volume.domain.origin + (Vec3d(volume.first) - Vec3d(0.5)) * volume.domain.h;
    const Vec3d size = (Vec3d(volume.last - volume.first) + Vec3d(2)) * volume.domain.h;
    for (int corner = 0; corner < 8; ++corner) {
        const Vec3d p = low + size * Vec3d(corner & 1, corner >> 1 & 1, corner >> 2);
        box.include({dot(p, axes.right), dot(p, axes.up), dot(p, axes.forward())});
    }
    return box;
}

}  // namespace

CardAxes card_axes(double azimuth, double elevation) {
    const Vec3d from = direction_from_angles(azimuth, elevation);
    const double a = azimuth * std::numbers::pi / 180;
    const Vec3d right(-std::sin(a), std::cos(a), 0);
    return {right, cross(from, right)};
}

CardAxes card_axes(const CameraParams& camera, const field::Bounds& bounds, double time) {
    if (!camera.position) return card_axes(camera.azimuth, 0);
    const Vec3d target = camera.target ? (*camera.target)(time) : bounds.center(), from = (*camera.position)(time) - target;
    if (!(std::hypot(from.x, from.y) > 1e-6 * length(from))) return card_axes(camera.azimuth, 0);
    return card_axes(std::atan2(from.y, from.x) * 180 / std::numbers::pi, 0);
}

CardBox seen_on_card(const field::Frame& frame, const RenderParams& given, const CardAxes& axes) {
    if (drawn_from_points(frame)) return points_seen(frame, given, axes);
    const RenderParams look = card_look(given);
    const OpticalVolume volume = make_volume(card_frame(frame), look);
    if (volume.empty()) return {};
    const CardBox gas = gas_box(volume, axes);
    const Camera camera(view_around(gas, axes, (gas.upper.x - gas.lower.x) / (gas.upper.y - gas.lower.y), 0), lines, lines);
    const LitVolume lit(volume, [](const Vec3f&, const Vec3i&) { return Vec3f(); });
    const float gain = float(std::exp2(look.exposure));
    return seen_part(gas, [&](int x, int y) {
        const Segment ray = lit.march(camera.ray(float(x) + 0.5f, float(y) + 0.5f), 1e30f, {});
        return is_seen(ray.radiance, 1 - ray.transmittance, gain);
    });
}

ParallelView view_around(const CardBox& box, const CardAxes& axes, double aspect, double margin) {
    const double wide = (box.upper.x - box.lower.x) / (1 - 2 * margin), high = (box.upper.y - box.lower.y) / (1 - 2 * margin);
    const Vec3d middle = (box.lower + box.upper) * 0.5;
    const double height = std::max(high, wide / aspect);
    return {.center = axes.right * middle.x + axes.up * middle.y + axes.forward() * (box.lower.z - 0.01 * height),
            .right = axes.right,
            .up = axes.up,
            .width = height * aspect,
            .height = height};
}

}  // namespace phlo::render
