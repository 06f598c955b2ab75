#include "chem/integration/trajectory.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"

namespace phlo::chem {
namespace {

/// Cubic through two values with two slopes; s runs from 0 to 1 over the step h.
double hermite(double y0, double y1, double slope0, double slope1, double h, double s) {
    const double r = 1 - s;
    return y0 * r * r * (1 + 2 * s) + y1 * s * s * (3 - 2 * s) + h * s * r * (slope0 * r - slope1 * s);
}

/// An amount, or behind them the temperature.
double value_of(const CellState& state, std::size_t k) { return k < state.amounts.size() ? state.amounts[k] : state.temperature; }

}  // namespace

void Trajectory::add(const CellState& state, const Rates& rates) {
    steps_.push_back(state);
    slopes_.push_back(rates.amounts);
}

CellState Trajectory::at(double time) const {
    PHLO_CHECK(!steps_.empty());
    const auto after = std::ranges::upper_bound(steps_, time, {}, &CellState::time);
    if (after == steps_.begin()) return steps_.front();
    if (after == steps_.end()) return steps_.back();
    const std::size_t i = std::size_t(after - steps_.begin()) - 1;
    const CellState &a = steps_[i], &b = steps_[i + 1];
    const double h = b.time - a.time, s = (time - a.time) / h;
    CellState state = a;
    state.time = time;
    double moles = 0;
    for (std::size_t k = 0; k < a.amounts.size(); ++k) {
        double n = hermite(a.amounts[k], b.amounts[k], slopes_[i][k], slopes_[i + 1][k], h, s);
        // the cubic may dip below zero beside a state that is nearly zero; the straight line cannot
        if (n < 0) n = a.amounts[k] + s * (b.amounts[k] - a.amounts[k]);
        state.amounts[k] = n;
        moles += n;
    }
    state.temperature = hermite(a.temperature, b.temperature, a.heating, b.heating, h, s);
    state.heating = a.heating + s * (b.heating - a.heating);
    if (hold_ == Hold::pressure) state.volume = gas_constant * state.temperature * moles / state.pressure;
    else state.pressure = gas_constant * state.temperature * moles / state.volume;
    return state;
}

std::vector<std::size_t> Trajectory::needed_steps(const std::vector<double>& spans, double tolerance) const {
    constexpr std::size_t longest_run = 32;
    const auto on_chord = [&](std::size_t first, std::size_t i, std::size_t last) {
        const CellState &a = steps_[first], &b = steps_[last], &state = steps_[i];
        const double s = (state.time - a.time) / (b.time - a.time);
        for (std::size_t k = 0; k < spans.size(); ++k) {
            const double value = value_of(state, k), off = std::abs(value_of(a, k) + s * (value_of(b, k) - value_of(a, k)) - value);
            if (off > tolerance * spans[k] || (off > 0.005 * value && value > 1e-10 * spans[k])) return false;
        }
        return true;
    };
    std::vector<std::size_t> kept{0};
    for (std::size_t i = 1; i < steps_.size(); ++i) {
        const std::size_t first = kept.back();
        // on a logarithmic axis a chord is only straight if it is short
        bool skip = i + 1 < steps_.size() && i - first < longest_run && steps_[i + 1].time < 1.02 * steps_[first].time;
        for (std::size_t j = first + 1; skip && j <= i; ++j) skip = on_chord(first, j, i + 1);
        if (!skip) kept.push_back(i);
    }
    return kept;
}

std::vector<double> Trajectory::faithful_times(double tolerance) const {
    std::vector<double> spans;
    for (std::size_t k = 0; k <= front().amounts.size(); ++k) {
        double low = value_of(front(), k), high = low;
        for (const CellState& state : steps_) low = std::min(low, value_of(state, k)), high = std::max(high, value_of(state, k));
        spans.push_back(high - low > 1e-12 * std::abs(high) ? high - low : INFINITY);
    }
    const std::vector<std::size_t> kept = needed_steps(spans, tolerance / 4);
    std::vector<double> times{front().time};
    for (std::size_t i = 0; i + 1 < kept.size(); ++i) {
        const CellState &a = steps_[kept[i]], &b = steps_[kept[i + 1]], middle = at(0.5 * (a.time + b.time));
        double worst = 0;
        for (std::size_t k = 0; k < spans.size(); ++k)
            worst = std::max(worst, std::abs(value_of(middle, k) - 0.5 * (value_of(a, k) + value_of(b, k))) / spans[k]);
        // the distance from a chord falls with the square of its length
        const int parts = std::clamp(int(std::ceil(std::sqrt(worst / tolerance))), 1, 64);
        for (int p = 1; p < parts; ++p) times.push_back(a.time + (b.time - a.time) * p / parts);
        times.push_back(b.time);
    }
    return times;
}

std::vector<double> Trajectory::linear_times(int count) const {
    std::vector<double> times;
    for (int i = 0; i < count; ++i) times.push_back(front().time + (back().time - front().time) * i / std::max(count - 1, 1));
    return times;
}

std::vector<double> Trajectory::log_times(int count) const {
    std::vector<double> times{front().time};
    if (steps_.size() < 2) return times;
    const double first = steps_[1].time - front().time, last = back().time - front().time;
    for (int i = 0; i + 1 < count; ++i)
        times.push_back(i + 2 == count ? back().time : front().time + first * std::pow(last / first, double(i) / std::max(count - 2, 1)));
    return times;
}

}  // namespace phlo::chem
