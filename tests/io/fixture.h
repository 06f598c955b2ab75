// A small frame with something of everything.
#pragma once
#include <memory>

#include "field/frame.h"
#include "lattice_frame.h"

namespace phlo::test {

/// Density 1 + i + 20 j + 300 k in a box of cells [5, 12) x [4, 9) x [10, 30), temperature 300 K around it, velocity everywhere.
inline LatticeFrame small_frame(Vec3i cells = {21, 18, 37}) {
    LatticeFrame frame;
    frame.number = 7;
    frame.time = 0.25;
    frame.fps = 30;
    frame.set({.cells = cells, .origin = {-0.5, 1, 2}, .h = 0.05});
    frame.metadata["scene_hash"] = "0123abcd";
    const field::Layout layout(cells);
    auto density = std::make_shared<field::Grid>(layout);
    auto temperature = std::make_shared<field::Grid>(layout, 300.f);
    auto velocity = std::make_shared<field::MacGrid>(layout);
    for (int k = 10; k < 30; ++k)
        for (int j = 4; j < 9; ++j)
            for (int i = 5; i < 12; ++i) (*density)(i, j, k) = 1.f + float(i + 20 * j + 300 * k), (*temperature)(i, j, k) = 300.f + float(i);
    for (int axis = 0; axis < 3; ++axis) {
        const Vec3i extent = field::face_extent(layout, axis);
        for (int k = 0; k < extent.z; ++k)
            for (int j = 0; j < extent.y; ++j)
                for (int i = 0; i < extent.x; ++i) (*velocity)[axis](i, j, k) = float(axis + 1) * 0.1f + float(i - j + 2 * k);
    }
    frame.add({.name = "density", .unit = "1", .background = 0, .grid = density});
    frame.add({.name = "temperature", .unit = "K", .background = 300, .grid = temperature});
    frame.add(velocity);
    frame.surfaces.push_back({.name = "red ball",
                              .color = {0.8f, 0.1f, 0.05f},
                              .mesh = {{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}}}});
    frame.surfaces.push_back({.name = "plate", .color = {0.2f, 0.3f, 0.4f}, .mesh = {{{0, 0, 5}, {1, 0, 5}, {0, 1, 5}}, {{0, 1, 2}}}});
    return frame;
}

}  // namespace phlo::test
