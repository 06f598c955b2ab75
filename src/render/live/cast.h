// What the sets of points of a frame are in a live picture: streaks, clouds that hide and shine, and the lamps that their light makes.
//
//   Cast cast = find_cast(frame, look, by_composition, by_temperature);
//   std::vector<FireLamp> lamps = cast.lamps(8);
//   cast.shine(light);                              // clouds of matter get the light in which they are seen
//   sprites.draw(cast.sprites, camera.projection(), surfaces.depth(), 0.6f, picture);
//
// | set | drawn as |
// | --- | --- |
// | named in render.points, or soot | its look: light is added, matter is blended |
// | has `composition` | streaks |
// | has `fuel`, `flame`, `smoke` and `temperature` | one cloud a tracer: flame added by temperature, fuel and smoke blended, `lit` ones blue |
// | has `opacity` | smoke |
// | any other | not drawn |
//
// A tracer's part of the picture is its share of the cloud's size, A / N, as of streaks: a picture does not depend on how many there are.
#pragma once
#include <span>
#include <vector>

#include "field/frame.h"
#include "render/live/fire_lamps.h"
#include "render/live/puff_light.h"
#include "render/live/ramp.h"
#include "render/live/sprites.h"
#include "render/live/streaks.h"

namespace phlo::render {

struct Cast {
    struct StreakSet {
        const field::Points* points = nullptr;
        std::vector<Torch> torches = {};
    };
    /// Light of a colour from many points.
    struct Fire {
        std::vector<Glow> glows = {};
        Vec3f intensity_per_power = {};
    };
    std::vector<StreakSet> streaks;
    std::vector<Sprite> sprites;    ///< with their own light only
    std::vector<Vec3f> scattered;   ///< of each sprite: the share of light around it that it sends on
    std::vector<Matter> matter;     ///< those that dim light
    std::vector<Fire> fires;
    bool fire_of_points = false;    ///< there are streaks or tracers: volumes of the frame show the same fire in another form

    std::vector<FireLamp> lamps(int count) const;
    /// Adds the light that clouds of matter send on.
    void shine(const PuffLight& light);
};

/// Whether there is a fire of particles in a frame, or smoke of one: what other qualities do not draw.
bool holds_live_points(const field::Frame& frame);

/// The ramps are those of the look. Throws RunError if a point is nowhere, InputError if a set lacks a column that the look names.
/// `earlier`: a cast that nobody needs any more, for its memory.
Cast find_cast(const field::Frame& frame, const RenderParams& look, const ColourRamp& by_composition, const ColourRamp& by_temperature,
               Cast earlier = {});

}  // namespace phlo::render
