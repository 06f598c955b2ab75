// How far two runs are the same shot: their curves side by side.
//
//   const Comparison comparison = compare(read_run("out/small", look), read_run("out/large", look), {.times = 5, .mean = 0.5});
//   fmt::print("{}", to_table(comparison));
//   comparison.find("heat")->worst();                         // 0.04: never more than 4 % apart at the five times
//
// A difference is (b - a) over the larger of the two, but over no less than a tenth of the largest value that either curve ever has: what has burnt
// away or not yet begun is not compared to the last digit.
#pragma once
#include <string>
#include <vector>

#include "compare/record.h"

namespace phlo::compare {

struct CompareParams {
    int times = 5;       ///< how many, about evenly over the time that both runs have, where both have a frame; the last one at its end
    double mean = 0;     ///< values are means over this long around each time [s]: for turbulent scenes
};

struct ComparedCurve {
    std::string name, unit;
    std::vector<double> a, b, difference;   ///< at each of the times
    double worst() const;                   ///< largest absolute difference
};

struct Comparison {
    std::vector<double> times;              ///< [s]
    std::vector<ComparedCurve> curves;      ///< that both runs have and that are not zero throughout
    const ComparedCurve* find(const std::string& name) const;
};

Comparison compare(const Record& a, const Record& b, const CompareParams& params = {});

/// For people: a block for each curve.
std::string to_table(const Comparison& comparison);
/// One row a curve, one column a run that was compared with the first: the worst differences, in per cent.
std::string to_summary(const std::vector<std::string>& names, const std::vector<Comparison>& comparisons);
std::string to_json(const Comparison& comparison);

}  // namespace phlo::compare
