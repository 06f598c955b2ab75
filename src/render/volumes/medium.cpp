#include "render/volumes/medium.h"

#include "base/parallel.h"

namespace phlo::render {

Medium::Medium(const OpticalVolume& volume) : bricks_(volume), anisotropy_(volume.anisotropy) {
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

float Medium::depth(const Ray& ray, float distance) const {
    const Vec3f start = bricks_.cells_from_world(ray.origin);
    const float cells = distance / bricks_.h, step = cells < 1e6f ? cells / std::max(1.f, std::round(cells)) : 1.f;
    float sum = 0;
    bricks_.walk(ray, distance, [&](int number, const Vec3i& brick, float from, float to) {
        const Vec3f local = start - Vec3f(brick * BrickMap::size);
        for (float n = std::ceil(from / step - 0.5f); (n + 0.5f) * step < to; n += 1)
            sum += sample(number, local + ray.direction * ((n + 0.5f) * step)).extinction;
        return sum * step * bricks_.h < 20;
    });
    return sum * step * bricks_.h;
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
