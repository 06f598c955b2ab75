#include "render/medium.h"

#include "base/parallel.h"

namespace phlo::render {

Medium::Medium(const Volume& volume) : bricks_(volume), anisotropy_(volume.anisotropy) {
    data_ = bricks_.fill<Cell>(volume.domain.cells, [&](int i, int j, int k) {
        const float sigma = volume.extinction(i, j, k);
        const Vec3f scattering = volume.albedo_of(i, j, k) * sigma;
        const Vec3f emission = volume.glows() ? volume.emission_of(i, j, k) : Vec3f();
        return Cell{sigma, scattering.x, scattering.y, scattering.z, emission.x, emission.y, emission.z, 0};
    });
    majorants_.resize(bricks_.bricks.size());
    parallel_for(int(majorants_.size()), [&](int b) {
        const Cell* cell = data_.data() + std::size_t(b) * BrickMap::cells;
        float most = 0;
        for (int c = 0; c < BrickMap::cells; ++c) most = std::max(most, cell[c][0]);
        majorants_[std::size_t(b)] = most;
    });
}

float Medium::transmittance(const Ray& ray, float distance, RandomStream& random) const {
    float through = 1;
    track(ray, distance, random, [&](const Point& p, float majorant, float) {
        through *= 1 - p.extinction / majorant;
        if (through > 0.05f) return false;
        // Russian roulette: what hardly counts is rarely followed.
        if (random.next() >= 0.25f) return through = 0, true;
        through *= 4;
        return false;
    });
    return through;
}

Medium::Point Medium::at(const Vec3f& world) const {
    const Vec3f p = bricks_.cells_from_world(world);
    const Vec3i brick(int(std::floor(p.x / BrickMap::size)), int(std::floor(p.y / BrickMap::size)), int(std::floor(p.z / BrickMap::size)));
    for (int axis = 0; axis < 3; ++axis)
        if (brick[axis] < 0 || brick[axis] >= bricks_.count[axis]) return {};
    const int number = bricks_.at(brick);
    return number < 0 ? Point{} : sample(number, p - Vec3f(brick * BrickMap::size));
}

}  // namespace phlo::render
