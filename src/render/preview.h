// The preview integrator: single scattering with shadows, soft sky light and a cheap stand-in for multiple scattering. Seconds a frame.
//
//   RenderScene scene(frame, params);
//   io::Image radiance = render_preview(scene, preview_settings(Quality::draft));
//   io::write_png("frame.png", develop(radiance, {.exposure = params.exposure}));
//
// Another integrator (photon map, path tracer) takes the same RenderScene and gives an io::Image, too.
#pragma once
#include "base/stage.h"
#include "io/image.h"
#include "render/light/lights.h"
#include "render/film/picture_watch.h"
#include "render/film/pixels.h"
#include "render/surfaces/surface_glow.h"
#include "render/volumes/volume.h"

namespace phlo::render {

/// Everything an integrator needs of one frame.
struct RenderScene {
    field::Bounds bounds;   ///< of the frame
    Camera camera;
    Lights lights;
    OpticalVolume volume;
    Surfaces surfaces;
    SurfaceGlow glow;
    Vec3f background;
    bool sky_visible;
    FlashLook flash;
    float fire_brightness;
    int width, height;

    /// As it is `later` seconds after the frame, which may be negative: camera, lights, gas, bodies and points move.
    RenderScene(const field::Frame& frame, const RenderParams& params, double later = 0);

    /// Rays that leave a surface start this far off it [m].
    float surface_offset() const;
    /// The floor fades into the background, without a horizon: what is left of it at a point. 1 for bodies.
    float kept_of(const Hit& hit) const;
    /// What the camera sees behind everything, and what a distant floor fades into.
    Vec3f behind(const Vec3f& direction) const {
        if (!sky_visible) return background;
        const Vec3f up(direction.x, direction.y, surfaces.ground() ? std::max(direction.z, 0.f) : direction.z);
        return lights.radiance(normalized(up)) + lights.sun_disc(direction);
    }
};

enum class Quality { draft, good, final, path, live };

struct PreviewSettings {
    int samples = 4;             ///< rays a pixel
    float step = 0.5f;           ///< along a ray [cells]
    float sun_spacing = 1;       ///< of the sun's depth columns [cells]
    int sky_cells = 48;          ///< of the sky light's grid along the longest side
    int sky_directions = 32;
    int caustic_photons = 100'000;
    SamplePart part = {};  ///< which of the samples, for pictures made in parts
    const PictureWatch* watch = nullptr;
};
PreviewSettings preview_settings(Quality quality);

/// The same picture for any number of threads. Bakes light into the scene's surfaces. `times`, if given, receives the seconds of each stage.
io::Image render_preview(RenderScene& scene, const PreviewSettings& settings, StageTimes* times = nullptr);

}  // namespace phlo::render
