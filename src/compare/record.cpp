#include "compare/record.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "io/cache.h"
#include "render/volumes/appearance.h"
#include "sim/ledger_summary.h"
#include "sim/run_directory.h"
#include "sim/stats.h"

namespace phlo::compare {

double Curve::at(double time) const {
    const auto after = std::ranges::upper_bound(times, time);
    if (after == times.begin()) return values.front();
    if (after == times.end()) return values.back();
    const std::size_t n = std::size_t(after - times.begin());
    const double share = (time - times[n - 1]) / (times[n] - times[n - 1]);
    return values[n - 1] + share * (values[n] - values[n - 1]);
}

double Curve::mean(double from, double to) const {
    if (!(to > from)) return at(from);
    // Trapezoids between the ends and the points inside, on which the curve bends.
    double sum = 0, last = from;
    const auto include = [&](double next) { sum += 0.5 * (at(last) + at(next)) * (next - last), last = next; };
    for (const double t : times)
        if (t > from && t < to) include(t);
    include(to);
    return sum / (to - from);
}

double Curve::largest() const {
    double most = 0;
    for (const double v : values) most = std::max(most, std::abs(v));
    return most;
}

const Curve* Record::find(const std::string& name) const {
    const auto found = std::ranges::find(curves_, name, &Curve::name);
    return found == curves_.end() ? nullptr : &*found;
}

std::vector<double> Record::times() const {
    std::vector<double> most;
    for (const Curve& curve : curves_)
        if (curve.times.size() > most.size()) most = curve.times;
    return most;
}

void Record::point(const std::string& name, const std::string& unit, double time, double value) {
    auto found = std::ranges::find(curves_, name, &Curve::name);
    if (found == curves_.end()) curves_.push_back({name, unit, {}, {}}), found = curves_.end() - 1;
    found->times.push_back(time), found->values.push_back(value);
}

void Record::sum(const std::string& name, const std::string& unit, double time, double change) {
    const Curve* so_far = find(name);
    point(name, unit, time, (so_far ? so_far->values.back() : 0) + change);
}

void Record::add(const models::FrameStats& stats, double time) {
    double soot = 0;
    for (const auto& [quantity, entries] : stats.ledger) {
        if (quantity.starts_with(sim::conserved_prefix)) continue;
        const auto value = [&](const char* entry) { return entries.contains(entry) ? entries.at(entry) : 0.0; };
        const bool heat = quantity == "heat";
        if (entries.contains("now")) point(heat ? quantity : "amount of " + quantity, heat ? "K m3" : "mol", time, value("now"));
        soot -= value("soot");
    }
    if (stats.particles.contains("soot")) {
        sum("soot formed", "mol", time, soot);
        point("soot particles", "", time, double(stats.particles.at("soot")));
    }
    if (const double made = stats.number("expanded"); !std::isnan(made)) sum("expanded volume", "m3", time, made);
    sum("sub-steps", "", time, stats.substeps);
}

void Record::add(const field::Frame& frame, const render::RenderParams& look) {
    const render::Appearance seen = render::appearance(frame, look);
    point("radiated power", "m2", frame.time, seen.luminous_power);
    const Vec3d size = seen.box.empty() ? Vec3d() : seen.box.size();
    point("height", "m", frame.time, size.z);
    point("width", "m", frame.time, 0.5 * (size.x + size.y));
    point("height of centre", "m", frame.time, seen.centre.z);
}

Record read_run(const std::filesystem::path& directory, const render::RenderParams& look) {
    const sim::RunDirectory run{directory};
    Record record;
    for (const models::FrameStats& stats : sim::read_stats(run.stats()))
        if (!stats.ledger.empty() || stats.substeps > 0) record.add(stats, stats.time);
    for (const int number : io::cached_frames(run.cache())) {
        const field::Frame frame = io::read_cache_frame(run.cache(), number);
        if (!frame.volumes.empty()) record.add(frame, look);
    }
    if (record.curves().empty())
        throw InputError(fmt::format("{}: there is neither a stats.jsonl nor a cache with volumes; give the directory of a run", directory.string()));
    return record;
}

}  // namespace phlo::compare
