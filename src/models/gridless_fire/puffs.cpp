#include "models/gridless_fire/puffs.h"

#include <algorithm>
#include <cmath>

#include "base/parallel.h"
#include "models/gridless_fire/stochastic.h"

namespace phlo::models {
namespace {

constexpr std::size_t block_size = 2048;
constexpr double cooling = 1.5;      ///< rate at which a puff loses its lift [1/s]
constexpr double warm_share = 0.25;  ///< of the flame's lift that it starts with

}  // namespace

std::size_t Puffs::take(const Flame& flame, const TorchSmokeParams& params, double time, const RandomKey& key) {
    if (length(flame.origin() - origin) > 0) {
        const Vec3f by(flame.origin() - origin);
        for (std::size_t i = 0; i < count(); ++i) x[i] -= by.x, y[i] -= by.y, z[i] -= by.z;
        origin = flame.origin();
    }
    const FireParticles& burnt = flame.burnt_out();
    const double share = params.share(time);
    const std::size_t before = count();
    for (std::size_t i = 0; i < burnt.count(); ++i) {
        if (double(uniform4(key, burnt.id[i], 3)[0]) >= share) continue;
        x.push_back(burnt.x[i]), y.push_back(burnt.y[i]), z.push_back(burnt.z[i]);
        u.push_back(burnt.motion[i].value[0]), v.push_back(burnt.motion[i].value[1]), w.push_back(burnt.motion[i].value[2]);
        age.push_back(0), id.push_back(burnt.id[i]);
    }
    return count() - before;
}

std::size_t Puffs::move(const Air& air, const Torch& torch, const TorchSmokeParams& params, double time, double dt, const RandomKey& key) {
    const double rms = torch.turbulence(time), drag = torch.drag(time);
    const float gain = float(-std::expm1(-drag * dt)), lift_time = float(drag > 0 ? -std::expm1(-drag * dt) / drag : dt);
    const float lift = float(warm_share * torch.buoyancy(time));
    parallel_for(int((count() + block_size - 1) / block_size), [&](int b) {
        const std::size_t first = std::size_t(b) * block_size, size = std::min(block_size, count() - first);
        float noise[3][block_size], around[3][block_size], k[block_size], omega[block_size];
        std::fill_n(k, size, float(1.5 * rms * rms)), std::fill_n(omega, size, float(torch.frequency(time)));
        for (int a = 0; a < 3; ++a) std::fill_n(around[a], size, float(air.wind[a]));
        const auto part = [&](std::vector<float>& column) { return std::span<float>(&column[first], size); };
        const auto three = [&](float(&c)[3][block_size]) { return Columns3{{c[0], size}, {c[1], size}, {c[2], size}}; };
        const Columns3 velocity{part(u), part(v), part(w)};
        if (air.gusts) air.gusts->add(origin, {part(x), part(y), part(z)}, air.gust_speed, three(around));
        // Around the velocity it would have without turbulence: what the air and its lift make of it.
        float mean[3][block_size];
        for (std::size_t i = 0; i < size; ++i) {
            const float left = lift * std::exp(float(-cooling) * age[first + i]) * lift_time;
            const float now[3] = {u[first + i], v[first + i], w[first + i]};
            for (int a = 0; a < 3; ++a) mean[a][i] = now[a] + gain * (around[a][i] - now[a]) + (a == 2 ? left : 0.0f);
        }
        for (int a = 0; a < 3; ++a) std::copy_n(mean[a], size, (a == 0 ? velocity.x : a == 1 ? velocity.y : velocity.z).begin());
        draw_normals(key, {&id[first], size}, three(noise));
        step_velocity(dt, {.mean = three(mean), .k = {k, size}, .omega = {omega, size}, .normal = three(noise)}, velocity);
        for (std::size_t i = first; i < first + size; ++i)
            x[i] += u[i] * float(dt), y[i] += v[i] * float(dt), z[i] += w[i] * float(dt), age[i] += float(dt);
    });
    std::vector<std::uint8_t> gone(count());
    for (std::size_t i = 0; i < count(); ++i) gone[i] = double(age[i]) > params.life;
    return particles::remove_marked(gone, *this);
}

}  // namespace phlo::models
