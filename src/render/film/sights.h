// The rays of a pixel: what each meets first, and the gas before that. In most pictures pixels are smaller than cells; then all samples of a pixel see the
// same gas, and one march through it serves several of them. Edges of surfaces keep every sample.
//
//   Sights sights(scene, settings.samples, settings.part);
//   auto march = [&](const Ray& ray, float distance, float jitter) { return lit.march(ray, distance, {settings.step, jitter}); };
//   sights.of_pixel(x, y, march, [&](int sample, float noise, const Sight& sight) { sum += sight.gas.radiance; });
#pragma once
#include <algorithm>
#include <array>
#include <optional>

#include "render/film/film.h"
#include "render/film/pixels.h"
#include "render/preview.h"
#include "render/volumes/lit_volume.h"

namespace phlo::render {

struct Sight {
    Ray ray;
    Inside inside;            ///< what the ray went through on its way
    std::optional<Hit> hit;
    Segment gas;              ///< before the hit
};

class Sights {
public:
    Sights(const RenderScene& scene, int samples, const SamplePart& part)
        : scene_(scene),
          places_(std::max(samples, part.all)),
          first_(part.first),
          end_(part.first + samples),
          together_(samples_a_march(scene)),
          reach_(reach_of_gas(scene)),
          eye_inside_(scene.surfaces.around(scene.camera.position())) {}

    template <class March, class Visit>
    void of_pixel(int x, int y, const March& march, const Visit& visit) const {
        const float noise = pixel_noise(x, y);
        std::array<Sight, most_together> group;
        for (int first = first_; first < end_; first += together_) {
            const int count = std::min(together_, end_ - first);
            for (int n = 0; n < count; ++n) group[std::size_t(n)] = sight(x, y, first + n, noise);
            look_through_gas(x, y, first, count, noise, march, group);
            for (int n = 0; n < count; ++n) visit(first + n, noise, group[std::size_t(n)]);
        }
    }

private:
    static constexpr int most_together = 4;
    static constexpr float far_away = 1e30f;

    static Vec3f middle_of_gas(const RenderScene& scene) { return Vec3f(scene.volume.domain.bounds().center()); }
    /// Nothing but a surface changes what a ray sees beyond this distance [m].
    static float reach_of_gas(const RenderScene& scene) {
        if (scene.volume.empty()) return 0;
        const field::Bounds box = scene.volume.domain.bounds();
        return length(middle_of_gas(scene) - scene.camera.position()) + float(0.5 * length(box.upper - box.lower));
    }
    static int samples_a_march(const RenderScene& scene) {
        if (scene.volume.empty()) return most_together;
        if (!scene.camera.pinhole()) return 1;   // rays through a lens are far apart
        const float pixel = scene.camera.pixel_size(length(middle_of_gas(scene) - scene.camera.position()));
        return pixel <= float(scene.volume.domain.h) ? most_together : 1;
    }

    Sight sight(int x, int y, int sample, float noise) const {
        const SamplePlace place = places_[sample], lens = lens_place(sample, noise);
        Sight s{scene_.camera.ray(float(x) + place.x, float(y) + place.y, lens.x, lens.y), eye_inside_, {}, {}};
        s.hit = scene_.surfaces.hit(s.ray, s.inside);
        return s;
    }

    /// One march along the middle of the group if all its samples end within a cell of each other, or else one for each.
    template <class March>
    void look_through_gas(int x, int y, int first, int count, float noise, const March& march, std::array<Sight, most_together>& group) const {
        const auto jitter = [noise](int sample) { return fraction(noise + float(sample) * 0.61803399f); };
        const auto distance = [](const Sight& s) { return s.hit ? s.hit->distance : far_away; };
        float nearest = far_away, farthest = 0;
        SamplePlace middle{0, 0};
        for (int n = 0; n < count; ++n) {
            const float end = std::min(distance(group[std::size_t(n)]), reach_);
            nearest = std::min(nearest, end), farthest = std::max(farthest, end);
            middle.x += places_[first + n].x / float(count), middle.y += places_[first + n].y / float(count);
        }
        if (count > 1 && farthest - nearest <= float(scene_.volume.domain.h)) {
            const Segment gas = march(scene_.camera.ray(float(x) + middle.x, float(y) + middle.y), 0.5f * (nearest + farthest), jitter(first));
            for (int n = 0; n < count; ++n) group[std::size_t(n)].gas = gas;
            return;
        }
        for (int n = 0; n < count; ++n) {
            Sight& s = group[std::size_t(n)];
            s.gas = march(s.ray, distance(s), jitter(first + n));
        }
    }

    const RenderScene& scene_;
    SamplePlaces places_;
    int first_, end_, together_;
    float reach_;
    Inside eye_inside_;
};

}  // namespace phlo::render
