#include "examples.h"

#include "models/vortex_fire/far_field.h"
#include "models/vortex_fire/follow_box.h"
#include "models/vortex_fire/tracers.h"
#include "models/vortex_fire/vortex_fire.h"
#include "models/vortex_fire/vortex_invariants.h"
#include "models/vortex_fire/vortex_splat.h"
#include "models/vortex_fire/vorticity_rates.h"
#include "particles/columns.h"

namespace phlo::models {

using particles::remove_marked;

void vortons_example(const Vec3f& p, const Vec3f& omega, float volume, const FireMatter& air, const std::vector<std::uint8_t>& dead) {
    Vortons vortons;
    append_vorton(vortons, {.position = p, .strength = omega * volume, .volume = volume, .matter = air});
    remove_marked(dead, vortons);
}

void lattice_example(int i, int j, int k) {
    VortexLattice lattice{.first = {-32, -32, 0}, .cells = {64, 64, 96}, .h = 0.02};
    NodeValues<4> vorticity;
    vorticity.fit(lattice);
    float* omega = vorticity.node(i, j, k);
}

void vortex_splat_example(VortexLattice lattice, Vortons& vortons, const FireMatter& air, NodeValues<4>& vorticity, NodeValues<8>& matter, int i, int j, int k,
                          double h, const field::Bounds& bounds, const Vec3d& emitter) {
    splat_vortons(lattice, vortons, air, vorticity, matter);
    vorticity.node(i, j, k);
    matter.node(i, j, k);
    RemeshReport report = remesh(lattice, {.quiet = 2e-3, .max_vortons = 100'000}, air, vorticity, matter, vortons);
    lattice = follow(lattice, h, {.needed = bounds, .limits = {}, .anchor = emitter, .max_cells = 1'000'000});
    VortexInvariants now = vortex_invariants(vortons);
    length(now.strength) / now.strength_sum;
}

void lattice_velocity_example(const VortexLattice& lattice, const NodeValues<4>& vorticity, std::array<field::Grid, 3>& u, int i, int j, int k) {
    std::vector<VortexCluster> clusters = cluster_vorticity(lattice, vorticity);
    set_far_velocity(lattice, clusters, u);
    LatticeVelocity velocity;
    velocity.fit(lattice, LatticeVelocity::Edge::far);
    velocity.solve(vorticity, 1e-3);
    velocity.component(0)(i, j, k);
}

void vorticity_rates_example(const VortexLattice& lattice, const std::array<field::Grid, 3>& components, NodeValues<4>& velocity, const NodeValues<4>& vorticity,
                             const NodeValues<8>& matter, double dt, NodeValues<8>& rates, const FireMatter& air, Vortons& vortons, const NodeValues<4>& path,
                             NodeValues<8>& seen, double ratio, Tracers& tracers) {
    set_velocity(components, velocity);
    const BusyRows busy = find_busy_rows(lattice, vortons, nullptr);
    find_vorticity_rates(lattice, {.viscosity = 1e-3, .lift = 0.0335}, {.vorticity = vorticity, .velocity = velocity, .matter = matter, .push = nullptr}, busy, dt, rates);
    share_rates(lattice, {.dt = dt, .threshold = 0.1}, air, matter, busy, rates, vortons);
    move_vortons(lattice, path, dt, vortons);
    arrange_tracers(lattice, tracers);
    set_seen(velocity, matter, seen);
    move_tracers(lattice, seen, air, dt, ratio, {}, tracers);
}

void immersed_bodies_example(const Shot& shot, const VortexLattice& lattice, double time, double dt, NodeValues<4>& velocity, NodeValues<4>& push, const FireMatter& air,
                             Vortons& vortons) {
    ImmersedBodies bodies(shot.bodies, {.gravity = 9.81, .gas_density = 1.2});
    bodies.put_on(lattice, time);
    bodies.push(dt, velocity, push);
    bodies.move(time, dt);
    HeatExchange heat = bodies.exchange_heat(lattice, air, time, dt, vortons);
}

void vortex_fire_example(const Shot& shot, const VortexSetup& s) {
    using field::Frame;
    VortexFire fire(shot, {.vortex = s.vortex, .emitters = s.emitters});
    FrameStats stats = fire.advance(1.0 / 30);
    Frame frame = fire.show();
}

}  // namespace phlo::models
