// Bodies in a vortex fire: they stir the gas and are moved, warmed and lifted by it.
//
//   ImmersedBodies bodies(shot.bodies, {.gravity = 9.81, .gas_density = 1.2});
//   bodies.put_on(lattice, time);                                  // where they are among the nodes
//   bodies.push(dt, velocity, push, pushed);                               // the gas inside goes with them; curl(push) is the vorticity they shed
//   bodies.move(time, dt);                                         // free ones, with collisions
//   HeatExchange heat = bodies.exchange_heat(lattice, air, time, dt, vortons);
//
// Brinkman penalisation [gazzola2011, sec. 2.3] in its implicit limit: with chi the covered part of a node (a smooth step across the surface, two cells wide)
//
//      u' = u + chi (u_body - u),        omega' = omega + curl(u' - u)
//
// The gas sticks to them. When the velocity is made anew from omega', incompressibility takes a part of the push back: a ball keeps 2/3 of it, for it has to
// push half its volume of gas out of its way (its added mass). So the mean push is given 3/2 times the body's volume over the sum of chi, and the free body's own
// equation knows of it. With s
// the body's density over the gas's, v the mean velocity of the gas inside and C = 1/2:
//
//      m_body dU/dt = (m_body - m_gas) g - (momentum given to the gas)/dt + m_gas dU/dt
//      (s + C) U' = s (U + g dt) - (U_gas + g dt) + (1 + C) v
//
// where U_gas is the velocity that the gas inside was given last, which differs from U after a collision. A light ball starts with g (1 - s)/(s + 1/2). For turning
// C is 0. C is a guess that decides how fast the two agree, not where: the gas inside goes with the body at the end for any shape.
//
// A body with a heat capacity takes heat from the gas within a cell or two of it. With an `expansion` beta it gets lighter as a hot-air balloon does, whose
// air leaves by the mouth while its size stays:      rho = rho_0 / (1 + beta (T - T_0))
#pragma once
#include <span>
#include <vector>

#include "field/grid.h"
#include "flow/free_bodies.h"
#include "geom/body.h"
#include "models/vortex_fire/lattice.h"
#include "models/vortex_fire/node_rows.h"
#include "models/vortex_fire/vortons.h"

namespace phlo::models {

struct ImmersedPhysics {
    double gravity = 9.81;          ///< downward [m/s^2]
    double gas_density = 1.2;       ///< [kg/m^3]
    double gas_heat_capacity = 1005;///< [J/(kg K)]
    flow::Walls walls = {flow::Wall{flow::WallKind::open}, flow::Wall{flow::WallKind::open}, flow::Wall{flow::WallKind::open},
                         flow::Wall{flow::WallKind::open}, flow::Wall{flow::WallKind::open}, flow::Wall{flow::WallKind::open}};
    field::Domain box{};            ///< of those walls
};

struct HeatExchange {
    double to_bodies = 0;           ///< [J]
    double from_gas = 0;            ///< by vortons [J]; the rest was the air's without vortons
};

class ImmersedBodies {
public:
    ImmersedBodies(std::span<const geom::Body> bodies, const ImmersedPhysics& physics);

    bool any() const { return !bodies_.empty(); }
    std::vector<geom::Placement> placements(double time) const { return free_.placements(time); }
    field::Bounds bounds(double time) const;                         ///< of all of them
    double fastest(double time) const;                               ///< of a body's centre [m/s]
    double temperature(std::size_t body, double time) const;         ///< [K]; 0 if no heat passes its surface
    double density(std::size_t free_body) const;                     ///< as warm as it is [kg/m^3]
    const flow::FreeBodies& free() const { return free_; }
    flow::FreeBodies& free() { return free_; }

    void put_on(const VortexLattice& lattice, double time);
    /// Distance from the nearest body's surface [cells], a large number far from all. Of the bodies where put_on() saw them.
    float depth_below(int i, int j, int k) const;
    /// visit(i, j, k): nodes within two cells outside a body's surface.
    template <class Visit>
    void each_node_beside(std::size_t body, const Visit& visit) const {
        const Among& among = among_[body];
        for (int k = among.first.z; k < among.last.z; ++k)
            for (int j = among.first.y; j < among.last.y; ++j)
                for (int i = among.first.x; i < among.last.x; ++i)
                    if (const float d = distance_at(among, i, j, k); d >= 0 && d < 2) visit(i, j, k);
    }
    /// `velocity` becomes that of the bodies inside them; `push` takes what the gas's velocity must change by, and `pushed` where. Free bodies get their velocity.
    void push(double dt, NodeValues<4>& velocity, NodeValues<4>& push, NodeRows& pushed);
    void move(double time, double dt);
    HeatExchange exchange_heat(const VortexLattice& lattice, const FireMatter& air, double time, double dt, Vortons& vortons);
    /// Moves points that are deeper than `depth` below a surface up to it. Returns how many.
    long keep_outside(double time, double depth, std::span<Vec3f> points) const;

    std::vector<flow::FreeBodies::Number> numbers();                 ///< the whole state, for checkpoints
    std::size_t bytes() const;

private:
    /// A body among the nodes.
    struct Among {
        Vec3i first, last;                ///< nodes [first, last)
        std::vector<float> distance;      ///< from its surface [cells], x fastest
        geom::Pose pose{};
        VortexLattice lattice;
        geom::Placement placed{};
    };
    struct Inside {
        Vec3d velocity, spin;             ///< of the gas inside, and about the centre
        Vec3d center;
        double share = 1;                 ///< sum of chi over the nodes, of the body's volume
    };
    float distance_at(const Among& among, int i, int j, int k) const;
    Inside look_inside(const Among& among, const Vec3d& center, const NodeValues<4>& velocity) const;
    void set_free_velocity(std::size_t f, double dt, const Inside& gas);

    std::span<const geom::Body> bodies_;
    ImmersedPhysics physics_;
    flow::FreeBodies free_;
    std::vector<Among> among_;
    std::vector<Vec3d> in_gas_, spin_in_gas_;   ///< of each free body: velocities that the gas inside was given last
    std::vector<double> area_;                  ///< of each body's surface [m^2]
};

}  // namespace phlo::models
