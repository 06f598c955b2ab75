// The stages of a step that need no lattice for the velocity: Biot and Savart's integral by a tree [tree_velocity.h].
#include <algorithm>
#include <cmath>

#include "models/vortex_fire/tracers.h"
#include "models/vortex_fire/vortex_stages.h"
#include "models/vortex_fire/vorton_dynamics.h"

namespace phlo::models {
namespace {

constexpr double core_spacings = 1.5;    ///< core radius over the distance of vortons: cores must overlap

double core_radius(const VortexState& fire) { return core_spacings * fire.params().spacing; }

/// The nodes at which bodies and emitters ask for the velocity.
std::vector<Vec3i> asked_nodes(const VortexState& fire) {
    const VortexLattice& lattice = fire.fields.lattice;
    std::vector<Vec3i> nodes;
    for (int k = 0; k < lattice.cells.z; ++k)
        for (int j = 0; j < lattice.cells.y; ++j)
            for (int i = 0; i < lattice.cells.x; ++i) {
                bool asked = fire.bodies.depth_below(i, j, k) < 1;
                for (const flow::Coverage& cover : fire.coverage)
                    asked = asked || (i >= cover.first.x && j >= cover.first.y && k >= cover.first.z && i < cover.last.x && j < cover.last.y && k < cover.last.z);
                if (asked) nodes.push_back({i, j, k});
            }
    return nodes;
}

}  // namespace

void find_velocity_by_tree(VortexState& fire) {
    VortexFields& fields = fire.fields;
    fields.velocity.fit(fields.lattice);
    fire.clock.fastest = 0, fire.solved = {};
    if (fire.vortons.size() == 0) return;
    fire.tree.build({.position = fire.vortons.position, .strength = fire.vortons.strength, .core_radius = core_radius(fire)}, {.theta = fire.params().theta});
    fire.tree.at_vortons(fire.vortons.velocity);
    for (const Vec3f& u : fire.vortons.velocity) fire.clock.fastest = std::max(fire.clock.fastest, double(length(u)));
    const std::vector<Vec3i> nodes = asked_nodes(fire);
    std::vector<Vec3f> places, velocity(nodes.size());
    for (const Vec3i& node : nodes) places.push_back(fields.lattice.node_position(node.x, node.y, node.z));
    if (!places.empty()) fire.tree.at(places, velocity);
    for (std::size_t n = 0; n < nodes.size(); ++n) {
        float* u = fields.velocity.node(nodes[n].x, nodes[n].y, nodes[n].z);
        u[0] = velocity[n].x, u[1] = velocity[n].y, u[2] = velocity[n].z;
    }
}

void move_by_tree(VortexState& fire, double dt, double ratio) {
    const VortexFireParams& params = fire.params();
    Tracers& tracers = fire.tracers;
    std::vector<Vec3f> velocity(tracers.size());
    if (fire.vortons.size() > 0) fire.tree.at(tracers.position, velocity);
    move_tracers(fire.fields.lattice, {fire.fields.velocity, fire.shown ? &fire.fields.matter : nullptr}, fire.air, dt, ratio, velocity, tracers);
    if (fire.vortons.size() == 0) return;
    const double eddies = params.eddies * params.eddies * params.spacing * params.spacing * 0.5 * fire.clock.strongest;
    // Buoyancy is the lattice's (change_vorticity): it acts at the edge of the hot gas, where the vortons end.
    VortonDynamics dynamics({.core_radius = core_radius(fire), .theta = params.theta, .reach = 3 * params.spacing,
                             .viscosity = std::min(params.viscosity + eddies, params.spacing * params.spacing / (4 * dt)), .lift = 0,
                             .ambient_temperature = double(fire.air.temperature), .relaxation_rate = params.cleaning});
    dynamics.advance({.position = fire.vortons.position, .strength = fire.vortons.strength, .volume = fire.vortons.volume, .temperature = fire.vortons.temperature}, dt);
}

}  // namespace phlo::models
