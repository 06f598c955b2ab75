#include "serve/points_message.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/json.h"
#include "base/parallel.h"
#include "render/live/puff_light.h"
#include "serve/ramps.h"

namespace phlo::serve {
namespace {

constexpr std::size_t chunk = 4096;   // points of one task

/// Every so many-th of too many.
std::size_t stride_for(std::size_t count, std::size_t most) { return (count + most - 1) / std::max<std::size_t>(1, most); }

/// Of a share from 0 to 1, and from -1 to 1, rounded.
std::uint16_t in_65535(float share) { return std::uint16_t(65535 * std::clamp(share, 0.f, 1.f) + 0.5f); }
std::int8_t in_127(float share) { return std::int8_t(int(127 * std::clamp(share, -1.f, 1.f) + 127.5f) - 127); }

Vec3f magnitude(const Vec3f& v) { return {std::fabs(v.x), std::fabs(v.y), std::fabs(v.z)}; }
float largest(const Vec3f& v) { return std::max({v.x, v.y, v.z}); }

/// Of what all numbers of a set are shares.
struct Extent {
    Vec3f low{3e38f}, high{-3e38f};
    float radius = 0, light = 0, streak = 0;
    std::size_t count = 0;

    void place(const Vec3f& position, float its_radius, float its_light) {
        low = min(low, position), high = max(high, position);
        radius = std::max(radius, its_radius), light = std::max(light, its_light), ++count;
    }
    Vec3f size() const { return max(high - low, Vec3f(1e-9f)); }
};
Extent both(Extent a, const Extent& b) {
    a.low = min(a.low, b.low), a.high = max(a.high, b.high);
    a.radius = std::max(a.radius, b.radius), a.light = std::max(a.light, b.light), a.streak = std::max(a.streak, b.streak), a.count += b.count;
    return a;
}

template <class Record>
void write_place(Record& record, const Vec3f& position, const Vec3f& low, const Vec3f& per_size) {
    for (int axis = 0; axis < 3; ++axis) record.position[axis] = in_65535((position[axis] - low[axis]) * per_size[axis]);
}

/// Sprites that are seen.
struct Clouds {
    using Record = CloudRecord;
    static constexpr const char* kind = "clouds";
    const std::vector<render::Sprite>& sprites;
    std::size_t stride;
    float larger = std::sqrt(float(stride));   ///< by this each of fewer

    std::size_t size() const { return (sprites.size() + stride - 1) / stride; }
    bool seen(std::size_t n) const { return sprites[n * stride].opacity > 0 || !(sprites[n * stride].light == Vec3f()); }
    void include(std::size_t n, Extent& all) const {
        const render::Sprite& s = sprites[n * stride];
        all.place(s.position, s.radius * larger, largest(s.light));
    }
    void write(std::size_t n, const Extent& all, const Vec3f& per_size, Record& r) const {
        const render::Sprite& s = sprites[n * stride];
        write_place(r, s.position, all.low, per_size);
        r.radius = root_code(s.radius * larger, all.radius), r.opacity = std::uint8_t(255 * std::clamp(s.opacity, 0.f, 1.f) + 0.5f), r.id = std::uint8_t(s.id * 97u >> 3);
        for (int c = 0; c < 3; ++c) r.light[c] = root_code(s.light[c], all.light);
    }
};

/// Composition becomes colour last: each streak carries its amount [m^2], and the page adds amounts up before it looks into the ramp.
class Streaks {
public:
    using Record = StreakRecord;
    static constexpr const char* kind = "streaks";

    Streaks(const render::Cast::StreakSet& set, const render::StreakLook& look, std::size_t max_points)
        : points_(*set.points), composition_(*points_.column<float>("composition")), torch_(points_.column<std::int32_t>("torch")), torches_(set.torches),
          stride_(stride_for(points_.size(), max_points)), gain_(float(look.gain) * float(stride_)), back_(float(-look.time)), width_(float(look.width)) {}

    std::size_t size() const { return (points_.size() + stride_ - 1) / stride_; }
    bool seen(std::size_t n) const { return amount(n * stride_) > 0; }
    void include(std::size_t n, Extent& all) const {
        n *= stride_;
        all.place(points_.position[n], points_.radius[n] * width_, amount(n));
        all.streak = std::max(all.streak, largest(magnitude(back(n))));
    }
    void write(std::size_t n, const Extent& all, const Vec3f& per_size, Record& r) const {
        n *= stride_;
        write_place(r, points_.position[n], all.low, per_size);
        r.radius = root_code(points_.radius[n] * width_, all.radius), r.amount = root_code(amount(n), all.light), r.unused = 0;
        const Vec3f share = back(n) * (all.streak > 0 ? 1 / all.streak : 0.f);
        for (int axis = 0; axis < 3; ++axis) r.streak[axis] = in_127(share[axis]);
    }

private:
    float amount(std::size_t n) const {
        const auto of = torch_ ? std::ranges::lower_bound(torches_, (*torch_)[n], {}, &render::Torch::id) : torches_.begin();
        return composition_[n] * of->weight * gain_;
    }
    Vec3f back(std::size_t n) const { return points_.velocity.empty() ? Vec3f() : points_.velocity[n] * back_; }

    const field::Points& points_;
    const std::vector<float>& composition_;
    const std::vector<std::int32_t>* torch_;
    const std::vector<render::Torch>& torches_;
    std::size_t stride_;
    float gain_, back_, width_;
};

/// The header's member for a set, its records in the payload; "" if nothing of it is seen.
template <class Set>
std::string add_set(const Set& set, Payload& payload, const std::string& more = "") {
    const std::size_t size = set.size();
    std::vector<Extent> parts((size + chunk - 1) / chunk);
    const auto each_seen = [&](int part, const auto& with) {
        for (std::size_t n = std::size_t(part) * chunk; n < std::min(size, (std::size_t(part) + 1) * chunk); ++n)
            if (set.seen(n)) with(n);
    };
    parallel_for(int(parts.size()), [&](int part) {
        Extent found;
        each_seen(part, [&](std::size_t n) { set.include(n, found); });
        parts[std::size_t(part)] = found;
    });
    Extent all;
    std::vector<std::size_t> first;
    for (const Extent& part : parts) first.push_back(all.count), all = both(all, part);
    if (all.count == 0) return "";
    const Vec3f size_of_box = all.size(), per_size(1 / size_of_box.x, 1 / size_of_box.y, 1 / size_of_box.z);
    const std::size_t bytes = payload.reserve(all.count * sizeof(typename Set::Record));
    parallel_for(int(parts.size()), [&](int part) {
        std::uint8_t* to = payload.at(bytes + first[std::size_t(part)] * sizeof(typename Set::Record));
        each_seen(part, [&](std::size_t n) {
            typename Set::Record record;
            set.write(n, all, per_size, record);
            std::memcpy(to, &record, sizeof(record)), to += sizeof(record);
        });
    });
    json::Object object;
    object.text("kind", Set::kind).number("count", all.count).raw("low", json_of(all.low)).raw("size", json_of(size_of_box)).number("most_radius", all.radius).number("most_light", all.light);
    object.number("longest", all.streak).number("bytes", bytes);
    std::string text = object.str();
    if (!more.empty()) text.insert(text.size() - 1, "," + more);
    return text;
}

/// What a page needs to turn amounts into colours, and a halo above.
std::string colours_of(const render::Cast::StreakSet& set, const render::RenderParams& look) {
    constexpr int stops = 64;
    const render::ColourRamp& ramp = ramps_of(look).by_composition;
    std::vector<float> colours;
    for (int n = 0; n < stops; ++n) {
        const Vec3f c = ramp(float(n) / (stops - 1));
        colours.insert(colours.end(), {c.x, c.y, c.z});
    }
    float height = 0;
    for (const render::Torch& t : set.torches) height = std::max(height, t.height());
    return "\"ramp\":" + json::numbers(colours) + ",\"halo\":" + json::number(float(look.live.streaks.halo) * height);
}

}  // namespace

std::string add_points(const render::RenderParams& look, render::Cast& cast, const render::Lights& lights, const std::vector<render::FireLamp>& lamps, std::size_t max_points, Payload& payload) {
    std::vector<std::string> sets;
    const auto add = [&](std::string text) {
        if (!text.empty()) sets.push_back(std::move(text));
    };
    if (!cast.sprites.empty()) {
        cast.shine(render::PuffLight(cast.matter, lights, lamps, {}, float(look.live.shadow)));
        add(add_set(Clouds{.sprites = cast.sprites, .stride = stride_for(cast.sprites.size(), max_points)}, payload));
    }
    for (const render::Cast::StreakSet& set : cast.streaks) add(add_set(Streaks(set, look.live.streaks, max_points), payload, colours_of(set, look)));
    return json::array(sets);
}

}  // namespace phlo::serve
