// Which blocks an adaptive liquid lies on, and what emitters do to them.
#include <algorithm>
#include <cmath>

#include "base/parallel.h"
#include "flow/block_level_set.h"
#include "models/liquid/adaptive_motion.h"
#include "numerics/block_loops.h"

namespace phlo::models {

using field::Blocks;
using numerics::each_block;

namespace {

bool is_on(const LiquidEmitter& emitter, double time) { return emitter.strength(time) > 0; }

/// An emitter's shape in the world.
class PlacedShape {
public:
    PlacedShape(const LiquidEmitter& emitter, double time) : where_(source_shape(emitter, {}, time)) {}
    /// [m], < 0 inside; right up to `band`.
    double distance(const Vec3d& world, double band) const { return where_.shape->quick_distance(where_.pose.local_from_world(world), band + where_.grown) - where_.grown; }

private:
    flow::SourceShape where_;
};

Vec3d world_of(const AdaptiveState& liquid, const Vec3d& finest) { return liquid.domain.origin + finest * liquid.h(); }

/// each(cell (i, j, k)'s place in its block, its centre in the world) of a block.
template <class Each>
void each_centre(const AdaptiveState& liquid, int block, const Each& each) {
    const Blocks& blocks = liquid.blocks;
    const int level = blocks.level(block), n = Blocks::side(level), size = blocks.size(level);
    const Vec3i corner = blocks.place(block) * (1 << blocks.depth());
    Vec3i c;
    for (c.z = 0; c.z < n; ++c.z)
        for (c.y = 0; c.y < n; ++c.y)
            for (c.x = 0; c.x < n; ++c.x)
                each(Blocks::offset(level, c.x, c.y, c.z), world_of(liquid, Vec3d(corner) + (Vec3d(c) + Vec3d(0.5)) * double(size)));
}

/// What base cells hold if phi is this function of the place, within `margin` of its zero [m].
template <class Distance>
void mark_surface(const AdaptiveState& liquid, const Vec3i& base, int depth, double margin, const Distance& distance, std::vector<Holds>& holds) {
    const double edge = double(1 << depth), reach = 0.5 * std::sqrt(3.0) * edge * liquid.h() + margin;
    parallel_for(int(holds.size()), [&](int b) {
        const Vec3d centre = world_of(liquid, (Vec3d(b % base.x, b / base.x % base.y, b / base.x / base.y) + Vec3d(0.5)) * edge);
        const double d = distance(centre, 2 * reach);
        Holds& here = holds[std::size_t(b)];
        if (std::fabs(d) < reach) here = Holds::surface;
        else if (d < 0 && here == Holds::air) here = Holds::liquid;
    });
}

std::vector<std::int8_t> wanted_levels(const AdaptiveState& liquid, const Vec3i& base, int depth, std::span<const Holds> holds) {
    std::vector<std::int8_t> levels = liquid.choose_levels({.domain = liquid.domain, .base = base, .depth = depth, .holds = holds, .time = liquid.time});
    field::balance(base, levels);
    return levels;
}

void make_fields(AdaptiveState& liquid, Blocks blocks) {
    liquid.blocks = std::move(blocks);
    liquid.phi = field::BlockField<float>(liquid.blocks);
    for (auto& component : liquid.u) component = field::BlockField<float>(liquid.blocks);
}

/// Everything goes to other blocks.
void move_to(AdaptiveState& liquid, Blocks blocks) {
    const double before = liquid.volume();
    const std::vector<std::uint8_t> finer = flow::refined(liquid.blocks, blocks);
    const auto move = [&](int axis, field::BlockField<float>& x) {
        liquid.padded.copy(liquid.blocks, axis, x, &finer);
        flow::transfer(liquid.blocks, liquid.padded, axis, blocks, x, liquid.spare);
    };
    for (int axis = 0; axis < 3; ++axis) move(axis, liquid.u[std::size_t(axis)]);
    move(field::centres, liquid.phi);
    if (liquid.last_dt > 0) {
        field::BlockField<float> pressure = std::move(liquid.projector.edit_pressure());
        move(field::centres, pressure);
        liquid.projector.move_pressure(std::move(pressure), blocks);
    }
    liquid.blocks = std::move(blocks);
    enforce_walls(liquid.blocks, liquid.walls(), liquid.u);
    liquid.ledger.record("volume", "regridded", liquid.volume() - before);
}

}  // namespace

void fill_start(AdaptiveState& liquid) {
    const int depth = liquid.setup.liquid.adapt.levels;
    const Vec3i cells = liquid.domain.cells, base(cells.x >> depth, cells.y >> depth, cells.z >> depth);
    std::vector<std::pair<PlacedShape, bool>> shapes;   // and whether it drains
    for (const bool drains : {false, true})
        for (const LiquidEmitter& emitter : liquid.setup.emitters)
            if ((emitter.mode == LiquidMode::drain) == drains && is_on(emitter, 0)) shapes.emplace_back(PlacedShape(emitter, 0), drains);
    const auto distance = [&](const Vec3d& world, double band) {
        double d = band;
        for (const auto& [shape, drains] : shapes) d = drains ? std::max(d, -shape.distance(world, band)) : std::min(d, shape.distance(world, band));
        return std::clamp(d, -band, band);
    };
    std::vector<Holds> holds(std::size_t(base.x * base.y * base.z), Holds::air);
    mark_surface(liquid, base, depth, 4 * liquid.h(), distance, holds);
    make_fields(liquid, Blocks(base, depth, wanted_levels(liquid, base, depth, holds)));
    liquid.needed.assign(holds.size(), 0);
    each_block(liquid.blocks, [&](int block) {
        const double band = block_band * liquid.h() * liquid.blocks.size(liquid.blocks.level(block));
        float* phi = liquid.phi.block(liquid.blocks, block);
        each_centre(liquid, block, [&](int place, const Vec3d& world) { phi[place] = float(distance(world, band)); });
    });
    fill_ghosts_around(liquid.blocks, field::centres, field::Seams::one_value, liquid.phi);
    redistance(liquid.blocks, {.h = liquid.h(), .band = block_band}, liquid.phi, liquid.march);
    liquid.book = {.start = liquid.volume()};
}

void adapt_blocks(AdaptiveState& liquid, double dt) {
    const Blocks& blocks = liquid.blocks;
    const double g = length(liquid.setup.liquid.gravity(liquid.time));
    std::vector<Holds> holds = what_cells_hold(blocks, liquid.h(), liquid.phi, liquid.u, dt);
    for (const LiquidEmitter& emitter : liquid.setup.emitters) {
        if (emitter.mode == LiquidMode::start || !is_on(emitter, liquid.time + dt)) continue;
        const PlacedShape shape(emitter, liquid.time + dt);
        mark_surface(liquid, blocks.base(), blocks.depth(), 3 * liquid.h() + g * dt * dt, [&](const Vec3d& p, double band) { return shape.distance(p, band); }, holds);
    }
    const std::vector<std::int8_t> wanted = wanted_levels(liquid, blocks.base(), blocks.depth(), holds);
    std::vector<std::int8_t> levels(wanted.size());
    bool changes = false;
    for (std::size_t b = 0; b < levels.size(); ++b) {
        const auto now = std::int8_t(blocks.level(int(b)));
        const std::int8_t lately = std::max(wanted[b], liquid.needed[b]);
        levels[b] = liquid.frame_begins ? lately : std::max(wanted[b], now);
        liquid.needed[b] = liquid.frame_begins ? wanted[b] : lately;
        changes |= levels[b] != now;
    }
    liquid.frame_begins = false;
    if (!changes) return;
    field::balance(blocks.base(), levels);
    Blocks next(blocks.base(), blocks.depth(), levels);
    if (!(next == blocks)) move_to(liquid, std::move(next));
}

void pour_and_drain(AdaptiveState& liquid, double dt) {
    const double time = liquid.time + dt;
    for (const LiquidEmitter& emitter : liquid.setup.emitters) {
        if (emitter.mode == LiquidMode::start || !is_on(emitter, time)) continue;
        const PlacedShape shape(emitter, time);
        const bool pours = emitter.mode == LiquidMode::pour;
        const double before = liquid.volume();
        each_block(liquid.blocks, [&](int block) {
            const double band = block_band * liquid.h() * liquid.blocks.size(liquid.blocks.level(block));
            float* phi = liquid.phi.block(liquid.blocks, block);
            each_centre(liquid, block, [&](int place, const Vec3d& world) {
                const float d = float(std::clamp(shape.distance(world, band), -band, band));
                phi[place] = pours ? std::min(phi[place], d) : std::max(phi[place], -d);
            });
        });
        fill_ghosts_around(liquid.blocks, field::centres, field::Seams::one_value, liquid.phi);
        const double change = liquid.volume() - before;
        (pours ? liquid.book.poured : liquid.book.drained) += std::fabs(change);
        liquid.ledger.record("volume", pours ? "poured" : "drained", change);
    }
}

void push_poured(AdaptiveState& liquid, double dt) {
    const double time = liquid.time + dt;
    for (const LiquidEmitter& emitter : liquid.setup.emitters) {
        if (emitter.mode != LiquidMode::pour || !is_on(emitter, time)) continue;
        const PlacedShape shape(emitter, time);
        const Vec3d velocity = emitter.velocity(time);
        each_block(liquid.blocks, [&](int block) {
            const double size = liquid.h() * liquid.blocks.size(liquid.blocks.level(block));
            each_centre(liquid, block, [&](int place, const Vec3d& world) {
                for (int axis = 0; axis < 3; ++axis) {
                    Vec3d face = world;
                    face[axis] -= 0.5 * size;
                    if (shape.distance(face, size) < 0.5 * size) liquid.u[std::size_t(axis)].block(liquid.blocks, block)[place] = float(velocity[axis]);
                }
            });
        });
        for (int axis = 0; axis < 3; ++axis) fill_ghosts_around(liquid.blocks, axis, field::Seams::one_value, liquid.u[std::size_t(axis)]);
    }
}

}  // namespace phlo::models
