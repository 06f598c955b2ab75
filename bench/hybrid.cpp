#include "hybrid.h"

#include <algorithm>
#include <array>
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

/// Step by step the larger one: the frames in which the steps took longest need not be the same.
Steps larger(const Steps& a, const Steps& b) {
    return {std::max(a.velocity, b.velocity), std::max(a.transport, b.transport), std::max(a.particles, b.particles), std::max(a.kinetics, b.kinetics),
            std::max(a.forces, b.forces)};
}

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
    Steps mean = {}, max = {};
    std::map<std::string, double> particles = {}, most_particles = {}; ///< mean, and largest
    std::size_t memory = 0, chemistry_memory = 0;
    int frames = 0;
    double substeps = 0, active = 0;      ///< mean, a frame
    double of_smoke = 0;                  ///< times as long as the same frames as plain smoke; 0: not measured
};

/// The paper's own figures, 3.2 GHz Pentium 4: seconds by step.
struct Published {
    std::string scene, method;
    int resolution;
    Steps mean, max;
    std::array<double, 3> particles, most_particles;   ///< material, soot, vortex
    double megabytes;
};
const Published published[] = {
    {"campfire", "hybrid", 180, {145.01, 136.26, 0.03, 1.35, 1.93}, {145.86, 137.20, 0.05, 1.58, 2.06}, {2026, 0, 55}, {2378, 0, 94}, 0},
    {"explosion-1", "hybrid", 200, {163.66, 151.64, 4.45, 0.52, 3.31}, {164.27, 152.23, 10.08, 13.02, 4.00}, {119, 176594, 584}, {3999, 400162, 886}, 0},
    {"explosion-2", "hybrid", 220, {224.29, 207.17, 0.22, 0.44, 10.96}, {225.75, 208.48, 0.50, 6.31, 14.84}, {116, 7487, 636}, {2998, 17887, 717}, 0},
    {"explosion-1", "grid", 80, {13.61, 13.65, 0, 23.91, 0.17}, {13.80, 13.81, 0, 32.59, 0.20}, {}, {}, 78.16},
    {"explosion-1", "grid", 120, {49.61, 48.70, 0, 127.36, 0.56}, {49.88, 48.83, 0, 160.55, 0.64}, {}, {}, 263.67},
    {"explosion-1", "grid", 160, {121.33, 119.86, 0, 213.22, 1.27}, {121.92, 120.42, 0, 324.16, 1.41}, {}, {}, 625.00},
    {"explosion-1", "hybrid", 80, {13.40, 13.00, 0.27, 0.08, 0.74}, {13.59, 13.31, 0.58, 5.64, 0.78}, {415, 71554, 942}, {3999, 191015, 1047}, 39.14},
    {"explosion-1", "hybrid", 120, {50.42, 46.85, 0.81, 1.10, 2.06}, {50.78, 47.34, 2.09, 9.42, 2.27}, {413, 81652, 1055}, {3997, 214923, 1172}, 131.89},
    {"explosion-1", "hybrid", 160, {119.73, 114.78, 1.59, 1.89, 4.96}, {121.09, 116.48, 4.42, 15.94, 5.42}, {412, 109202, 1082}, {3998, 309046, 1206}, 312.57},
    {"explosion-1", "hybrid", 240, {283.24, 234.32, 2.60, 3.18, 18.22}, {287.44, 237.89, 7.58, 26.16, 20.17}, {418, 131638, 1024}, {3998, 373537, 1601}, 1054.83},
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
    row.max = larger(row.max, steps_of(stats.seconds));
    for (const auto& [kind, count] : stats.particles) {
        row.particles[kind] += double(count);
        row.most_particles[kind] = std::max(row.most_particles[kind], double(count));
    }
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

/// A line of the paper's tables.
void print_steps(const char* who, const Steps& s, const std::array<double, 3>& particles) {
    fmt::print("    {:11} {:9.3f} {:9.3f} {:9.3f} {:9.3f} {:9.3f} {:10.3f} {:10.0f} {:9.0f} {:9.0f}\n", who, s.velocity, s.transport, s.particles, s.kinetics,
               s.forces, s.total(), particles[0], particles[1], particles[2]);
}

std::array<double, 3> by_kind(const std::map<std::string, double>& particles) {
    std::array<double, 3> numbers{};
    std::size_t n = 0;
    for (const char* kind : {"material", "soot", "vortex"}) {
        const auto found = particles.find(kind);
        numbers[n++] = found == particles.end() ? 0 : found->second;
    }
    return numbers;
}

void print(const Row& row, bool cube) {
    fmt::print("{} {} x {} x {}, {}: {} frames, {:.1f} sub-steps each, {:.0f} % of the tiles active", row.scene, row.cells.x, row.cells.y, row.cells.z,
               row.method, row.frames, row.substeps, 100 * row.active);
    if (row.of_smoke > 0) fmt::print("; {:.2f} times plain smoke", row.of_smoke);
    fmt::print("; {:.0f} MB, of which {:.1f} for chemistry", double(row.memory) / 1e6, double(row.chemistry_memory) / 1e6);
    const Published* paper = in_the_paper(row, cube);
    if (paper && paper->megabytes > 0) fmt::print(" (paper: {:.0f} MB)", paper->megabytes);
    fmt::print("; steps 3 and 4 are {:.1f} %\n", 100 * (row.mean.particles + row.mean.kinetics) / row.mean.total());
    fmt::print("    {:11} {:>9} {:>9} {:>9} {:>9} {:>9} {:>10} {:>10} {:>9} {:>9}\n", "", "Step 1", "Step 2", "Step 3", "Step 4", "Step 5", "all five", "material", "soot", "vortex");
    print_steps("ours, mean", row.mean, by_kind(row.particles));
    print_steps("ours, max", row.max, by_kind(row.most_particles));
    if (!paper) return void(std::fflush(stdout));
    print_steps("paper, mean", paper->mean, paper->particles);
    print_steps("paper, max", paper->max, paper->most_particles);
    std::fflush(stdout);
}

std::string row_json(const Row& row) {
    const auto seconds = [](const Steps& s) {
        return json::Object().number("velocity", s.velocity).number("transport", s.transport).number("particles", s.particles)
            .number("kinetics", s.kinetics).number("forces", s.forces).number("total", s.total()).str();
    };
    const auto particles = [](const std::array<double, 3>& n) { return json::Object().number("material", n[0]).number("soot", n[1]).number("vortex", n[2]).str(); };
    return json::Object()
        .text("scene", row.scene)
        .text("resolution", fmt::format("{}x{}x{}", row.cells.x, row.cells.y, row.cells.z))
        .text("method", row.method)
        .raw("seconds", seconds(row.mean))
        .raw("max_seconds", seconds(row.max))
        .raw("particles", particles(by_kind(row.particles)))
        .raw("max_particles", particles(by_kind(row.most_particles)))
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
    // Table 1: scenes at their own size and over all their frames, and the same frames as plain smoke.
    for (const char* scene : {"campfire", "explosion-1", "explosion-2"}) {
        const models::TimeParams time = scene_of(scene, "hybrid", options.resolution, false).shot.time;
        auto [smoke, hybrid] = measure_beside_smoke(scene, options.resolution, 0, time.last_frame - time.first_frame);
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
