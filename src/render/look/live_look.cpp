#include "render/look/live_look.h"

#include <fmt/format.h>

namespace phlo::render {
namespace {

using config::Node;
using config::Reader;
using config::Table;

/// More than all light would make light of nothing.
void check_colour(const Node& node, Reader& reader, const char* key, const Vec3f& color) {
    const Node* given = node.find(key);
    if (given && (color.x > 1 || color.y > 1 || color.z > 1))
        reader.fail(given->position, key, fmt::format("got {}; expected shares of light, 0 to 1 each", given->described()));
}

const Table<StreakLook>& streak_table() {
    static const auto table =
        Table<StreakLook>("streaks", "Points with a `composition`: streaks, added up, blurred upwards, and coloured last.")
            .key("time", &StreakLook::time, {.unit = "s", .min = 0, .max = 1, .help = "a streak reaches back to where its particle was"})
            .key("width", &StreakLook::width, {.above = 0, .max = 100, .help = "factor on the radii"})
            .key("gain", &StreakLook::gain, {.min = 0, .max = 1000, .help = "how thick the fire looks"})
            .key("halo", &StreakLook::halo, {.min = 0, .max = 1, .help = "height of the upward blur, as a share of the flame's height"})
            .key("jitter", &StreakLook::jitter, {.min = 0, .max = 1, .help = "how far the halo wavers: 0 not, 1 as far as it is high"})
            .table("ramp", &StreakLook::ramp, ramp_schema(),
                   {.help = "blackbody, or a list of [composition, colour]: radiance over `fire.brightness`"})
            .key("min_temperature", &StreakLook::min_temperature, {.unit = "K", .min = 300, .max = 20000, .help = "where a black body's ramp begins"})
            .key("max_temperature", &StreakLook::max_temperature, {.unit = "K", .min = 300, .max = 20000, .help = "where it ends"})
            .check([](StreakLook& look, const Node& node, Reader& reader) {
                if (!(look.max_temperature > look.min_temperature)) reader.fail(node.position, "max_temperature", "must be more than `min_temperature`");
            });
    return table;
}

const Table<LayerLook>& layer_table() {
    static const auto table =
        Table<LayerLook>("layers", "Tracers with `fuel`, `flame` and `smoke`: fuel and smoke are blended, flame is added.")
            .key("size", &LayerLook::size, {.above = 0, .max = 100, .help = "factor on the radii"})
            .key("flame", &LayerLook::flame, {.min = 0, .max = 1000, .help = "factor on the flame's light"})
            .table("ramp", &LayerLook::ramp, ramp_schema(),
                   {.help = "blackbody, or a list of [temperature, colour]: radiance over `fire.brightness`"})
            .key("min_temperature", &LayerLook::min_temperature,
                 {.unit = "K", .min = 0, .max = 20000, .help = "of flame that looks as at `streaks.min_temperature`"})
            .key("max_temperature", &LayerLook::max_temperature,
                 {.unit = "K", .min = 0, .max = 20000, .help = "of flame that looks as at `streaks.max_temperature`"})
            .key("core", &LayerLook::core, {.min = 0, .max = 100, .help = "light of fuel that has just lit, over `fire.brightness`"})
            .colour("core_color", &LayerLook::core_color, {.help = "of that light"})
            .key("fuel", &LayerLook::fuel, {.min = 0, .max = 100, .help = "factor on the opacity of fuel"})
            .colour("fuel_color", &LayerLook::fuel_color, {.help = "share of light that fuel sends back"})
            .key("smoke", &LayerLook::smoke, {.min = 0, .max = 100, .help = "factor on the opacity of smoke"})
            .colour("smoke_color", &LayerLook::smoke_color, {.help = "share of light that smoke sends back"})
            .check([](LayerLook& look, const Node& node, Reader& reader) {
                if (!(look.max_temperature > look.min_temperature)) reader.fail(node.position, "max_temperature", "must be more than `min_temperature`");
                check_colour(node, reader, "fuel_color", look.fuel_color);
                check_colour(node, reader, "smoke_color", look.smoke_color);
            });
    return table;
}

}  // namespace

const Table<LiveLook>& live_table() {
    static const auto table =
        Table<LiveLook>("live", "How fires of particles are drawn live.")
            .table("streaks", &LiveLook::streaks, streak_table())
            .table("layers", &LiveLook::layers, layer_table())
            .key("light", &LiveLook::light, {.min = 0, .max = 1000, .help = "factor on a fire's light on bodies, ground and smoke"})
            .key("shadow", &LiveLook::shadow, {.min = 0, .max = 10, .help = "how much smoke shades itself: 0 not"})
            .key("contact", &LiveLook::contact, {.min = 0, .max = 1, .help = "how much bodies darken what is close to them: 0 not"})
            .key("glare", &LiveLook::glare, {.min = 0, .max = 0.5, .help = "share of all light that spreads around what is bright: 0 none"})
            .key("texture", &LiveLook::texture, {.min = 0, .max = 1, .help = "contrast of the clouds inside a puff of smoke: 0 none"});
    return table;
}

}  // namespace phlo::render
