// Frames with a liquid in them.
#pragma once
#include "fixture.h"
#include "geom/marching_cubes.h"

namespace phlo::test {

/// A body of this name that fills a box.
inline field::Surface box(const std::string& name, const Vec3d& low, const Vec3d& high, const std::string& substance = "") {
    const geom::Body body{.name = name, .shape = geom::Box{.size = high - low}, .motion = {.position = Curve<Vec3d>((low + high) * 0.5)}, .color = Vec3f(1.f)};
    field::Surface surface = body.surface(0);
    surface.substance = substance;
    return surface;
}

/// A pool of side one around (0, 0, depth / 2), shut at its walls as a solver's is, with a surface z = depth + wave(x, y).
inline field::Surface pool(int n, double depth, const std::function<double(double, double)>& wave, const std::string& substance = "water") {
    const field::Domain domain{.cells = {n, n, n}, .origin = {-0.5, -0.5, 0}, .h = 1.0 / n};
    field::Grid phi{field::Layout(domain.cells)};
    for (int k = 0; k < n; ++k)
        for (int j = 0; j < n; ++j)
            for (int i = 0; i < n; ++i) {
                const Vec3d p = domain.cell_center(i, j, k);
                phi(i, j, k) = float(p.z - depth - wave(p.x, p.y));
            }
    field::extend_into_ghosts(phi, domain.cells);
    return {.name = "liquid", .mesh = geom::marching_cubes(domain, phi), .substance = substance};
}

inline field::Frame pool_frame(field::Surface liquid) {
    field::Frame frame{.world = field::Bounds{{-0.5, -0.5, 0}, {0.5, 0.5, 1}}};
    frame.surfaces.push_back(std::move(liquid));
    return frame;
}

}  // namespace phlo::test
