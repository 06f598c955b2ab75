// Points of the glowing gas, drawn by how bright they are.
//
//   EmissionSampler fire(volume);
//   auto [position, light] = fire.sample(random);        // mean of `light` f(position) = integral of emission times f over the volume
#pragma once
#include <cstdint>
#include <vector>

#include "render/random_stream.h"
#include "render/volumes/volume.h"

namespace phlo::render {

class EmissionSampler {
public:
    struct Sample {
        Vec3f position;  ///< [m]
        Vec3f light;  ///< red, green, blue: emission over density of probability
    };

    EmissionSampler() = default;
    /// Keeps a reference to the volume.
    explicit EmissionSampler(const OpticalVolume& volume);

    bool empty() const { return cells_.empty(); }
    /// The integral of emission over the volume; times 4 pi it is the power.
    Vec3d total() const { return total_; }
    Sample sample(RandomStream& random) const { return sample(fine(random), random); }
    /// The cell by a number in [0, 1), for samples that are spread evenly.
    Sample sample(double uniform, RandomStream& random) const;
    /// In [0, 1), fine enough for any number of cells.
    static double fine(RandomStream& random) { return double(random.next()) + double(random.next()) * 0x1p-24; }

    /// Light from a point at distance r falls off as 1/r^2, which no number of samples likes near r = 0. So a point shares its light
    /// between two ways to find it: drawn from the fire with weight min(1, (r/a)^2), and met along a ray with the rest. The distance a
    /// is about half as large as the fire.
    float near() const { return near_; }  ///< a [m]
    float drawn_share(float r) const { return r < near_ ? (r / near_) * (r / near_) : 1.f; }
    float met_share(float r) const { return 1 - drawn_share(r); }

private:
    struct Cell {
        double sum;  ///< brightness of all cells up to this one, itself included
        Vec3i at;
    };
    const OpticalVolume* volume_ = nullptr;
    std::vector<Cell> cells_;
    Vec3d total_;
    float near_ = 1;
};

}  // namespace phlo::render
