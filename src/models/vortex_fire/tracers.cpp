#include "models/vortex_fire/tracers.h"

#include <cmath>

#include "models/vortex_fire/node_samples.h"
#include "models/vortex_fire/vortex_splat.h"
#include "particles/columns.h"
#include "particles/order.h"

namespace phlo::models {

void arrange_tracers(const VortexLattice& lattice, Tracers& tracers) {
    constexpr int side = 4;             // of a brick: what its tracers read stays in the nearest cache
    constexpr std::size_t chunk = 8192;
    const NodeFinder finder(lattice);
    const Vec3i bricks = (lattice.cells + Vec3i(side - 1)) / side;
    std::vector<int> brick(tracers.size());
    parallel_for(int((tracers.size() + chunk - 1) / chunk), [&](int c) {
        for (std::size_t t = std::size_t(c) * chunk; t < std::min(tracers.size(), (std::size_t(c) + 1) * chunk); ++t) {
            const Vec3f at = max(min(finder.nodes_from_world(tracers.position[t]), Vec3f(lattice.cells) - Vec3f(1.0f)), Vec3f());
            brick[t] = tracers.alive(t) ? (int(at.z) / side * bricks.y + int(at.y) / side) * bricks.x + int(at.x) / side : particles::left_out;
        }
    });
    particles::reorder(particles::order_by(brick, bricks.x * bricks.y * bricks.z), tracers);
}

void move_tracers(const VortexLattice& lattice, const SeenByTracers& seen, const FireMatter& air, double dt, double ratio, std::span<const Vec3f> velocity,
                  Tracers& tracers) {
    constexpr std::size_t chunk = 2048;
    const PlaceFinder finder(lattice);
    const auto step = float(dt), before_share = float(0.5 * ratio);
    const auto move = [&](std::size_t t, const PlacePack& at, int l) {
        tracers.age[t] += step;
        if (!tracers.alive(t)) return;
        const Vec3f u = velocity.empty() ? sample_vector(seen.velocity, at, l) : velocity[t], before = tracers.age[t] > step ? tracers.velocity[t] : u;   // a new one has no step before
        tracers.velocity[t] = u;
        tracers.position[t] += (u + (u - before) * before_share) * step;
        if (!seen.matter) return;
        float m[8];
        sample_all(*seen.matter, at, l, m);
        tracers.matter[t] = {air.temperature + m[MatterChannel::excess_temperature], m[MatterChannel::fuel], m[MatterChannel::flame], m[MatterChannel::smoke],
                             air.oxygen, m[MatterChannel::lit]};
    };
    parallel_for(int((tracers.size() + chunk - 1) / chunk), [&](int c) {
        const std::size_t end = std::min(tracers.size(), (std::size_t(c) + 1) * chunk);
        for (std::size_t t = std::size_t(c) * chunk; t < end; t += PlacePack::width) {
            const int lanes = int(std::min(end - t, std::size_t(PlacePack::width)));
            PlacePack at;
            finder.find(&tracers.position[t], lanes, at);
            for (int l = 0; l < lanes; ++l) move(t + std::size_t(l), at, l);
        }
    });
}

}  // namespace phlo::models
