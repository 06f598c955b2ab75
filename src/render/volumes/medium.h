// The gas as a random walk meets it. Trilinear between cell centres; each brick knows the largest extinction inside it.
//
//   Medium medium(volume);
//   bool stopped = medium.track(ray, distance, random, [&](const Medium::Point& p, float majorant, float t) { ...; return false; });
//   float visible = medium.transmittance(ray, distance, random);             // unbiased
//
// Delta tracking [woodcock1965]: tentative collisions with the density of the majorant; one of extinction sigma is real with
// probability sigma / majorant. Any f has the unbiased estimate  integral T f dt ~ f(p) / majorant  at every tentative collision before
// the first real one.
#pragma once
#include <cmath>

#include "render/volumes/bricks.h"
#include "render/random_stream.h"

namespace phlo::render {

class Medium {
public:
    struct Point {
        float extinction = 0;  ///< sigma_t [1/m]
        Vec3f scattering;  ///< sigma_s [1/m]
        Vec3f emission;  ///< radiance per metre
    };

    Medium() = default;
    explicit Medium(const OpticalVolume& volume);

    /// event(point, majorant [1/m], distance [m]) at every tentative collision; true stops there. Returns whether it was stopped.
    template <class Event>
    bool track(const Ray& ray, float distance, RandomStream& random, const Event& event) const;

    /// The share of light that passes, by ratio tracking [novak2014].
    float transmittance(const Ray& ray, float distance, RandomStream& random) const;

    /// Optical depth of the way, by samples about a cell apart: not random.
    float depth(const Ray& ray, float distance) const;

    Point at(const Vec3f& world) const;
    const BrickMap& bricks() const { return bricks_; }
    float anisotropy() const { return anisotropy_; }

private:
    using Cell = float __attribute__((vector_size(32)));  // sigma_t, sigma_s x 3, emission x 3, unused

    /// x, y, z: cells from the brick's lower corner.
    Point sample(int number, const Vec3f& p) const {
        const Vec3f q = p + Vec3f(0.5f);  // the rim's centre is at -1/2
        const int i = std::clamp(int(q.x), 0, BrickMap::size), j = std::clamp(int(q.y), 0, BrickMap::size),
                  k = std::clamp(int(q.z), 0, BrickMap::size);
        const float x = q.x - float(i), y = q.y - float(j), z = q.z - float(k);
        constexpr int sy = BrickMap::padded, sz = sy * sy;
        const Cell* c = data_.data() + std::size_t(number) * BrickMap::cells + (k * sz + j * sy + i);
        const Cell low = (c[0] * (1 - x) + c[1] * x) * (1 - y) + (c[sy] * (1 - x) + c[sy + 1] * x) * y;
        const Cell high = (c[sz] * (1 - x) + c[sz + 1] * x) * (1 - y) + (c[sz + sy] * (1 - x) + c[sz + sy + 1] * x) * y;
        const Cell v = low * (1 - z) + high * z;
        return {v[0], {v[1], v[2], v[3]}, {v[4], v[5], v[6]}};
    }

    BrickMap bricks_;
    std::vector<Cell> data_;
    std::vector<float> majorants_;  ///< of each brick [1/m]
    float anisotropy_ = 0;
};

template <class Event>
bool Medium::track(const Ray& ray, float distance, RandomStream& random, const Event& event) const {
    const Vec3f start = bricks_.cells_from_world(ray.origin);
    bool stopped = false;
    float left = -std::log(1 - random.next());  // the way to the next tentative collision, in mean ways; it goes on from brick to brick
    bricks_.walk(ray, distance, [&](int number, const Vec3i& brick, float from, float to) {
        const float majorant = majorants_[std::size_t(number)];
        if (!(majorant > 0)) return true;
        const float mean_way = 1 / (majorant * bricks_.h);  // [cells]
        const Vec3f local = start - Vec3f(brick * BrickMap::size);
        float t = from + left * mean_way;
        for (; t < to; t -= std::log(1 - random.next()) * mean_way)
            if (event(sample(number, local + ray.direction * t), majorant, t * bricks_.h)) return stopped = true, false;
        left = (t - to) * majorant * bricks_.h;
        return true;
    });
    return stopped;
}

}  // namespace phlo::render
