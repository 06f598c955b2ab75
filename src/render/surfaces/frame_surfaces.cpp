#include "render/surfaces/frame_surfaces.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "render/surfaces/liquid_mix.h"
#include "render/surfaces/subsurface.h"
#include "render/volumes/lattice.h"
#include "render/volumes/parts.h"

namespace phlo::render {

std::optional<Ground> ground_of(const field::Bounds& bounds, const GroundParams& params) {
    if (!params.visible) return std::nullopt;
    return Ground{float(params.height.value_or(bounds.lower.z)), make_material(params.surface, params.color)};
}

namespace {

/// What the look says of the liquid's surface holds for all liquids in it, but for its substance and tint, which are the first one's.
std::shared_ptr<const LiquidMix> mix_of(const field::Surface& surface, const Material& material, const std::vector<field::LiquidShare>& shares, const RenderParams& params) {
    LiquidSurface look;
    for (const MaterialParams& p : params.materials)
        if (const auto* liquid = std::get_if<LiquidSurface>(&p.surface); liquid && p.body == surface.name) look = *liquid;
    look.substance.reset(), look.tint.reset();
    std::vector<optics::Interior> others;
    for (const field::LiquidShare& other : shares) others.push_back(interior_of(look, other.substance));
    return std::make_shared<LiquidMix>(material.interior, shares, others);
}

}  // namespace

std::vector<Material> body_materials(const field::Frame& frame, const RenderParams& params) {
    std::vector<Material> materials;
    std::vector<std::string> names;
    for (const field::Surface& body : frame.surfaces) {
        const SurfaceKind kind = body.substance.empty() ? SurfaceKind(DiffuseSurface()) : SurfaceKind(LiquidSurface());
        materials.push_back(make_material(kind, body.color, body.substance));
        names.push_back(body.name);
    }
    for (const MaterialParams& p : params.materials) {
        bool found = false;
        for (std::size_t n = 0; n < names.size(); ++n) {
            if (names[n] != p.body) continue;
            found = true;
            Material& material = materials[n];
            material = make_material(p.surface, frame.surfaces[n].color, frame.surfaces[n].substance);
            material.emission = material.color * float(p.radiance(frame.time));
            if (p.temperature)
                material.emission += fire_colours(params.fire, 0)(float((*p.temperature)(frame.time))) * float(params.fire.brightness);
        }
        if (!found)
            throw InputError(fmt::format("render.materials: no body '{}' in frame {}; {}", p.body, frame.number,
                                         names.empty() ? "it has none" : fmt::format("there are {}", fmt::join(names, ", "))));
    }
    if (const std::vector<field::LiquidShare> shares = field::liquid_shares(frame); !shares.empty())
        for (std::size_t n = 0; n < materials.size(); ++n)
            if (!frame.surfaces[n].substance.empty() && materials[n].dielectric()) materials[n].mix = mix_of(frame.surfaces[n], materials[n], shares, params);
    // Where light scatters many times on its way through, or scatters and does not get through, all that counts is where it comes out.
    const float size = float(longest_side(bounds_of(frame)));
    const auto thick = [&](const optics::Interior& interior) {
        const Vec3f reduced = interior.scattering * (1 - interior.anisotropy);
        const auto depth = [&](int c) { return reduced[c] > 0 ? std::max(reduced[c], std::sqrt(3 * interior.absorption[c] * (interior.absorption[c] + reduced[c]))) * size : 0.f; };
        return std::min({depth(0), depth(1), depth(2)}) > 10;
    };
    for (Material& material : materials)
        if (material.dielectric() && thick(material.interior) && (!material.mix || std::ranges::all_of(material.mix->interiors(), thick))) make_cloudy(material);
    return materials;
}

bool shows_sky(const field::Frame& frame, const RenderParams& params) {
    return params.sky.visible.value_or(std::ranges::any_of(frame.surfaces, [](const field::Surface& s) { return !s.substance.empty(); }));
}

}  // namespace phlo::render
