// A value that may change with time: a constant, or keyframes joined linearly or smoothly.
//
//   Curve<double> strength = 1.0;
//   Curve<Vec3d> path({{0.0, {0, 0, 1}}, {2.0, {1, 0, 1}}}, Interpolation::smooth);
//   Vec3d p = path(0.5), v = path.derivative(0.5);
//
// Before the first and after the last key the value is held:
//
//   value        .----o---------- held         linear: straight lines between the keys
//              .'                              smooth: monotone cubic Hermite spline [fritsch1984], at rest at both ends:
//   held -----o                                        C1 everywhere, between two keys it never leaves the span of their values
//             t0      t1         time
#pragma once
#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/vec.h"

namespace phlo {

enum class Interpolation { linear, smooth };

/// Slope at a key between two segments of lengths h0, h1 and slopes d0, d1: their weighted harmonic mean, 0 at an extremum.
/// Any value in this range keeps both segments monotone [fritsch1984, eq. 5].
inline double monotone_slope(double h0, double d0, double h1, double d1) {
    if (d0 * d1 <= 0) return 0;
    const double w0 = 2 * h1 + h0, w1 = h1 + 2 * h0;
    return (w0 + w1) / (w0 / d0 + w1 / d1);
}
inline Vec3d monotone_slope(double h0, const Vec3d& d0, double h1, const Vec3d& d1) {
    return {monotone_slope(h0, d0.x, h1, d1.x), monotone_slope(h0, d0.y, h1, d1.y), monotone_slope(h0, d0.z, h1, d1.z)};
}

/// T is double or Vec3d; each component of a vector is interpolated by itself.
template <class T>
class Curve {
public:
    struct Key {
        double time = 0;  ///< [s]
        T value{};
        friend bool operator==(const Key&, const Key&) = default;
    };

    Curve() : Curve(T{}) {}
    Curve(T constant) : keys_{{0.0, constant}} {}  // implicit: a number is a curve

    /// At least one key, in order of time.
    explicit Curve(std::vector<Key> keys, Interpolation interpolation = Interpolation::linear)
        : keys_(std::move(keys)), interpolation_(interpolation) {
        PHLO_CHECK(!keys_.empty());
        for (std::size_t i = 1; i < keys_.size(); ++i) PHLO_CHECK(keys_[i - 1].time < keys_[i].time);
        if (interpolation_ == Interpolation::smooth) find_slopes();
    }

    bool is_constant() const {
        return std::all_of(keys_.begin(), keys_.end(), [&](const Key& key) { return key.value == keys_.front().value; });
    }
    const std::vector<Key>& keys() const { return keys_; }
    Interpolation interpolation() const { return interpolation_; }

    T operator()(double time) const {
        if (time <= keys_.front().time) return keys_.front().value;
        if (time >= keys_.back().time) return keys_.back().value;
        const std::size_t i = segment(time);
        const Key &a = keys_[i], &b = keys_[i + 1];
        const double h = b.time - a.time, s = (time - a.time) / h;
        if (slopes_.empty()) return a.value + (b.value - a.value) * s;
        return a.value + (b.value - a.value) * (s * s * (3 - 2 * s)) + (slopes_[i] * (1 - s) - slopes_[i + 1] * s) * (h * s * (1 - s));
    }

    /// Per second; at a corner the slope that follows, 0 where the value is held.
    T derivative(double time) const {
        if (time < keys_.front().time || time >= keys_.back().time) return T{};
        const std::size_t i = segment(time);
        const Key &a = keys_[i], &b = keys_[i + 1];
        const double h = b.time - a.time, s = (time - a.time) / h;
        const T chord = (b.value - a.value) / h;
        if (slopes_.empty()) return chord;
        return chord * (6 * s * (1 - s)) + slopes_[i] * ((1 - s) * (1 - 3 * s)) + slopes_[i + 1] * (s * (3 * s - 2));
    }

    friend bool operator==(const Curve& a, const Curve& b) {
        return a.keys_ == b.keys_ && (a.keys_.size() == 1 || a.interpolation_ == b.interpolation_);
    }

private:
    /// Index i with keys_[i].time <= time < keys_[i + 1].time.
    std::size_t segment(double time) const {
        auto after = std::upper_bound(keys_.begin(), keys_.end(), time, [](double t, const Key& key) { return t < key.time; });
        return std::size_t(after - keys_.begin()) - 1;
    }

    void find_slopes() {
        slopes_.assign(keys_.size(), T{});
        for (std::size_t i = 1; i + 1 < keys_.size(); ++i) {
            const double h0 = keys_[i].time - keys_[i - 1].time, h1 = keys_[i + 1].time - keys_[i].time;
            slopes_[i] = monotone_slope(h0, (keys_[i].value - keys_[i - 1].value) / h0, h1, (keys_[i + 1].value - keys_[i].value) / h1);
        }
    }

    std::vector<Key> keys_;
    std::vector<T> slopes_;  ///< smooth only: the derivative at each key
    Interpolation interpolation_ = Interpolation::linear;
};

}  // namespace phlo
