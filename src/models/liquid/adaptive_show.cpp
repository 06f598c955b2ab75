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

namespace {

/// The part of the whole lattice in which there is liquid, or the distance to it is known.
field::Domain occupied(const AdaptiveState& liquid) {
    const field::Blocks& blocks = liquid.blocks;
    const float near = float(distance_band * liquid.h());
    const int edge = 1 << blocks.depth();
    struct Box {
        Vec3i low{1 << 30}, high{-1};
    };
    const Box box = parallel_reduce(int(blocks.all().size()), Box{}, [&](int item) {
        const int block = blocks.all()[std::size_t(item)], level = blocks.level(block), n = field::Blocks::side(level), size = blocks.size(level);
        const Vec3i corner = blocks.place(block) * edge;
        const float* phi = liquid.phi.block(blocks, block);
        Box found;
        for (int r = 0; r < n * n; ++r) {
            const float* row = phi + field::Blocks::offset(level, 0, r % n, r / n);
            const auto in = [&](float d) { return d < near; };
            const float *first = std::find_if(row, row + n, in), *last = std::find_if(std::make_reverse_iterator(row + n), std::make_reverse_iterator(row), in).base();
            if (first == row + n) continue;
            const int y = corner.y + r % n * size, z = corner.z + r / n * size;
            found.low = min(found.low, {corner.x + int(first - row) * size, y, z});
            found.high = max(found.high, {corner.x + int(last - row) * size - 1, y + size - 1, z + size - 1});
        }
        return found;
    }, [](const Box& a, const Box& b) { return Box{min(a.low, b.low), max(a.high, b.high)}; });
    return field::part_around(liquid.domain, min(box.low, max(box.high, Vec3i(0))), box.high);
}

/// The level set at the finest cells of a part, up to five of them. Ghosts filled.
field::Grid sampled(const AdaptiveState& liquid, const field::Domain& part, field::PaddedField& padded) {
    padded.copy(liquid.blocks, field::centres, liquid.phi);
    field::Grid phi(field::Layout(part.cells));
    flow::sample(liquid.blocks, padded, field::centres, phi, field::cells_between(liquid.domain, part));
    const float band = float(distance_band * liquid.h());
    parallel_for(part.cells.z, [&](int k) {
        for (int j = 0; j < part.cells.y; ++j) {
            float* row = phi.row(j, k);
#pragma omp simd
            for (int i = 0; i < part.cells.x; ++i) row[i] = std::clamp(row[i], -band, band);
        }
    });
    flow::slope_into_ghosts(liquid.h(), phi);
    return phi;
}

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

field::Grid AdaptiveLiquid::phi() const {
    field::PaddedField padded;
    return sampled(liquid_, domain(), padded);
}

field::Frame AdaptiveLiquid::show() const {
    field::Frame frame{.time = time(), .world = domain().bounds()};
    const field::Domain part = occupied(liquid_);
    const Vec3i first = field::cells_between(domain(), part);
    field::PaddedField padded;
    auto level_set = std::make_shared<const field::Grid>(sampled(liquid_, part, padded));
    auto velocity = std::make_shared<field::MacGrid>(level_set->layout());
    for (int axis = 0; axis < 3; ++axis) {
        padded.copy(liquid_.blocks, axis, liquid_.u[std::size_t(axis)]);
        flow::sample(liquid_.blocks, padded, axis, (*velocity)[axis], first);
    }
    field::Surface surface{.name = "liquid", .color = {0.7f, 0.8f, 0.9f}, .mesh = geom::marching_cubes(part, *level_set)};   // beyond the part there is none
    surface.substance = liquid_.setup.liquid.substance;
    surface.velocity = flow::velocities_at(part, *velocity, surface.mesh.points);
    frame.surfaces.push_back(std::move(surface));
    frame.volumes.push_back({.name = "surface", .unit = "m", .kind = field::VolumeClass::level_set, .background = 3 * float(liquid_.h()), .domain = part, .room = domain(),
                             .grid = std::move(level_set)});
    frame.velocity = {.domain = part, .room = domain(), .faces = std::move(velocity)};
    frame.points.push_back(blocks_as_points(liquid_.blocks, domain()));
    return frame;
}

}  // namespace phlo::models
