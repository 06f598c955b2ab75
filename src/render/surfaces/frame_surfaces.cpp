#include "render/surfaces/frame_surfaces.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/error.h"
#include "render/surfaces/subsurface.h"
#include "render/volumes/lattice.h"
#include "render/volumes/parts.h"

namespace phlo::render {

std::optional<Ground> ground_of(const field::Bounds& bounds, const GroundParams& params) {
    if (!params.visible) return std::nullopt;
    return Ground{float(params.height.value_or(bounds.lower.z)), make_material(params.surface, params.color)};
}

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
    // Where light scatters many times on its way through, all that counts is where it comes out.
    const float size = float(longest_side(bounds_of(frame)));
    for (Material& material : materials) {
        const Vec3f reduced = material.interior.scattering * (1 - material.interior.anisotropy);
        if (material.dielectric() && std::min({reduced.x, reduced.y, reduced.z}) * size > 10) make_cloudy(material);
    }
    return materials;
}

bool shows_sky(const field::Frame& frame, const RenderParams& params) {
    return params.sky.visible.value_or(std::ranges::any_of(frame.surfaces, [](const field::Surface& s) { return !s.substance.empty(); }));
}

}  // namespace phlo::render
