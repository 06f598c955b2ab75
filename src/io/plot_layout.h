// What a plot decides before anything is drawn: scales, ranges, units, and which points a curve needs.
#pragma once
#include <string>
#include <vector>

#include "io/plot.h"

namespace phlo::io {

struct AxisRange {
    bool log = false;
    double low = 0, high = 1;  ///< in the axis' own unit
    double place(double value) const;  ///< from 0 at `low` to 1 at `high`
};

struct PlotLayout {
    AxisRange x, left, right;
    double x_factor = 1;  ///< multiplies the abscissa
    std::string x_unit;
    int left_power = 0;  ///< of ten, which stands beside the label instead of at every tick
    bool has_left = false, has_right = false;
};

/// Time is logarithmic when nearly everything happens in a small part of it; values are when their peaks lie decades apart.
PlotLayout lay_out(const Plot& plot);

/// Whether a reader could not tell two curves apart.
bool coincide(const std::vector<double>& a, const std::vector<double>& b, const AxisRange& range);

/// The points that a line through them needs to stay within `tolerance` of the curve, both axes counted from 0 to 1 [douglas1973].
/// Points that a logarithmic axis cannot show are left out.
std::vector<std::size_t> needed_points(const std::vector<double>& x, const std::vector<double>& y, const AxisRange& x_range,
                                       const AxisRange& y_range, double tolerance);

}  // namespace phlo::io
