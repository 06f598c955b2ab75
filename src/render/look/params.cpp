#include "render/look/params.h"

#include <fmt/format.h>

#include <cmath>

#include "base/error.h"
#include "base/hash.h"
#include "chem/expressions/expression.h"
#include "config/renamed.h"

namespace phlo::render {
namespace {

using config::Table;

/// A colour that is a share of light: more than all of it would make light of nothing, without end.
template <class Look>
void at_most_all_light(Look& look, const config::Node& node, config::Reader& reader) {
    const config::Node* color = node.find("color");
    if (color && (look.color.x > 1 || look.color.y > 1 || look.color.z > 1))
        reader.fail(color->position, "color", fmt::format("got {}; expected shares of light, 0 to 1 each", color->described()));
}

const Table<CameraParams>& camera_table() {
    static const auto table =
        Table<CameraParams>("camera", "Where the picture is taken from.")
            .key("position", &CameraParams::position, {.unit = "m", .help = "none: where the whole domain fills the picture"})
            .key("target", &CameraParams::target,
                 {.unit = "m", .help = "the point in the middle of the picture; none: the middle of the domain"})
            .key("fov", &CameraParams::fov, {.unit = "deg", .above = 0, .max = 170, .help = "angle of view across the picture's height"})
            .key("roll", &CameraParams::roll, {.unit = "deg", .help = "turns the camera about its own axis"})
            .key("f_number", &CameraParams::f_number,
                 {.above = 0, .help = "focal length over aperture: 2.8 blurs what is out of focus, 16 hardly; none: everything is sharp"})
            .key("focus", &CameraParams::focus, {.unit = "m", .above = 0, .help = "distance that is sharp; none: the target's"})
            .key("sensor", &CameraParams::sensor,
                 {.unit = "m", .above = 0, .help = "its height: makes the focal length from fov; 24 mm is a photo camera's"})
            .key("shutter", &CameraParams::shutter,
                 {.min = 0, .max = 2, .help = "how long it is open, in frames, 0.5 is a film camera's; 0: motion is not blurred"})
            .key("azimuth", &CameraParams::azimuth, {.unit = "deg", .help = "where the automatic camera stands, from +x towards +y"})
            .key("elevation", &CameraParams::elevation,
                 {.unit = "deg", .min = -89, .max = 89, .help = "the automatic camera above the horizon"});
    return table;
}

const Table<GroundParams>& ground_table() {
    static const auto table = Table<GroundParams>("ground", "An endless floor that takes shadows and fades into the background.")
                                  .key("visible", &GroundParams::visible, {.help = "false: no floor"})
                                  .key("height", &GroundParams::height, {.unit = "m", .help = "none: the floor of the domain"})
                                  .colour("color", &GroundParams::color, {.help = "reflectance"})
                                  .table("surface", &GroundParams::surface, surface_variant(), {.help = "what it does with light"})
                                  .check(at_most_all_light<GroundParams>);
    return table;
}

const Table<SmokeLook>& smoke_look_table() {
    static const auto table =
        Table<SmokeLook>("smoke", "What the density looks like.")
            .colour("color", &SmokeLook::color,
                    {.help = "share of light that goes on at each scattering: white, grey, coloured or black smoke"})
            .key("extinction", &SmokeLook::extinction,
                 {.unit = "1/m", .min = 0, .help = "per unit of density: larger is thicker; none: 45 / the domain's longest side"})
            .key("anisotropy", &SmokeLook::anisotropy,
                 {.min = -0.95, .max = 0.95, .help = "g of the phase function: above 0 scatters forwards"})
            .check(at_most_all_light<SmokeLook>);
    return table;
}

const Table<VolumeLook>& volume_look_table() {
    static const auto table =
        Table<VolumeLook>("volumes", "Grids of the frames that are seen, each with its own look.")
            .key("grid", &VolumeLook::grid, {.help = "its name: density, c_<species> …", .required = true})
            .colour("color", &VolumeLook::color, {.help = "share of light that goes on at each scattering"})
            .key("extinction", &VolumeLook::extinction,
                 {.unit = "1/m", .min = 0, .help = "per unit of the grid: larger is thicker; none: 45 / the domain's longest side"})
            .key("glows", &VolumeLook::glows, {.help = "shines where it is hot, as much as it absorbs"})
            .check(at_most_all_light<VolumeLook>);
    return table;
}

const Table<FireLook>& fire_table() {
    static const auto table =
        Table<FireLook>("fire", "The light of hot gas: a black body's, by the frames' temperature.")
            .key("temperature", &FireLook::temperature,
                 {.unit = "K", .min = 500, .max = 20000, .help = "that looks as bright as `brightness`: hotter is whiter, cooler redder"})
            .key("brightness", &FireLook::brightness, {.min = 0, .help = "radiance of thick gas at that temperature; 0: no fire"})
            .key("contrast", &FireLook::contrast,
                 {.above = 0, .max = 2, .help = "between hot and cool; 1: Planck's law, 3e5 from 1000 K to 2000 K"})
            .key("adaptation", &FireLook::adaptation,
                 {.min = 0, .max = 1, .help = "how far the eye is used to the fire: 0 deep orange, 1 white at `temperature`"})
            .key("min_temperature", &FireLook::min_temperature, {.unit = "K", .min = 300, .help = "cooler gas does not shine", .formerly = "coolest"})
            .key("absorption", &FireLook::absorption,
                 {.unit = "1/m",
                  .min = 0,
                  .help = "of a unit of `flame`, or of hot gas if frames have none: larger is thicker; none: 12 / longest side"})
            .key("shortest", &FireLook::shortest, {.unit = "m", .min = 300e-9, .max = 1e-6, .help = "wavelength that is seen"})
            .key("longest", &FireLook::longest, {.unit = "m", .min = 300e-9, .max = 1e-6, .help = "wavelength that is seen"})
            .check([](FireLook& fire, const config::Node& node, config::Reader& reader) {
                if (fire.longest - fire.shortest < 5e-9)
                    reader.fail(node.position, "longest", "must be at least 5 nm more than `shortest`");
            });
    return table;
}

const Table<SootLook>& soot_table() {
    static const auto table =
        Table<SootLook>("soot", "What soot particles look like.")
            .colour("color", &SootLook::color, {.help = "share of light that goes on at each scattering"})
            .key("extinction", &SootLook::extinction,
                 {.unit = "1/m", .min = 0, .help = "in the middle of a particle: larger is thicker; none: 30 / the domain's longest side"})
            .check(at_most_all_light<SootLook>);
    return table;
}

void check_density(FlashLook& look, const config::Node& node, config::Reader& reader) {
    if (look.density.empty()) return;
    const config::Node* written = node.get("density");
    try {
        const std::vector<std::string> names{"s"};
        const chem::Expression density = chem::parse_expression(look.density, names, written ? written->position : node.position, "density");
        for (int n = 0; n <= 64; ++n)
            if (const double at = n / 64.0, value = density.evaluate({&at, 1}); !(value >= 0 && std::isfinite(value)))
                return reader.fail(written ? written->position : node.position, "density",
                                   fmt::format("is {} at s = {:.2f}; expected a number that is not negative for every s from 0 to 1", value, at));
    } catch (const InputError& error) {
        reader.fail(written ? written->position : node.position, "density", error.what());
    }
}

const Table<FlashLook>& flash_table() {
    static const auto table =
        Table<FlashLook>("flash", "The glare of an explosion in the air around it, in good and final pictures.")
            .key("strength", &FlashLook::strength, {.min = 0, .max = 100, .help = "0: none; 1: gentle; 10: a bomb"})
            .key("reach", &FlashLook::reach,
                 {.unit = "m", .above = 0, .help = "of light from gas at `fire.temperature`; none: the domain's longest side"})
            .key("loss", &FlashLook::loss,
                 {.min = 0, .max = 1, .help = "share of its energy that light loses at each scattering in the gas"})
            .key("falloff", &FlashLook::falloff, {.min = 0, .max = 20, .help = "along its way the light thins out as (1 - s)^falloff"})
            .key("density", &FlashLook::density,
                 {.help = "in place of falloff, an expression in s, which is 0 where the light leaves the gas and 1 where its energy is spent: exp(-4*s)"})
            .colour("color", &FlashLook::color, {.help = "times the light of the fire"})
            .key("surfaces", &FlashLook::surfaces, {.min = 0, .max = 100, .help = "how strongly it lights surfaces; 0: not at all"})
            .check(check_density);
    return table;
}

const Table<DetailLook>& detail_table() {
    static const auto table =
        Table<DetailLook>("detail",
                          "Swirls finer than the cells, where the gas is turbulent; they go with the flow. Live pictures leave them out.")
            .key("strength", &DetailLook::strength,
                 {.min = 0, .max = 4, .help = "0: none; 1: lively gas is displaced by about a quarter of `scale`"})
            .key("scale", &DetailLook::scale, {.min = 1, .max = 8, .help = "of the largest swirls, in cells of the flow"})
            .key("refine", &DetailLook::refine,
                 {.min = 1, .max = 4, .help = "cells of the picture's gas along a cell of the frame's: memory goes with its cube"})
            .key("period", &DetailLook::period,
                 {.unit = "s", .above = 0, .max = 100, .help = "for which a swirl goes with the gas before another has taken its place"})
            .key("seed", &DetailLook::seed, {.min = 0, .help = "another number gives other swirls"});
    return table;
}

}  // namespace

const config::Table<RenderParams>& render_table() {
    static const auto table =
        Table<RenderParams>("render", "How the shot is seen.", config::Affects::render)
            .table("camera", &RenderParams::camera, camera_table())
            .table("sun", &RenderParams::sun, sun_table())
            .table("sky", &RenderParams::sky, sky_table())
            .list("lights", &RenderParams::lights, lamp_table(), {.help = "lamps"})
            .table("ground", &RenderParams::ground, ground_table())
            .list("materials", &RenderParams::materials, material_table(), {.help = "of bodies that are not just dull"})
            .table("smoke", &RenderParams::smoke, smoke_look_table())
            .list("volumes", &RenderParams::volumes, volume_look_table(), {.help = "grids that are seen; none: density, as `smoke` says"})
            .table("fire", &RenderParams::fire, fire_table())
            .table("soot", &RenderParams::soot, soot_table())
            .list("points", &RenderParams::points, points_table(),
                  {.help = "sets of points that are seen; of others soot is, as `soot` says, and white spray, foam and bubbles"})
            .table("flash", &RenderParams::flash, flash_table())
            .table("detail", &RenderParams::detail, detail_table())
            .table("live", &RenderParams::live, live_table())
            .colour("background", &RenderParams::background, {.help = "behind everything; the ground fades into it"})
            .key("exposure", &RenderParams::exposure, {.min = -20, .max = 20, .help = "in stops: +1 is twice as bright"})
            .key("width", &RenderParams::width, {.min = 16, .max = 16384, .help = "of the picture, in pixels"})
            .key("height", &RenderParams::height, {.min = 16, .max = 16384, .help = "of the picture, in pixels"});
    return table;
}

std::uint64_t look_hash(const RenderParams& params) {
    return fnv1a(config::to_line(config::with_old_names(render_table().write(params), *render_table().schema())));
}

}  // namespace phlo::render
