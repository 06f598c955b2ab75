#include "hybrid.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include "base/cpu.h"
#include "base/json.h"
#include "base/parallel.h"
#include "models/gas/gas.h"
#include "scene/scene.h"

namespace phlo::bench {
namespace {

using models::GasMethod;

/// The five steps of the paper: 1 velocity, 2 density and temperature, 3 particles, 4 kinetics, 5 forces and divergence.
struct Steps {
    double velocity = 0, transport = 0, particles = 0, kinetics = 0, forces = 0;
    double total() const { return velocity + transport + particles + kinetics + forces; }
};

Steps steps_of(const StageTimes& times) {
    const auto seconds = [&](std::initializer_list<const char*> stages) {
        double sum = 0;
        for (const char* stage : stages) sum += times.seconds(stage);
        return sum;
    };
    return {.velocity = seconds({"activity", "velocity", "pressure"}),
            .transport = seconds({"sources", "transport", "decay"}),
            .particles = seconds({"particles"}),
            .kinetics = seconds({"kinetics"}),
            .forces = seconds({"forces"})};
}

struct Row {
    std::string scene, method;
    Vec3i cells;
    Steps mean = {};
    std::map<std::string, double> particles = {}; ///< mean
    std::size_t memory = 0, chemistry_memory = 0;
    int frames = 0;
    double substeps = 0, active = 0;      ///< mean, a frame
    double of_smoke = 0;                  ///< times as long as the same frames as plain smoke; 0: not measured
};

/// The paper's own figures, 3.2 GHz Pentium 4: seconds by step.
struct Published {
    std::string scene, method;
    int resolution;
    Steps mean;
    double material, soot, vortex, megabytes;
};
const Published published[] = {
    {"campfire", "hybrid", 180, {145.01, 136.26, 0.03, 1.35, 1.93}, 2026, 0, 55, 0},
    {"explosion-1", "hybrid", 200, {163.66, 151.64, 4.45, 0.52, 3.31}, 119, 176594, 584, 0},
    {"explosion-2", "hybrid", 220, {224.29, 207.17, 0.22, 0.44, 10.96}, 116, 7487, 636, 0},
    {"explosion-1", "grid", 80, {13.61, 13.65, 0, 23.91, 0.17}, 0, 0, 0, 78.16},
    {"explosion-1", "grid", 120, {49.61, 48.70, 0, 127.36, 0.56}, 0, 0, 0, 263.67},
    {"explosion-1", "grid", 160, {121.33, 119.86, 0, 213.22, 1.27}, 0, 0, 0, 625.00},
    {"explosion-1", "hybrid", 80, {13.40, 13.00, 0.27, 0.08, 0.74}, 415, 71554, 942, 39.14},
    {"explosion-1", "hybrid", 120, {50.42, 46.85, 0.81, 1.10, 2.06}, 413, 81652, 1055, 131.89},
    {"explosion-1", "hybrid", 160, {119.73, 114.78, 1.59, 1.89, 4.96}, 412, 109202, 1082, 312.57},
    {"explosion-1", "hybrid", 240, {283.24, 234.32, 2.60, 3.18, 18.22}, 418, 131638, 1024, 1054.83},
};

const Published* in_the_paper(const Row& row, bool cube) {
    for (const Published& p : published) {
        const int longest = std::max({row.cells.x, row.cells.y, row.cells.z});
        const bool table2 = p.megabytes > 0;
        if (p.scene == row.scene && p.method == row.method && p.resolution == longest && table2 == cube) return &p;
    }
    return nullptr;
}

scene::Scene scene_of(const std::string& scene, const std::string& method, int resolution, bool cube) {
    scene::LoadOptions options{.overrides = {"gas.method=" + method}};
    if (resolution > 0) options.overrides.push_back(fmt::format("domain.resolution={}", resolution));
    if (cube) options.overrides.push_back("domain.size=[16, 16, 16]");
    return scene::load_scene(scene, options);
}

models::Gas gas_of(const scene::Scene& scene) { return {scene.shot, std::get<models::GasSetup>(scene.model)}; }

/// Adds a frame's figures to a row.
void record(const models::FrameStats& stats, const models::Gas& gas, StageTimes& times, Row& row) {
    times.add(stats.seconds);
    for (const auto& [kind, count] : stats.particles) row.particles[kind] += double(count);
    row.memory = std::max(row.memory, gas.bytes());
    row.chemistry_memory = std::max(row.chemistry_memory, gas.chemistry_bytes());
    row.substeps += stats.substeps, row.active += stats.number("active_fraction");
    ++row.frames;
}

void take_means(const StageTimes& times, Row& row) {
    const Steps sum = steps_of(times);
    const double n = row.frames;
    row.mean = {sum.velocity / n, sum.transport / n, sum.particles / n, sum.kinetics / n, sum.forces / n};
    for (auto& [kind, count] : row.particles) count /= n;
    row.substeps /= n, row.active /= n;
}

/// `first`: frames that are simulated but not counted, until a fed fire burns.
Row measure(const std::string& scene, const std::string& method, int resolution, bool cube, int first, int frames) {
    const scene::Scene shot = scene_of(scene, method, resolution, cube);
    models::Gas gas = gas_of(shot);
    Row row{.scene = scene, .method = method, .cells = gas.domain().cells};
    StageTimes times;
    for (int f = 0; f < first + frames; ++f) {
        const models::FrameStats stats = gas.advance(1 / shot.shot.time.fps);
        if (f >= first) record(stats, gas, times, row);
    }
    take_means(times, row);
    return row;
}

/// What a smoke simulation of the moment would start from: the flow, the heat, and as density what is seen.
void show_as_smoke(models::Gas& gas, models::Gas& smoke) {
    smoke.velocity() = gas.velocity();
    smoke.excess_temperature() = gas.excess_temperature();
    smoke.density() = gas.substances().front().amount;
}

/// A reacting gas, and the same frames as plain smoke: before each of them the smoke takes over the gas's velocity, temperature and density,
/// and makes the frame in as many sub-steps, with the same bodies and transport. So the flow is as fast and as wide in both, and what
/// differs is the chemistry. The two take turns, so that whatever else the computer does slows down both.
std::pair<Row, Row> measure_beside_smoke(const std::string& scene, int resolution, int first, int frames) {
    const scene::Scene shot = scene_of(scene, "hybrid", resolution, false);
    models::Gas gas = gas_of(shot), smoke = gas_of(scene_of(scene, "smoke", resolution, false));
    std::pair<Row, Row> rows{{.scene = scene, .method = "smoke", .cells = gas.domain().cells}, {.scene = scene, .method = "hybrid", .cells = gas.domain().cells}};
    StageTimes of_gas, of_smoke;
    const double frame = 1 / shot.shot.time.fps;
    for (int f = 0; f < first + frames; ++f) {
        if (f >= first) show_as_smoke(gas, smoke);
        const models::FrameStats stats = gas.advance(frame);
        if (f < first) continue;
        record(stats, gas, of_gas, rows.second);
        models::FrameStats sum;
        double active = 0;
        for (int s = 0; s < stats.substeps; ++s) {
            const models::FrameStats part = smoke.advance(frame / stats.substeps);
            sum.seconds.add(part.seconds);
            sum.substeps += part.substeps, active += part.number("active_fraction");
        }
        sum.numbers = {{"active_fraction", active / stats.substeps}};
        record(sum, smoke, of_smoke, rows.first);
    }
    take_means(of_gas, rows.second), take_means(of_smoke, rows.first);
    rows.second.of_smoke = rows.second.mean.total() / rows.first.mean.total();
    return rows;
}

void print_steps(const char* who, const Steps& s, double material, double soot, double vortex, double megabytes, double chemistry) {
    fmt::print("    {:9} 1 velocity {:8.3f}  2 transport {:8.3f}  3 particles {:6.3f}  4 kinetics {:7.3f}  5 forces {:6.3f}  total {:8.3f} s"
               "  steps 3+4 {:4.1f} %  {:.0f} / {:.0f} / {:.0f} particles",
               who, s.velocity, s.transport, s.particles, s.kinetics, s.forces, s.total(), 100 * (s.particles + s.kinetics) / s.total(), material, soot,
               vortex);
    if (megabytes > 0) fmt::print("  {:.0f} MB", megabytes);
    if (chemistry > 0) fmt::print(" ({:.1f} MB for chemistry)", chemistry);
    fmt::print("\n");
}

double mean_of(const Row& row, const char* kind) {
    const auto found = row.particles.find(kind);
    return found == row.particles.end() ? 0 : found->second;
}

void print(const Row& row, bool cube) {
    fmt::print("{} {} x {} x {}, {}: {} frames, {:.1f} sub-steps each, {:.0f} % of the tiles active", row.scene, row.cells.x, row.cells.y, row.cells.z,
               row.method, row.frames, row.substeps, 100 * row.active);
    if (row.of_smoke > 0) fmt::print("; {:.2f} times plain smoke", row.of_smoke);
    fmt::print("\n");
    print_steps("ours", row.mean, mean_of(row, "material"), mean_of(row, "soot"), mean_of(row, "vortex"), double(row.memory) / 1e6,
                double(row.chemistry_memory) / 1e6);
    if (const Published* p = in_the_paper(row, cube)) print_steps("paper", p->mean, p->material, p->soot, p->vortex, p->megabytes, 0);
    std::fflush(stdout);
}

std::string row_json(const Row& row) {
    json::Object seconds, particles;
    seconds.number("velocity", row.mean.velocity).number("transport", row.mean.transport).number("particles", row.mean.particles);
    seconds.number("kinetics", row.mean.kinetics).number("forces", row.mean.forces).number("total", row.mean.total());
    for (const char* kind : {"material", "soot", "vortex"}) particles.number(kind, mean_of(row, kind));
    return json::Object()
        .text("scene", row.scene)
        .text("resolution", fmt::format("{}x{}x{}", row.cells.x, row.cells.y, row.cells.z))
        .text("method", row.method)
        .raw("seconds", seconds.str())
        .raw("particles", particles.str())
        .number("memory_bytes", row.memory)
        .number("chemistry_memory_bytes", row.chemistry_memory)
        .number("frames", row.frames)
        .number("substeps", row.substeps)
        .number("active_fraction", row.active)
        .number("times_smoke", row.of_smoke)
        .str();
}

}  // namespace

int bench_hybrid(const BenchOptions& options) {
    if (!options.json) fmt::print("reacting gas, seconds a frame, {} threads, {}; the paper's are of a 3.2 GHz Pentium 4\n", thread_count(), name(compiled_for));
    std::vector<Row> rows;
    const auto add = [&](Row row, bool cube) {
        if (!options.json) print(row, cube);
        rows.push_back(std::move(row));
    };
    // Table 1: scenes at their own size, and the same frames as plain smoke.
    for (const char* scene : {"campfire", "explosion-1", "explosion-2"}) {
        const bool fed = std::string(scene) == "campfire";
        auto [smoke, hybrid] = measure_beside_smoke(scene, options.resolution, fed ? 24 : 0, 24);
        add(std::move(smoke), false), add(std::move(hybrid), false);
    }
    // Table 2: the first explosion in a cube, both methods. The paper's largest grid is for the hybrid alone; here both get a shorter run.
    const std::vector<int> sizes = options.resolution > 0 ? std::vector<int>{options.resolution} : std::vector<int>{80, 120, 160, 240};
    for (const int n : sizes)
        for (const char* method : {"grid", "hybrid"}) add(measure("explosion-1", method, n, true, 0, n > 200 ? 8 : 24), true);
    if (options.json) fmt::print("{}\n", json::Object().text("bench", "hybrid").raw("rows", json::array(rows, row_json)).str());
    return 0;
}

}  // namespace phlo::bench
