#include "liquid.h"

#include <fmt/format.h>

#include <cstdio>
#include <string>
#include <vector>

#include "base/cpu.h"
#include "base/json.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "config/node.h"
#include "config/problems.h"
#include "frames.h"
#include "liquid_pressure.h"
#include "models/liquid/liquid.h"

namespace phlo::bench {
namespace {

using models::SurfaceTracking;
using models::VelocityCarrier;

constexpr double fps = 24;

struct Variant {
    const char *scene, *surface, *velocity;
    SurfaceTracking tracking;
    VelocityCarrier carrier;
    double height = 1;          ///< of the box [m]
    int steps = 0;              ///< of a frame at most, whatever the speed; 0: as many as it takes
};

constexpr Variant variants[] = {
    {"dam", "particle-level-set", "grid", SurfaceTracking::particle_level_set, VelocityCarrier::grid},
    {"dam", "level-set", "grid", SurfaceTracking::level_set, VelocityCarrier::grid},
    {"dam", "particles", "grid", SurfaceTracking::particles, VelocityCarrier::grid},
    {"dam", "particle-level-set", "apic", SurfaceTracking::particle_level_set, VelocityCarrier::apic},
    {"dam", "particles", "apic", SurfaceTracking::particles, VelocityCarrier::apic},
    {.scene = "dam, four steps", .surface = "particle-level-set", .velocity = "grid", .tracking = SurfaceTracking::particle_level_set, .carrier = VelocityCarrier::grid, .steps = 4},
    {.scene = "dam, one step", .surface = "particle-level-set", .velocity = "grid", .tracking = SurfaceTracking::particle_level_set, .carrier = VelocityCarrier::grid, .steps = 1},
    {.scene = "dam, one step", .surface = "particles", .velocity = "apic", .tracking = SurfaceTracking::particles, .carrier = VelocityCarrier::apic, .steps = 1},
    {.scene = "dam, tall box", .surface = "particle-level-set", .velocity = "grid", .tracking = SurfaceTracking::particle_level_set, .carrier = VelocityCarrier::grid, .height = 2},
};

struct Row {
    int resolution = 0;
    Variant variant;
    Frames frames;
    std::size_t fields = 0;
    double number(const char* name) const { return frames.stats.number(name); }
};

/// The column stands against the left wall of a box with its corner at 0.
Row measure(int n, const Variant& variant) {
    models::Shot shot;
    shot.domain = {.size = {1, 1, variant.height}, .origin = {0, 0, 0}, .resolution = int(n * variant.height)};
    for (auto& wall : shot.domain.walls) wall.kind = models::WallKind::closed;
    models::LiquidSetup setup;
    setup.liquid.surface = variant.tracking, setup.liquid.velocity = variant.carrier;
    models::LiquidEmitter column;
    column.name = "column";
    column.shape = geom::Box{.size = {0.4, 1, 0.75}};
    column.motion.position = Curve<Vec3d>(Vec3d(0.2, 0.5, 0.375));
    setup.emitters = {column};
    config::Problems problems;
    setup.complete(shot, config::Node::map(), problems);   // steps as of a scene that says nothing of them
    if (variant.steps > 0) shot.time.max_substeps = variant.steps;

    const std::size_t before = private_bytes();
    models::Liquid liquid(shot, setup);
    const Frames frames = time_frames(liquid, {.fps = fps, .warm_up = 8, .count = 9}, before);
    return {n, variant, frames, liquid.bytes()};
}

json::Object described(const Row& r) {
    return json::Object()
        .text("scene", r.variant.scene)
        .number("resolution", r.resolution)
        .text("surface", r.variant.surface)
        .text("velocity", r.variant.velocity)
        .number("seconds_per_frame", r.frames.seconds)
        .number("processor_seconds_per_frame", r.frames.processor)
        .number("substeps", r.frames.stats.substeps)
        .raw("stages", r.frames.stages_json())
        .number("memory_bytes", r.frames.memory)
        .number("field_bytes", r.fields)
        .number("liquid_cells", r.number("liquid_cells"))
        .number("volume_drift", r.frames.last.number("volume_drift"))
        .raw("pressure", json::Object().number("iterations", r.number("pressure.iterations")).number("residual", r.number("pressure.residual")).str());
}

void print(const Row& r) {
    fmt::print("{:15} {:4} {:18} {:4} {:8.3f} s a frame ({:.3f} s of processor) of {:2} steps {:7.1f} MB {:8.0f} cells {:5.0f} ns of processor a cell and step, drift {:+.2f} %, {:.1f} cycles a step |",
               r.variant.scene, r.resolution, r.variant.surface, r.variant.velocity, r.frames.seconds, r.frames.processor, r.frames.stats.substeps, double(r.frames.memory) / 1e6,
               r.number("liquid_cells"), 1e9 * r.frames.processor / (r.frames.stats.substeps * r.number("liquid_cells")), 100 * r.frames.last.number("volume_drift"),
               r.number("pressure.iterations") / r.frames.stats.substeps);
    for (const auto& [name, seconds] : r.frames.stats.seconds.entries()) fmt::print(" {} {:.1f}", name, 1e3 * seconds);
    fmt::print("\n");
    std::fflush(stdout);
}

}  // namespace

int bench_liquid(const BenchOptions& options) {
    const int n = options.resolution > 0 ? options.resolution : 128;
    if (!options.json) fmt::print("dam break, {} threads, {}\n", thread_count(), name(compiled_for));
    const auto wanted = [&](const std::string& row) { return row.find(options.only) != std::string::npos; };
    std::vector<Row> rows;
    for (const Variant& variant : variants) {
        if (!wanted(fmt::format("{} {} {}", variant.scene, variant.surface, variant.velocity))) continue;
        rows.push_back(measure(n, variant));
        if (!options.json) print(rows.back());
    }
    const std::vector<int> sizes = options.resolution > 0 ? std::vector<int>{options.resolution} : std::vector<int>{64, 128, 256};
    const std::string pressure = wanted("pressure") ? liquid_pressure_rows(sizes, options.json) : "[]";
    if (options.json)
        fmt::print("{}\n", (rows.empty() ? json::Object() : described(rows.front())).text("bench", "liquid").number("threads", thread_count()).text("cpu", name(compiled_for))
                               .raw("rows", json::array(rows, [](const Row& row) { return described(row).str(); })).raw("pressure_rows", pressure).str());
    return 0;
}

}  // namespace phlo::bench
