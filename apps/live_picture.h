// Pictures of a simulation while it runs: fires of particles as render/live draws them, gas by the preview at its coarsest.
//
//   LivePicture picture(look);
//   io::DisplayImage image = picture.draw(simulation.snapshot());
//   picture.times().seconds("film");                 // of the last one, by stage
#pragma once
#include "base/stage.h"
#include "field/frame.h"
#include "io/image.h"
#include "render/film/quick_film.h"
#include "render/live/live_renderer.h"
#include "render/look/params.h"

namespace phlo::apps {

class LivePicture {
public:
    explicit LivePicture(const render::RenderParams& look) : look_(look), film_({.exposure = look.exposure}), live_(look) {}

    io::DisplayImage draw(const field::Frame& frame);
    const StageTimes& times() const { return times_; }

private:
    render::RenderParams look_;
    render::QuickFilm film_;
    render::LiveRenderer live_;
    StageTimes times_;
};

}  // namespace phlo::apps
