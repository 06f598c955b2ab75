// Photon maps [jensen1998]: packets of light from the fire, the sun, the sky and lamps, followed through gas and between surfaces.
//
//   PhotonMap map(scene, medium, fire, {.photons = 500000});
//   Vec3f source = map.in_gas(grid_point);          // radiance scattered towards the camera, per unit of scattering
//   Vec3f light = map.on(hit);                      // irradiance / pi on a surface
//
// In the gas (the emission photon map) every flight of a photon leaves light in the coarse cells that it crosses: power times way, times
// the phase function towards the camera, over the cell's volume. So a look-up costs a few loads, whatever the number of photons, and
// light that scatters anisotropically is right. On surfaces (the global photon map) photons are gathered at the bodies' vertices and at
// the nodes of a map of the ground.
//
// Light of the sun and of lamps that has not scattered yet is left out: its shadows are sharp, and integrators compute them. What clear surfaces alone
// send on to dull ones has sharp edges, too, and a map of its own (caustics.h).
#pragma once
#include "render/light/emitters.h"
#include "render/volumes/medium.h"
#include "render/preview.h"

namespace phlo::render {

struct PhotonSettings {
    int photons = 400'000;
    int cells = 64;  ///< of the map in the gas, along the domain's longest side
    std::uint64_t seed = 1;
};

/// Where the light went; red, green, blue, radiance times area. What chance takes (Russian roulette) and gives is an entry of its own.
struct PhotonLedger {
    Vec3d emitted, absorbed_by_gas, absorbed_by_surfaces, absorbed_by_liquids, escaped, roulette;
    void add(const PhotonLedger& o);
};

class PhotonMap {
public:
    PhotonMap(const RenderScene& scene, const Medium& medium, const EmissionSampler& fire, const PhotonSettings& settings);

    /// At continuous cell coordinates of the volume.
    Vec3f in_gas(const Vec3f& grid_point) const;
    Vec3f on(const Hit& hit) const;
    const PhotonLedger& ledger() const { return ledger_; }

private:
    struct Tally;
    class Tracer;

    std::size_t index(int i, int j, int k) const {
        return std::size_t(i) + std::size_t(count_.x) * (std::size_t(j) + std::size_t(count_.y) * std::size_t(k));
    }

    Vec3i count_;  ///< coarse cells
    float scale_ = 1, h_ = 1;  ///< coarse cells per cell of the volume; size of a coarse cell [m]
    Vec3f origin_, shift_;  ///< shift: from the centre of the gas's first cell to the map's corner [cells]
    std::vector<Vec3f> gas_;  ///< source radiance in each coarse cell
    static constexpr int ground_nodes = 96;
    Vec3f ground_low_;
    float ground_step_ = 1;  ///< [m]
    std::vector<Vec3f> ground_;  ///< irradiance / pi
    std::vector<Vec3f> corners_;  ///< the same at the bodies' vertices
    PhotonLedger ledger_;
};

}  // namespace phlo::render
