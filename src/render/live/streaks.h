// Points with a composition as streaks, from where each particle was a moment ago to where it is [adabala2004]: a picture of how much composition
// is seen in each pixel.
//
//   std::vector<Torch> torches = find_torches(points);
//   streaks.draw(points, torches, look, projection, {.depth = surfaces, .factor = 2}, amount);       // adds up in `amount`, a Plane
//
//      tail o-----------o head       profile (1 - d^2/R^2)^2, d the distance to the line; composition runs linearly from tail to head.
//
// A streak of length L and half thickness R holds the same amount however it lies: its profile is divided by its area,
// pi R^2 / 3 + 16/15 L R. That amount is composition times a weight, a particle's share of the flame's size: A / N for N particles of a torch that
// spreads over an area A. So the picture does not depend on how many particles there are, on the picture's size or on how long streaks are.
#pragma once
#include <vector>

#include "field/frame.h"
#include "render/film/camera.h"
#include "render/live/tiles.h"
#include "render/look/live_look.h"

namespace phlo::render {

/// The particles of one fire, as far as all of them matter at once.
struct Torch {
    int id = 0;           ///< the value of the column `torch`
    int count = 0;        ///< particles, dark ones included
    Vec3f middle = {};    ///< mean position [m]
    Vec3f spread = {};    ///< standard deviations of the positions [m]
    float weight = 0;     ///< that a unit of composition has in the picture [m^2]
    float height() const { return 4 * spread.z; }  ///< about [m]
};

/// By the column `torch`, all one if there is none; in the order of their ids.
std::vector<Torch> find_torches(const field::Points& points);

class Streaks {
public:
    struct Record {
        float x, y;          ///< tail [pixels]
        float dx, dy;        ///< from there to the head
        float inverse_radius;///< 1/R [1/pixels]
        float tail, head;    ///< composition per pixel in the middle of the streak
        float depth;         ///< of its middle [m]
    };

    /// The picture into which streaks are drawn: depths of surfaces, infinity where there are none, each for a square of `factor` pixels of the camera.
    struct Canvas {
        const Plane& depth;
        int factor = 1;
    };
    /// Adds what of the streaks is in front of the surfaces.
    void draw(const field::Points& points, const std::vector<Torch>& torches, const StreakLook& look, const Projection& projection,
              const Canvas& canvas, Plane& amount);

    /// Mean half thickness of the streaks [pixels].
    static double mean_radius(const field::Points& points, const StreakLook& look, const Projection& projection);

    /// Streaks are at least so thick, or they would fall between pixels [pixels].
    static constexpr float min_radius = 2;

private:
    struct Maker;
    Bins<Record> bins_;
};

}  // namespace phlo::render
