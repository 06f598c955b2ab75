#include "geom/noise.h"

#include <cmath>

namespace phlo::geom {
namespace {

// Everything below is branch-free arithmetic on 32-bit lanes, so the loop over a row vectorises.

inline std::uint32_t mix(std::uint32_t h) {
    h ^= h >> 15;
    h *= 0x2C1B3C6Du;
    h ^= h >> 12;
    h *= 0x297A2D39u;
    return h ^ (h >> 15);
}

/// Ramp of the gradient at a lattice point: its components are the four bytes of the hash, in [-1, 1).
inline float ramp(std::uint32_t h, float x, float y, float z, float t) {
    const auto component = [h](int shift) { return float(int(h >> shift & 255u) - 128) * (1.0f / 128); };
    return component(0) * x + component(8) * y + component(16) * z + component(24) * t;
}

inline float fade(float s) { return s * s * s * (s * (s * 6 - 15) + 10); }  // second derivative vanishes at the lattice [perlin2002]
inline float blend(float a, float b, float s) { return a + (b - a) * s; }

struct Lattice {
    std::uint32_t low, high;  ///< hashed coordinates of the two neighbours
    float offset, weight;
};

inline Lattice lattice(float x, std::uint32_t factor) {
    const float floor = std::floor(x);
    const std::uint32_t i = std::uint32_t(int(floor)) * factor;
    return {i, i + factor, x - floor, fade(x - floor)};
}

/// The 16 corners around a point, blended one axis after the other. Written out instead of looped: the loop over the row is the one
/// that must vectorise. hy holds the hash of the corner's t, z and y.
inline float along_x(std::uint32_t hy, const Lattice& lx, float y, float z, float t) {
    return blend(ramp(mix(hy ^ lx.low), lx.offset, y, z, t), ramp(mix(hy ^ lx.high), lx.offset - 1, y, z, t), lx.weight);
}
inline float along_y(std::uint32_t hz, const Lattice& lx, const Lattice& ly, float z, float t) {
    return blend(along_x(hz + ly.low, lx, ly.offset, z, t), along_x(hz + ly.high, lx, ly.offset - 1, z, t), ly.weight);
}
inline float along_z(std::uint32_t ht, const Lattice& lx, const Lattice& ly, const Lattice& lz, float t) {
    return blend(along_y(mix(ht ^ lz.low), lx, ly, lz.offset, t), along_y(mix(ht ^ lz.high), lx, ly, lz.offset - 1, t), lz.weight);
}
inline float gradient_noise(float x, const Lattice& ly, const Lattice& lz, const Lattice& lt, std::uint32_t seed) {
    const Lattice lx = lattice(x, 0x9E3779B1u);
    return blend(along_z(seed + lt.low, lx, ly, lz, lt.offset), along_z(seed + lt.high, lx, ly, lz, lt.offset - 1), lt.weight);
}

/// Brings the values to about [-1, 1]: three standard deviations of one octave.
constexpr float scale = 1.7f;

}  // namespace

void Noise::row(float x0, float dx, float y, float z, float t, std::span<float> values) const {
    const int count = int(values.size());
    float* out = values.data();
    float amplitude = scale, total = 0, frequency = 1;
    for (int octave = 0; octave < octaves; ++octave) {
        // Octaves are shifted against each other, or all their lattices would share zeros at the origin.
        const float shift = 17.3f * float(octave);
        const Lattice ly = lattice(y * frequency + shift, 0x85EBCA77u), lz = lattice(z * frequency + shift, 0xC2B2AE3Du),
                      lt = lattice(t * frequency + shift, 0x27D4EB2Fu);
        const std::uint32_t octave_seed = mix(seed * 0x9E3779B9u + std::uint32_t(octave) + 1u);
        const bool first = octave == 0;
#pragma omp simd
        for (int i = 0; i < count; ++i) {
            const float value = amplitude * gradient_noise((x0 + float(i) * dx) * frequency + shift, ly, lz, lt, octave_seed);
            out[i] = first ? value : out[i] + value;
        }
        total += amplitude * amplitude;
        amplitude *= 0.5f, frequency *= 2;
    }
    // Octaves are independent, so their variances add: the sum keeps the spread of a single one.
    const float normalize = total > 0 ? scale / std::sqrt(total) : 0.f;
#pragma omp simd
    for (int i = 0; i < count; ++i) out[i] = total > 0 ? out[i] * normalize : 0.f;
}

void Noise::at(std::span<const float> x, std::span<const float> y, std::span<const float> z, std::span<float> values) const {
    const int count = int(values.size());
    const float *px = x.data(), *py = y.data(), *pz = z.data();
    float* out = values.data();
    float amplitude = scale, total = 0, frequency = 1;
    for (int i = 0; i < count; ++i) out[i] = 0;
    for (int octave = 0; octave < octaves; ++octave) {
        const float shift = 17.3f * float(octave);
        const std::uint32_t octave_seed = mix(seed * 0x9E3779B9u + std::uint32_t(octave) + 1u);
#pragma omp simd
        for (int i = 0; i < count; ++i) {
            const Lattice lx = lattice(px[i] * frequency + shift, 0x9E3779B1u), ly = lattice(py[i] * frequency + shift, 0x85EBCA77u),
                          lz = lattice(pz[i] * frequency + shift, 0xC2B2AE3Du);
            out[i] += amplitude * along_z(octave_seed, lx, ly, lz, 0);
        }
        total += amplitude * amplitude;
        amplitude *= 0.5f, frequency *= 2;
    }
    const float normalize = total > 0 ? scale / std::sqrt(total) : 0.f;
#pragma omp simd
    for (int i = 0; i < count; ++i) out[i] *= normalize;
}

float Noise::operator()(float x, float y, float z, float t) const {
    float value = 0;
    row(x, 0, y, z, t, {&value, 1});
    return value;
}

}  // namespace phlo::geom
