#include "live_picture.h"

#include "render/live/cast.h"
#include "render/preview.h"

namespace phlo::apps {

io::DisplayImage LivePicture::draw(const field::Frame& frame) {
    if (render::holds_live_points(frame)) {
        io::DisplayImage image = live_.render(frame, film_);
        times_ = live_.times();
        return image;
    }
    times_.clear();
    render::RenderScene scene(frame, look_);
    // A ray a pixel and coarse light: what gas takes half a second for in a draft, in a tenth.
    const io::Image radiance = render::render_preview(scene, {.samples = 1, .step = 0.7f, .sun_spacing = 1.5f, .sky_cells = 24, .sky_directions = 16}, &times_);
    const Stage stage(times_, "film");
    return film_.develop(radiance);
}

}  // namespace phlo::apps
