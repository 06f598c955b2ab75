// Colours by a number: the last step of a live fire.
//
//   ColourRamp ramp = composition_ramp(look.live.streaks, look.fire);      // composition in [0, 1]
//   Vec3f radiance = ramp(0.7f);
#pragma once
#include <vector>

#include "render/look/params.h"

namespace phlo::render {

/// A table between two values, linear between its entries; beyond them its ends.
class ColourRamp {
public:
    ColourRamp() = default;
    /// color(value) for a double.
    template <class Colour>
    ColourRamp(double first, double last, int entries, const Colour& color) : first_(float(first)), scale_(float((entries - 1) / (last - first))) {
        for (int n = 0; n < entries; ++n) table_.push_back(color(first + (last - first) * n / (entries - 1)));
    }
    Vec3f operator()(float value) const {
        const float last = float(table_.size() - 1), at = std::min(std::max((value - first_) * scale_, 0.f), last);
        const int n = std::min(int(at), int(table_.size()) - 2);
        const Vec3f &a = table_[std::size_t(n)], &b = table_[std::size_t(n) + 1];
        return a + (b - a) * (at - float(n));
    }
    const std::vector<Vec3f>& table() const { return table_; }

private:
    float first_ = 0, scale_ = 1;
    std::vector<Vec3f> table_;
};

/// By composition that has added up, s in [0, 1]. A black body whose temperature rises with s, and of which there is more where s is larger.
ColourRamp composition_ramp(const StreakLook& look, const FireLook& fire);

/// By temperature [K]. Flames of a simulation are as hot as its heats make them; they are shown in the colours of the streaks' ramp, end to end.
ColourRamp temperature_ramp(const LiveLook& look, const FireLook& fire);

}  // namespace phlo::render
