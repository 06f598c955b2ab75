// The cells of an adaptive grid, drawn as lines on whatever is seen: where a surface crosses the walls of cells. A set of points stands for the grid, each a cube around its
// position with half its width as radius, cut into the number of cells along each side that its column `cells` says (one without it).
//
//   render: {points: [{points: blocks, kind: grid, color: [0.02, 0.02, 0.02]}]}
//
//   add_grid_lines(scene, look, frame, image);
#pragma once
#include "field/frame.h"
#include "render/preview.h"

namespace phlo::render {

/// A line is a pixel wide, lies over the picture. Where cells are smaller than three pixels, only cubes are outlined.
void add_grid_lines(const RenderScene& scene, const RenderParams& look, const field::Frame& frame, io::Image& image);

}  // namespace phlo::render
