#include "compare/comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/json.h"

namespace phlo::compare {

double ComparedCurve::worst() const {
    double most = 0;
    for (const double d : difference) most = std::max(most, std::abs(d));
    return most;
}

const ComparedCurve* Comparison::find(const std::string& name) const {
    const auto found = std::ranges::find(curves, name, &ComparedCurve::name);
    return found == curves.end() ? nullptr : &*found;
}

namespace {

/// Times at which both have a frame: between frames nobody knows how fast a burst went.
std::vector<double> common_times(const Record& a, const Record& b) {
    std::vector<double> both;
    for (const double t : a.times())
        for (const double other : b.times())
            if (std::abs(t - other) < 1e-6 * (1 + t)) {
                both.push_back(t);
                break;
            }
    return both;
}

std::vector<double> choose_times(const Record& a, const Record& b, int count, double end) {
    const std::vector<double> both = common_times(a, b);
    std::vector<double> times;
    for (int n = 1; n <= count; ++n) {
        const double wanted = end * n / count;
        const auto nearest = std::ranges::min_element(both, {}, [&](double t) { return std::abs(t - wanted); });
        times.push_back(nearest != both.end() && std::abs(*nearest - wanted) <= 0.5 * end / count ? *nearest : wanted);
    }
    times.erase(std::unique(times.begin(), times.end()), times.end());
    return times;
}

}  // namespace

Comparison compare(const Record& a, const Record& b, const CompareParams& params) {
    Comparison result;
    const double end = std::min(a.end(), b.end());
    result.times = choose_times(a, b, params.times, end);
    for (const Curve& one : a.curves()) {
        const Curve* other = b.find(one.name);
        const double largest = other ? std::max(one.largest(), other->largest()) : 0;
        if (!(largest > 0)) continue;
        ComparedCurve curve{one.name, one.unit, {}, {}, {}};
        for (const double t : result.times) {
            const double from = std::max(0.0, std::min(t, end - 0.5 * params.mean) - 0.5 * params.mean), to = std::min(from + params.mean, end);
            curve.a.push_back(params.mean > 0 ? one.mean(from, to) : one.at(t));
            curve.b.push_back(params.mean > 0 ? other->mean(from, to) : other->at(t));
            const double scale = std::max({std::abs(curve.a.back()), std::abs(curve.b.back()), 0.1 * largest});
            curve.difference.push_back((curve.b.back() - curve.a.back()) / scale);
        }
        result.curves.push_back(std::move(curve));
    }
    return result;
}

std::string to_table(const Comparison& comparison) {
    std::string text = fmt::format("{:<24}", "time [s]");
    for (const double t : comparison.times) text += fmt::format("{:>12.4g}", t);
    text += fmt::format("{:>10}\n", "worst");
    for (const ComparedCurve& curve : comparison.curves) {
        text += fmt::format("{:<24}", curve.unit.empty() ? curve.name : fmt::format("{} [{}]", curve.name, curve.unit));
        for (const double v : curve.a) text += fmt::format("{:>12.5g}", v);
        text += fmt::format("\n{:<24}", "");
        for (const double v : curve.b) text += fmt::format("{:>12.5g}", v);
        text += fmt::format("\n{:<24}", "");
        for (const double d : curve.difference) text += fmt::format("{:>+10.1f} %", 100 * d);
        text += fmt::format("{:>8.1f} %\n", 100 * curve.worst());
    }
    return text;
}

std::string to_summary(const std::vector<std::string>& names, const std::vector<Comparison>& comparisons) {
    std::vector<std::string> curves;
    for (const Comparison& comparison : comparisons)
        for (const ComparedCurve& curve : comparison.curves)
            if (std::ranges::find(curves, curve.name) == curves.end()) curves.push_back(curve.name);
    std::size_t width = 8;
    for (const std::string& name : names) width = std::max(width, name.size());
    std::string text = fmt::format("| {:<20} |", "largest difference");
    for (const std::string& name : names) text += fmt::format(" {:>{}} |", name, width);
    text += "\n| -------------------- |";
    for (std::size_t n = 0; n < names.size(); ++n) text += fmt::format(" {:->{}} |", ":", width);
    for (const std::string& curve : curves) {
        text += fmt::format("\n| {:<20} |", curve);
        for (const Comparison& comparison : comparisons) {
            const ComparedCurve* found = comparison.find(curve);
            text += fmt::format(" {:>{}} |", found ? fmt::format("{:.1f} %", 100 * found->worst()) : "-", width);
        }
    }
    return text + "\n";
}

std::string to_json(const Comparison& comparison) {
    const std::string curves = json::array(comparison.curves, [](const ComparedCurve& curve) {
        return json::Object().text("name", curve.name).text("unit", curve.unit).raw("a", json::numbers(curve.a)).raw("b", json::numbers(curve.b))
            .raw("difference", json::numbers(curve.difference)).number("worst", curve.worst()).str();
    });
    return json::Object().raw("times", json::numbers(comparison.times)).raw("curves", curves).str();
}

}  // namespace phlo::compare
