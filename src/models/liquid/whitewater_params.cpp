#include "models/liquid/whitewater_params.h"

#include <fmt/format.h>

#include <algorithm>

namespace phlo::models {
namespace {

double wanted_reach(const WhitewaterParams& params, const field::Domain& domain) {
    const Vec3d size = domain.size();
    return params.reach.value_or(std::max({size.x, size.y, size.z}) / 50);
}

constexpr double min_reach = 1, max_reach = 4;   // [cells]

void check_ramps(WhitewaterParams& p, const config::Node& node, config::Reader& reader) {
    const auto rising = [&](const char* low, double a, const char* high, double b) {
        if (a < b) return;
        const config::Node* written = node.find(high) ? node.find(high) : node.find(low);
        reader.fail(written ? written->position : node.position, node.find(high) ? high : low,
                    fmt::format("{} is {:g} and {} is {:g}; expected {} to be the greater one", low, a, high, b, high));
    };
    rising("min_speed", p.min_speed, "max_speed", p.max_speed);
    rising("min_impact", p.min_impact, "max_impact", p.max_impact);
    if (p.min_bend && p.max_bend) rising("min_bend", *p.min_bend, "max_bend", *p.max_bend);
    if (p.min_bend.has_value() != p.max_bend.has_value()) {
        const char* given = p.min_bend ? "min_bend" : "max_bend";
        const config::Node* written = node.find(given);
        reader.fail(written ? written->position : node.position, given, "expected min_bend and max_bend together, or neither");
    }
}

}  // namespace

WhitewaterNumbers whitewater_numbers(const WhitewaterParams& params, const field::Domain& domain) {
    const double wanted = wanted_reach(params, domain), reach = std::clamp(wanted, min_reach * domain.h, max_reach * domain.h);
    const double rate = params.trapped_air_rate.value_or(8000 / (wanted * wanted));
    return {.reach = reach,
            .trapped_air_rate = params.amount * rate,
            .crest_rate = params.amount * params.crest_rate.value_or(rate),
            .min_bend = params.min_bend.value_or(0.7 / reach),
            .max_bend = params.max_bend.value_or(2 / reach),
            .radius = params.radius.value_or(wanted / 16)};
}

std::string whitewater_note(const WhitewaterParams& params, const field::Domain& domain) {
    const double cells = wanted_reach(params, domain) / domain.h;
    if (params.amount <= 0 || (cells >= min_reach && cells <= max_reach)) return "";
    return fmt::format("whitewater.reach is {:.2g} cells: {} are taken, and the amount of whitewater will change with the resolution",
                       cells, cells < min_reach ? "one" : "four");
}

const config::Table<WhitewaterParams>& whitewater_table() {
    using P = WhitewaterParams;
    static const auto table =
        config::Table<P>("whitewater", "Spray, foam and bubbles, born where water moves violently.")
            .key("amount", &P::amount, {.min = 0, .help = "factor on how many are born: 0 none, 1 the usual"})
            .key("reach", &P::reach, {.unit = "m", .above = 0, .help = "over which velocities and bends are compared; none: a fiftieth of the domain's longest side"})
            .key("min_speed", &P::min_speed, {.unit = "m/s", .min = 0, .help = "slower water makes none"})
            .key("max_speed", &P::max_speed, {.unit = "m/s", .above = 0, .help = "faster water makes no more than this"})
            .key("trapped_air_rate", &P::trapped_air_rate,
                 {.unit = "1/(m^2 s)", .min = 0, .help = "bubbles where water meets water; none: 8000 / reach^2"})
            .key("min_impact", &P::min_impact, {.unit = "m/s", .min = 0, .help = "differences of velocity over `reach` below this trap no air"})
            .key("max_impact", &P::max_impact, {.unit = "m/s", .above = 0, .help = "and those above this as much as can be"})
            .key("crest_rate", &P::crest_rate, {.unit = "1/(m^2 s)", .min = 0, .help = "spray from crests and rims; none: as trapped_air_rate"})
            .key("min_bend", &P::min_bend, {.unit = "1/m", .min = 0, .help = "crests less curved than this make none; none: 0.7 / reach"})
            .key("max_bend", &P::max_bend, {.unit = "1/m", .above = 0, .help = "and those more curved than this as much as can be; none: 2 / reach"})
            .key("alignment", &P::alignment, {.min = -1, .max = 1, .help = "least cosine between a crest's velocity and its normal"})
            .key("spread", &P::spread, {.min = 0, .max = 2, .help = "of spray about the water's velocity, as a share of its speed"})
            .key("life", &P::life, {.unit = "s", .above = 0, .help = "of foam, mean: between half and one and a half of it"})
            .key("radius", &P::radius, {.unit = "m", .above = 0, .help = "median, from half to twice of it; none: a sixteenth of `reach`"})
            .key("rise", &P::rise, {.unit = "m/s", .min = 0, .help = "of bubbles through still water"})
            .key("air_drag", &P::air_drag, {.min = 0, .help = "on spray: 1 that of spheres of water, 0 none"})
            .key("limit", &P::limit, {.min = 0, .help = "no more are born beyond this many"})
            .check(check_ramps);
    return table;
}

}  // namespace phlo::models
