#include "models/liquid/pouring.h"

#include <algorithm>
#include <cmath>

#include "base/parallel.h"
#include "flow/level_set.h"
#include "models/liquid/films.h"
#include "models/liquid/mixing.h"
#include "models/liquid/particle_carriers.h"
#include "particles/columns.h"

namespace phlo::models {
namespace {

/// An emitter's shape on the grid: distances to its surface, over the box of cells near it.
struct PlacedShape {
    flow::SourceShape where;
    const field::Domain& domain;
    flow::CellBox box;   ///< cells within the band of its surface, and those inside

    PlacedShape(const LiquidState& liquid, const LiquidEmitter& emitter, double time)
        : where(source_shape(emitter, liquid.flow.free_bodies().placements(time), time)), domain(liquid.flow.domain()) {
        const geom::Bounds world = where.pose.world_from_local(where.shape->bounds());
        const double margin = distance_band * domain.h + where.grown;
        const Vec3d lower = domain.grid_from_world(world.lower - Vec3d(margin)), upper = domain.grid_from_world(world.upper + Vec3d(margin));
        for (int axis = 0; axis < 3; ++axis) {
            box.lower[axis] = std::clamp(int(std::floor(lower[axis])), 0, domain.cells[axis]);
            box.upper[axis] = std::clamp(int(std::ceil(upper[axis])) + 1, 0, domain.cells[axis]);
        }
    }

    /// [m], < 0 inside.
    double distance(const Vec3d& world) const {
        return where.shape->quick_distance(where.pose.local_from_world(world), distance_band * domain.h) - where.grown;
    }

    /// visit(i, j, k, distance to the shape's surface there)
    template <class Visit>
    void visit_cells(const Visit& visit) const {
        const float most = float(distance_band * domain.h);
        parallel_for(std::max(0, box.upper.z - box.lower.z), [&](int plane) {
            const int k = box.lower.z + plane;
            for (int j = box.lower.y; j < box.upper.y; ++j)
                for (int i = box.lower.x; i < box.upper.x; ++i)
                    visit(i, j, k, std::clamp(float(distance(domain.cell_center(i, j, k))), -most, most));
        });
    }
    /// change(phi of a cell, distance to the shape's surface there)
    template <class Change>
    void for_each_cell(field::Grid& phi, const Change& change) const {
        visit_cells([&](int i, int j, int k, float distance) { change(phi(i, j, k), distance); });
    }
};

bool is_on(const LiquidEmitter& emitter, double time) { return emitter.strength(time) > 0; }

/// Particles of the other side in the shape are wrong now. Returns how many.
template <class Set>
std::size_t remove_in(const PlacedShape& shape, Set& set) {
    std::vector<std::uint8_t> gone(set.x.size(), 0);
    constexpr int chunk = 4096;
    parallel_for(int((set.x.size() + chunk - 1) / chunk), [&](int c) {
        const std::size_t end = std::min(set.x.size(), (std::size_t(c) + 1) * chunk);
        for (std::size_t n = std::size_t(c) * chunk; n < end; ++n) {
            const Vec3d at(double(set.x[n]), double(set.y[n]), double(set.z[n]));
            bool near = true;
            for (int axis = 0; axis < 3; ++axis) near &= at[axis] > shape.box.lower[axis] - 1 && at[axis] < shape.box.upper[axis];
            gone[n] = near && shape.distance(shape.domain.origin + (at + Vec3d(0.5)) * shape.domain.h) < 0;
        }
    });
    return particles::remove_marked(gone, set);
}

/// Particles for what an emitter pours, or no more of them in what drains.
void change_particles_in(const PlacedShape& shape, bool pours, LiquidState& liquid) {
    if (!pours) {
        const std::size_t drained = remove_in(shape, liquid.particles);
        if (drained > 0) liquid.ledger.record("particles", "drained", -double(drained));
    } else if (liquid.particles_make_surface()) {
        field::Grid& level = liquid.flow.idle_grid(0);
        level.fill(float(distance_band * liquid.h()));
        shape.for_each_cell(level, [](float& here, float distance) { here = distance; });
        add_poured_particles(liquid, level);
    }
}

/// What comes out of it [K]; counts where the scene has heat.
double temperature_of(const LiquidState& liquid, const LiquidEmitter& emitter, double time) {
    return emitter.temperature ? (*emitter.temperature)(time) : liquid.setup.liquid.heat.temperature.value_or(0);
}

/// At the first frame a shape is full of its emitter's liquid, whatever was there before.
void fill_with(const LiquidState& liquid, const PlacedShape& shape, const Shares& what, Mixture& mixture) {
    if (!mixture.any()) return;
    const double h = liquid.h();
    shape.visit_cells([&](int i, int j, int k, float distance) {
        const float phi = liquid.phi(i, j, k);
        const double part = phi > 0 && distance < phi ? 1.0 : std::clamp(0.5 - double(distance) / h, 0.0, 1.0);
        if (part >= 1) mixture.set(i, j, k, what);
        else if (part > 0) mixture.set(i, j, k, mixed(mixture.in_cell(i, j, k), what, part / (1 - part)));
    });
}

bool pours_at(const LiquidEmitter& emitter, double time) { return emitter.mode == LiquidMode::pour && is_on(emitter, time); }

Vec3i axis_step(int axis) { return {axis == 0, axis == 1, axis == 2}; }

/// The part of a cell that is in a shape, or so near to it that stamping it can change the cell.
double part_in(const PlacedShape& shape, int i, int j, int k) {
    constexpr double around = 1.5;   // cells
    return std::clamp(0.5 + around - shape.distance(shape.domain.cell_center(i, j, k)) / shape.domain.h, 0.0, 1.0);
}

/// Liquid in a shape [m^3]; `part`: of each cell.
double volume_in(const LiquidState& liquid, const PlacedShape& shape, const field::Grid& part) {
    const field::Grid* open = liquid.open();
    const double cell = std::pow(liquid.h(), 3);
    return parallel_sum(std::max(0, shape.box.upper.z - shape.box.lower.z), [&](int plane) {
        double sum = 0;
        const int k = shape.box.lower.z + plane;
        for (int j = shape.box.lower.y; j < shape.box.upper.y; ++j)
            for (int i = shape.box.lower.x; i < shape.box.upper.x; ++i)
                if (const double f = double(part(i, j, k)); f > 0) sum += f * part_in(shape, i, j, k) * (open ? double((*open)(i, j, k)) : 1.0);
        return sum * cell;
    });
}

/// Liquid that goes out of a shape, less what comes in and what a flow that diverges makes in it [m^3/s].
double leaving(const LiquidState& liquid, const PlacedShape& shape, const field::Grid& part) {
    const field::MacGrid& u = liquid.flow.velocity();
    const flow::Solids& solids = liquid.flow.solids();
    const double area = liquid.h() * liquid.h();
    return parallel_sum(std::max(0, shape.box.upper.z - shape.box.lower.z), [&](int plane) {
        double sum = 0;
        const int k = shape.box.lower.z + plane;
        for (int j = shape.box.lower.y; j < shape.box.upper.y; ++j)
            for (int i = shape.box.lower.x; i < shape.box.upper.x; ++i) {
                const double inside = part_in(shape, i, j, k), own = double(part(i, j, k));
                for (int axis = 0; axis < 3; ++axis) {
                    const Vec3i below = Vec3i(i, j, k) - axis_step(axis), above = Vec3i(i, j, k) + axis_step(axis);
                    const auto through = [&](const Vec3i& f) { return double(u[axis](f.x, f.y, f.z)) * (solids.present() ? double(solids.aperture[axis](f.x, f.y, f.z)) : 1.0); };
                    const double low = through({i, j, k});
                    sum -= inside * own * (through(above) - low);
                    if (below[axis] < shape.box.lower[axis]) continue;
                    sum += (part_in(shape, below.x, below.y, below.z) - inside) * low * (low > 0 ? double(part(below.x, below.y, below.z)) : own);
                }
            }
        return sum * area;
    });
}

}  // namespace

void fill_start(LiquidState& liquid) {
    for (const LiquidEmitter& emitter : liquid.setup.emitters) {
        if (emitter.mode == LiquidMode::drain || !is_on(emitter, 0)) continue;
        const PlacedShape shape(liquid, emitter, 0);
        fill_with(liquid, shape, only(liquid_of(liquid.setup.liquid, emitter)), liquid.mixture);
        fill_with(liquid, shape, warm(liquid.temperatures.share(temperature_of(liquid, emitter, 0))), liquid.warmth);
        shape.for_each_cell(liquid.phi, [](float& phi, float distance) { phi = std::min(phi, distance); });
    }
    for (const LiquidEmitter& emitter : liquid.setup.emitters)
        if (emitter.mode == LiquidMode::drain && is_on(emitter, 0))
            PlacedShape(liquid, emitter, 0).for_each_cell(liquid.phi, [](float& phi, float distance) { phi = std::max(phi, -distance); });
}

// A rim that an emitter stamps sharp is round after the next step, and is stamped again: what comes back in this way is not poured. It would be half as much again as what is, in a
// spout of two cells' radius.
void foresee_pouring(LiquidState& liquid, double dt) {
    const double time = liquid.flow.time() + dt;
    const auto& emitters = liquid.setup.emitters;
    liquid.foreseen.assign(emitters.size(), 0);
    if (std::ranges::none_of(emitters, [&](const LiquidEmitter& e) { return pours_at(e, time); })) return;
    field::Grid& part = liquid.flow.idle_grid(0);
    flow::inside_fractions(liquid.phi, liquid.h(), part);
    for (std::size_t n = 0; n < emitters.size(); ++n) {
        if (!pours_at(emitters[n], time)) continue;
        const PlacedShape shape(liquid, emitters[n], time);
        liquid.foreseen[n] = std::max(0.0, volume_in(liquid, shape, part) - leaving(liquid, shape, part) * dt);
    }
}

void pour_and_drain(LiquidState& liquid, double dt) {
    const double time = liquid.flow.time() + dt;
    bool changed = false;
    for (std::size_t n = 0; n < liquid.setup.emitters.size(); ++n) {
        const LiquidEmitter& emitter = liquid.setup.emitters[n];
        if (emitter.mode == LiquidMode::start || !is_on(emitter, time)) continue;
        const PlacedShape shape(liquid, emitter, time);
        PouringOne pouring(liquid);
        const bool pours = emitter.mode == LiquidMode::pour;
        double lost = 0;
        if (pours) {
            field::Grid& part = liquid.flow.idle_grid(0);
            flow::inside_fractions(liquid.phi, liquid.h(), part);
            lost = liquid.foreseen[n] - volume_in(liquid, shape, part);
        }
        if (pours) shape.for_each_cell(liquid.phi, [](float& phi, float distance) { phi = std::min(phi, distance); });
        else shape.for_each_cell(liquid.phi, [](float& phi, float distance) { phi = std::max(phi, -distance); });
        remove_in(shape, pours ? liquid.markers.outside : liquid.markers.inside);
        change_particles_in(shape, pours, liquid);
        field::extend_into_ghosts(liquid.phi, liquid.flow.layout().cells());
        const double change = pours ? pouring.added(liquid_of(liquid.setup.liquid, emitter), temperature_of(liquid, emitter, time), lost) : pouring.drained();
        changed = true;
        (pours ? liquid.book.poured : liquid.book.drained) += pours ? change : -change;
        liquid.ledger.record("volume", pours ? "poured" : "drained", change);
    }
    if (changed) count_films(liquid.flow.walls(), liquid.flow.solids(), liquid.setup.liquid.gravity(liquid.flow.time()), liquid.h(), liquid.phi, liquid.wet);
}

void push_poured(const LiquidState& liquid, double dt, field::MacGrid& u) {
    const double time = liquid.flow.time() + dt;
    for (const LiquidEmitter& emitter : liquid.setup.emitters) {
        if (emitter.mode != LiquidMode::pour || !is_on(emitter, time)) continue;
        const PlacedShape shape(liquid, emitter, time);
        const Vec3d velocity = emitter.velocity(time);
        const Vec3i n = liquid.flow.layout().cells();
        for (int axis = 0; axis < 3; ++axis)
            parallel_for(std::max(0, shape.box.upper.z - shape.box.lower.z), [&](int plane) {
                const int k = shape.box.lower.z + plane;
                for (int j = shape.box.lower.y; j < shape.box.upper.y; ++j)
                    for (int i = shape.box.lower.x; i < shape.box.upper.x; ++i) {
                        const int along = axis == 0 ? i : axis == 1 ? j : k;
                        if (along == 0 || along == n[axis]) continue;
                        if (shape.distance(shape.domain.face_center(axis, i, j, k)) < 0.5 * shape.domain.h) u[axis](i, j, k) = float(velocity[axis]);
                    }
            });
    }
}

double pouring_speed(const LiquidState& liquid) {
    double most = 0;
    for (const LiquidEmitter& emitter : liquid.setup.emitters)
        if (emitter.mode == LiquidMode::pour && is_on(emitter, liquid.flow.time())) most = std::max(most, length(emitter.velocity(liquid.flow.time())));
    return most;
}

}  // namespace phlo::models
