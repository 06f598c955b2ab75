#include "render/live/cast.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <optional>

#include "base/error.h"
#include "base/parallel_items.h"
#include "render/fast_math.h"
#include "render/look/usual_look.h"
#include "render/volumes/lattice.h"
#include "render/volumes/particles.h"
#include "render/luminance.h"

namespace phlo::render {
namespace {

constexpr float pi = std::numbers::pi_v<float>;
constexpr int chunk = 4096;

/// Light of flame against opacity of smoke: what shines need not be thick.
constexpr float flame_share = 0.25f;

/// Composition that a ray meets in the middle of a flame, about.
constexpr float usual_amount = 0.8f;

/// The integral of a sprite's profile (1 - d^2/R^2)^2 over its disk.
float area_of(float radius) { return pi / 3 * radius * radius; }

std::uint32_t id_of(const field::Points& points, std::size_t n) { return points.id.empty() ? std::uint32_t(n) : std::uint32_t(points.id[n]); }

/// fill(n) for each point, in parallel.
template <class Fill>
void for_points(const field::Points& points, const Fill& fill) {
    const int count = int(points.size());
    parallel_items((count + chunk - 1) / chunk, [&](int item) {
        for (int n = item * chunk; n < std::min(count, (item + 1) * chunk); ++n) fill(std::size_t(n));
    });
}

/// fill(n) for each point, in parallel; the sum of what it gives.
template <class Fill>
Vec3f sum_points(const field::Points& points, const Fill& fill) {
    const int count = int(points.size());
    Vec3d sum;
    sum_in_order(
        (count + chunk - 1) / chunk,
        [&](int item) {
            Vec3d part;
            for (int n = item * chunk; n < std::min(count, (item + 1) * chunk); ++n) part += Vec3d(fill(std::size_t(n)));
            return part;
        },
        [&](const Vec3d& part) { sum += part; });
    return Vec3f(sum);
}

/// Light of a point that is nowhere would be everywhere.
void check_places(const field::Points& points) {
    for_points(points, [&](std::size_t n) {
        const Vec3f& p = points.position[n];
        if (!std::isfinite(p.x + p.y + p.z) || !std::isfinite(points.radius[n]))
            throw RunError(fmt::format("points '{}': number {} is at ({}, {}, {}) with radius {}; expected finite numbers", points.name, n, p.x, p.y, p.z,
                                       points.radius[n]));
    });
}

/// Gathers sprites of one set after the other, in memory that an earlier cast left.
class Casting {
public:
    Casting(const RenderParams& look, Cast& cast) : look_(look), cast_(cast) { cast_.streaks.clear(), cast_.fire_of_points = false; }

    /// What is left of the earlier cast goes.
    void finish() { resize_sprites(sprites_), cast_.fires.resize(fires_); }

    void streaks(const field::Points& points, const ColourRamp& ramp) {
        cast_.fire_of_points = true;
        const auto& composition = *points.column<float>("composition");
        const auto* torch = points.column<std::int32_t>("torch");
        cast_.streaks.push_back({&points, find_torches(points)});
        const std::vector<Torch>& torches = cast_.streaks.back().torches;
        // Where little burns, radiance grows with the amount; thick fire shines less than all its particles would alone.
        Cast::Fire& fire = next_fire(points.size());
        fire.intensity_per_power = ramp(1 - std::exp(-usual_amount)) * (float(look_.live.light * look_.live.streaks.gain) / usual_amount);
        for_points(points, [&](std::size_t n) {
            const auto of = torch ? std::ranges::lower_bound(torches, (*torch)[n], {}, &Torch::id) : torches.begin();
            fire.glows[n] = {points.position[n], composition[n] * of->weight};
        });
        ++fires_;
    }

    void tracers(const field::Points& points, const ColourRamp& ramp) {
        cast_.fire_of_points = true;
        const LayerLook& look = look_.live.layers;
        const auto &fuel = *points.column<float>("fuel"), &flame = *points.column<float>("flame"), &smoke = *points.column<float>("smoke"),
                   &temperature = *points.column<float>("temperature");
        const auto* lit = points.column<float>("lit");
        const std::vector<Torch> clouds = find_torches(points);
        const float weight = clouds.front().weight, bright = float(look_.fire.brightness);
        const std::size_t first = grow(points.size());
        Cast::Fire& fire = next_fire(points.size());
        const Vec3f light = sum_points(points, [&](std::size_t n) {
            const float radius = 1.5f * float(look.size) * points.radius[n], area = area_of(radius), amount = weight / std::max(area, 1e-12f);
            const Vec3f own = ramp(temperature[n]) * (flame_share * float(look.flame) * flame[n]) + look.core_color * (lit ? float(look.core) * bright * (*lit)[n] : 0.f);
            const float soot = float(look.smoke) * smoke[n] * amount, gas = float(look.fuel) * fuel[n] * amount;
            const float soot_hides = 1 - fast_exp(-soot), gas_hides = 1 - fast_exp(-gas);
            Sprite& s = cast_.sprites[first + n];
            s = {points.position[n], radius, own * amount, 1 - (1 - soot_hides) * (1 - gas_hides), id_of(points, n)};
            cast_.scattered[first + n] = look.smoke_color * soot_hides + look.fuel_color * gas_hides;
            cast_.matter[first + n] = {points.position[n], (soot + gas) * area};
            const Vec3f color = own * weight;
            fire.glows[n] = {points.position[n], luminance(color)};
            return color;
        });
        keep(fire, light);
    }

    void smoke(const field::Points& points) {
        const LayerLook& look = look_.live.layers;
        const auto& opacity = *points.column<float>("opacity");
        const std::size_t first = grow(points.size());
        for_points(points, [&](std::size_t n) {
            const float radius = 1.5f * float(look.size) * points.radius[n];
            const float hides = std::clamp(float(look.smoke) * opacity[n], 0.f, 0.99f);
            cast_.sprites[first + n] = {points.position[n], radius, {}, hides, id_of(points, n)};
            cast_.scattered[first + n] = look.smoke_color * hides;
            cast_.matter[first + n] = {points.position[n], -std::log1p(-hides) * area_of(radius)};
        });
    }

    void looked(const field::Points& points, const PointsLook& look, double longest) {
        const std::size_t first = grow(points.size());
        const auto* plain = std::get_if<Vec3f>(&look.color);
        const std::vector<Vec3f> colours = plain ? std::vector<Vec3f>() : point_colours(points, std::get<ColumnColour>(look.color), look_.fire);
        const float extinction = float(look.extinction.value_or(30 / longest)), bright = float(look.brightness.value_or(look_.fire.brightness));
        Cast::Fire& fire = next_fire(look.kind != PointKind::matter ? points.size() : 0);
        const Vec3f light = sum_points(points, [&](std::size_t n) {
            // A Gaussian of deviation radius / 2 and a profile that ends at sqrt(2) radius spread alike.
            const float deviation = 0.5f * float(look.size) * points.radius[n], radius = 2.8284271f * deviation;
            const float depth = extinction * deviation * 2.5066283f, hides = look.kind == PointKind::spark ? 1 : 1 - fast_exp(-depth);
            const Vec3f color = plain ? *plain : colours[n];
            Sprite& s = cast_.sprites[first + n];
            s = {points.position[n], radius, {}, 0, id_of(points, n)};
            cast_.scattered[first + n] = {}, cast_.matter[first + n] = {};
            if (look.kind != PointKind::matter) {
                s.light = color * (bright * hides);
                fire.glows[n] = {points.position[n], luminance(s.light) * area_of(radius)};
            } else {
                s.opacity = hides, cast_.scattered[first + n] = color * hides;
                cast_.matter[first + n] = {points.position[n], depth * area_of(radius)};
            }
            return s.light;
        });
        keep(fire, light);
    }

private:
    std::size_t grow(std::size_t count) {
        const std::size_t first = sprites_;
        sprites_ += count;
        if (sprites_ > cast_.sprites.size()) resize_sprites(sprites_);
        return first;
    }
    void resize_sprites(std::size_t count) { cast_.sprites.resize(count), cast_.scattered.resize(count), cast_.matter.resize(count); }

    /// Counts only once it is kept.
    Cast::Fire& next_fire(std::size_t glows) {
        if (fires_ == cast_.fires.size()) cast_.fires.emplace_back();
        cast_.fires[fires_].glows.resize(glows);
        return cast_.fires[fires_];
    }
    /// `light`: of all its points together.
    void keep(Cast::Fire& fire, const Vec3f& light) {
        const float all = luminance(light);
        if (!(all > 0)) return;
        fire.intensity_per_power = light * (float(look_.live.light) / all);
        ++fires_;
    }

    const RenderParams& look_;
    Cast& cast_;
    std::size_t sprites_ = 0, fires_ = 0;  ///< so far
};

}  // namespace

bool holds_live_points(const field::Frame& frame) {
    return std::ranges::any_of(frame.points, [](const field::Points& points) {
        return std::ranges::any_of(std::array{"composition", "flame", "opacity"}, [&](const char* name) { return points.column<float>(name) != nullptr; });
    });
}

std::vector<FireLamp> Cast::lamps(int count) const {
    std::vector<FireLamp> all;
    for (const Fire& fire : fires) {
        const auto more = gather_lamps(fire.glows, fire.intensity_per_power, count);
        all.insert(all.end(), more.begin(), more.end());
    }
    return all;
}

void Cast::shine(const PuffLight& light) {
    const int count = int(sprites.size());
    parallel_items((count + chunk - 1) / chunk, [&](int item) {
        for (int i = item * chunk; i < std::min(count, (item + 1) * chunk); ++i) {
            const std::size_t n = std::size_t(i);
            if (sprites[n].opacity > 0) sprites[n].light += scattered[n] * light.at(sprites[n].position);
        }
    });
}

Cast find_cast(const field::Frame& frame, const RenderParams& look, const ColourRamp& by_composition, const ColourRamp& by_temperature, Cast cast) {
    Casting casting(look, cast);
    std::optional<double> known;
    const auto longest = [&] {   // of few frames is it asked for
        if (!known) known = longest_side(bounds_of(frame));
        return *known;
    };
    for (const field::Points& points : frame.points) {
        if (points.size() == 0) continue;
        check_places(points);
        bool named = false;
        for (const PointsLook& wanted : look.points)
            if (wanted.points == points.name) {
                named = true;
                if (wanted.kind != PointKind::grid) casting.looked(points, wanted, longest());   // that is drawn on surfaces: grid_lines.h
            }
        const auto has = [&](const char* column) { return points.column<float>(column) != nullptr; };
        if (named) continue;
        if (usual_look(points.name, look, 1)) casting.looked(points, *usual_look(points.name, look, longest()), longest());
        else if (has("composition")) casting.streaks(points, by_composition);
        else if (has("fuel") && has("flame") && has("smoke") && has("temperature")) casting.tracers(points, by_temperature);
        else if (has("opacity")) casting.smoke(points);
    }
    casting.finish();
    return cast;
}

}  // namespace phlo::render
