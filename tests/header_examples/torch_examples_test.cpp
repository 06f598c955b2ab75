#include "examples.h"

#include "models/gridless_fire/composition.h"
#include "models/gridless_fire/eddies.h"
#include "models/gridless_fire/fire_particles.h"
#include "models/gridless_fire/flame.h"
#include "models/gridless_fire/flame_axes.h"
#include "models/gridless_fire/fuel_bed.h"
#include "models/gridless_fire/puffs.h"
#include "models/gridless_fire/stochastic.h"
#include "models/gridless_fire/torch_fire.h"
#include "models/shot/point_volumes.h"

namespace phlo::models {

void composition_example(double chi, double lambda, double theta) {
    const double period = flicker_period(chi, lambda, theta);
}

void stochastic_example(double dt, const RandomKey& key, std::span<const std::uint32_t> id, const Columns3& noise, const Columns3& mean, std::span<const float> k,
                        std::span<const float> mean_omega, std::span<float> omega, const Columns3& velocity, double chi, std::span<float> composition) {
    draw_normals(key, id, noise);
    step_velocity(dt, {.mean = mean, .k = k, .omega = mean_omega, .normal = noise}, velocity);
    step_frequency(dt, key, id, mean_omega, omega);
    step_composition(dt, key, id, chi, composition);
}

void eddies_example(double dt, const Vec3d& origin, std::span<const float> x, std::span<const float> y, std::span<const float> z, std::span<float> u,
                    std::span<float> v, std::span<float> w) {
    Eddies eddies({.seed = 7, .size = 0.3});
    eddies.drift({0, 0, 1.5 * dt});
    eddies.add(origin, {x, y, z}, 0.4, {u, v, w});
}

void fuel_bed_example(const Torch& torch, const std::vector<geom::Body>& bodies, std::uint64_t seed, std::uint32_t word, double time) {
    const FuelBed bed(torch, bodies, seed);
    const FuelBed::Point& point = bed.point(word);
    Vec3d place = source_pose(torch, bodies, time).world_from_local(point.local);
}

void fire_particles_example(std::span<const int> dead) {
    FireParticles particles;
    remove_unordered(dead, particles);
}

void flame_axes_example(FlameAxes& axes, const FireParticles& particles, int brushes, double span, const Vec3f& start, std::uint32_t brush, float age, const Vec3f& place) {
    axes.find(particles, brushes, span, start);
    Vec3f away = axes.away(brush, age, place);
}

void flame_example(const Torch& torch, const TorchParams& shared, const std::vector<geom::Body>& bodies, const Air& air, double time, double dt) {
    Flame flame(torch, shared, bodies, {.seed = 1, .stream = 3});
    flame.feed(time, dt);
    flame.arrange();
    flame.find_means();
    flame.move(air, time, dt);
    flame.burn(time, dt);
}

void puffs_example(Puffs& puffs, const Flame& flame, const Air& air, const Torch& torch, const TorchSmokeParams& params, double time, double dt, const RandomKey& key) {
    puffs.take(flame, params, time, key);
    puffs.move(air, torch, params, time, dt, key);
}

void torch_fire_example(const Shot& shot, const Torch& torch) {
    using field::Frame;
    TorchFire fire(shot, {.torch = {}, .torches = {torch}});
    FrameStats stats = fire.advance(1.0 / 30);
    Frame frame = fire.show();
}

void point_volumes_example(const Vec3f& x, field::Frame& frame) {
    VolumePoints points;
    points.add({.position = x, .volume = 1e-6, .flame = 0.8, .temperature = 1600, .smoke = 0});
    for (field::Volume& volume : point_volumes(points, {.cell = 0.02})) frame.volumes.push_back(std::move(volume));
}

}  // namespace phlo::models
