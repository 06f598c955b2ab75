// Small frames with known light.
#pragma once
#include <functional>
#include <memory>

#include "field/frame.h"
#include "geom/body.h"
#include "lattice_frame.h"
#include "render/preview.h"

namespace phlo::test {

/// A cube of side 1 around (0, 0, 0.5), density by position.
inline LatticeFrame gas(int n, const std::function<double(const Vec3d&)>& density) {
    LatticeFrame frame;
    frame.set({.cells = {n, n, n}, .origin = {-0.5, -0.5, 0}, .h = 1.0 / n});
    auto grid = std::make_shared<field::Grid>(field::Layout(frame.domain.cells));
    for (int k = 0; k < n; ++k)
        for (int j = 0; j < n; ++j)
            for (int i = 0; i < n; ++i) (*grid)(i, j, k) = float(density(frame.domain.cell_center(i, j, k)));
    frame.add({.name = "density", .unit = "", .background = 0, .grid = grid});
    return frame;
}

inline double ball(const Vec3d& p, const Vec3d& center, double radius) { return length(p - center) < radius ? 1 : 0; }

inline field::Surface sphere(const Vec3d& center, double radius, Vec3f color = {0.5f, 0.5f, 0.5f}) {
    geom::Body body{.name = "ball", .shape = geom::Sphere{.radius = radius}, .motion = {.position = Curve<Vec3d>(center)}, .color = color};
    return body.surface(0);
}

/// Nothing shines, nothing lies behind; width x height small.
inline render::RenderParams dark(int width = 64, int height = 48) {
    render::RenderParams params;
    params.sun.strength = 0;
    params.sky.strength = 0;
    params.ground.visible = false;
    params.background = Vec3f();
    params.width = width, params.height = height;
    return params;
}

inline io::Image picture(const field::Frame& frame, const render::RenderParams& params, render::PreviewSettings settings = {}) {
    render::RenderScene scene(frame, params);
    return render::render_preview(scene, settings);
}

}  // namespace phlo::test
