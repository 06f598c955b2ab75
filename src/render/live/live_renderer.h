// Live pictures: fires of particles as fast as they move, headless, the same bits for any number of threads.
//
//   LiveRenderer live(look);
//   io::Image radiance = live.render(frame);                 // a function of the frame alone, whatever was drawn before
//   live.times().seconds("streaks");                         // of the last picture, by stage
//
// What a picture holds, from back to front: sky, ground and bodies in the light of sun, sky, lamps and the fire's own (live_surfaces.h); liquids, through
// which these are seen (live_liquid.h); gas (live_gas.h),
// unless it is only another form of a fire of points; points with a composition as streaks (streaks.h, halo.h, ramp.h); clouds of all others, sorted by
// depth (sprites.h). cast.h says what each set of points is. The camera's shutter and lens are left out: streaks are the blur of what moves.
#pragma once
#include "base/stage.h"
#include "field/frame.h"
#include "io/image.h"
#include "render/film/quick_film.h"
#include "render/live/cast.h"
#include "render/live/glare.h"
#include "render/live/live_liquid.h"
#include "render/live/live_surfaces.h"
#include "render/live/ramp.h"
#include "render/live/sprites.h"
#include "render/live/streaks.h"

namespace phlo::render {

class LiveRenderer {
public:
    explicit LiveRenderer(const RenderParams& look);
    LiveRenderer(const LiveRenderer&) = delete;
    LiveRenderer& operator=(const LiveRenderer&) = delete;

    /// Throws as RenderScene does.
    io::Image render(const field::Frame& frame);
    /// The same into the memory of an earlier picture.
    void render(const field::Frame& frame, io::Image& image);
    /// Through a film, without a picture of radiances between them.
    io::DisplayImage render(const field::Frame& frame, const QuickFilm& film);
    const StageTimes& times() const { return times_; }

private:
    using Row = std::array<const float*, 3>;   ///< of the colours

    void draw(const field::Frame& frame);
    template <class Visit>
    void for_rows(const Visit& visit) const;
    void draw_streaks(const Cast::StreakSet& set, const Projection& projection, double time);

    RenderParams look_;
    StageTimes times_;
    LiveSurfaces surfaces_;
    LiveLiquid liquid_;
    ColourRamp by_composition_, by_temperature_;
    Cast cast_;
    Streaks streaks_;
    Sprites sprites_;
    Coarse coarse_;
    Plane amount_;
    Picture picture_;   ///< without glare
    Glare glare_;
};

}  // namespace phlo::render
