#include "render.h"

#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <memory>

#include "base/json.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "render/path.h"
#include "render/photon_render.h"

namespace phlo::bench {
namespace {

struct Row {
    std::string quality;
    double seconds = 0;
    double noise = 0;  ///< of one picture, relative to the mean; 0 if nothing is random
    std::size_t memory = 0;
};

/// Billows without a random number: a few waves across a ball.
double billows(const Vec3d& p, const Vec3d& center, double radius) {
    const double wave = std::sin(23 * p.x + 5 * p.z) * std::sin(19 * p.y - 7 * p.z) * std::sin(29 * p.z + 3 * p.x);
    const double x = length(p - center) / (radius * (1 + 0.2 * wave));
    return x < 1 ? 1 - x * x : 0;
}

field::Frame burning_cube(int n) {
    field::Frame frame;
    frame.domain = {.cells = {n, n, n}, .origin = {-0.5, -0.5, 0}, .h = 1.0 / n};
    auto density = std::make_shared<field::Grid>(field::Layout(frame.domain.cells));
    auto temperature = std::make_shared<field::Grid>(field::Layout(frame.domain.cells));
    parallel_for(n, [&](int k) {
        for (int j = 0; j < n; ++j)
            for (int i = 0; i < n; ++i) {
                const Vec3d p = frame.domain.cell_center(i, j, k);
                (*density)(i, j, k) = float(billows(p, {0, 0, 0.6}, 0.38));
                (*temperature)(i, j, k) = float(300 + 1700 * billows(p, {0, 0, 0.35}, 0.25));
            }
    });
    frame.scalars.push_back({.name = "density", .unit = "1", .background = 0, .grid = density});
    frame.scalars.push_back({.name = "temperature", .unit = "K", .background = 300, .grid = temperature});
    return frame;
}

double noise_of(const io::Image& a, const io::Image& b) {
    double squares = 0, sum = 0;
    for (std::size_t p = 0; p < a.pixels.size(); ++p)
        for (int c = 0; c < 3; ++c) {
            const double x = double(a.pixels[p][c]), y = double(b.pixels[p][c]);
            squares += (x - y) * (x - y), sum += 0.5 * (x + y);
        }
    const double count = 3 * double(a.pixels.size());
    return std::sqrt(squares / count / 2) / (sum / count);
}

/// render(seed) gives a picture.
template <class Render>
Row measure(const std::string& quality, bool random, const Render& render) {
    const auto start = std::chrono::steady_clock::now();
    const io::Image image = render(1);
    Row row{quality, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(), 0, private_bytes()};
    if (random) row.noise = noise_of(image, render(2));
    return row;
}

std::string row_json(const Row& r) {
    return json::Object()
        .text("quality", r.quality)
        .number("seconds", r.seconds)
        .number("noise", r.noise)
        .number("memory_bytes", r.memory)
        .str();
}

}  // namespace

int bench_render(const BenchOptions& options) {
    using namespace render;
    const int n = options.resolution > 0 ? options.resolution : 128;
    const field::Frame frame = burning_cube(n);
    RenderParams look;
    look.sun.strength = 1, look.sky.strength = 0.1;
    const auto photons = [&](Quality quality) {
        return [&, quality](std::uint64_t seed) {
            PhotonRenderSettings settings = photon_settings(quality);
            settings.map.seed = seed, settings.denoise = false;
            return render_photons(RenderScene(frame, look), settings);
        };
    };
    std::vector<Row> rows;
    if (!options.json)
        fmt::print("a burning cube of {}^3 cells at {} x {}, {} threads, {}\n", n, look.width, look.height, thread_count(), PHLO_ARCH);
    const auto report = [&](Row row) {
        if (!options.json)
            fmt::print("{:6} {:8.2f} s   noise {:.4f}   {:6.1f} MB\n", row.quality, row.seconds, row.noise, double(row.memory) / 1e6);
        rows.push_back(std::move(row));
    };
    report(measure("draft", false, [&](std::uint64_t) {
        RenderScene scene(frame, look);
        return render_preview(scene, preview_settings(Quality::draft));
    }));
    report(measure("good", true, photons(Quality::good)));
    report(measure("final", true, photons(Quality::final)));
    report(measure("path", true, [&](std::uint64_t seed) { return render_path(RenderScene(frame, look), {.samples = 64, .seed = seed}); }));
    if (options.json)
        fmt::print("{}\n", json::Object().text("bench", "render").number("n", n).raw("rows", json::array(rows, row_json)).str());
    return 0;
}

}  // namespace phlo::bench
