// The scene file's words for the domain, its walls and time.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "models/shot/shot.h"

namespace phlo::models {

using config::Affects;
using config::Node;
using config::Reader;
using config::Table;
using config::Variant;

field::Domain make_domain(const DomainParams& params) {
    const double longest = std::max({params.size.x, params.size.y, params.size.z});
    const double h = longest / params.resolution;
    const auto cells = [&](double length) { return std::max(1, int(std::lround(length / h))); };
    return {.cells = {cells(params.size.x), cells(params.size.y), cells(params.size.z)}, .origin = params.origin, .h = h};
}

namespace {

const Variant<WallParams>& wall_variant() {
    static const auto inflow =
        Table<WallParams>("inflow", "Gas blown in through the whole wall.")
            .key("velocity", &WallParams::velocity, {.unit = "m/s", .min = 0, .help = "into the domain"})
            .key("density", &WallParams::density, {.min = 0, .help = "density of smoke carried in"})
            .key("temperature", &WallParams::temperature, {.unit = "K", .above = 0, .help = "carried in; the ambient temperature if not given"})
            .names("species", &WallParams::species, {.unit = "mol/m^3", .min = 0, .help = "carried in"});
    static const auto variant =
        Variant<WallParams>("wall", "What the flow may do at one side of the domain.")
            .word("open", "gas leaves and enters freely", WallParams{.kind = WallKind::open},
                  [](const WallParams& w) { return w.kind == WallKind::open; })
            .word("closed", "nothing passes", WallParams{.kind = WallKind::closed}, [](const WallParams& w) { return w.kind == WallKind::closed; })
            .option(
                "inflow", "gas is blown in", inflow, [](const WallParams& w) { return w.kind == WallKind::inflow ? &w : nullptr; },
                [](WallParams w, const Node&) {
                    w.kind = WallKind::inflow;
                    return w;
                });
    return variant;
}

template <int side>
constexpr auto wall = [](auto& domain) -> auto& {
    return domain.walls[side];
};

const Table<DomainParams>& walls_table() {
    static const auto table = Table<DomainParams>("walls", "The six sides of the domain.")
                                  .table(wall_names[0], wall<0>, wall_variant(), {.help = "-x"})
                                  .table(wall_names[1], wall<1>, wall_variant(), {.help = "+x"})
                                  .table(wall_names[2], wall<2>, wall_variant(), {.help = "-y"})
                                  .table(wall_names[3], wall<3>, wall_variant(), {.help = "+y"})
                                  .table(wall_names[4], wall<4>, wall_variant(), {.help = "-z"})
                                  .table(wall_names[5], wall<5>, wall_variant(), {.help = "+z"});
    return table;
}

}  // namespace

const Table<DomainParams>& domain_table() {
    static const auto table =
        Table<DomainParams>("domain", "The box that is simulated. x is right, y is back, z is up.")
            .key("size", &DomainParams::size, {.unit = "m", .above = 0, .max = 1e6, .help = "edge lengths"})
            .key("origin", &DomainParams::origin,
                 {.unit = "m", .help = "lower corner; if not given, centred in x and y and standing on z = 0"})
            .key("resolution", &DomainParams::resolution, {.min = 1, .max = 8192, .help = "cells along the longest side"})
            .group("walls", walls_table())
            .check([](DomainParams& domain, const Node& node, Reader&) {
                if (!node.get("origin")) domain.origin = {-domain.size.x / 2, -domain.size.y / 2, 0};
            });
    return table;
}

const Table<TimeParams>& time_table() {
    static const auto table =
        Table<TimeParams>("time", "Which frames are made, and how finely time is divided.")
            .key("first_frame", &TimeParams::first_frame,
                 {.min = -1000000, .max = 1000000, .help = "number of the first frame; it shows the scene at 0 s"})
            .key("last_frame", &TimeParams::last_frame,
                 {.min = -1000000, .max = 10000000, .help = "number of the last frame", .affects = Affects::nothing})
            .input<int>("frames", [](TimeParams& time, int count) { time.last_frame = time.first_frame + count - 1; },
                        {.min = 1,
                         .max = 1000000,
                         .help = "how many; instead of last_frame",
                         .affects = Affects::nothing,
                         .replaces = "last_frame"})
            .key("fps", &TimeParams::fps, {.unit = "fps", .above = 0, .max = 100000, .help = "frames per second"})
            .key("cfl", &TimeParams::cfl, {.above = 0, .max = 100, .help = "most cells that gas may cross in one sub-step"})
            .key("fixed_step", &TimeParams::fixed_step, {.unit = "s", .min = 0, .help = "length of each sub-step; 0: chosen by cfl"})
            .key("max_substeps", &TimeParams::max_substeps, {.min = 1, .max = 100000, .help = "per frame; reaching it is reported"})
            .key("checkpoints", &TimeParams::checkpoints,
                 {.min = 0, .max = 1000000, .help = "every so many frames one is kept, from which 'run --resume FRAME' can go on; 0: only the last",
                  .affects = Affects::nothing})
            .check([](TimeParams& time, const Node& node, Reader& reader) {
                const Node *last = node.get("last_frame"), *first = node.get("first_frame");
                if (!last && !node.get("frames") && first)
                    time.last_frame = time.first_frame + TimeParams{}.last_frame - TimeParams{}.first_frame;
                if (time.last_frame < time.first_frame)
                    reader.fail(last ? last->position : node.position, "last_frame",
                                fmt::format("{} comes before first_frame; expected at least {}", time.last_frame, time.first_frame));
            });
    return table;
}

}  // namespace phlo::models
