// How fires of particles are drawn live: the section `render.live` of a scene. Its defaults suit torches and burning balls of any size.
//
//   live:
//     streaks: {time: 1/60 s, halo: 0.2, ramp: [[0, [0, 0, 0]], [0.4, [0.1, 0.2, 1]], [1, [0.8, 0.9, 1]]]}     # a gas flame
//     layers: {smoke: 0.6, smoke_color: [0.1, 0.1, 0.1]}
#pragma once
#include <vector>

#include "config/table.h"
#include "render/look/point_look.h"

namespace phlo::render {

/// Points with a `composition`: streaks whose composition adds up, is blurred upwards, and becomes colour last.
struct StreakLook {
    double time = 1.0 / 60;                ///< a streak reaches back to where its particle was so long ago [s]
    double width = 1;                      ///< factor on the radii
    double gain = 1;                       ///< how thick the fire looks
    double halo = 0.12;                    ///< height of the upward blur, as a share of the flame's height
    double jitter = 0.6;                   ///< how far the halo wavers to the sides: 0 not, 1 as far as it is high
    std::vector<ColourStop> ramp = {};     ///< radiance over `fire.brightness` by composition in [0, 1]; none: a black body's
    double min_temperature = 900, max_temperature = 2000;  ///< temperatures at the ends of a black body's ramp [K]
};

/// Tracers with `fuel`, `flame` and `smoke`: three layers, the first and the last blended, flame added.
struct LayerLook {
    double size = 1;                       ///< factor on the radii
    double flame = 1;                      ///< factor on the flame's light
    std::vector<ColourStop> ramp = {};     ///< radiance over `fire.brightness` by temperature [K]; none: a black body's
    double min_temperature = 500, max_temperature = 1500;  ///< of flame that looks like the ends of the streaks' ramp, dark red and yellow [K]
    double core = 0.05;                    ///< light of fuel that has just lit, as a share of `fire.brightness`
    Vec3f core_color{0.12f, 0.3f, 1.f};
    double fuel = 0.25;                    ///< factor on the opacity of fuel
    Vec3f fuel_color{0.16f, 0.22f, 0.5f};  ///< share of light that it sends back
    double smoke = 1;                      ///< factor on the opacity of smoke
    Vec3f smoke_color{0.22f, 0.21f, 0.2f};
};

struct LiveLook {
    StreakLook streaks;
    LayerLook layers;
    double light = 1;                      ///< factor on the light that a fire throws on bodies, ground and smoke
    double shadow = 1;                     ///< how much smoke shades itself: 0 not
    double contact = 1;                    ///< how much bodies take of the sky's light from what is close to them: 0 nothing
    double glare = 0.05;                   ///< share of all light that spreads over what is around it
    double texture = 0.6;                  ///< contrast of the clouds inside a puff of smoke: 0 none, 1 full
};

const config::Table<LiveLook>& live_table();

}  // namespace phlo::render
