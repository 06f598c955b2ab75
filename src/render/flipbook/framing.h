// Where the card of a flipbook stands: upright, facing the shot's camera, and as large as what is ever seen on it.
//
//   const CardAxes axes = card_axes(look.camera, bounds, time);
//   CardBox box;
//   for (const field::Frame& frame : frames) box.include(seen_on_card(frame, look, axes));
//   ParallelView view = view_around(box, axes, double(cell_width) / cell_height);
//
// Lines of sight are parallel: a card has no distance of its own in a game.
#pragma once
#include <limits>

#include "field/frame.h"
#include "render/film/camera.h"

namespace phlo::render {

/// Unit vectors; `up` is the world's unless the camera looks down or up steeply.
struct CardAxes {
    Vec3d right{1, 0, 0}, up{0, 0, 1};
    Vec3d forward() const { return cross(up, right); }
};

/// As a camera that stands at an azimuth and looks at the axis; elevation above the horizon.
CardAxes card_axes(double azimuth, double elevation);
/// From where the shot's camera stands at a time, level.
CardAxes card_axes(const CameraParams& camera, const field::Bounds& bounds, double time);

/// A box along the card's axes [m]: right, up and forward coordinates of the world.
struct CardBox {
    Vec3d lower{std::numeric_limits<double>::infinity()}, upper{-std::numeric_limits<double>::infinity()};

    bool empty() const { return !(lower.x < upper.x); }
    void include(const Vec3d& p) { lower = min(lower, p), upper = max(upper, p); }
    void include(const CardBox& box) { lower = min(lower, box.lower), upper = max(upper, box.upper); }
};

/// What of a frame's gas can be told from nothing in 8 bits, on a raster of 128 lines.
CardBox seen_on_card(const field::Frame& frame, const RenderParams& look, const CardAxes& axes);

/// The smallest window of an aspect (width over height) around a box, with a margin, as a share of the window, on each side.
ParallelView view_around(const CardBox& box, const CardAxes& axes, double aspect, double margin = 0.03);

}  // namespace phlo::render
