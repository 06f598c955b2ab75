// A picture of all directions as a light: latitude runs down from the zenith, longitude from +x towards +y, z is up.
//
//   auto map = load_environment("studio.exr");             // EXR, HDR; read once for all frames
//   auto [direction, density] = map->sample(u, v);         // bright parts more often
//   Vec3f radiance = map->radiance(direction);
#pragma once
#include <filesystem>
#include <memory>
#include <vector>

#include "io/image.h"

namespace phlo::render {

class EnvironmentMap {
public:
    explicit EnvironmentMap(io::Image image);

    /// Bilinear between pixel centres.
    Vec3f radiance(const Vec3f& direction) const;

    struct Drawn {
        Vec3f direction;
        float density = 0;  ///< [1/sr]
    };
    Drawn sample(float u, float v) const;
    float density(const Vec3f& direction) const;

    /// The whole map as a few thousand patches.
    struct Patch {
        Vec3f direction;
        Vec3d light;  ///< radiance times solid angle
    };
    const std::vector<Patch>& patches() const { return patches_; }

private:
    double solid_angle(int y) const;  ///< of a pixel in row y [sr]
    void gather_patches();

    io::Image image_;
    std::vector<double> rows_;  ///< brightness times solid angle of all rows before each row, and all of them
    std::vector<float> columns_;  ///< the same within each row, from 0 to 1; width + 1 entries a row
    std::vector<float> strength_;  ///< of a pixel: density of the brightness over the sphere [1/sr]
    std::vector<Patch> patches_;
};

/// Throws InputError naming the file if it cannot be read or holds values that no light has.
std::shared_ptr<const EnvironmentMap> load_environment(const std::filesystem::path& file);

}  // namespace phlo::render
