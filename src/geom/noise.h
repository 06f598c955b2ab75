// Smooth random patterns in space and time, the same on every machine and in every order of evaluation.
//
//   Noise noise{.seed = 7, .octaves = 3};
//   float value = noise(x, y, z, t);                        // about [-1, 1], mean 0, features of size 1
//   noise.row(x0, dx, y, z, t, values);                     // a row of values at once, vectorised
//   noise.at(xs, ys, zs, values);                           // at any points of space, without time
//
// Gradient noise on the 4-D integer lattice [perlin2002], gradients from an integer hash instead of a table so that it vectorises.
#pragma once
#include <cstdint>
#include <span>

namespace phlo::geom {

struct Noise {
    std::uint32_t seed = 0;
    int octaves = 1;  ///< each one half as large and half as strong as the one before

    float operator()(float x, float y, float z, float t) const;
    /// values[i] = noise(x0 + i dx, y, z, t).
    void row(float x0, float dx, float y, float z, float t, std::span<float> values) const;
    /// values[i] = noise on the 3-D lattice at (x[i], y[i], z[i]): another pattern than the one of four dimensions, half the work.
    void at(std::span<const float> x, std::span<const float> y, std::span<const float> z, std::span<float> values) const;
};

}  // namespace phlo::geom
