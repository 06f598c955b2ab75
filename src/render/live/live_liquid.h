// Liquids in a live picture: clear ones are drawn over the bodies and the ground behind them, bent and tinted by how much liquid lies between; cloudy ones,
// such as milk, are lit surfaces. Both mirror the sky and the sun.
//
//   LiveLiquid liquid(look);
//   liquid.place(frame, camera);
//   liquid.draw(camera, lights, surfaces.depth(), picture);
//
// The way through the liquid ends at its farthest back face or at what stands in it. What is seen there is looked up where the bent ray would end on the
// picture, so a picture of the bodies is all that is needed. Liquids throw no shadow.
#pragma once
#include <optional>
#include <vector>

#include "field/frame.h"
#include "render/light/lights.h"
#include "render/live/raster.h"
#include "render/live/sky_harmonics.h"
#include "render/surfaces/smooth_mesh.h"

namespace phlo::render {

class LiveLiquid {
public:
    explicit LiveLiquid(const RenderParams& look) : look_(look) {}

    void place(const field::Frame& frame, const Camera& camera);
    bool empty() const { return triangles_.empty(); }
    /// `depth`: of bodies and ground, along the camera's axis [m].
    void draw(const Camera& camera, const Lights& lights, const Plane& depth, Picture& picture);

private:
    struct Corner {
        Vec3f point, normal, color;
        int body = 0;
    };
    /// Where a pixel's ray meets the liquid.
    struct Spot {
        Vec3f point, normal, color;
        const Material* material = nullptr;
    };
    Spot spot(const Ray& ray, int triangle) const;
    Vec3f light(const Spot& spot, const Ray& ray, float way, const Plane& depth, const Lights& lights, int x, int y) const;
    Vec3f cloudy_light(const Spot& spot, const Lights& lights) const;
    Vec3f behind(const Vec3f& point, float front, const Plane& depth, int x, int y) const;

    const RenderParams& look_;
    Projection projection_;
    std::vector<Material> materials_;
    std::vector<Corner> corners_;
    std::vector<Vec3i> triangles_;  ///< into corners_
    Raster front_, back_;           ///< the nearest face of all, and the farthest of those that face away
    std::optional<SkyHarmonics> sky_;
    Picture bodies_;                ///< the picture before
};

}  // namespace phlo::render
