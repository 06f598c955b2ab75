#include "models/liquid/particle_carriers.h"

#include <algorithm>
#include <cmath>

#include "base/parallel.h"
#include "flow/averaged_surface.h"
#include "flow/body_contacts.h"

namespace phlo::models {
namespace {

constexpr double core_depth = 1.5;   ///< what is deeper is liquid whatever particles say: the band may be thin there [cells]

void record(LiquidState& liquid, const flow::ParticleChanges& changes) {
    const auto note = [&](const char* what, long change) {
        if (change != 0) liquid.ledger.record("particles", what, double(change));
    };
    note("seeded", changes.added), note("too deep", -changes.deep), note("surplus", -changes.surplus);
    note("in the air", -changes.outside), note("in bodies", -changes.in_bodies);
    liquid.spray = changes.flying;
}

/// phi, or `carried` and 1.5 cells more if that is less; not where a body has passed.
void keep_core(const flow::BodyContacts& bodies, const field::Grid& carried, double h, field::Grid& phi) {
    const Vec3i n = phi.layout().cells();
    const float depth = float(core_depth * h);
    const bool swept = bodies.reach() > 0.5;
    parallel_for(n.z, [&](int k) {
        for (int j = 0; j < n.y; ++j) {
            float* __restrict to = phi.row(j, k);
            const float* __restrict from = carried.row(j, k);
            if (!swept) {
#pragma omp simd
                for (int i = 0; i < n.x; ++i) to[i] = std::min(to[i], from[i] + depth);
                continue;
            }
            for (int i = 0; i < n.x; ++i) {
                if (from[i] + depth >= to[i]) continue;
                Vec3f stays{float(i), float(j), float(k)};
                if (!bodies.hold(stays, stays)) to[i] = from[i] + depth;
            }
        }
    });
}

/// Does a body move more than a cell in the step?
bool fast_bodies(const LiquidState& liquid, double dt) {
    const std::vector<geom::Placement> before = liquid.flow.placements(), after = geom::place(liquid.flow.shot().bodies, liquid.flow.time() + dt);
    bool fast = liquid.flow.free_bodies().fastest() * dt > liquid.h();
    for (std::size_t b = 0; b < after.size(); ++b)
        if (!after[b].body->free) fast = fast || length(after[b].pose.position - before[b].pose.position) > liquid.h();
    return fast;
}

/// phi from the particles near the surface. What was deep inside before stays inside.
void find_particle_surface(LiquidState& liquid) {
    const flow::LiquidParticles& set = liquid.particles;
    field::Grid& before = liquid.flow.idle_grid(0);
    std::swap(liquid.phi, before);
    flow::averaged_level_set({.h = liquid.h(), .per_cell = double(liquid.particle_params().per_cell())}, set.x, set.y, set.z, liquid.phi);
    keep_core(liquid.contacts(), before, liquid.h(), liquid.phi);
}

}  // namespace

void start_particles(LiquidState& liquid) {
    liquid.particles = {};
    if (!liquid.has_particles()) return;
    seed_particles(liquid.particle_params(), liquid.phi, liquid.flow.solids(), liquid.particles);
    if (liquid.particles_make_surface()) find_particle_surface(liquid);
}

void prepare_particles(LiquidState& liquid, double dt) {
    if (!liquid.has_particles()) return;
    flow::LiquidParticleParams params = liquid.particle_params();
    if (fast_bodies(liquid, dt)) params.band = flow::no_band;   // they push particles along, nothing else
    record(liquid, reseed(params, liquid.phi, liquid.flow.velocity(), liquid.flow.solids(), liquid.particles));
    // Spray takes now what the last step's forces gave to the liquid on the grid.
    from_grid({.gain = liquid.setup.liquid.gravity(liquid.flow.time()) * liquid.last_dt, .phi = &liquid.phi, .h = liquid.h()}, liquid.flow.velocity(),
              liquid.particles);
}

void carry_particles(LiquidState& liquid, double dt) {
    const flow::Walls walls = liquid.flow.walls();
    const flow::PassedParticles passed =
        move_particles({.domain = liquid.flow.domain(), .dt = dt, .trace = flow::Trace::rk3, .walls = &walls, .before = liquid.bodies_before,
                        .after = liquid.bodies_after, .solid_distance = liquid.solid_distance()},
                       liquid.flow.velocity(), liquid.particles);
    if (passed.left > 0) liquid.ledger.record("particles", "left", -double(passed.left));
    if (liquid.particles_make_surface()) find_particle_surface(liquid);
}

void add_poured_particles(LiquidState& liquid, const field::Grid& level) {
    flow::LiquidParticleParams everywhere = liquid.particle_params();
    everywhere.band = flow::no_band;
    const flow::ParticleChanges changes = seed_particles(everywhere, level, liquid.flow.solids(), liquid.particles);
    liquid.ledger.record("particles", "poured", double(changes.added));
    if (changes.in_bodies > 0) liquid.ledger.record("particles", "in bodies", -double(changes.in_bodies));
}

void pour_particles_at_walls(LiquidState& liquid) {
    const auto& walls = liquid.flow.shot().domain.walls;
    if (std::ranges::none_of(walls, [](const WallParams& w) { return w.kind == WallKind::inflow; })) return;
    const Vec3i n = liquid.flow.layout().cells();
    field::Grid& level = liquid.flow.idle_grid(0);
    level.fill(float(liquid.h()));
    for (int w = 0; w < 6; ++w) {
        if (walls[std::size_t(w)].kind != WallKind::inflow) continue;
        Vec3i first, last = n;
        first[w / 2] = w % 2 ? n[w / 2] - 1 : 0, last[w / 2] = first[w / 2] + 1;
        for (int k = first.z; k < last.z; ++k)
            for (int j = first.y; j < last.y; ++j)
                for (int i = first.x; i < last.x; ++i) level(i, j, k) = -float(liquid.h());
    }
    add_poured_particles(liquid, level);
}

long widen_crowds(LiquidState& liquid, double dt, field::Grid& divergence) {
    constexpr float crowded = 1.25f, most = 2;   // times what a cell holds: the mean over a cell and those around it
    constexpr double share = 0.25;               // of the excess that goes in a step
    const flow::LiquidParticles& set = liquid.particles;
    const Vec3i n = divergence.layout().cells();
    field::Grid& fill = liquid.flow.idle_grid(2);
    const float part = 1 / float(liquid.particle_params().per_cell());
    const auto cell = [](float x, int cells) { return std::clamp(int(std::floor(x + 0.5f)), 0, cells - 1); };
    fill.fill(0);
    for (std::size_t p = 0; p < set.count(); ++p) fill(cell(set.x[p], n.x), cell(set.y[p], n.y), cell(set.z[p], n.z)) += part;
    const flow::Solids& solids = liquid.flow.solids();
    const auto mean_around = [&](int i, int j, int k) {
        float sum = 0, room = 0;
        for (int c = std::max(k - 1, 0); c <= std::min(k + 1, n.z - 1); ++c)
            for (int b = std::max(j - 1, 0); b <= std::min(j + 1, n.y - 1); ++b)
                for (int a = std::max(i - 1, 0); a <= std::min(i + 1, n.x - 1); ++a)
                    sum += fill(a, b, c), room += solids.present() ? solids.volume(a, b, c) : 1.f;
        return sum / std::max(room, 1.f);
    };
    return std::lround(parallel_sum(n.z, [&](int k) {
        double widened = 0;
        for (int j = 0; j < n.y; ++j)
            for (int i = 0; i < n.x; ++i)
                if (fill(i, j, k) > crowded)
                    if (const float excess = mean_around(i, j, k) - crowded; excess > 0) divergence(i, j, k) += float(share / dt) * std::min(excess, most), ++widened;
        return widened;
    }));
}

void mix_in_particle_velocity(LiquidState& liquid) {
    if (liquid.setup.liquid.velocity != VelocityCarrier::apic) return;
    to_grid({.h = liquid.h(), .band = liquid.setup.liquid.particles.band, .phi = &liquid.phi}, liquid.particles, liquid.flow.next_velocity(), liquid.transfer);
}

}  // namespace phlo::models
