// The sky's light on surfaces of any direction, as nine numbers a colour [ramamoorthi2001].
//
//   SkyHarmonics sky(lights);
//   Vec3f light = sky(normal);                    // irradiance / pi under an open sky
#pragma once
#include <array>

#include "render/light/lights.h"

namespace phlo::render {

class SkyHarmonics {
public:
    SkyHarmonics() = default;
    explicit SkyHarmonics(const Lights& lights) {
        constexpr int directions = 1024;
        // Lambert's cosine dims the three bands by 1, 2/3 and 1/4.
        for (const Lights::Ray& ray : lights.rays(directions)) {
            const auto basis = basis_at(ray.direction);
            for (std::size_t n = 0; n < 9; ++n) {
                const float band = n == 0 ? 1.f : n < 4 ? 2 / 3.f : 0.25f;
                sums_[n] += ray.radiance * (basis[n] * band * 12.5663706f / directions);
            }
        }
    }
    Vec3f operator()(const Vec3f& normal) const {
        const auto basis = basis_at(normal);
        Vec3f sum;
        for (std::size_t n = 0; n < 9; ++n) sum += sums_[n] * basis[n];
        return max(sum, Vec3f());
    }

private:
    static std::array<float, 9> basis_at(const Vec3f& d) {
        return {0.282095f,
                0.488603f * d.y,
                0.488603f * d.z,
                0.488603f * d.x,
                1.092548f * d.x * d.y,
                1.092548f * d.y * d.z,
                0.315392f * (3 * d.z * d.z - 1),
                1.092548f * d.x * d.z,
                0.546274f * (d.x * d.x - d.y * d.y)};
    }
    std::array<Vec3f, 9> sums_{};
};

}  // namespace phlo::render
