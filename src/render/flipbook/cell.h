// One cell of a flipbook: what a game engine needs to draw one moment of smoke or fire on a flat card.
//
//   ParallelView view = view_around(box, axes, 1.0);                          // framing.h
//   FlipbookCell cell = render_cell(frame, look, view, {.width = 256, .height = 256, .seconds = 1.0 / 24});
//   Vec3f pixel = cell.light(x, y) + background * (1 - cell.alpha[at]);
//
// Bodies, ground and sky are not drawn: they are the engine's. All layers are sums along the line of sight, T being the share of light that passes the
// gas in front of a point, so they may be added and blended as numbers:
//
//   light = integral T j ds            j: radiance per metre, scattered and own
//   alpha = 1 - T(end)
//   motion = integral T w (u, v, 1) ds     w = sigma + 2^exposure luminance(j): what it hides and what it shows; u, v: screen motion
#pragma once
#include <vector>

#include "field/frame.h"
#include "io/image.h"
#include "render/film/camera.h"
#include "render/preview.h"

namespace phlo::render {

struct FlipbookCell {
    int width = 0, height = 0;
    io::Image light;             ///< radiance, premultiplied: goes over a background as light + (1 - alpha) background
    std::vector<float> alpha;    ///< 1 - transmittance
    io::Image emission;          ///< of `light` what the gas itself sends out
    io::Image positive;          ///< white light from the right, from above and from behind, each: pi radiance / irradiance, premultiplied
    io::Image negative;          ///< from the left, from below and from the camera's side
    io::Image motion;            ///< to the next cell: right and down, in widths and heights of a cell, times the weight; the weight

    FlipbookCell() = default;
    FlipbookCell(int w, int h)
        : width(w), height(h), light(w, h), alpha(std::size_t(w) * std::size_t(h)), emission(w, h), positive(w, h), negative(w, h), motion(w, h) {}
};

struct CellParams {
    int width = 256, height = 256;      ///< [pixels]
    double seconds = 1.0 / 24;          ///< to the next cell, for the motion
    PreviewSettings settings = {};
};

/// The same cell for any number of threads. Throws as RenderScene does.
FlipbookCell render_cell(const field::Frame& frame, const RenderParams& look, const ParallelView& view, const CellParams& params);

/// Weighted sum of two cells: share 0 is all `a`.
FlipbookCell blended(const FlipbookCell& a, const FlipbookCell& b, float share);

/// What of a look and a frame stands on a card: no bodies, no ground, nothing behind.
RenderParams card_look(RenderParams look);
field::Frame card_frame(field::Frame frame);

}  // namespace phlo::render
