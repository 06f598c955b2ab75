// What leaves the adaptive model for programs that look: all of it at the finest cells.
#include <algorithm>

#include "base/parallel.h"
#include "field/crop.h"
#include "flow/block_level_set.h"
#include "flow/level_set.h"
#include "geom/marching_cubes.h"
#include "models/liquid/adaptive.h"
#include "models/liquid/liquid_state.h"

namespace phlo::models {

field::Grid AdaptiveLiquid::phi() const {
    field::PaddedField padded;
    padded.copy(liquid_.blocks, field::centres, liquid_.phi);
    field::Grid phi(field::Layout(domain().cells));
    flow::sample(liquid_.blocks, padded, field::centres, phi);
    const float band = float(distance_band * liquid_.h());
    const Vec3i n = domain().cells;
    parallel_for(n.z, [&](int k) {
        for (int j = 0; j < n.y; ++j) {
            float* row = phi.row(j, k);
#pragma omp simd
            for (int i = 0; i < n.x; ++i) row[i] = std::clamp(row[i], -band, band);
        }
    });
    flow::slope_into_ghosts(liquid_.h(), phi);
    return phi;
}

namespace {

/// The blocks as cubes: `kind: grid` of `render.points` draws them.
field::Points blocks_as_points(const field::Blocks& blocks, const field::Domain& domain) {
    field::Points points{.name = "blocks"};
    std::vector<std::int32_t> cells;
    const double half = 0.5 * domain.h * (1 << blocks.depth());
    for (const int block : blocks.all()) {
        points.position.push_back(Vec3f(domain.origin + (Vec3d(blocks.place(block)) * 2.0 + Vec3d(1)) * half));
        points.radius.push_back(float(half));
        cells.push_back(field::Blocks::side(blocks.level(block)));
    }
    points.columns["cells"] = std::move(cells);
    return points;
}

}  // namespace

field::Frame AdaptiveLiquid::show() const {
    field::Frame frame{.time = time(), .world = domain().bounds()};
    const field::Grid level_set = phi();
    field::MacGrid velocity{level_set.layout()};
    for (int axis = 0; axis < 3; ++axis) {
        field::PaddedField padded;
        padded.copy(liquid_.blocks, axis, liquid_.u[std::size_t(axis)]);
        flow::sample(liquid_.blocks, padded, axis, velocity[axis]);
    }
    field::Surface surface{.name = "liquid", .color = {0.7f, 0.8f, 0.9f}, .mesh = geom::marching_cubes(domain(), level_set)};
    surface.substance = liquid_.setup.liquid.substance;
    surface.velocity = flow::velocities_at(domain(), velocity, surface.mesh.points);
    frame.surfaces.push_back(std::move(surface));

    const field::Content contents[] = {{&level_set, float(distance_band * liquid_.h()), float(liquid_.h())}};
    const field::Domain part = field::occupied_part(domain(), contents);
    field::Copies copies(domain(), part);
    frame.volumes.push_back({.name = "surface", .unit = "m", .kind = field::VolumeClass::level_set, .background = 3 * float(liquid_.h()), .domain = part, .room = domain(),
                             .grid = copies.add(level_set)});
    frame.velocity = {.domain = part, .room = domain(), .faces = copies.add(velocity)};
    copies.make();
    frame.points.push_back(blocks_as_points(liquid_.blocks, domain()));
    return frame;
}

}  // namespace phlo::models
