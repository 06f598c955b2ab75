// The exponential as arithmetic, so that loops around it vectorise. Relative error below 5e-7 for -80 < x < 80.
#pragma once
#include <bit>
#include <cmath>
#include <cstdint>

namespace phlo::render {

/// e^x; below -80 it is as good as 0.
inline float fast_exp(float x) {
    x = x < -80.f ? -80.f : x > 80.f ? 80.f : x;
    const float y = x * 1.44269504f;
    const float whole = std::floor(y + 0.5f);
    const float f = (x - whole * 0.693145752f) - whole * 1.42860677e-6f;  // x - whole ln 2 in two parts, |f| <= 0.35
    const float p = 1 + f * (1 + f * (0.5f + f * (1 / 6.f + f * (1 / 24.f + f * (1 / 120.f + f * (1 / 720.f))))));
    return p * std::bit_cast<float>((std::int32_t(whole) + 127) << 23);
}

}  // namespace phlo::render
