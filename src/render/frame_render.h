// One picture of one frame, in any quality, with the shutter open for as long as the look says.
//
//   io::Image radiance = render_frame(frame, look, Quality::good);
#pragma once
#include "field/frame.h"
#include "render/preview.h"

namespace phlo::render {

/// The same picture for any number of threads, and whoever looks on. Throws as RenderScene does. Live pictures are there at once: nobody looks on.
io::Image render_frame(const field::Frame& frame, const RenderParams& look, Quality quality, const PictureWatch* watch = nullptr);

}  // namespace phlo::render
