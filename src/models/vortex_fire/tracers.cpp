#include "models/vortex_fire/tracers.h"

#include <cmath>

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
            const NodeWeights at = finder(tracers.position[t]);
            brick[t] = tracers.alive(t) ? (at.k / side * bricks.y + at.j / side) * bricks.x + at.i / side : particles::left_out;
        }
    });
    particles::reorder(particles::order_by(brick, bricks.x * bricks.y * bricks.z), tracers);
}

void set_seen(const NodeValues<4>& velocity, const NodeValues<8>& matter, NodeValues<8>& seen) {
    const Vec3i n = seen.cells();
    parallel_for(n.z, [&](int k) {
        for (int j = 0; j < n.y; ++j) {
            const float *u = velocity.node(0, j, k), *m = matter.node(0, j, k);
            float* to = seen.node(0, j, k);
            for (int i = 0; i < n.x; ++i, u += 4, m += 8, to += 8) {
                to[0] = u[0], to[1] = u[1], to[2] = u[2];
                to[SeenChannel::excess_temperature] = m[MatterChannel::excess_temperature];
                to[SeenChannel::fuel] = m[MatterChannel::fuel], to[SeenChannel::flame] = m[MatterChannel::flame];
                to[SeenChannel::smoke] = m[MatterChannel::smoke], to[SeenChannel::lit] = m[MatterChannel::lit];
            }
        }
    });
}

void move_tracers(const VortexLattice& lattice, const NodeValues<8>& seen, const FireMatter& air, double dt, double ratio, std::span<const Vec3f> velocity,
                  Tracers& tracers) {
    constexpr std::size_t chunk = 2048;
    const NodeFinder finder(lattice);
    const auto step = float(dt), before_share = float(0.5 * ratio);
    parallel_for(int((tracers.size() + chunk - 1) / chunk), [&](int c) {
        for (std::size_t t = std::size_t(c) * chunk; t < std::min(tracers.size(), (std::size_t(c) + 1) * chunk); ++t) {
            tracers.age[t] += step;
            if (!tracers.alive(t)) continue;
            const auto v = sample_nodes(seen, finder(tracers.position[t]));
            const Vec3f u = velocity.empty() ? Vec3f(v[0], v[1], v[2]) : velocity[t], before = tracers.age[t] > step ? tracers.velocity[t] : u;   // a new one has no step before
            tracers.velocity[t] = u;
            tracers.position[t] += (u + (u - before) * before_share) * step;
            tracers.matter[t] = {air.temperature + v[SeenChannel::excess_temperature], v[SeenChannel::fuel], v[SeenChannel::flame], v[SeenChannel::smoke],
                                 air.oxygen, v[SeenChannel::lit]};
        }
    });
}

}  // namespace phlo::models
