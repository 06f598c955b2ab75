#include "render.h"

#include <fmt/format.h>
#include <sys/resource.h>

#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <memory>
#include <optional>

#include "base/cpu.h"
#include "base/error.h"
#include "base/json.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "io/vdb.h"
#include "optics/black_body.h"
#include "render/film/film.h"
#include "render/path.h"
#include "render/photons/photon_render.h"

namespace phlo::bench {
namespace {

using namespace render;

struct Row {
    std::string quality;
    int samples = 0, photons = 0;
    double seconds = 0, processor = 0;  ///< of the clock, and of all cores together
    double busy = 0;  ///< share of the time for which every thread had work, whether or not the machine let it run
    std::optional<double> noise = {};  ///< none if nothing is random
    double mean = 0;
    std::size_t memory = 0;
    StageTimes stages = {};
};

/// Billows without a random number: a few waves across a ball.
double billows(const Vec3d& p, const Vec3d& center, double radius) {
    const double wave = std::sin(23 * p.x + 5 * p.z) * std::sin(19 * p.y - 7 * p.z) * std::sin(29 * p.z + 3 * p.x);
    const double x = length(p - center) / (radius * (1 + 0.2 * wave));
    return x < 1 ? 1 - x * x : 0;
}

/// Cells of 1 / n m. `wide`: in a domain that is so many times as large each way, the rest of it empty.
field::Frame burning_cube(int n, int wide = 1) {
    field::Frame frame;
    const int all = n * wide;
    const field::Domain domain{.cells = {all, all, all}, .origin = {-0.5 * wide, -0.5 * wide, 0}, .h = 1.0 / n};
    auto density = std::make_shared<field::Grid>(field::Layout(domain.cells));
    auto temperature = std::make_shared<field::Grid>(field::Layout(domain.cells));
    parallel_for(all, [&](int k) {
        for (int j = 0; j < all; ++j)
            for (int i = 0; i < all; ++i) {
                const Vec3d p = domain.cell_center(i, j, k);
                (*density)(i, j, k) = float(billows(p, {0, 0, 0.6}, 0.38));
                (*temperature)(i, j, k) = float(300 + 1700 * billows(p, {0, 0, 0.35}, 0.25));
            }
    });
    frame.world = domain.bounds();
    frame.volumes.push_back({.name = "density", .unit = "1", .domain = domain, .room = domain, .grid = density});
    frame.volumes.push_back({.name = "temperature", .unit = "K", .background = 300, .domain = domain, .room = domain, .grid = temperature});
    return frame;
}

RenderParams dusk() {
    RenderParams look;
    look.camera.position = Curve<Vec3d>(Vec3d(1.3, -2.4, 0.9));
    look.camera.target = Curve<Vec3d>(Vec3d(0, 0, 0.45));
    look.camera.fov = 28.0;
    look.sun.strength = 1;
    look.sky = {.zenith = Vec3f(1.f), .horizon = Vec3f(1.f), .strength = 0.1};
    look.background = Vec3f(0.1f);
    look.ground = {.visible = true, .height = 0.0, .color = Vec3f(0.2f)};
    look.smoke = {.color = Vec3f(0.8f), .extinction = 45.0, .anisotropy = 0.35};
    look.fire.absorption = 12;
    return look;
}

/// What another renderer needs to know of the look; see bench/cycles.py.
std::string look_json(const RenderParams& look) {
    const auto vec = [](const auto& v) { return json::numbers(std::array{v.x, v.y, v.z}); };
    const optics::BlackBody light({.white = look.fire.temperature,
                                   .adaptation = look.fire.adaptation,
                                   .contrast = look.fire.contrast,
                                   .shortest = look.fire.shortest,
                                   .longest = look.fire.longest,
                                   .emissivity_slope = 1});
    constexpr int points = 32;
    std::vector<std::string> table;
    for (int n = 0; n < points; ++n) {
        const double t = look.fire.min_temperature + (2100 - look.fire.min_temperature) * n / (points - 1);
        const double x = std::clamp((t - look.fire.min_temperature) / 250, 0.0, 1.0), heat = x * x * (3 - 2 * x);
        const Vec3f rgb = light(float(t)) * float(look.fire.brightness * heat);
        table.push_back(json::numbers(std::array{t, double(rgb.x), double(rgb.y), double(rgb.z), heat}));
    }
    const Lights lights(look);
    return json::Object()
        .number("width", look.width)
        .number("height", look.height)
        .raw("camera", json::Object()
                           .raw("position", vec((*look.camera.position)(0)))
                           .raw("target", vec((*look.camera.target)(0)))
                           .number("fov", look.camera.fov(0))
                           .str())
        .raw("sun", json::Object()
                        .raw("to", vec(lights.to_sun))
                        .number("strength", look.sun.strength)
                        .raw("color", vec(look.sun.color))
                        .number("size", look.sun.size)
                        .str())
        .raw("sky", vec(lights.zenith))
        .raw("ground", json::Object().number("height", *look.ground.height).raw("color", vec(look.ground.color)).str())
        .raw("smoke", json::Object()
                          .raw("albedo", vec(look.smoke.color))
                          .number("extinction", *look.smoke.extinction)
                          .number("anisotropy", look.smoke.anisotropy)
                          .str())
        .raw("fire", json::Object().number("absorption", *look.fire.absorption).raw("table", json::array(table)).str())
        .str();
}

double mean_of(const io::Image& image) {
    double sum = 0;
    for (const Vec3f& p : image.pixels) sum += double(p.x) + double(p.y) + double(p.z);
    return sum / (3 * double(image.pixels.size()));
}

double noise_of(const io::Image& a, const io::Image& b) {
    double squares = 0;
    for (std::size_t p = 0; p < a.pixels.size(); ++p)
        for (int c = 0; c < 3; ++c) squares += std::pow(double(a.pixels[p][c]) - double(b.pixels[p][c]), 2);
    return std::sqrt(squares / (3 * double(a.pixels.size()))) / (0.5 * (mean_of(a) + mean_of(b)));
}

double processor_seconds() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    const auto seconds = [](const timeval& t) { return double(t.tv_sec) + 1e-6 * double(t.tv_usec); };
    return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

/// Time for which threads of this process ran or waited for a core [s].
double runnable_seconds() {
    double sum = 0;
    for (const auto& thread : std::filesystem::directory_iterator("/proc/self/task")) {
        double ran = 0, waited = 0;
        std::ifstream(thread.path() / "schedstat") >> ran >> waited;
        sum += 1e-9 * (ran + waited);
    }
    return sum;
}

/// Reads the frame and makes pictures of it.
class Studio {
public:
    Studio(std::filesystem::path folder, const RenderParams& look, bool keep, std::string file = "frame.vdb")
        : folder_(std::move(folder)), file_(std::move(file)), look_(look), keep_(keep) {}

    /// render(scene, seed, times) gives a picture.
    template <class Render>
    Row measure(Row row, bool random, const Render& render) const {
        std::ofstream("/proc/self/clear_refs") << "5";  // the peak of memory is this row's own
        const double processor = processor_seconds(), runnable = runnable_seconds();
        const auto start = std::chrono::steady_clock::now();
        const io::Image image = picture(render, 1, row.stages);
        row.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        row.processor = processor_seconds() - processor;
        row.busy = (runnable_seconds() - runnable) / row.seconds / thread_count();
        row.memory = peak_resident_bytes();
        row.mean = mean_of(image);
        StageTimes unused;
        if (random) row.noise = noise_of(image, picture(render, 2, unused));
        if (keep_) {
            io::write_exr(folder_ / (row.quality + ".exr"), image, {}, io::ExrDepth::full);
            io::write_png(folder_ / (row.quality + ".png"), develop(image, {.exposure = look_.exposure}));
        }
        return row;
    }

private:
    template <class Render>
    io::Image picture(const Render& render, std::uint64_t seed, StageTimes& times) const {
        const field::Frame frame = [&] {
            const Stage stage(times, "read");
            return io::read_frame(folder_ / file_, {.velocity = false, .occupied = true});
        }();
        RenderScene scene = [&] {
            const Stage stage(times, "volume");
            return RenderScene(frame, look_);
        }();
        return render(scene, seed, times);
    }

    std::filesystem::path folder_;
    std::string file_;
    const RenderParams& look_;
    bool keep_;
};

void print_row(const Row& r) {
    fmt::print("{:6} {:8.2f} s ({:.2f} s of processor)   threads had work {:3.0f} %   noise {}   mean {:.4f}   peak {:6.1f} MB |",
               r.quality, r.seconds, r.processor, 100 * r.busy, r.noise ? fmt::format("{:.4f}", *r.noise) : "     -", r.mean,
               double(r.memory) / 1e6);
    for (const auto& [name, seconds] : r.stages.entries()) fmt::print(" {} {:.2f}", name, seconds);
    fmt::print("\n");
    std::fflush(stdout);
}

std::string row_json(const Row& r) {
    json::Object stages;
    for (const auto& [name, seconds] : r.stages.entries()) stages.number(name, seconds);
    json::Object row;
    row.text("quality", r.quality).number("seconds", r.seconds).number("processor_seconds", r.processor).number("busy", r.busy);
    if (r.noise) row.number("noise", *r.noise);
    return row.number("mean", r.mean)
        .number("samples", r.samples)
        .number("photons", r.photons)
        .number("memory_bytes", r.memory)
        .raw("stages", stages.str())
        .str();
}

/// Its line of JSON; empty if Blender is not there or fails.
std::string run_cycles(const std::filesystem::path& folder) {
    const std::string command = fmt::format("blender -b --python '{}/bench/cycles.py' -- '{}' --threads {} 2>/dev/null", PHLO_SOURCE_DIR,
                                            folder.string(), thread_count());
    std::FILE* pipe = popen(command.c_str(), "r");
    std::string line, found;
    for (int c = pipe ? std::fgetc(pipe) : EOF; c != EOF; c = std::fgetc(pipe)) {
        if (c != '\n') {
            line += char(c);
            continue;
        }
        if (line.starts_with("{\"bench\": \"cycles\"")) found = line;
        line.clear();
    }
    if (pipe == nullptr || pclose(pipe) != 0) found.clear();
    if (found.empty()) fmt::print(stderr, "no Cycles to compare with: '{}' failed (Debian's package is blender)\n", command);
    return found;
}

}  // namespace

int bench_render(const BenchOptions& options) {
    const int n = options.resolution > 0 ? options.resolution : 128;
    const bool keep = !options.keep.empty();
    const auto folder = keep ? options.keep : std::filesystem::temp_directory_path() / "phlo_bench_render";
    std::filesystem::create_directories(folder);
    io::write_frame(folder / "frame.vdb", burning_cube(n));
    const RenderParams look = dusk();
    std::ofstream(folder / "look.json") << look_json(look) << "\n";

    if (!options.json)
        fmt::print("a burning cube of {}^3 cells at {} x {}, {} threads, {}\n", n, look.width, look.height, thread_count(), name(compiled_for));
    const Studio studio(folder, look, keep);
    std::vector<Row> rows;
    const auto report = [&](Row row) {
        if (!options.json) print_row(row);
        rows.push_back(std::move(row));
    };
    report(studio.measure({.quality = "draft", .samples = preview_settings(Quality::draft).samples}, false,
                          [](RenderScene& scene, std::uint64_t, StageTimes& times) {
                              return render_preview(scene, preview_settings(Quality::draft), &times);
                          }));
    const auto photons = [&](const Studio& of, Quality quality, const char* name) {
        PhotonRenderSettings settings = photon_settings(quality);
        settings.denoise = false;
        report(of.measure({.quality = name, .samples = settings.samples, .photons = settings.map.photons}, true,
                          [&](RenderScene& scene, std::uint64_t seed, StageTimes& times) {
                              settings.map.seed = seed;
                              return render_photons(scene, settings, &times);
                          }));
    };
    photons(studio, Quality::good, "good");
    // Empty space costs nothing: the same fire in a domain of eight times as many cells, twice as large each way.
    io::write_frame(folder / "wide.vdb", burning_cube(n, 2));
    photons(Studio(folder, look, keep, "wide.vdb"), Quality::good, "wide");
    photons(studio, Quality::final, "final");
    constexpr int path_samples = 4;
    report(studio.measure({.quality = "path", .samples = path_samples}, true, [](RenderScene& scene, std::uint64_t seed, StageTimes&) {
        return render_path(scene, {.samples = path_samples, .seed = seed});
    }));
    const std::string cycles = options.cycles ? run_cycles(folder) : "";
    if (!options.json && !cycles.empty()) fmt::print("{}\n", cycles);
    if (options.json) {
        json::Object all;
        all.text("bench", "render").number("n", n).number("threads", thread_count()).raw("rows", json::array(rows, row_json));
        if (!cycles.empty()) all.raw("cycles", cycles);
        fmt::print("{}\n", all.str());
    }
    if (!keep) std::filesystem::remove_all(folder);
    return 0;
}

}  // namespace phlo::bench
