// The light that fire throws on what is around it. Glowing cells are gathered into blocks, blocks into larger blocks: a tree of small
// lamps, each with the power of its cells and standing in their middle. What is close to a block looks at its parts, what is far away
// at the whole [walter2005]. The blocks do not move and the lamps move with the fire, so nothing flickers that does not burn.
//
//   FireLight fire(volume);
//   fire.shine_into(sky, camera.position(), volume.anisotropy);        // light inside the gas, added to the sky's
//   Vec3f mean = fire.arriving(point, normal, sky, blocked);           // irradiance / pi on a surface
#pragma once
#include <array>
#include <functional>
#include <vector>

#include "render/light/sky_light.h"

namespace phlo::render {

class FireLight {
public:
    FireLight() = default;
    explicit FireLight(const OpticalVolume& volume);

    bool empty() const { return levels_.empty(); }
    /// Red, green, blue: what all glowing gas radiates, 4 pi times the integral of emission over the volume.
    Vec3d power() const;

    /// Adds the source radiance of fire light scattered towards `eye` to the coarse grid of the sky's light.
    void shine_into(SkyLight& sky, const Vec3f& eye, float anisotropy) const;

    /// Cosine-weighted mean of the radiance that arrives at a surface. `blocked(direction, distance)`: is a body in the way?
    Vec3f arriving(const Vec3f& point, const Vec3f& normal, const SkyLight& gas,
                   const std::function<bool(const Vec3f& direction, float distance)>& blocked) const;

private:
    struct Lamp {
        Vec3f power;              ///< red, green, blue; radiance times area
        Vec3f position;           ///< [m]
        float radius_squared = 0; ///< mean square distance of its cells from the middle, times 5/3: of a ball as large [m^2]
    };
    struct Level {
        Vec3i count;
        float size = 0;           ///< of a block [m]
        std::vector<Lamp> lamps;
        const Lamp& at(const Vec3i& b) const {
            return lamps[std::size_t(b.x) + std::size_t(count.x) * (std::size_t(b.y) + std::size_t(count.y) * std::size_t(b.z))];
        }
    };

    using Octaves = std::array<Vec3f, 3>;   ///< of scattering.h

    Octaves scattered(const SkyLight& sky, const Vec3f& point, const Vec3f& eye, float anisotropy) const;
    template <class Visit>
    void for_lamps_near(const Vec3f& point, const Visit& visit) const;

    std::vector<Level> levels_;   ///< fine to coarse, each with blocks twice as large
};

}  // namespace phlo::render
