#include "render/volume.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <climits>
#include <cmath>

#include "base/error.h"
#include "base/log.h"
#include "base/parallel.h"
#include "field/trilinear.h"
#include "render/hot_gas.h"

namespace phlo::render {
namespace {

/// What cannot be seen: an optical depth below this across the whole domain.
constexpr float invisible_depth = 1e-4f;

struct Box {
    Vec3i first{INT_MAX, INT_MAX, INT_MAX}, last{INT_MIN, INT_MIN, INT_MIN};
};

Box merged(const Box& a, const Box& b) { return {min(a.first, b.first), max(a.last, b.last)}; }

/// A grid that dims light.
struct Part {
    const field::Grid* grid = nullptr;
    float per_unit = 0;  ///< extinction of one unit [1/m]
    Vec3f albedo;
    bool glows = false;
    std::array<const field::Grid*, 3> tint{};  ///< factors on the albedo in each cell, or null

    Vec3f albedo_at(int i, int j, int k) const {
        if (!tint[0]) return albedo;
        return albedo * min(Vec3f(1.f), Vec3f((*tint[0])(i, j, k), (*tint[1])(i, j, k), (*tint[2])(i, j, k)));
    }
};

const field::Grid& checked(const field::ScalarField& scalar) {
    const Vec3i n = scalar.grid->layout().cells();
    parallel_for(n.z, [&](int k) {
        for (int j = 0; j < n.y; ++j) {
            const float* row = scalar.grid->row(j, k);
            float least = 0, probe = 0;
            for (int i = 0; i < n.x; ++i) least = std::min(least, row[i]), probe += row[i] * 0.f;
            if (least >= 0 && probe == 0) continue;
            for (int i = 0; i < n.x; ++i)
                if (!(row[i] >= 0 && std::isfinite(row[i])))
                    throw RunError(fmt::format("grid '{}' has the value {} at cell ({}, {}, {}); expected a finite number >= 0",
                                               scalar.name, row[i], i, j, k));
        }
    });
    return *scalar.grid;
}

std::string grids_of(const field::Frame& frame) {
    std::vector<std::string> names;
    for (const field::ScalarField& s : frame.scalars) names.push_back(s.name);
    return fmt::format("there {} {}", names.size() == 1 ? "is" : "are", names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", ")));
}

/// Grids of which none can be seen would make an empty picture: somebody must say which of them to draw.
void check_seen(const field::Frame& frame, const RenderParams& look) {
    if (frame.scalars.empty() || !look.volumes.empty() || frame.find_points("soot")) return;
    for (const char* known : {"density", "temperature"})
        if (frame.find(known)) return;
    throw InputError(
        fmt::format("nothing to see: expected a grid 'density' or 'temperature', or render.volumes that names one; {}", grids_of(frame)));
}

std::vector<Part> visible_parts(const field::Frame& frame, const RenderParams& look, double longest) {
    const double standard = 45 / longest;
    std::vector<Part> parts;
    for (const VolumeLook& volume : look.volumes) {
        if (const field::ScalarField* scalar = frame.find(volume.grid)) {
            parts.push_back({&checked(*scalar), float(volume.extinction.value_or(standard)), volume.color, volume.glows, {}});
            continue;
        }
        throw InputError(fmt::format("render.volumes: no grid '{}' in frame {}; {}", volume.grid, frame.number, grids_of(frame)));
    }
    if (look.volumes.empty())
        if (const field::ScalarField* density = frame.find("density")) {
            Part part{&checked(*density), float(look.smoke.extinction.value_or(standard)), look.smoke.color, true, {}};
            const field::ScalarField *r = frame.find("color_r"), *g = frame.find("color_g"), *b = frame.find("color_b");
            if (r && g && b) part.tint = {&checked(*r), &checked(*g), &checked(*b)};
            parts.push_back(part);
        }
    return parts;
}

/// None if no cell is hot enough to shine.
std::optional<HotGas> hot_gas_of(const field::Frame& frame, const FireLook& look, double longest) {
    const field::ScalarField* temperature = frame.find("temperature");
    if (!temperature || look.brightness == 0) return std::nullopt;
    const field::Grid& grid = checked(*temperature);
    const Vec3i n = grid.layout().cells();
    const double hottest = parallel_max(n.z, 0, [&](int k) {
        float most = 0;
        for (int j = 0; j < n.y; ++j)
            for (int i = 0; i < n.x; ++i) most = std::max(most, grid(i, j, k));
        return double(most);
    });
    if (!(hottest > look.coolest)) return std::nullopt;
    const field::ScalarField* flame = frame.find("flame");
    return HotGas{.temperature = &grid,
                  .flame = flame ? &checked(*flame) : nullptr,
                  .coolest = float(look.coolest),
                  .absorption = float(look.absorption.value_or(12 / longest)),
                  .brightness = float(look.brightness),
                  .light = fire_colours(look, 1)};
}

std::vector<field::Grid> three_grids(const field::Layout& layout) {
    std::vector<field::Grid> grids;
    for (int c = 0; c < 3; ++c) grids.emplace_back(layout);
    return grids;
}

/// One kind of gas without fire: extinction alone.
void fill_plain(Volume& volume, const Part& part, float invisible, int k) {
    const Vec3i n = volume.domain.cells;
    for (int j = 0; j < n.y; ++j) {
        const float* from = part.grid->row(j, k);
        float* to = volume.extinction.row(j, k);
        for (int i = 0; i < n.x; ++i) {
            const float sigma = part.per_unit * from[i];
            to[i] = sigma > invisible ? sigma : 0.f;
        }
    }
}

/// Several kinds, each with its colour, and what shines.
void fill_mixed(Volume& volume, const std::vector<Part>& parts, const HotGas* fire, float invisible, int k) {
    const Vec3i n = volume.domain.cells;
    for (int j = 0; j < n.y; ++j)
        for (int i = 0; i < n.x; ++i) {
            float sigma = 0;
            Vec3f scattered, absorbed;  // `absorbed`: by what glows
            for (const Part& part : parts) {
                const float s = part.per_unit * (*part.grid)(i, j, k);
                sigma += s;
                const Vec3f albedo = part.albedo_at(i, j, k);
                scattered += albedo * s;
                if (part.glows) absorbed += (Vec3f(1.f) - albedo) * s;
            }
            Vec3f light;
            if (fire) {
                const HotGas::Glow glow = fire->in_cell(i, j, k);
                sigma += glow.absorption;
                light = glow.own + absorbed * glow.light;
            }
            if (!(sigma > invisible)) continue;
            volume.extinction(i, j, k) = sigma;
            for (int c = 0; c < 3; ++c) volume.scattering[std::size_t(c)](i, j, k) = scattered[c];
            if (fire)
                for (int c = 0; c < 3; ++c) volume.emission[std::size_t(c)](i, j, k) = light[c];
        }
}

Box box_of(const field::Grid& grid, int k) {
    const Vec3i n = grid.layout().cells();
    Box plane;
    for (int j = 0; j < n.y; ++j) {
        const float* row = grid.row(j, k);
        int low = INT_MAX, high = INT_MIN;
        for (int i = 0; i < n.x; ++i)
            if (row[i] > 0) low = std::min(low, i), high = i;
        if (high >= low) plane = merged(plane, {{low, j, k}, {high, j, k}});
    }
    return plane;
}

}  // namespace

float Volume::sample(const field::Grid& grid, const Vec3f& p) {
    const Vec3i n = grid.layout().cells();
    // Beyond half a cell outside everything is empty; the ghosts are zero, so the edge fades linearly.
    if (!(p.x > -1 && p.y > -1 && p.z > -1 && p.x < float(n.x) && p.y < float(n.y) && p.z < float(n.z))) return 0;
    const float fx = std::floor(p.x), fy = std::floor(p.y), fz = std::floor(p.z);
    const float x = p.x - fx, y = p.y - fy, z = p.z - fz;
    const std::ptrdiff_t sy = grid.layout().stride_y(), sz = grid.layout().stride_z();
    const float* c = grid.storage().data() + grid.layout().offset(int(fx), int(fy), int(fz));
    return field::trilinear(x, y, z, [&](int i, int j, int k) { return c[i + j * sy + k * sz]; });
}

optics::BlackBody fire_colours(const FireLook& look, double emissivity_slope) {
    return optics::BlackBody({.white = look.temperature,
                              .adaptation = look.adaptation,
                              .contrast = look.contrast,
                              .shortest = look.shortest,
                              .longest = look.longest,
                              .emissivity_slope = emissivity_slope});
}

void find_box(Volume& volume) {
    const Box box = parallel_reduce(
        volume.domain.cells.z, Box{}, [&](int k) { return box_of(volume.extinction, k); }, merged);
    const bool found = box.first.x <= box.last.x;
    volume.first = found ? box.first : Vec3i(0, 0, 0), volume.last = found ? box.last : Vec3i(-1, -1, -1);
}

Volume make_volume(const field::Frame& frame, const RenderParams& look) {
    Volume volume;
    volume.domain = frame.domain, volume.room = frame.whole();
    volume.albedo = look.smoke.color;
    volume.anisotropy = float(look.smoke.anisotropy);
    volume.first = {0, 0, 0}, volume.last = {-1, -1, -1};
    const Vec3d size = volume.room.size();
    const double longest = std::max({size.x, size.y, size.z});
    const float invisible = invisible_depth / float(longest);
    const field::Layout layout(frame.domain.cells);

    check_seen(frame, look);
    std::vector<Part> parts = visible_parts(frame, look, longest);
    field::Grid soot;
    if (const field::Points* points = frame.find_points("soot"); points && points->size() > 0) {
        soot = field::Grid(layout);
        add_particles(frame.domain, *points, float(look.soot.extinction.value_or(30 / longest)), soot);
        parts.push_back({&soot, 1, look.soot.color, true, {}});
    }
    const std::optional<HotGas> fire = hot_gas_of(frame, look.fire, longest);
    if (parts.empty() && !fire) return volume;

    volume.extinction = field::Grid(layout);
    const bool plain = parts.size() == 1 && !fire && !parts[0].tint[0];
    if (plain) volume.albedo = parts[0].albedo;
    else volume.scattering = three_grids(layout);
    if (fire) volume.emission = three_grids(layout);
    parallel_for(frame.domain.cells.z, [&](int k) {
        if (plain) fill_plain(volume, parts[0], invisible, k);
        else fill_mixed(volume, parts, fire ? &*fire : nullptr, invisible, k);
    });
    find_box(volume);
    return volume;
}

}  // namespace phlo::render
