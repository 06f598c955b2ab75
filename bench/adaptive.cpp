#include "adaptive.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/cpu.h"
#include "base/json.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "frames.h"
#include "io/plot.h"
#include "models/liquid/liquid_setup.h"
#include "scene/scene.h"

namespace phlo::bench {
namespace {

struct Mode {
    const char *name, *key;
};
constexpr Mode modes[] = {{"uniform", "none"}, {"surface", "surface"}, {"view", "view"}};
constexpr int frames = 24;

struct Row {
    const char* mode;
    int frame = 0;
    double unknowns = 0, seconds = 0, processor = 0, drift = 0;
    std::size_t memory = 0;   ///< of this process, less what it had before the model was made [bytes]
};

std::vector<Row> measure(const Mode& mode, int resolution) {
    scene::LoadOptions how{.overrides = {fmt::format("liquid.adapt.mode={}", mode.key)}};
    if (resolution > 0) how.overrides.push_back(fmt::format("domain.resolution={}", resolution));
    const scene::Scene scene = scene::load_scene("view-adaptive", how);
    const std::size_t before = private_bytes();
    const std::unique_ptr<models::Model> model = std::visit([&](const auto& setup) { return setup.make(scene.shot); }, scene.model);
    std::vector<Row> rows;
    for (int frame = 1; frame <= frames; ++frame) {
        const double start = processor_seconds();
        const auto begin = std::chrono::steady_clock::now();
        const models::FrameStats stats = model->advance(1 / scene.shot.time.fps);
        const field::Frame shown = model->show();
        rows.push_back({.mode = mode.name, .frame = frame, .unknowns = stats.number(mode.key == std::string_view("none") ? "liquid_cells" : "unknowns"), .seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count(), .processor = processor_seconds() - start,
                        .drift = stats.number("volume_drift"), .memory = private_bytes() - std::min(private_bytes(), before)});
    }
    return rows;
}

double sum(const std::vector<Row>& rows, double Row::* what) {
    double all = 0;
    for (const Row& row : rows) all += row.*what;
    return all;
}

void print(const std::vector<Row>& rows, const std::vector<Row>& uniform) {
    std::size_t memory = 0;
    double drift = 0;
    for (const Row& row : rows) memory = std::max(memory, row.memory), drift = std::abs(row.drift) > std::abs(drift) ? row.drift : drift;
    fmt::print("{:8} {:10.0f} unknowns (1/{:.1f}) {:7.3f} s a frame (1/{:.1f}), {:7.3f} s of processor (1/{:.1f}) {:7.1f} MB, drift {:+.2f} % at worst\n", rows.front().mode,
               sum(rows, &Row::unknowns) / frames, sum(uniform, &Row::unknowns) / sum(rows, &Row::unknowns), sum(rows, &Row::seconds) / frames,
               sum(uniform, &Row::seconds) / sum(rows, &Row::seconds), sum(rows, &Row::processor) / frames, sum(uniform, &Row::processor) / sum(rows, &Row::processor),
               double(memory) / 1e6, 100 * drift);
    std::fflush(stdout);
}

void draw(const std::filesystem::path& file, const std::vector<std::vector<Row>>& all) {
    io::Plot plot{.title = "Unknowns of the pressure's system", .x = {.label = "frame"}, .left = {.label = "unknowns", .scale = io::Scale::log}};
    for (const Row& row : all.front()) plot.abscissa.push_back(row.frame);
    for (const std::vector<Row>& rows : all) {
        io::PlotCurve& curve = plot.curves.emplace_back();
        curve.name = rows.front().mode;
        for (const Row& row : rows) curve.values.push_back(row.unknowns);
    }
    io::write_plot(file, plot);
}

std::string described(const Row& r) {
    return json::Object().text("mode", r.mode).number("frame", r.frame).number("unknowns", r.unknowns).number("seconds", r.seconds)
        .number("processor_seconds", r.processor).number("memory_bytes", r.memory).number("volume_drift", r.drift).str();
}

}  // namespace

int bench_adaptive(const BenchOptions& options) {
    if (!options.json) fmt::print("view-adaptive, {} frames, {} threads, {}\n", frames, thread_count(), name(compiled_for));
    std::vector<std::vector<Row>> all;
    for (const Mode& mode : modes) {
        all.push_back(measure(mode, options.resolution));
        if (!options.json) print(all.back(), all.front());
    }
    if (!options.keep.empty()) draw(std::filesystem::path(options.keep) / "adaptive.svg", all);
    if (options.json) {
        std::vector<Row> rows;
        for (const std::vector<Row>& some : all) rows.insert(rows.end(), some.begin(), some.end());
        fmt::print("{}\n", json::Object().text("bench", "adaptive").number("threads", thread_count()).text("cpu", name(compiled_for)).raw("rows", json::array(rows, described)).str());
    }
    return 0;
}

}  // namespace phlo::bench
