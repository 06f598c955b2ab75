#include "models/gridless_fire/torch_fire.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <numeric>

#include <fmt/format.h>

#include "base/parallel.h"
#include "models/gridless_fire/composition.h"
#include "models/shot/point_volumes.h"
#include "models/shot/sub_steps.h"

namespace phlo::models {
namespace {

constexpr double longest_step = 1 / ticks_per_second;   ///< [s]
constexpr std::uint32_t gust_stream = 0x67757374, puff_stream = 0x70756666;
constexpr std::size_t chunk = 8192;                      ///< particles of one task

int chunks_of(std::size_t count) { return int((count + chunk - 1) / chunk); }

/// Of a whole flame.
struct Brightness {
    double light = 0;                                    ///< sum of the composition that is shown
    double top = 0;                                      ///< under this height are nineteen of twenty parts of it, to a thousandth of the flame [m]
};
Brightness brightness(const Flame& flame) {
    const FireParticles& p = flame.particles();
    if (p.count() == 0) return {};
    const auto [lowest, highest] = std::ranges::minmax(p.z);
    constexpr std::size_t bins = 1024;
    using Bins = std::array<double, bins>;
    const float per_metre = float(bins) / std::max(highest - lowest, 1e-6f);
    const Bins by_height = parallel_reduce(chunks_of(p.count()), Bins{}, [&](int c) {
        Bins part{};
        for (std::size_t i = std::size_t(c) * chunk; i < std::min(p.count(), (std::size_t(c) + 1) * chunk); ++i)
            part[std::min(std::size_t((p.z[i] - lowest) * per_metre), bins - 1)] += double(flame.shown_composition(i));
        return part;
    }, [](Bins a, const Bins& b) {
        for (std::size_t n = 0; n < bins; ++n) a[n] += b[n];
        return a;
    });
    Brightness bright{.light = std::accumulate(by_height.begin(), by_height.end(), 0.0)};
    std::size_t below = 0;
    for (double sum = 0; below < bins && sum + by_height[below] <= 0.95 * bright.light; ++below) sum += by_height[below];
    bright.top = double(lowest) + double(below) / double(per_metre);
    return bright;
}

}  // namespace

TorchFire::TorchFire(const Shot& shot, const TorchSetup& setup)
    : shot_(shot), setup_(setup), puffs_(setup.torches.size()), gusts_({.seed = shot.seed, .stream = gust_stream, .size = setup.torch.wind.gust_size}) {
    for (std::size_t t = 0; t < setup_.torches.size(); ++t)
        flames_.emplace_back(setup_.torches[t], setup_.torch, shot_.bodies, Flame::Numbers{.seed = shot_.seed, .stream = std::uint32_t(t + 1)});
    for (const geom::Body& body : shot_.bodies) still_.push_back(body.moves() ? std::nullopt : std::optional(geom::surface(geom::place(body, 0))));
    const int steps = int(std::ceil(setup_.torch.warm_up / longest_step - 1e-9));
    time_ = -steps * longest_step;
    for (int n = 0; n < steps; ++n) step(longest_step);
    time_ = 0;
    for (Flame& flame : flames_) flame.take_changes();
    ledger_.clear();
}

FrameStats TorchFire::first_stats() const {
    FrameStats stats = Model::first_stats();
    tell(stats);
    return stats;
}

FrameStats TorchFire::advance(double seconds) {
    FrameStats stats;
    times_.clear();
    ledger_.clear();
    ledger_.record("particles", "start", particle_count());
    const double longest = shot_.time.fixed_step > 0 ? shot_.time.fixed_step : longest_step;
    SubSteps steps(time_, seconds, enough);
    while (steps.go_on()) {
        const double dt = steps.remaining() / std::max(1.0, std::ceil(steps.remaining() / longest - 1e-6));
        step(dt);
        steps.went(dt);
    }
    time_ = steps.end();
    steps.tell(stats);
    for (Flame& flame : flames_)
        for (const auto& [why, change] : flame.take_changes()) ledger_.record("particles", why, change);
    ledger_.record("particles", "now", particle_count());
    stats.seconds = times_;
    stats.ledger = ledger_.entries();
    stats.memory_bytes = bytes();
    tell(stats);
    return stats;
}

void TorchFire::step(double dt) {
    { Stage stage(times_, "wind");       blow(dt); }
    { Stage stage(times_, "births");     for (Flame& flame : flames_) flame.feed(time_, dt); }
    { Stage stage(times_, "sorting");    for (Flame& flame : flames_) flame.arrange(); }
    { Stage stage(times_, "noise");      for (Flame& flame : flames_) flame.draw_noise(); }
    { Stage stage(times_, "neighbours"); for (Flame& flame : flames_) flame.find_means(); }
    { Stage stage(times_, "motion");     for (Flame& flame : flames_) flame.move(air(), time_, dt); }
    { Stage stage(times_, "burning");    for (Flame& flame : flames_) flame.burn(time_, dt); }
    { Stage stage(times_, "smoke");      for (std::size_t t = 0; t < flames_.size(); ++t) smoke(t, dt); }
    time_ += dt, ++steps_;
}

/// Gusts are carried along by the wind.
void TorchFire::blow(double dt) { gusts_.drift(setup_.torch.wind.velocity(time_) * dt); }

Air TorchFire::air() const {
    const Vec3d wind = setup_.torch.wind.velocity(time_);
    return {.wind = wind, .gusts = &gusts_, .gust_speed = setup_.torch.wind.gusts(time_) * length(wind)};
}

void TorchFire::smoke(std::size_t t, double dt) {
    const RandomKey key{shot_.seed, std::uint32_t(steps_), puff_stream + std::uint32_t(t)};
    const std::size_t taken = puffs_[t].take(flames_[t], setup_.torch.smoke, time_, key);
    const std::size_t gone = puffs_[t].move(air(), setup_.torches[t], setup_.torch.smoke, time_, dt, key);
    if (taken > 0) ledger_.record("smoke", "risen", double(taken));
    if (gone > 0) ledger_.record("smoke", "faded", -double(gone));
}

double TorchFire::particle_count() const {
    double count = 0;
    for (const Flame& flame : flames_) count += double(flame.particles().count());
    return count;
}

void TorchFire::tell(FrameStats& stats) const {
    long burning = 0, smoke = 0;
    for (const Flame& flame : flames_) {
        const FireParticles& p = flame.particles();
        burning += long(p.count());
        const Brightness bright = brightness(flame);
        const std::string& name = flame.torch().name;
        stats.numbers.insert(stats.numbers.end(), {{name + ".composition", flame.mean_composition()}, {name + ".curve", flame.curve()},
                                                   {name + ".cycles", flame.cycles()}, {name + ".theta", flame.theta(time_)},
                                                   {name + ".height", p.count() == 0 ? 0 : flame.origin().z + bright.top - flame.source_place().z},
                                                   {name + ".light", bright.light}, {name + ".searched_alone", flame.alone_share()}});
    }
    for (const Puffs& puffs : puffs_) smoke += long(puffs.count());
    stats.particles["fire"] = burning;
    if (smoke > 0) stats.particles["smoke"] = smoke;
    stats.words = fmt::format("{} particles burn", burning);
}

field::Frame TorchFire::show() const {
    field::Frame frame{.time = time_};
    for (std::size_t b = 0; b < still_.size(); ++b) frame.surfaces.push_back(still_[b] ? *still_[b] : geom::surface(geom::place(shot_.bodies[b], time_)));
    frame.points.push_back(show_fire());
    if (std::ranges::any_of(puffs_, [](const Puffs& puffs) { return puffs.count() > 0; })) frame.points.push_back(show_smoke());
    if (setup_.torch.volumes.cell > 0) frame.volumes = show_volumes();
    return frame;
}

/// Each particle stands for the ball of its streak's radius, each puff for one as large as itself.
std::vector<field::Volume> TorchFire::show_volumes() const {
    const TorchVolumeParams& params = setup_.torch.volumes;
    VolumePoints points;
    const auto ball = [](double radius) { return 4.0 / 3 * std::numbers::pi * radius * radius * radius; };
    for (const Flame& flame : flames_) {
        const FireParticles& p = flame.particles();
        const double volume = ball(flame.streak_radius(time_));
        for (std::size_t i = 0; i < p.count(); ++i) {
            const double composition = double(flame.shown_composition(i));
            points.add({.position = Vec3f(flame.origin() + Vec3d(double(p.x[i]), double(p.y[i]), double(p.z[i]))), .volume = volume, .flame = composition,
                        .temperature = params.ambient + (params.temperature - params.ambient) * std::sqrt(composition)});
        }
    }
    for (const Puffs& p : puffs_)
        for (std::size_t i = 0; i < p.count(); ++i) {
            const double age = double(p.age[i]);
            points.add({.position = Vec3f(p.origin + Vec3d(double(p.x[i]), double(p.y[i]), double(p.z[i]))), .volume = ball(setup_.torch.smoke.radius),
                        .temperature = params.ambient, .smoke = puff_opacity(setup_.torch.smoke, age)});
        }
    return point_volumes(points, {.cell = params.cell, .ambient = params.ambient});
}

field::Points TorchFire::show_fire() const {
    field::Points fire{.name = "fire"};
    const std::size_t count = std::size_t(particle_count());
    fire.id.resize(count), fire.position.resize(count), fire.velocity.resize(count), fire.radius.resize(count);
    std::vector<float> composition(count), before(count);
    std::vector<std::int32_t> torch(count);
    std::size_t first = 0;
    for (std::size_t t = 0; t < flames_.size(); ++t) {
        const Flame& flame = flames_[t];
        const FireParticles& p = flame.particles();
        const float radius = float(flame.streak_radius(time_)), tick = float(mean_tick_factor(flame.torch().decay(time_)));
        parallel_for(chunks_of(p.count()), [&](int c) {
            for (std::size_t i = std::size_t(c) * chunk; i < std::min(p.count(), (std::size_t(c) + 1) * chunk); ++i) {
                const std::size_t to = first + i;
                fire.id[to] = std::uint64_t(t) << 32 | p.id[i];
                fire.position[to] = Vec3f(flame.origin() + Vec3d(double(p.x[i]), double(p.y[i]), double(p.z[i])));
                fire.velocity[to] = {p.motion[i].value[0], p.motion[i].value[1], p.motion[i].value[2]};
                fire.radius[to] = radius;
                composition[to] = flame.shown_composition(i);
                before[to] = std::min(1.0f, composition[to] / tick);
                torch[to] = std::int32_t(t);
            }
        });
        first += p.count();
    }
    fire.columns = {{"composition", std::move(composition)}, {"composition_before", std::move(before)}, {"torch", std::move(torch)}};
    return fire;
}

field::Points TorchFire::show_smoke() const {
    const TorchSmokeParams& params = setup_.torch.smoke;
    field::Points smoke{.name = "smoke"};
    std::vector<float> opacity, age;
    for (std::size_t t = 0; t < puffs_.size(); ++t) {
        const Puffs& p = puffs_[t];
        for (std::size_t i = 0; i < p.count(); ++i) {
            smoke.id.push_back(std::uint64_t(t) << 32 | p.id[i]);
            smoke.position.push_back(Vec3f(p.origin + Vec3d(double(p.x[i]), double(p.y[i]), double(p.z[i]))));
            smoke.velocity.push_back({p.u[i], p.v[i], p.w[i]});
            smoke.radius.push_back(float(params.radius + params.growth * double(p.age[i])));
            opacity.push_back(float(puff_opacity(params, double(p.age[i]))));
            age.push_back(p.age[i]);
        }
    }
    smoke.columns = {{"opacity", std::move(opacity)}, {"age", std::move(age)}};
    return smoke;
}

StateView TorchFire::state() {
    StateView view;
    view.numbers = {{"time", &time_}, {"steps", &steps_}, {"gusts.x", &gusts_.moved().x}, {"gusts.y", &gusts_.moved().y}, {"gusts.z", &gusts_.moved().z}};
    for (std::size_t t = 0; t < flames_.size(); ++t) {
        const std::string name = fmt::format("torch.{}", t);
        for (const Flame::Number& number : flames_[t].numbers()) view.numbers.push_back({name + "." + number.name, number.value});
        Puffs& puffs = puffs_[t];
        for (int a = 0; a < 3; ++a) view.numbers.push_back({fmt::format("{}.smoke.{}", name, "xyz"[a]), &puffs.origin[a]});
        FireParticles& particles = flames_[t].edit_particles();
        view.blocks.push_back({name + ".fire", [&particles] { return particles::save(particles); },
                               [&particles](std::span<const char> data) { particles::load(data, particles); }});
        view.blocks.push_back({name + ".smoke", [&puffs] { return particles::save(puffs); }, [&puffs](std::span<const char> data) { particles::load(data, puffs); }});
    }
    return view;
}

std::size_t TorchFire::bytes() const {
    std::size_t sum = 0;
    for (const Flame& flame : flames_) sum += flame.bytes();
    for (const Puffs& puffs : puffs_) sum += particles::bytes_of(puffs);
    return sum;
}

}  // namespace phlo::models
