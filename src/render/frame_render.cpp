#include "render/frame_render.h"

#include "render/live/live_renderer.h"
#include "render/path.h"
#include "render/photons/photon_render.h"
#include "render/film/shutter.h"
#include "render/grid_lines.h"
#include "render/sparks.h"

namespace phlo::render {
namespace {

/// A share of the rays and photons of a picture: part `part` of `parts`.
io::Image integrate(RenderScene& scene, Quality quality, int part, int parts, const PictureWatch* watch) {
    const auto shared = [&](auto settings) {
        settings.watch = watch;
        const int each = std::max(1, (settings.samples + parts - 1) / parts);
        settings.samples = each, settings.part = {.first = part * each, .all = parts * each};
        return settings;
    };
    if (quality == Quality::draft) return render_preview(scene, shared(preview_settings(quality)));
    if (quality == Quality::path) return render_path(scene, shared(PathSettings{.samples = 256}));
    PhotonRenderSettings settings = shared(photon_settings(quality));
    settings.shaded = std::max(1, settings.shaded / parts);
    settings.map.photons /= parts, settings.flash_photons /= parts, settings.map.seed += std::uint64_t(part);
    settings.caustics.photons /= parts, settings.caustics.seed += std::uint64_t(part);
    return render_photons(scene, settings);
}

/// Of a picture that is the mean of several moments: those before, and the pixels of this one as far as they are there.
PictureWatch of_moment(const PictureWatch& watch, const io::Image& sum, int before, int moments) {
    return {.every = watch.every, .show = [&watch, &sum, before, moments](const PictureSoFar& moment) {
                PictureSoFar so_far = moment;
                for (std::size_t p = 0; p < sum.pixels.size(); ++p) {
                    const int here = before + moment.finished[p];
                    if (here > 0) so_far.radiance.pixels[p] = (sum.pixels[p] * float(moments) + moment.radiance.pixels[p]) / float(here), so_far.finished[p] = 1;
                }
                so_far.share = (before + moment.share) / moments;
                return watch.show(so_far);
            }};
}

}  // namespace

io::Image render_frame(const field::Frame& frame, const RenderParams& look, Quality quality, const PictureWatch* watch) {
    if (quality == Quality::live) return LiveRenderer(look).render(frame);
    const int moments = shutter_moments(frame, look);
    if (moments == 1) {
        RenderScene scene(frame, look);
        io::Image image = integrate(scene, quality, 0, 1, watch);
        add_sparks({.scene = scene, .look = look, .open = look.camera.shutter / frame.fps}, frame, image);
        add_grid_lines(scene, look, frame, image);
        return image;
    }
    io::Image sum(look.width, look.height);
    for (int n = 0; n < moments; ++n) {
        const double when = look.camera.shutter / frame.fps * ((n + 0.5) / moments - 0.5);
        RenderScene scene(frame, look, when);
        const PictureWatch moment = watch ? of_moment(*watch, sum, n, moments) : PictureWatch{};
        io::Image image = integrate(scene, quality, n, moments, watch ? &moment : nullptr);
        add_sparks({.scene = scene, .look = look, .later = when, .open = look.camera.shutter / frame.fps / moments}, frame, image);
        add_grid_lines(scene, look, frame, image);
        for (std::size_t p = 0; p < sum.pixels.size(); ++p) sum.pixels[p] += image.pixels[p] / float(moments);
    }
    return sum;
}

}  // namespace phlo::render
