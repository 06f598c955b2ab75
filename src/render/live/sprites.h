// Soft, round clouds, each with light of its own and an opacity: blended where they hide what is behind them, added where they only shine. One picture
// of sprites, nearest first:
//
//   light += passed * sprite.light * w;   passed *= 1 - sprite.opacity * w;        w = (1 - d^2/R^2)^2, clouds inside a puff on top of it
//
//   Sprites sprites;
//   sprites.draw(list, camera.projection(), surfaces.depth(), 0.6f, picture);          // over what the picture holds
//
// Large sprites are drawn at half the resolution, or a quarter (coarse.h): they hold no detail that this would lose.
#pragma once
#include <cstdint>
#include <span>

#include "render/film/camera.h"
#include "render/live/coarse.h"
#include "render/live/tiles.h"

namespace phlo::render {

struct Sprite {
    Vec3f position;        ///< [m]
    float radius = 0;      ///< where it ends [m]
    Vec3f light;           ///< radiance that its middle adds
    float opacity = 0;     ///< of its middle: 0 hides nothing
    std::uint32_t id = 0;  ///< turns its clouds
};

class Sprites {
public:
    /// `texture`: contrast of the clouds inside sprites that hide something, 0 to 1.
    void draw(std::span<const Sprite> sprites, const Projection& projection, const Plane& surfaces, float texture, Picture& picture);

    struct Record {
        float x, y;            ///< [pixels]
        float inverse_radius;  ///< [1/pixels]
        float red, green, blue, opacity;
        float depth, per_depth;///< of its middle [m]; one over the way in front of a surface on which it fades [1/m]
        float turn_x, turn_y;  ///< cosine and sine of the clouds' turn, times the table's half size over the radius; zero: no clouds
        float puff;            ///< which of the tables
    };
    /// Sprites are at least so large [pixels].
    static constexpr float min_radius = 2;

private:
    void sort_by_depth(std::span<const Sprite> sprites, const Projection& projection);
    int factor_for(std::span<const Sprite> sprites, const Projection& projection) const;
    void make_records(std::span<const Sprite> sprites, const Projection& projection);
    void draw_tiles(float texture);

    std::vector<std::uint32_t> order_;    ///< nearest first
    std::vector<float> depths_;
    std::vector<std::uint16_t> slices_;
    Bins<Record> bins_;
    Coarse coarse_;
    std::array<Plane, 4> layer_;          ///< red, green, blue, and what passes
};

}  // namespace phlo::render
