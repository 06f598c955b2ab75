// Small scenes that the laws are tried on.
#pragma once
#include "models/gas/gas.h"

namespace phlo::verify {

/// A shot and its gas, for laws that need both.
struct GasScene : models::Shot, models::GasSetup {};

/// The gas of such a scene.
struct Gas : models::Gas {
    Gas(const GasScene& scene) : models::Gas(scene, scene) {}
};

inline models::WallParams wall(models::WallKind kind) {
    models::WallParams w;
    w.kind = kind;
    return w;
}

inline std::array<models::WallParams, 6> all_walls(models::WallKind kind) {
    return {wall(kind), wall(kind), wall(kind), wall(kind), wall(kind), wall(kind)};
}

/// A cube of 1 m with its lower corner at the origin, nothing in it.
inline GasScene empty_box(int cells, models::WallKind walls = models::WallKind::closed) {
    GasScene setup;
    setup.domain = {.size = {1, 1, 1}, .origin = {0, 0, 0}, .resolution = cells, .walls = all_walls(walls)};
    setup.gas.temperature_lift = Curve<double>(0.0);
    setup.gas.pressure_tolerance = 1e-5;
    return setup;
}

inline models::Emitter hot_ball(Vec3d center, double radius) {
    models::Emitter emitter;
    emitter.name = "source";
    emitter.shape = geom::Sphere{.radius = radius};
    emitter.motion.position = Curve<Vec3d>(center);
    emitter.temperature = Curve<double>(500.0);
    return emitter;
}

/// Hot smoke rising in a box that is open but for its floor.
inline GasScene plume(int cells) {
    GasScene setup = empty_box(cells, models::WallKind::open);
    setup.domain.walls[4] = wall(models::WallKind::closed);
    setup.gas.temperature_lift = Curve<double>(0.0335);
    setup.emitters = {hot_ball({0.5, 0.5, 0.15}, 0.1)};
    return setup;
}

inline geom::Body ball(Curve<Vec3d> position, double radius) {
    geom::Body body;
    body.name = "ball";
    body.shape = geom::Sphere{.radius = radius};
    body.motion.position = std::move(position);
    return body;
}

/// value(position) in every cell.
template <class F>
void fill_cells(const field::Domain& domain, field::Grid& grid, F&& value) {
    for (int k = 0; k < domain.cells.z; ++k)
        for (int j = 0; j < domain.cells.y; ++j)
            for (int i = 0; i < domain.cells.x; ++i) grid(i, j, k) = float(value(domain.cell_center(i, j, k)));
}

/// value(position) gives the velocity; each face takes its own component.
template <class F>
void fill_faces(const field::Domain& domain, field::MacGrid& u, F&& value) {
    for (int axis = 0; axis < 3; ++axis) {
        const Vec3i extent = face_extent(u.layout(), axis);
        for (int k = 0; k < extent.z; ++k)
            for (int j = 0; j < extent.y; ++j)
                for (int i = 0; i < extent.x; ++i) {
                    const Vec3d v = value(domain.face_center(axis, i, j, k));
                    u[axis](i, j, k) = float(v[axis]);
                }
    }
}

inline double max_speed(const field::MacGrid& u) {
    double most = 0;
    for (int axis = 0; axis < 3; ++axis) most = std::max(most, max_abs(u[axis], face_extent(u.layout(), axis)));
    return most;
}

}  // namespace phlo::verify
