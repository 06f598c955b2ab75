// Gas in a box with free bodies in it, the least that a model does with them: for the tests of free bodies.
#pragma once
#include <vector>

#include "flow/advect.h"
#include "flow/free_bodies.h"
#include "flow/projection.h"
#include "flow/tiles.h"

namespace phlo::flow {

struct Tank {
    std::vector<geom::Body> bodies;
    BodySurroundings around;
    field::Layout layout;
    field::MacGrid u, next;
    Solids solids;
    FreeBodies free;
    Projector projector;
    Workspace workspace;
    ProjectionReport report;
    double time = 0;
    Vec3d gas_acceleration;
    double tolerance = 1e-6;

    Tank(int n, WallKind walls, std::vector<geom::Body> with)
        : bodies(std::move(with)),
          around{.domain = {.cells = {n, n, n}, .origin = {0, 0, 0}, .h = 1.0 / n}, .walls = {}},
          layout(around.domain.cells),
          u(layout),
          next(layout),
          free(bodies),
          projector(layout) {
        for (Wall& w : around.walls) w.kind = walls;
        rasterize(around.domain, free.placements(0), solids);
    }

    geom::RigidBody& body(std::size_t index = 0) { return free.free()[index].rigid; }

    /// Bodies move, the pressure is found, gas and bodies respond. The gas is not carried.
    void project(double dt) {
        free.move(around, time, dt);
        rasterize(around.domain, free.placements(time + dt), solids);
        projector.set_up(around.walls, solids);
        projector.couple(free.pressure_terms(around, solids));
        for (int axis = 0; axis < 3; ++axis)
            for (float& v : u[axis].storage()) v += float(gas_acceleration[axis] * dt);
        enforce_walls(around.walls, u);
        constrain_velocity(solids, u);
        report = projector.project(solids, nullptr, around.domain.h, {.tolerance = tolerance, .max_iterations = 200}, u,
                                   [&](const field::Grid& q) {
                                       free.respond(q);
                                       rasterize(around.domain, free.placements(time + dt), solids);
                                   });
        constrain_velocity(solids, u);
        time += dt;
    }

    /// The same with transport of the velocity first.
    void step(double dt) {
        const TileSet all(layout, true);
        constrain_velocity(solids, u);
        advect_velocity({.scheme = Scheme::maccormack, .dt = dt, .h = around.domain.h, .solid_distance = &solids.distance}, u, next, all,
                        workspace);
        std::swap(u, next);
        project(dt);
    }

    /// Of the gas: the open part of every face counts, walls included [kg m/s].
    Vec3d gas_momentum() const {
        Vec3d total;
        const double cell = around.gas_density * around.domain.h * around.domain.h * around.domain.h;
        for (int axis = 0; axis < 3; ++axis) {
            const Vec3i extent = field::face_extent(layout, axis);
            for (int k = 0; k < extent.z; ++k)
                for (int j = 0; j < extent.y; ++j)
                    for (int i = 0; i < extent.x; ++i)
                        total[axis] += cell * double(solids.aperture[axis](i, j, k)) * double(u[axis](i, j, k));
        }
        return total;
    }
};

inline geom::Body free_ball(const Vec3d& center, double radius, double density, const Vec3d& velocity = {}) {
    geom::Body body{.name = "ball", .shape = geom::Sphere{.radius = radius}, .motion = {.position = Curve<Vec3d>(center)}};
    body.free = geom::FreeMotion{.density = density, .velocity = velocity, .spin = {}};
    return body;
}

}  // namespace phlo::flow
