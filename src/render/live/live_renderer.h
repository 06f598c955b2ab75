// Live pictures: fires of particles as fast as they move, headless, the same bits for any number of threads.
//
//   LiveRenderer live(look);
//   io::Image radiance = live.render(frame);                 // a function of the frame alone, whatever was drawn before
//   live.times().seconds("streaks");                         // of the last picture, by stage
//
// What a picture holds, from back to front: sky, ground and bodies in the light of sun, sky, lamps and the fire's own (live_surfaces.h); points `fire`
// as streaks (streaks.h, halo.h, ramp.h).
#pragma once
#include "base/stage.h"
#include "field/frame.h"
#include "io/image.h"
#include "render/live/live_surfaces.h"
#include "render/live/ramp.h"
#include "render/live/streaks.h"

namespace phlo::render {

class LiveRenderer {
public:
    explicit LiveRenderer(const RenderParams& look);
    LiveRenderer(const LiveRenderer&) = delete;
    LiveRenderer& operator=(const LiveRenderer&) = delete;

    io::Image render(const field::Frame& frame);
    const StageTimes& times() const { return times_; }

private:
    void draw_streaks(const field::Points& points, const Camera& camera, double time);
    void light_of(const field::Points& points);

    RenderParams look_;
    StageTimes times_;
    LiveSurfaces surfaces_;
    ColourRamp by_composition_;
    Streaks streaks_;
    Plane amount_;
    Picture picture_;
    std::vector<FireLamp> lamps_;
};

}  // namespace phlo::render
