// Small fires of particles with known light.
#pragma once
#include <cmath>

#include "base/random.h"
#include "fixture.h"
#include "render/live/live_renderer.h"

namespace phlo::test {

/// A torch of particles that rise out of a disk and grow dark with height, brighter in a few brushes.
inline field::Points torch(int count, double time = 0, Vec3f base = {0, 0, 0}) {
    field::Points points{.name = "fire"};
    std::vector<float> now, before;
    for (int n = 0; n < count; ++n) {
        const auto u = uniform4({.seed = 7}, std::uint32_t(n)), v = uniform4({.seed = 8}, std::uint32_t(n)), w = uniform4({.seed = 9}, std::uint32_t(n));
        const float age = std::fmod(u[0] + float(time) * 1.2f, 1.f), r = 0.12f * std::sqrt(u[1]) * (1 - 0.5f * age), angle = 6.2831853f * u[2];
        const float sway = 0.06f * age * std::sin(9 * age - 7 * float(time) + 4 * u[1]);
        const float wide = 0.05f * age;
        const Vec3f at(r * std::cos(angle) + sway + wide * (v[0] + v[1] + v[2] - 1.5f), r * std::sin(angle) + 0.5f * sway + wide * (w[0] + w[1] + w[2] - 1.5f),
                       0.9f * age * (0.6f + 0.4f * u[3]));
        const float brush = std::exp(-std::pow(std::fmod(4 * (at.x + 10), 1.f) - 0.5f, 2.f) / 0.3f);
        const float y = brush * std::exp(-3.5f * age);
        points.position.push_back(at + base);
        points.velocity.push_back({sway * 4, 0.3f * (v[3] - 0.5f), 1.1f + 0.5f * v[3]});
        points.radius.push_back(0.012f);
        points.id.push_back(std::uint64_t(n));
        now.push_back(y), before.push_back(y * 1.03f);
    }
    points.columns = {{"composition", now}, {"composition_before", before}};
    return points;
}

/// Tracers above a burning ball: fuel at its surface, flame around and above it, smoke on top.
inline field::Points tracers(int count, double time = 0) {
    field::Points points{.name = "tracers"};
    std::vector<float> fuel, flame, smoke, temperature, lit;
    for (int n = 0; n < count; ++n) {
        const auto u = uniform4({.seed = 17}, std::uint32_t(n)), v = uniform4({.seed = 18}, std::uint32_t(n));
        const float age = std::fmod(u[0] + 0.7f * float(time), 1.f), angle = 6.2831853f * u[1];
        const float wide = 0.13f + 0.1f * std::sin(11 * age - 6 * float(time) + 2 * std::cos(angle)) * age + 0.12f * age * age, r = wide * (0.75f + 0.25f * v[0]);
        points.position.push_back({r * std::cos(angle) + 0.05f * (v[1] - 0.5f), r * std::sin(angle) + 0.05f * (v[2] - 0.5f), 0.1f + 1.2f * age + 0.06f * std::sin(5 * angle + 8 * age)});
        points.velocity.push_back({0, 0, 1.2f});
        points.radius.push_back(0.012f + 0.01f * age);
        points.id.push_back(std::uint64_t(n));
        const float burnt = std::min(1.f, age * 4), cool = std::clamp((age - 0.35f) * 2, 0.f, 1.f);
        fuel.push_back(1 - burnt), flame.push_back(burnt * (1 - cool)), smoke.push_back(burnt * cool);
        temperature.push_back(700 + 1400 * burnt * std::exp(-1.4f * age)), lit.push_back(age < 0.04f ? 1.f : 0.f);
    }
    points.columns = {{"fuel", fuel}, {"flame", flame}, {"smoke", smoke}, {"temperature", temperature}, {"lit", lit}};
    return points;
}

inline field::Frame torch_frame(int count, double time = 0) {
    field::Frame frame{.time = time, .world = field::Bounds{{-0.6, -0.6, -0.1}, {0.6, 0.6, 1.1}}};
    frame.points.push_back(torch(count, time));
    return frame;
}

}  // namespace phlo::test
