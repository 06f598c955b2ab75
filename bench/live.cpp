#include "live.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <limits>
#include <vector>

#include "base/cpu.h"
#include "base/json.h"
#include "base/parallel.h"
#include "base/random.h"
#include "base/stage.h"
#include "frames.h"
#include "geom/body.h"
#include "render/film/film.h"
#include "render/live/live_renderer.h"

namespace phlo::bench {
namespace {

using namespace render;

constexpr int pictures = 12;

/// A number between -1.5 and 1.5 with a deviation of 1/2: three even ones.
float bell(const std::array<float, 4>& u) { return u[0] + u[1] + u[2] - 1.5f; }

/// A flame that thins out upwards; streaks are about 19 mm long and reach 5.5 mm to either side: 9 and 2.5 pixels.
field::Frame torch(int count, int number) {
    field::Points points{.name = "fire"};
    std::vector<float> composition;
    for (int n = 0; n < count; ++n) {
        const auto u = uniform4({.seed = 1}, std::uint32_t(n)), a = uniform4({.seed = 2}, std::uint32_t(n)), b = uniform4({.seed = 3}, std::uint32_t(n));
        const float height = 1.6f * std::fmod(-0.3f * std::log(1 - 0.98f * u[0]) + 0.02f * float(number), 1.f), wide = 0.12f * (0.6f + 1.2f * height);
        points.position.push_back({wide * bell(a), wide * bell(b), height});
        points.velocity.push_back({0.3f * bell(b), 0.3f * bell(a), 1 + 0.3f * u[1]});
        points.radius.push_back(0.004f + 0.003f * u[2]);
        composition.push_back(u[3] * std::exp(-height));
    }
    points.columns["composition"] = composition;
    field::Frame frame{.number = number, .time = number / 30.0, .world = field::Bounds{{-0.8, -0.8, 0}, {0.8, 0.8, 1.7}}};
    frame.points.push_back(std::move(points));
    return frame;
}

/// Fuel at a ball, flame around and above it, smoke on top, where another ball rises.
field::Frame balls(int count, int number) {
    field::Points points{.name = "tracers"};
    std::vector<float> fuel, flame, smoke, kelvin, lit;
    for (int n = 0; n < count; ++n) {
        const auto u = uniform4({.seed = 4}, std::uint32_t(n)), a = uniform4({.seed = 5}, std::uint32_t(n));
        const float age = std::fmod(u[0] + 0.02f * float(number), 1.f), angle = 6.2831853f * u[1], wide = 0.14f * (1 - 0.3f * age) + 0.15f * age * age;
        points.position.push_back({wide * std::cos(angle) + 0.04f * bell(a), wide * std::sin(angle) + 0.04f * (u[2] - 0.5f), 0.25f + 1.3f * age});
        points.radius.push_back(0.008f);
        const float burnt = std::min(1.f, 5 * age), cold = std::clamp(2 * age - 0.8f, 0.f, 1.f);
        fuel.push_back(1 - burnt), flame.push_back(burnt * (1 - cold)), smoke.push_back(burnt * cold);
        kelvin.push_back(700 + 800 * burnt * std::exp(-age)), lit.push_back(age < 0.05f ? 1.f : 0.f);
    }
    points.columns = {{"fuel", fuel}, {"flame", flame}, {"smoke", smoke}, {"temperature", kelvin}, {"lit", lit}};
    field::Frame frame{.number = number, .time = number / 30.0, .world = field::Bounds{{-1, -1, 0}, {1, 1, 1.9}}};
    frame.points.push_back(std::move(points));
    const auto ball = [&](const char* name, double z, double radius) {
        const geom::Body body{.name = name, .shape = geom::Sphere{.radius = radius}, .motion = {.position = Curve<Vec3d>(Vec3d(0, 0, z))}};
        frame.surfaces.push_back(body.surface(0));
    };
    ball("lower", 0.3, 0.14), ball("upper", 0.85 + 0.01 * number, 0.11);
    return frame;
}

struct Row {
    std::string name;
    int particles = 0;
    double milliseconds = 0, processor = 0;            ///< of a whole picture, the smallest; and of all cores together
    double film = 0;                                   ///< 8-bit picture from radiance [ms]
    std::vector<std::pair<std::string, double>> stages = {};   ///< the smallest of each [ms]
};

template <class Make>
Row measure(const std::string& name, int particles, const RenderParams& look, const Make& make, const std::filesystem::path& keep) {
    Row row{.name = name, .particles = particles};
    row.milliseconds = row.processor = row.film = std::numeric_limits<double>::infinity();
    LiveRenderer live(look);
    io::Image image;
    for (int n = 0; n < pictures; ++n) {
        const field::Frame frame = make(particles, n);
        const double processor = processor_seconds();
        live.render(frame, image);
        row.processor = std::min(row.processor, 1e3 * (processor_seconds() - processor));
        row.milliseconds = std::min(row.milliseconds, 1e3 * live.times().total());
        const auto start = std::chrono::steady_clock::now();
        const io::DisplayImage picture = develop(image, {.exposure = look.exposure});
        row.film = std::min(row.film, 1e3 * std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
        for (const auto& [stage, seconds] : live.times().entries()) {
            const auto known = std::ranges::find(row.stages, stage, &std::pair<std::string, double>::first);
            if (known == row.stages.end()) row.stages.emplace_back(stage, 1e3 * seconds);
            else known->second = std::min(known->second, 1e3 * seconds);
        }
        if (!keep.empty()) {
            std::filesystem::create_directories(keep);
            io::write_png(keep / fmt::format("{}_{:02d}.png", name, n), picture);
        }
    }
    return row;
}

void print_row(const Row& r) {
    fmt::print("{:8} {:8} particles {:7.1f} ms ({:.1f} ms of processor), film {:.1f} ms |", r.name, r.particles, r.milliseconds, r.processor, r.film);
    for (const auto& [stage, ms] : r.stages) fmt::print(" {} {:.2f}", stage, ms);
    fmt::print("\n");
}

std::string row_json(const Row& r) {
    json::Object stages;
    for (const auto& [stage, ms] : r.stages) stages.number(stage, ms);
    return json::Object()
        .text("scene", r.name)
        .number("particles", r.particles)
        .number("milliseconds", r.milliseconds)
        .number("processor_milliseconds", r.processor)
        .number("film_milliseconds", r.film)
        .raw("stages", stages.str())
        .str();
}

}  // namespace

int bench_live(const BenchOptions& options) {
    RenderParams look;
    look.width = 1280, look.height = 720;
    look.sun.strength = 0.1, look.sky.strength = 0.03, look.background = Vec3f(0.005f);
    look.ground.color = Vec3f(0.3f);
    look.camera.target = Curve<Vec3d>(Vec3d(0, 0, 0.8));
    look.camera.position = Curve<Vec3d>(Vec3d(0, -3, 0.9));
    RenderParams walking = look;
    walking.camera.position = Curve<Vec3d>(std::vector<Curve<Vec3d>::Key>{{0.0, Vec3d(0, -3.4, 0.9)}, {1.0, Vec3d(2, -2.8, 0.9)}});

    if (!options.json) fmt::print("live pictures of {} x {}, {} threads, {}\n", look.width, look.height, thread_count(), name(compiled_for));
    const int thousand = 1000 * options.resolution;
    std::vector<Row> rows;
    rows.push_back(measure("streaks", thousand > 0 ? thousand : 300000, look, torch, options.keep));
    if (!options.json) print_row(rows.back());
    rows.push_back(measure("tracers", thousand > 0 ? thousand : 200000, walking, balls, options.keep));
    if (!options.json) print_row(rows.back());
    if (options.json)
        fmt::print("{}\n", json::Object()
                               .text("bench", "live")
                               .number("width", look.width)
                               .number("height", look.height)
                               .number("threads", thread_count())
                               .raw("rows", json::array(rows, row_json))
                               .str());
    return 0;
}

}  // namespace phlo::bench
