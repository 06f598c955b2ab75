#include "models/liquid/particle_carriers.h"

#include <algorithm>

#include "base/parallel.h"
#include "flow/averaged_surface.h"

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

void keep_core(const field::Grid& before, double h, field::Grid& phi) {
    const Vec3i n = phi.layout().cells();
    const float depth = float(core_depth * h);
    parallel_for(n.z, [&](int k) {
        for (int j = 0; j < n.y; ++j) {
            float* __restrict to = phi.row(j, k);
            const float* __restrict from = before.row(j, k);
#pragma omp simd
            for (int i = 0; i < n.x; ++i) to[i] = std::min(to[i], from[i] + depth);
        }
    });
}

}  // namespace

void start_particles(LiquidState& liquid) {
    liquid.particles = {};
    if (!liquid.has_particles()) return;
    seed_particles(liquid.particle_params(), liquid.phi, liquid.flow.solids(), liquid.particles);
    if (liquid.particles_make_surface()) find_particle_surface(liquid);
}

void prepare_particles(LiquidState& liquid) {
    if (!liquid.has_particles()) return;
    liquid.bodies_before = liquid.flow.placements();
    record(liquid, reseed(liquid.particle_params(), liquid.phi, liquid.flow.velocity(), liquid.flow.solids(), liquid.particles));
    // Spray takes now what the last step's forces gave to the liquid on the grid.
    from_grid(liquid.flow.velocity(), liquid.setup.liquid.gravity(liquid.flow.time()) * liquid.last_dt, liquid.particles);
}

void carry_particles(LiquidState& liquid, double dt) {
    const std::vector<geom::Placement> after = liquid.flow.free_bodies().placements(liquid.flow.time() + dt);
    const flow::Walls walls = liquid.flow.walls();
    const flow::PassedParticles passed =
        move_particles({.domain = liquid.flow.domain(), .dt = dt, .trace = flow::Trace::rk3, .walls = &walls, .before = liquid.bodies_before,
                        .after = after, .solid_distance = liquid.solid_distance()},
                       liquid.flow.velocity(), liquid.particles);
    if (passed.left > 0) liquid.ledger.record("particles", "left", -double(passed.left));
}

void find_particle_surface(LiquidState& liquid) {
    const flow::LiquidParticles& set = liquid.particles;
    std::swap(liquid.phi, liquid.carried);
    flow::averaged_level_set({.h = liquid.h(), .per_cell = double(liquid.particle_params().per_cell())}, set.x, set.y, set.z, liquid.phi);
    keep_core(liquid.carried, liquid.h(), liquid.phi);
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
    liquid.carried.fill(float(liquid.h()));
    for (int w = 0; w < 6; ++w) {
        if (walls[std::size_t(w)].kind != WallKind::inflow) continue;
        Vec3i first, last = n;
        first[w / 2] = w % 2 ? n[w / 2] - 1 : 0, last[w / 2] = first[w / 2] + 1;
        for (int k = first.z; k < last.z; ++k)
            for (int j = first.y; j < last.y; ++j)
                for (int i = first.x; i < last.x; ++i) liquid.carried(i, j, k) = -float(liquid.h());
    }
    add_poured_particles(liquid, liquid.carried);
}

void mix_in_particle_velocity(LiquidState& liquid) {
    if (liquid.setup.liquid.velocity != VelocityCarrier::apic) return;
    to_grid({.h = liquid.h(), .band = liquid.setup.liquid.particles.band, .phi = &liquid.phi}, liquid.particles, liquid.flow.next_velocity(), liquid.transfer);
}

}  // namespace phlo::models
