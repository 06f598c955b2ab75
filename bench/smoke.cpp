#include "smoke.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/cpu.h"
#include "base/json.h"
#include "base/parallel.h"
#include "frames.h"
#include "models/gas/gas.h"

namespace phlo::bench {
namespace {

struct Row {
    int n = 0;
    std::string variant;
    Frames frames;
    std::size_t fields = 0;
};

models::Shot cube(int n) {
    models::Shot shot;
    shot.domain.size = {1, 1, 1};
    shot.domain.resolution = n;
    shot.time.fixed_step = 1;   // one step a frame, whatever the speed
    return shot;
}

models::GasSetup plume(bool activity, double radius) {
    models::GasSetup setup;
    setup.gas.vorticity = 1.0;
    setup.gas.pressure_tolerance = 1e-3;
    if (!activity) setup.gas.activity_threshold = 0;
    models::Emitter source;
    source.name = "source";
    source.shape = geom::Sphere{.radius = radius};
    source.motion.position = Curve<Vec3d>(Vec3d(0, 0, 0.15));
    source.temperature = 450.0;
    setup.emitters = {source};
    return setup;
}

Row measure(int n, const std::string& variant) {
    models::Gas smoke(cube(n), plume(variant != "full", variant == "small" ? 0.04 : 0.1));
    const Frames frames = time_frames(smoke, {.fps = 24, .warm_up = 20, .count = 9});
    return {n, variant, frames, smoke.bytes()};
}

/// What the rows and the whole bench tell alike.
json::Object described(const Row& r) {
    return json::Object()
        .number("n", r.n)
        .number("seconds_per_frame", r.frames.seconds)
        .number("memory_bytes", r.frames.memory)
        .raw("stages", r.frames.stages_json());
}

std::string row_json(const Row& r) {
    return described(r)
        .text("variant", r.variant)
        .number("field_bytes", r.fields)
        .number("active_fraction", r.frames.stats.number("active_fraction"))
        .number("pressure_iterations", int(r.frames.stats.number("pressure.iterations")))
        .str();
}

}  // namespace

int bench_smoke(const BenchOptions& options) {
    const std::vector<int> sizes = options.resolution > 0 ? std::vector<int>{options.resolution} : std::vector<int>{64, 96, 128, 160};
    std::vector<Row> rows;
    if (!options.json) fmt::print("smoke, one step a frame, {} threads, {}\n", thread_count(), name(compiled_for));
    for (const int n : sizes)
        for (const char* variant : {"full", "active", "small"}) {
            rows.push_back(measure(n, variant));
            if (options.json) continue;
            const Row& r = rows.back();
            fmt::print("{:4}^3 {:6}  {:8.1f} ms a frame  {:6.1f} MB ({:.1f} B a cell)  {:3.0f} % of the tiles  {} iterations |", r.n, r.variant,
                       1e3 * r.frames.seconds, double(r.frames.memory) / 1e6, double(r.fields) / (double(n) * n * n), 100 * r.frames.stats.number("active_fraction"),
                       int(r.frames.stats.number("pressure.iterations")));
            for (const auto& [name, seconds] : r.frames.stats.seconds.entries()) fmt::print(" {} {:.1f}", name, 1e3 * seconds);
            fmt::print("\n");
        }
    if (options.json) {
        // The object itself describes the full step at 128 (or at the size asked for); the rows hold every size and variant.
        const auto chosen = std::find_if(rows.begin(), rows.end(), [](const Row& r) { return r.n == 128 && r.variant == "full"; });
        const Row& main = chosen != rows.end() ? *chosen : rows.front();
        fmt::print("{}\n", described(main).text("bench", "smoke").raw("rows", json::array(rows, row_json)).str());
    }
    return 0;
}

}  // namespace phlo::bench
