// The photon-mapped integrator: what `phlo render --quality good` and `final` show.
//
//   RenderScene scene(frame, params);
//   io::Image radiance = render_photons(scene, photon_settings(Quality::good));
//
// Along a camera ray through the gas: emission, exactly; sunlight scattered once, with its shadows; and all other scattered light from the
// photon map. On the surface behind it: the sun by shadow rays, and a few rays that gather the rest (final gathering [jensen2001]), most of
// them towards the gas that shines: the light of the gas, the sky, or another surface with its photons. Their grain is filtered out.
#pragma once
#include "render/photons/caustics.h"
#include "render/photons/photons.h"

namespace phlo::render {

struct PhotonRenderSettings {
    int samples = 9;  ///< rays a pixel
    float step = 0.5f;  ///< along a ray [cells]
    float sun_spacing = 1;  ///< of the sun's depth columns [cells]
    int shaded = 9;  ///< of them: how many find the light on the surface that they meet
    int gas_rays = 2;  ///< towards shining gas, for each of those, beside one over the hemisphere
    bool denoise = true;  ///< light on surfaces; the gas has no grain
    PhotonSettings map;
    CausticSettings caustics = {};
    int flash_photons = 240'000;
    SamplePart part = {};  ///< which of the samples, for pictures made in parts
    const PictureWatch* watch = nullptr;
};
PhotonRenderSettings photon_settings(Quality quality);

/// The same picture for any number of threads. `times`, if given, receives the seconds of each stage, `ledger` where the light went.
io::Image render_photons(const RenderScene& scene, const PhotonRenderSettings& settings, StageTimes* times = nullptr,
                         PhotonLedger* ledger = nullptr);

}  // namespace phlo::render
