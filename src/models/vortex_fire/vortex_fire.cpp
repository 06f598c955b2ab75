#include "models/vortex_fire/vortex_fire.h"

#include <algorithm>
#include <cmath>
#include <ranges>

#include <fmt/format.h>

#include "base/error.h"
#include "models/shot/sub_steps.h"
#include "models/vortex_fire/follow_box.h"
#include "models/vortex_fire/vortex_stages.h"
#include "particles/columns.h"

namespace phlo::models {
namespace {

FireMatter clean_air(const VortexFireParams& params) {
    return {.temperature = float(params.combustion.ambient_temperature), .oxygen = float(params.combustion.ambient_oxygen)};
}

ImmersedPhysics physics_of(const VortexFireParams& params) {
    ImmersedPhysics physics{.gravity = params.gravity, .gas_density = params.air_density, .gas_heat_capacity = params.combustion.heat_capacity};
    if (!params.box.closed) return physics;
    physics.walls.fill({flow::WallKind::closed});
    physics.box = closed_lattice(params.box.bounds(), params.spacing).domain();
    return physics;
}

/// A vorton of clean air at every node: a closed box has no other air.
void fill_with_air(VortexState& fire) {
    const VortexLattice& lattice = fire.fields.lattice;
    for (int k = 0; k < lattice.cells.z; ++k)
        for (int j = 0; j < lattice.cells.y; ++j)
            for (int i = 0; i < lattice.cells.x; ++i)
                append_vorton(fire.vortons, {.position = lattice.node_position(i, j, k), .strength = {}, .volume = float(lattice.cell_volume()), .matter = fire.air});
}

}  // namespace

VortexState::VortexState(const Shot& given_shot, const VortexSetup& given)
    : shot(given_shot), setup(given), air(clean_air(given.vortex)), bodies(shot.bodies, physics_of(given.vortex)), coverage(given.emitters.size()) {
    for (const geom::Body& body : shot.bodies) still.push_back(body.moves() || body.free ? std::nullopt : std::optional(geom::surface(geom::place(body, 0))));
}

VortexFire::VortexFire(const Shot& shot, const VortexSetup& setup) : fire_(shot, setup) {
    follow_fire(fire_);
    if (fire_.closed()) fill_with_air(fire_);
    put_on_lattice(fire_);
    seed_vortons(fire_, FireEmission::starting);
    if (fire_.closed()) emit_fuel(fire_, 0, FireEmission::starting);
    fire_.ledger.clear();
}

FrameStats VortexFire::first_stats() const {
    FrameStats stats = Model::first_stats();
    stats.particles["vortons"] = long(fire_.vortons.size());
    stats.particles["tracers"] = 0;
    return stats;
}

double VortexFire::choose_step(double remaining, int done) {
    const TimeParams& time = fire_.shot.time;
    const double fastest = std::max(fire_.clock.fastest, fire_.bodies.fastest(fire_.clock.time)), strongest = fire_.clock.strongest;
    if (!std::isfinite(fastest) || !std::isfinite(strongest))
        throw RunError("the velocity of the fire is no longer a number; expected smaller steps (time.cfl) or more viscosity");
    // A parcel must not turn or stretch by much more than itself in a step, however slowly it goes.
    constexpr double most_turn = 3, tearing_turn = 10 * most_turn;
    const double longest = std::min(fastest > 0 ? time.cfl * fire_.params().spacing / fastest : remaining, strongest > 0 ? most_turn / strongest : remaining);
    const bool fixed = time.fixed_step > 0;
    // Equal steps: the rule of Adams and Bashforth would blow up what it extrapolates from a step that is much shorter than the next.
    const double wanted = std::ceil(remaining / (fixed ? time.fixed_step : longest) - 1e-6);
    const double dt = remaining / std::clamp(wanted, 1.0, fixed ? wanted : double(std::max(1, time.max_substeps - done)));
    if (dt * strongest > tearing_turn)
        throw RunError(fmt::format("steps of {:.2g} s tear the fire apart: its gas turns by {:.0f} times itself in one; expected steps of {:.2g} s or less ({})", dt, dt * strongest,
                                   longest, fixed ? "time.fixed_step" : "time.max_substeps"));
    if (dt > 1.000001 * longest && fixed)
        warnings.once("fixed_step", fmt::format("steps of time.fixed_step = {} s are longer than the {:.2g} s by which this fire is exact", time.fixed_step, longest));
    else if (dt > 1.000001 * longest)
        warnings.once("substeps", fmt::format("a frame would need more than time.max_substeps = {} steps; the fire is less exact here", time.max_substeps));
    return dt;
}

FrameStats VortexFire::advance(double seconds) {
    FrameStats stats;
    times_.clear();
    fire_.ledger.clear();
    take_fire_stock(fire_, "start");
    SubSteps steps(fire_.clock.time, seconds, enough);
    int iterations = 0;
    while (steps.go_on()) {
        const double dt = choose_step(steps.remaining(), steps.count());
        fire_.shown = steps.ends_with(dt);
        step(dt);
        steps.went(dt);
        iterations += fire_.solved.iterations;
    }
    fire_.clock.time = steps.end();
    steps.tell(stats);
    take_fire_stock(fire_, "now");
    stats.seconds = times_;
    stats.ledger = fire_.ledger.entries();
    stats.particles["vortons"] = long(fire_.vortons.size());
    stats.particles["tracers"] = long(std::ranges::count_if(std::views::iota(std::size_t(0), fire_.tracers.size()), [&](std::size_t t) { return fire_.tracers.alive(t); }));
    stats.numbers = {{"velocity.fastest", fire_.clock.fastest}, {"velocity.iterations", iterations}, {"velocity.residual", fire_.solved.residual},
                     {"vorticity.strongest", fire_.clock.strongest}};
    add_invariants(fire_, stats.numbers);
    stats.memory_bytes = bytes();
    stats.words = fmt::format("{} sub-step{}, {} vortons, {:.1f} m/s", stats.substeps, stats.substeps == 1 ? "" : "s", fire_.vortons.size(), fire_.clock.fastest);
    return stats;
}

void VortexFire::step(double dt) {
    { Stage stage(times_, "follow");     follow_fire(fire_); }
    { Stage stage(times_, "sources");    emit_fuel(fire_, dt, FireEmission::running); }
    { Stage stage(times_, "splat");      put_on_lattice(fire_); }
    { Stage stage(times_, "sorting");    sort_tracers(fire_); }
    { Stage stage(times_, "seeding");    seed_vortons(fire_, FireEmission::running); seed_tracers(fire_, dt); }
    { Stage stage(times_, "velocity");   find_velocity(fire_); }
    { Stage stage(times_, "push");       push_gas(fire_, dt); }
    { Stage stage(times_, "vorticity");  change_vorticity(fire_, dt); }
    { Stage stage(times_, "motion");     move_particles(fire_, dt); }
    { Stage stage(times_, "bodies");     move_immersed_bodies(fire_, dt); }
    { Stage stage(times_, "combustion"); burn_fuel(fire_, dt); }
    fire_.clock.time += dt, fire_.clock.steps += 1, fire_.clock.step_before = dt;
}

std::size_t VortexFire::bytes() const {
    return particles::bytes_of(fire_.vortons) + particles::bytes_of(fire_.tracers) + fire_.fields.bytes() + fire_.solver.bytes() + fire_.bodies.bytes();
}

}  // namespace phlo::models
