// The gas as surfaces see it: in coarse cells, each of which sends one radiance and dims one share of the light. Rays through it are exact,
// and a surface can draw directions towards the gas that shines.
//
//   GasView gas(volume, lit, 64);                            // at most 64 cells along the longest side
//   Vec3f towards = normalized(gas.draw(uniform, random) - point);
//   GasView::Seen seen = gas.look({point, towards}, distance_to_surface);
//   sum += (seen.radiance + seen.transmittance * behind) * cosine / seen.density;
//
// A point drawn by brightness has a direction of density  integral p(x) r^2 dr  over the whole ray, which the ray finds on its way along
// with the radiance, integral T j dr. Their quotient is finite however close the fire is, and does not grow noisy in thick smoke.
#pragma once
#include <vector>

#include "render/volumes/lit_volume.h"
#include "render/random_stream.h"

namespace phlo::render {

class GasView {
public:
    struct Seen {
        Vec3f radiance;
        float transmittance = 1;
        float density = 0;  ///< with which draw() would have chosen this direction [1/sr]
    };

    GasView() = default;
    GasView(const OpticalVolume& volume, const LitVolume& lit, int cells);

    /// Nothing shines: there is no direction to draw.
    bool dark() const { return sources_.empty(); }
    /// A point of the gas by how bright it is and how likely its light gets out. Even numbers in [0, 1) give points spread evenly.
    Vec3f draw(double uniform, RandomStream& random) const;
    /// Up to a distance [m]; the density counts the whole ray.
    Seen look(const Ray& ray, float distance) const;

private:
    struct Cell {
        Vec3f light;  ///< radiance per coarse cell's size
        float depth = 0;  ///< optical, per coarse cell's size
        float chance = 0;  ///< to be drawn
        float unused[3] = {};
    };
    struct Source {
        double sum;  ///< chances of all up to this one, itself included
        Vec3i at;
    };

    std::size_t index(int i, int j, int k) const {
        return std::size_t(i) + std::size_t(count_.x) * (std::size_t(j) + std::size_t(count_.y) * std::size_t(k));
    }
    void average(const OpticalVolume& volume, const LitVolume& lit);
    void weigh();
    std::vector<float> escape() const;

    int factor_ = 1;  ///< the volume's cells along a coarse one
    Vec3i low_, count_;  ///< the coarse cells that are not empty
    Vec3f origin_;  ///< [m]
    float h_ = 1;  ///< [m]
    std::vector<Cell> cells_;
    std::vector<Source> sources_;  ///< along a curve that keeps neighbours together
    std::vector<int> starts_;  ///< where in `sources_` each of equal steps of the sum begins
};

}  // namespace phlo::render
