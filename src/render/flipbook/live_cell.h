// A cell of a flipbook for fires of particles, which are drawn as render/live draws them.
//
//   if (drawn_from_points(frame)) FlipbookCell cell = render_live_cell(frame, look, view, {.width = 256, .height = 256});
//
// The live renderer knows no alpha: a picture before black and one before white tell it, 1 - (white - black). Its camera is a long lens, far away. Fire that hides nothing
// has alpha 0 and adds its light. Motion is that of the points, each with what it burns or hides.
#pragma once
#include "render/flipbook/cell.h"

namespace phlo::render {

/// Whether a frame is a fire of particles, without volumes that hold it too.
bool drawn_from_points(const field::Frame& frame);

FlipbookCell render_live_cell(const field::Frame& frame, const RenderParams& look, const ParallelView& view, const CellParams& params);

/// Radiance and alpha alone.
void draw_live_light(const field::Frame& frame, const RenderParams& look, const ParallelView& view, io::Image& light, std::vector<float>& alpha);

}  // namespace phlo::render
