// Small tanks for the laws of liquids.
#pragma once
#include <cmath>
#include <functional>

#include "models/liquid/liquid.h"

namespace phlo::verify {

struct TankParams {
    Vec3d size{1, 1, 1};        ///< [m], from the origin
    int resolution = 32;        ///< cells along the longest side
    Vec3d gravity{0, 0, -9.81};
    bool lid = false;           ///< the ceiling is closed
};

inline models::Shot tank_shot(const TankParams& params) {
    models::Shot shot;
    shot.domain.size = params.size, shot.domain.origin = {}, shot.domain.resolution = params.resolution;
    for (auto& wall : shot.domain.walls) wall.kind = models::WallKind::closed;
    if (!params.lid) shot.domain.walls[5].kind = models::WallKind::open;
    shot.time.cfl = 5, shot.time.max_substeps = 1000;
    return shot;
}

inline models::LiquidSetup tank_setup(const TankParams& params) {
    models::LiquidSetup setup;
    setup.liquid.gravity = params.gravity;
    setup.liquid.viscosity = 0;
    return setup;
}

/// phi and the velocity by functions of the place [m].
inline void fill(models::Liquid& liquid, const std::function<double(const Vec3d&)>& phi, const std::function<Vec3d(const Vec3d&)>& velocity = {}) {
    const field::Domain& domain = liquid.domain();
    const Vec3i n = domain.cells;
    liquid.edit([&](field::Grid& level, field::MacGrid& u) {
        for (int k = 0; k < n.z; ++k)
            for (int j = 0; j < n.y; ++j)
                for (int i = 0; i < n.x; ++i) level(i, j, k) = float(phi(domain.cell_center(i, j, k)));
        if (!velocity) return;
        for (int axis = 0; axis < 3; ++axis) {
            const Vec3i faces = field::face_extent(u.layout(), axis);
            for (int k = 0; k < faces.z; ++k)
                for (int j = 0; j < faces.y; ++j)
                    for (int i = 0; i < faces.x; ++i) u[axis](i, j, k) = float(velocity(domain.face_center(axis, i, j, k))[axis]);
        }
    });
}

/// The height of the surface over the column of cells (i, j) [m]: the highest zero of phi.
inline double surface_height(const models::Liquid& liquid, int i, int j) {
    const field::Domain& domain = liquid.domain();
    for (int k = domain.cells.z - 2; k >= 0; --k) {
        const double below = double(liquid.phi()(i, j, k)), above = double(liquid.phi()(i, j, k + 1));
        if (below < 0 && above >= 0) return domain.origin.z + (k + 0.5 + below / (below - above)) * domain.h;
    }
    return domain.origin.z;
}

/// The largest speed on faces of liquid cells [m/s].
inline double fastest_in_liquid(const models::Liquid& liquid) {
    const Vec3i n = liquid.domain().cells;
    const field::MacGrid& u = liquid.velocity();
    double most = 0;
    for (int k = 0; k < n.z; ++k)
        for (int j = 0; j < n.y; ++j)
            for (int i = 0; i < n.x; ++i) {
                if (!(liquid.phi()(i, j, k) < 0)) continue;
                if (liquid.solids().present() && liquid.solids().covered(i, j, k)) continue;
                for (const float v : {u.x(i, j, k), u.x(i + 1, j, k), u.y(i, j, k), u.y(i, j + 1, k), u.z(i, j, k), u.z(i, j, k + 1)})
                    most = std::max(most, std::fabs(double(v)));
            }
    return most;
}

}  // namespace phlo::verify
