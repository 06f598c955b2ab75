#include "io/plot_layout.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace phlo::io {
namespace {

double span_of(const std::vector<double>& values) {
    const auto [low, high] = std::ranges::minmax_element(values);
    return values.empty() ? 0 : *high - *low;
}

double peak_of(const std::vector<double>& values) {
    double peak = 0;
    for (const double value : values) peak = std::max(peak, std::abs(value));
    return peak;
}

/// The abscissa at which a share of all the curves' ups and downs has happened.
double when(const Plot& plot, double share) {
    std::vector<double> travelled(plot.abscissa.size());
    for (const PlotCurve& curve : plot.curves) {
        const double span = span_of(curve.values);
        if (!(span > 1e-9 * peak_of(curve.values))) continue;
        for (std::size_t i = 1; i < travelled.size(); ++i) travelled[i] += std::abs(curve.values[i] - curve.values[i - 1]) / span;
    }
    for (std::size_t i = 1; i < travelled.size(); ++i) travelled[i] += travelled[i - 1];
    if (travelled.empty()) return 0;
    const auto found = std::ranges::lower_bound(travelled, share * travelled.back());
    return plot.abscissa[std::size_t(found - travelled.begin())];
}

double decade_below(double value) { return std::pow(10, std::floor(std::log10(value) + 1e-9)); }

AxisRange x_range(const Plot& plot) {
    const double first = plot.abscissa.front(), last = plot.abscissa.back();
    const double half = when(plot, 0.5), begin = when(plot, 0.002);
    const bool may_log = last > 0 && first >= 0 && plot.abscissa.size() > 2;
    const bool log = may_log && (plot.x.scale == Scale::log || (plot.x.scale == Scale::automatic && half < 0.02 * last));
    if (!log) return {false, first, last > first ? last : first + 1};
    const double smallest = first > 0 ? first : plot.abscissa[1];
    return {true, std::min(std::max({smallest, begin / 3, last * 1e-15}), last / 10), last};
}

AxisRange y_range(const Plot& plot, const PlotAxis& axis, bool on_right) {
    double low = std::numeric_limits<double>::infinity(), high = -low, least_peak = low, most_peak = 0;
    for (const PlotCurve& curve : plot.curves) {
        if (curve.on_right != on_right) continue;
        for (const double value : curve.values) low = std::min(low, value), high = std::max(high, value);
        if (const double peak = peak_of(curve.values); peak > 0)
            least_peak = std::min(least_peak, peak), most_peak = std::max(most_peak, peak);
    }
    if (!(low <= high)) return {};
    const bool may_log = low >= 0 && most_peak > 0;
    const bool log = may_log && (axis.scale == Scale::log || (axis.scale == Scale::automatic && least_peak < 3e-3 * most_peak));
    if (log) {
        // two decades below the smallest peak, to show how it rises; never more than ten in all
        const double bottom = std::max({low, least_peak * 1e-2, most_peak * 1e-10});
        return {true, decade_below(bottom > 0 ? bottom : least_peak * 1e-2), most_peak * 1.6};
    }
    if (on_right) {  // a temperature: no need for zero
        const double margin = high > low ? 0.06 * (high - low) : 0.05 * std::max(1.0, std::abs(high));
        return {false, low - margin, high + margin};
    }
    if (low > -1e-6 * high) low = 0;  // amounts start at zero, whatever an integrator's last digit says
    const double margin = 0.06 * (high - std::min(low, 0.0));
    return {false, low < 0 ? low - margin : 0, high > 0 ? high + margin : (low < 0 ? 0.0 : 1.0)};
}

}  // namespace

double AxisRange::place(double value) const { return log ? std::log(value / low) / std::log(high / low) : (value - low) / (high - low); }

PlotLayout lay_out(const Plot& plot) {
    PlotLayout layout;
    layout.x = x_range(plot);
    layout.x_unit = plot.x.unit;
    if (plot.x.unit == "s" && !layout.x.log) {
        const std::pair<double, const char*> units[]{{1, "s"}, {1e3, "ms"}, {1e6, "µs"}, {1e9, "ns"}};
        for (const auto& [factor, name] : units) {
            layout.x_factor = factor;
            layout.x_unit = name;
            if (layout.x.high * factor > 0.999) break;
        }
        layout.x.low *= layout.x_factor;
        layout.x.high *= layout.x_factor;
    }
    for (const PlotCurve& curve : plot.curves) (curve.on_right ? layout.has_right : layout.has_left) = true;
    layout.left = y_range(plot, plot.left, false);
    layout.right = y_range(plot, plot.right, true);
    const double most = std::max(std::abs(layout.left.low), layout.left.high);
    if (!layout.left.log && most > 0 && (most < 0.02 || most >= 1e5)) layout.left_power = int(std::floor(std::log10(most)));
    return layout;
}

bool coincide(const std::vector<double>& a, const std::vector<double>& b, const AxisRange& range) {
    for (std::size_t i = 0; i < a.size(); ++i)
        if (std::abs(std::max(range.place(a[i]), 0.0) - std::max(range.place(b[i]), 0.0)) > 0.005) return false;
    return true;
}

std::vector<std::size_t> needed_points(const std::vector<double>& x, const std::vector<double>& y, const AxisRange& x_range,
                                       const AxisRange& y_range, double tolerance) {
    std::vector<std::size_t> shown;
    std::vector<double> u, v;
    for (std::size_t i = 0; i < x.size(); ++i) {
        const double a = x_range.place(x[i]), b = y_range.place(y[i]);
        if (!std::isfinite(a) || !std::isfinite(b)) continue;
        shown.push_back(i);
        u.push_back(a);
        v.push_back(b);
    }
    if (shown.size() < 3) return shown;
    std::vector<char> keep(shown.size());
    keep.front() = keep.back() = 1;
    std::vector<std::pair<std::size_t, std::size_t>> open{{0, shown.size() - 1}};
    while (!open.empty()) {
        const auto [first, last] = open.back();
        open.pop_back();
        double worst = 0;
        std::size_t at = first;
        for (std::size_t i = first + 1; i < last; ++i) {
            const double width = u[last] - u[first];
            const double on_line = width > 0 ? v[first] + (v[last] - v[first]) * (u[i] - u[first]) / width : v[first];
            // the distance from the line, not the height above it: steep parts need no more points than flat ones
            const double slope = width > 0 ? (v[last] - v[first]) / width : 0;
            const double off = std::abs(v[i] - on_line) / std::sqrt(1 + slope * slope);
            if (off > worst) worst = off, at = i;
        }
        if (worst <= tolerance) continue;
        keep[at] = 1;
        open.push_back({first, at});
        open.push_back({at, last});
    }
    std::vector<std::size_t> result;
    for (std::size_t i = 0; i < shown.size(); ++i)
        if (keep[i]) result.push_back(shown[i]);
    return result;
}

}  // namespace phlo::io
