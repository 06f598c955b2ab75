#include "serve/points_message.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/json.h"
#include "field/bounds.h"
#include "render/live/puff_light.h"
#include "serve/ramps.h"

namespace phlo::serve {
namespace {

/// A point before its numbers become bytes.
struct Shown {
    Vec3f position, light, streak;
    float radius = 0, opacity = 0;
    std::uint32_t id = 0;
};

/// Every so many-th of too many.
std::size_t stride_for(std::size_t count, std::size_t most) { return (count + most - 1) / std::max<std::size_t>(1, most); }

std::string add_set(const char* kind, const std::vector<Shown>& shown, const std::string& more, Payload& payload) {
    Vec3f low = shown.front().position, high = low, light;
    float radius = 0, streak = 0;
    for (const Shown& s : shown) {
        low = min(low, s.position), high = max(high, s.position), light = max(light, s.light);
        radius = std::max(radius, s.radius), streak = std::max({streak, std::fabs(s.streak.x), std::fabs(s.streak.y), std::fabs(s.streak.z)});
    }
    const Vec3f size = max(high - low, Vec3f(1e-9f));
    const float brightest = std::max({light.x, light.y, light.z});
    std::vector<PointRecord> records(shown.size());
    for (std::size_t n = 0; n < shown.size(); ++n) {
        const Shown& s = shown[n];
        PointRecord& r = records[n];
        r.radius = root_code(s.radius, radius), r.opacity = std::uint8_t(std::lround(255 * std::clamp(s.opacity, 0.f, 1.f)));
        r.id = std::uint8_t(s.id * 97u >> 3), r.unused = 0;
        for (int axis = 0; axis < 3; ++axis) {
            r.position[axis] = std::uint16_t(std::lround(65535 * std::clamp((s.position[axis] - low[axis]) / size[axis], 0.f, 1.f)));
            r.light[axis] = root_code(s.light[axis], brightest);
            r.streak[axis] = std::int8_t(streak > 0 ? std::lround(127 * s.streak[axis] / streak) : 0);
        }
    }
    json::Object object;
    object.text("kind", kind).number("count", shown.size()).raw("low", json_of(low)).raw("size", json_of(size)).number("most_radius", radius).number("most_light", brightest);
    object.number("longest", streak).number("bytes", payload.add(records));
    std::string text = object.str();
    if (!more.empty()) text.insert(text.size() - 1, "," + more);
    return text;
}

/// Composition becomes colour last: each streak carries its amount [m^2], and the page adds amounts up before it looks into the ramp.
std::string add_streaks(const render::Cast::StreakSet& set, const render::RenderParams& look, std::size_t max_points, Payload& payload) {
    const field::Points& points = *set.points;
    const auto& composition = *points.column<float>("composition");
    const auto* torch = points.column<std::int32_t>("torch");
    const render::StreakLook& streaks = look.live.streaks;
    const std::size_t stride = stride_for(points.size(), max_points);
    std::vector<Shown> shown;
    for (std::size_t n = 0; n < points.size(); n += stride) {
        const auto of = torch ? std::ranges::lower_bound(set.torches, (*torch)[n], {}, &render::Torch::id) : set.torches.begin();
        const float amount = composition[n] * of->weight * float(streaks.gain) * float(stride);
        if (!(amount > 0)) continue;
        const Vec3f back = points.velocity.empty() ? Vec3f() : points.velocity[n] * float(-streaks.time);
        shown.push_back({.position = points.position[n], .light = {amount, 0, 0}, .streak = back, .radius = points.radius[n] * float(streaks.width), .id = std::uint32_t(n)});
    }
    if (shown.empty()) return "";
    constexpr int stops = 64;
    const render::ColourRamp& ramp = ramps_of(look).by_composition;
    std::vector<float> colours;
    for (int n = 0; n < stops; ++n) {
        const Vec3f c = ramp(float(n) / (stops - 1));
        colours.insert(colours.end(), {c.x, c.y, c.z});
    }
    float height = 0;
    for (const render::Torch& t : set.torches) height = std::max(height, t.height());
    return add_set("streaks", shown, "\"ramp\":" + json::numbers(colours) + ",\"halo\":" + json::number(float(streaks.halo) * height), payload);
}

}  // namespace

std::string add_points(const field::Frame&, const render::RenderParams& look, render::Cast& cast, const render::Lights& lights,
                       const std::vector<render::FireLamp>& lamps, std::size_t max_points, Payload& payload) {
    std::vector<std::string> sets;
    if (!cast.sprites.empty()) {
        cast.shine(render::PuffLight(cast.matter, lights, lamps, {}, float(look.live.shadow)));
        const std::size_t stride = stride_for(cast.sprites.size(), max_points);
        const float larger = std::sqrt(float(stride));
        std::vector<Shown> shown;
        for (std::size_t n = 0; n < cast.sprites.size(); n += stride) {
            const render::Sprite& s = cast.sprites[n];
            if (s.opacity > 0 || !(s.light == Vec3f())) shown.push_back({.position = s.position, .light = s.light, .streak = {}, .radius = s.radius * larger, .opacity = s.opacity, .id = s.id});
        }
        if (!shown.empty()) sets.push_back(add_set("clouds", shown, "", payload));
    }
    for (const render::Cast::StreakSet& set : cast.streaks)
        if (std::string text = add_streaks(set, look, max_points, payload); !text.empty()) sets.push_back(std::move(text));
    return json::array(sets);
}

}  // namespace phlo::serve
