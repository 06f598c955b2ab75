#include "render/volumes/parts.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "base/log.h"
#include "base/parallel.h"
#include "field/liquid_shares.h"
#include "render/look/usual_look.h"
#include "render/volumes/particles.h"

namespace phlo::render {
namespace {

const field::Volume& checked(const field::Volume& volume) {
    const Vec3i n = volume.grid->layout().cells();
    parallel_for(n.z, [&](int k) {
        for (int j = 0; j < n.y; ++j) {
            const float* row = volume.grid->row(j, k);
            float least = 0, probe = 0;
            for (int i = 0; i < n.x; ++i) least = std::min(least, row[i]), probe += row[i] * 0.f;
            if (least >= 0 && probe == 0) continue;
            for (int i = 0; i < n.x; ++i)
                if (!(row[i] >= 0 && std::isfinite(row[i])))
                    throw RunError(fmt::format("grid '{}' has the value {} at cell ({}, {}, {}); expected a finite number >= 0",
                                               volume.name, row[i], i, j, k));
        }
    });
    return volume;
}

/// Gas by its name. A level set is no gas.
const field::Volume* find_fog(const field::Frame& frame, const std::string& name) {
    const field::Volume* volume = frame.find(name);
    return volume && volume->kind == field::VolumeClass::fog ? volume : nullptr;
}

std::string grids_of(const field::Frame& frame) {
    std::vector<std::string> names;
    for (const field::Volume& v : frame.volumes) names.push_back(v.name);
    return fmt::format("there {} {}", names.size() == 1 ? "is" : "are", names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", ")));
}

/// A set of points and how it is seen.
struct SeenPoints {
    const field::Points* points;
    PointsLook look;
};

/// Sets that the look names, each as often as it does; and those of which it need not speak.
std::vector<SeenPoints> seen_points(const field::Frame& frame, const RenderParams& look, double longest) {
    std::vector<SeenPoints> seen;
    for (const field::Points& set : frame.points) {
        bool named = false;
        for (const PointsLook& wanted : look.points)
            if (wanted.points == set.name) {
                named = true;
                const bool drawn = wanted.kind == PointKind::spark || wanted.kind == PointKind::grid;   // by themselves: sparks.h, grid_lines.h
                if (!drawn) seen.push_back({&set, wanted});
            }
        if (named) continue;
        if (const std::optional<PointsLook> usual = usual_look(set.name, look, longest)) seen.push_back({&set, *usual});
    }
    for (const PointsLook& wanted : look.points)
        if (!frame.find_points(wanted.points))
            log::once("no-points-" + wanted.points,
                      fmt::format("render.points: no points '{}' in frame {}; they are seen in frames that have them", wanted.points,
                                  frame.number));
    return seen;
}

/// Grids of which none can be seen would make an empty picture: somebody must say which of them to draw.
void check_seen(const field::Frame& frame, const RenderParams& look, bool points) {
    const bool fog = std::ranges::any_of(frame.volumes, [](const auto& v) { return v.kind == field::VolumeClass::fog && !field::is_of_liquid(v); });
    if (!fog || !look.volumes.empty() || points) return;
    for (const char* known : {"density", "temperature"})
        if (find_fog(frame, known)) return;
    throw InputError(
        fmt::format("nothing to see: expected a grid 'density' or 'temperature', or render.volumes that names one; {}", grids_of(frame)));
}

/// A volume that dims light, before it has its lattice.
struct SeenVolume {
    const field::Volume* volume;
    Part part;
    std::array<const field::Volume*, 3> tint = {};
};

std::vector<SeenVolume> seen_volumes(const field::Frame& frame, const RenderParams& look, double longest) {
    const double standard = 45 / longest;
    std::vector<SeenVolume> seen;
    for (const VolumeLook& wanted : look.volumes) {
        const field::Volume* volume = find_fog(frame, wanted.grid);
        if (!volume)
            throw InputError(fmt::format("render.volumes: no grid '{}' in frame {}; {}", wanted.grid, frame.number, grids_of(frame)));
        seen.push_back(
            {&checked(*volume),
             {.grid = {}, .per_unit = float(wanted.extinction.value_or(standard)), .albedo = wanted.color, .glows = wanted.glows}});
    }
    if (const field::Volume* density = find_fog(frame, "density"); density && look.volumes.empty()) {
        SeenVolume smoke{
            &checked(*density),
            {.grid = {}, .per_unit = float(look.smoke.extinction.value_or(standard)), .albedo = look.smoke.color, .glows = true}};
        const field::Volume *r = find_fog(frame, "color_r"), *g = find_fog(frame, "color_g"), *b = find_fog(frame, "color_b");
        if (r && g && b) smoke.tint = {&checked(*r), &checked(*g), &checked(*b)};
        seen.push_back(smoke);
    }
    return seen;
}

bool reaches(const field::Grid& grid, double value) {
    const Vec3i n = grid.layout().cells();
    const double hottest = parallel_max(n.z, 0, [&](int k) {
        float most = 0;
        for (int j = 0; j < n.y; ++j)
            for (int i = 0; i < n.x; ++i) most = std::max(most, grid(i, j, k));
        return double(most);
    });
    return hottest > value;
}

Part part_of(const SeenPoints& seen, const field::Domain& domain, const FireLook& fire, double longest, double later) {
    const PointsLook& look = seen.look;
    const PointCloud cloud{
        .domain = domain, .peak = float(look.extinction.value_or(30 / longest)), .size = float(look.size), .later = float(later)};
    Part part{.grid = {}, .per_unit = 1};
    if (look.kind == PointKind::light) part.light = Vec3f(float(look.brightness.value_or(fire.brightness)));
    else part.glows = true;
    auto grid = std::make_shared<field::Grid>(field::Layout(domain.cells));
    if (const auto* plain = std::get_if<Vec3f>(&look.color)) {
        add_particles(cloud, *seen.points, *grid);
        if (part.shines()) part.light = part.light * *plain;
        else part.albedo = *plain;
    } else {
        std::array<std::shared_ptr<field::Grid>, 3> colours;
        for (auto& colour : colours) colour = std::make_shared<field::Grid>(field::Layout(domain.cells));
        add_particles(cloud, *seen.points, *grid, point_colours(*seen.points, std::get<ColumnColour>(look.color), fire),
                      {colours[0].get(), colours[1].get(), colours[2].get()});
        part.colours = {colours[0], colours[1], colours[2]};
    }
    part.grid = grid;
    return part;
}

}  // namespace

optics::BlackBody fire_colours(const FireLook& look, double emissivity_slope) {
    return optics::BlackBody({.white = look.temperature,
                              .adaptation = look.adaptation,
                              .contrast = look.contrast,
                              .shortest = look.shortest,
                              .longest = look.longest,
                              .emissivity_slope = emissivity_slope});
}

Parts find_parts(const field::Frame& frame, const RenderParams& look, double later) {
    const double longest = longest_side(bounds_of(frame));
    const std::vector<SeenPoints> points = seen_points(frame, look, longest);
    check_seen(frame, look, !points.empty());
    const std::vector<SeenVolume> volumes = seen_volumes(frame, look, longest);
    const field::Volume* temperature = look.fire.brightness > 0 ? find_fog(frame, "temperature") : nullptr;
    const field::Volume* flame = find_fog(frame, "flame");
    const bool hot = temperature && reaches(*checked(*temperature).grid, look.fire.min_temperature);

    std::vector<const field::Volume*> fields;
    for (const SeenVolume& seen : volumes) fields.push_back(seen.volume);
    if (temperature) fields.push_back(temperature);
    if (hot && flame) fields.push_back(flame);
    std::vector<SizedPoints> clouds;
    for (const SeenPoints& seen : points) clouds.push_back({seen.points, float(seen.look.size)});
    Parts parts;
    parts.lattice = find_lattice(frame, fields, clouds);
    const field::Domain& domain = parts.lattice.domain;

    for (const SeenVolume& seen : volumes) {
        Part part = seen.part;
        part.grid = on_lattice(*seen.volume, domain);
        for (std::size_t c = 0; c < 3 && seen.tint[0]; ++c) part.tint[c] = on_lattice(*seen.tint[c], domain);
        parts.dimming.push_back(std::move(part));
    }
    for (const SeenPoints& seen : points)
        if (seen.points->size() > 0) parts.dimming.push_back(part_of(seen, domain, look.fire, longest, later));
    if (!hot) return parts;
    parts.temperature = on_lattice(*temperature, domain);
    if (flame) parts.flame = on_lattice(checked(*flame), domain);
    parts.fire = HotGas{.temperature = parts.temperature.get(),
                        .flame = parts.flame.get(),
                        .min_temperature = float(look.fire.min_temperature),
                        .absorption = float(look.fire.absorption.value_or(12 / longest)),
                        .brightness = float(look.fire.brightness),
                        .light = fire_colours(look.fire, 1)};
    return parts;
}

}  // namespace phlo::render
