#include "examples.h"

#include "models/vortex_fire/far_field.h"
#include "models/vortex_fire/follow_box.h"
#include "models/vortex_fire/node_samples.h"
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

void vortex_splat_example(VortexLattice lattice, Vortons& vortons, const FireMatter& air, NodeRows& filled, NodeValues<4>& vorticity, NodeValues<8>& matter, int i,
                          int j, int k, double h, const field::Bounds& bounds, const Vec3d& emitter) {
    splat_vortons(lattice, vortons, air, filled, vorticity, matter);
    vorticity.node(i, j, k);
    matter.node(i, j, k);
    RemeshReport report = remesh(lattice, {.quiet = 2e-3, .max_vortons = 100'000}, air, filled, vorticity, matter, vortons);
    lattice = follow(lattice, h, {.needed = bounds, .limits = {}, .anchor = emitter, .max_cells = 1'000'000});
    VortexInvariants now = vortex_invariants(vortons);
    length(now.strength) / now.strength_sum;
}

void lattice_velocity_example(const VortexLattice& lattice, const NodeValues<4>& vorticity, const NodeRows& filled, std::array<field::Grid, 3>& u, int i, int j, int k) {
    const VortexClusters clusters(lattice, vorticity, filled);
    set_far_velocity(lattice, clusters, u);
    LatticeVelocity velocity;
    velocity.fit(lattice, LatticeVelocity::Edge::far);
    velocity.solve(vorticity, filled, 1e-3);
    velocity.component(0)(i, j, k);
}

void vorticity_rates_example(const VortexLattice& lattice, const std::array<field::Grid, 3>& components, NodeValues<4>& velocity, const NodeValues<4>& vorticity,
                             const NodeValues<8>& matter, double dt, NodeValues<8>& rates, const FireMatter& air, Vortons& vortons,
                             const NodeRows& filled, const NodeRows& pushed, const VortexLattice& lattice_before, const NodeValues<4>& before, double ratio,
                             Tracers& tracers) {
    set_velocity(components, velocity);
    const NodeRows busy = busy_rows(filled, pushed);
    find_vorticity_rates(lattice, {.viscosity = 1e-3, .lift = 0.0335}, {.vorticity = vorticity, .velocity = velocity, .matter = matter, .push = nullptr}, busy, dt, rates);
    share_rates(lattice, {.dt = dt, .threshold = 0.1}, air, matter, busy, rates, vortons);
    move_vortons({lattice, velocity, lattice_before, before, ratio}, dt, vortons);
    arrange_tracers(lattice, tracers);
    move_tracers(lattice, {velocity, &matter}, air, dt, ratio, {}, tracers);
}

void node_rows_example(const VortexLattice& lattice, int i, int j, int k) {
    NodeRows filled;
    filled.fit(lattice);
    filled.include(i, j, k);
    filled.grown(1, 2).each([&](int j, int k, NodeRows::Range x) { (void)j, (void)k, (void)x; });
}

void node_samples_example(const VortexLattice& lattice, const Vec3f* positions, const NodeValues<4>& velocity, const NodeValues<8>& matter) {
    const PlaceFinder finder(lattice);
    PlacePack at;
    finder.find(positions, 5, at);
    const Vec3f u = sample_vector(velocity, at, 3);
    float m[8];
    sample_all(matter, at, 3, m);
}

void immersed_bodies_example(const Shot& shot, const VortexLattice& lattice, double time, double dt, NodeValues<4>& velocity, NodeValues<4>& push, NodeRows& pushed,
                             const FireMatter& air, Vortons& vortons) {
    ImmersedBodies bodies(shot.bodies, {.gravity = 9.81, .gas_density = 1.2});
    bodies.put_on(lattice, time);
    bodies.push(dt, velocity, push, pushed);
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
