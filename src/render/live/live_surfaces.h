// Bodies and ground of a live picture: their depths, and the light that they send back. What does not change from one frame to the next is kept.
//
//   LiveSurfaces surfaces(look);
//   surfaces.place(frame, bounds, camera, lights);                // bodies and ground are drawn again only if something has moved
//   surfaces.shade(lamps, camera, lights, picture);               // and the light of the fire on them, in every picture
//
// Sun, sky and lamps are not traced: bodies shade each other and the ground as rods (soft_shapes.h).
#pragma once
#include <array>
#include <optional>
#include <span>
#include <vector>

#include "field/frame.h"
#include "render/light/lights.h"
#include "render/live/fire_lamps.h"
#include "render/live/raster.h"
#include "render/live/sky_harmonics.h"
#include "render/live/soft_shapes.h"
#include "render/surfaces/surfaces.h"

namespace phlo::render {

class LiveSurfaces {
public:
    explicit LiveSurfaces(const RenderParams& look) : look_(look) {}

    /// Finds what is where, and its light but for the fire's.
    void place(const field::Frame& frame, const field::Bounds& bounds, const Camera& camera, const Lights& lights);
    /// Writes every pixel, with what place() was given last.
    void shade(std::span<const FireLamp> lamps, const Camera& camera, const Lights& lights, Picture& picture);
    /// Along the camera's axis, infinity where nothing is: known once it is shaded [m].
    const Plane& depth() const { return depth_; }

    const std::vector<SoftRod>& rods() const { return rods_; }
    std::optional<float> ground_height() const { return ground_ ? std::optional(ground_->height) : std::nullopt; }

private:
    static constexpr int block = 8;  ///< soft light on the ground is known at the corners of blocks [pixels]

    struct Corner {
        Vec3f point, normal;
        int body = 0;
        Vec3f soft = {};    ///< sky and lamps: irradiance / pi
        float sun = 1;      ///< share of it that is seen
        Vec3f fire = {};    ///< irradiance / pi
    };
    /// A pixel of a body.
    struct Spot {
        int x, y, triangle;
        float b, c;         ///< weights of the triangle's second and third corner
    };
    /// A corner of a block, where its ray meets the ground.
    struct Node {
        Vec3f point;
        bool met = false;
        Vec3f soft, fire;   ///< irradiance / pi
    };

    void build_bodies(const Projection& projection);
    void find_seen_corners();
    /// light(corner) for each, in parallel.
    template <class Light>
    void for_seen_corners(const Light& light);
    void light_corners(const Lights& lights);
    void place_nodes(const Camera& camera, const Lights& lights);
    void light_nodes(std::span<const FireLamp> lamps);
    void draw_tile(int tile, const Camera& camera, const Lights& lights);
    void draw_ground(int x0, int x1, int y, const Lights& lights);
    void light_tile(int tile, Picture& picture) const;
    void light_ground(int x0, int x1, int y, Picture& picture) const;
    Vec3f body_light(const Spot& spot, const Ray& ray, const Lights& lights) const;
    Vec3f soft_light(const Vec3f& point, const Vec3f& normal, int body, const Lights& lights) const;
    Vec3f fire_light(const Vec3f& point, const Vec3f& normal, int body, std::span<const FireLamp> lamps) const;
    Vec3f behind(const Vec3f& direction, const Lights& lights) const;

    const RenderParams& look_;
    std::vector<field::Surface> bodies_;    ///< as they were placed; liquids are drawn over them (live_liquid.h)
    std::optional<Projection> projection_;  ///< of the camera for which everything was placed
    double time_ = 0;
    std::optional<Ground> ground_;
    Vec3f middle_;                          ///< of the scene [m]
    float reach_ = 1;                       ///< the ground fades within about this [m]
    bool sky_visible_ = false;
    SkyHarmonics sky_;
    std::vector<Material> materials_;
    std::vector<Corner> corners_;
    std::vector<Vec3i> triangles_;          ///< into corners_
    std::vector<int> seen_corners_;         ///< of triangles that are in front in a pixel: the others need no light
    std::vector<SoftRod> rods_;             ///< one a body
    std::vector<Node> nodes_;
    int nodes_across_ = 0;
    Raster raster_;
    Plane depth_, ground_share_;            ///< how much of the ground is seen in a pixel, 0 where there is none
    Picture still_;                         ///< without the fire's light
    bool still_drawn_ = false;              ///< as everything is placed now
    std::vector<std::vector<Spot>> spots_;  ///< by tile
};

}  // namespace phlo::render
