#include "render/surfaces/frame_surfaces.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/error.h"
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
    return materials;
}

}  // namespace phlo::render
