// Vortex fire: a step by stages, the lattice and the tree against the sum over all pairs, and the published table of frames by threads.
#include "vortex.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numbers>
#include <vector>

#include "base/cpu.h"
#include "base/json.h"
#include "base/parallel.h"
#include "base/random.h"
#include "models/vortex_fire/lattice_velocity.h"
#include "models/vortex_fire/node_samples.h"
#include "models/vortex_fire/tree_velocity.h"
#include "models/vortex_fire/vortex_fire.h"
#include "models/vortex_fire/vortex_splat.h"
#include "models/vortex_fire/vorticity_rates.h"
#include "scene/scene.h"
#include "vortex_tree.h"

namespace phlo::bench {
namespace {

using models::VortexVelocity;
using models::Vortons;

struct Row {
    std::string method;
    int threads = 0;
    double vortons = 0, tracers = 0;
    double milliseconds = 0;      ///< the fastest of several
    StageTimes stages;
    double error = 0;             ///< root mean square, relative to the direct sum's velocity; 0: not compared
};

double milliseconds_of(const auto& work) {
    const auto start = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

/// A ball of burning gas and what rises from it: a few more vortons than asked for, which all stay, and as many tracers, of which a quarter at most is gone early.
models::VortexFire burning(int vortons, int tracers, VortexVelocity velocity) {
    models::Shot shot;
    models::VortexSetup setup;
    setup.vortex.velocity = velocity;
    setup.vortex.spacing = vortons > 50'000 ? 0.016 : 0.025;
    setup.vortex.max_vortons = vortons * 3 / 2, setup.vortex.max_cells = 96.0 * 96 * 112;   // none is cut off
    setup.vortex.tracers = {.count = tracers / 3 * 4, .life = 1};
    setup.vortex.lift = 0.006;
    models::FireEmitter burner;
    burner.name = "burner";
    burner.shape = geom::Sphere{.radius = setup.vortex.spacing * std::cbrt(0.75 / std::numbers::pi * vortons)};
    burner.stir = vortons > 50'000 ? 0.0 : 5.0;   // of a source that is as large as the whole fire the noise would be most of the work
    setup.emitters = {burner};
    return models::VortexFire(shot, setup);
}

/// The fastest of `frames` frames after `warm_up` others, by the step.
Row measure(const std::string& method, models::VortexFire& fire, int warm_up, int frames, double seconds) {
    for (int f = 0; f < warm_up; ++f) fire.advance(seconds);
    Row row{.method = method, .threads = thread_count(), .vortons = 0, .tracers = 0, .milliseconds = 1e30, .stages = {}, .error = 0};
    for (int f = 0; f < frames; ++f) {
        const models::FrameStats stats = fire.advance(seconds);
        const double milliseconds = 1e3 * stats.seconds.total() / stats.substeps;
        if (milliseconds >= row.milliseconds) continue;
        row.milliseconds = milliseconds, row.stages = {};
        for (const auto& [name, spent] : stats.seconds.entries()) row.stages.add(name, spent / stats.substeps);
        row.vortons = double(stats.particles.at("vortons")), row.tracers = double(stats.particles.at("tracers"));
    }
    return row;
}

Row measure_step(const std::string& method, int vortons, int tracers, int threads, VortexVelocity velocity) {
    const ThreadLimit limit(threads);
    models::VortexFire fire = burning(vortons, tracers, velocity);
    const bool tree = velocity == VortexVelocity::tree;
    return measure(method, fire, tree ? 6 : 70, tree ? 3 : 20, 1.0 / 60);
}

/// The preset at its own counts.
Row measure_ball_fire() {
    const scene::Scene preset = scene::load_scene("ball-fire");
    models::VortexFire fire(preset.shot, std::get<models::VortexSetup>(preset.model));
    return measure("ball-fire", fire, 110, 10, 1.0 / preset.shot.time.fps);
}

/// Vortons of a turbulent cloud at nodes, with a smooth vorticity that all methods can see.
Vortons cloud(int side, double h) {
    Vortons vortons;
    for (int k = 0; k < side; ++k)
        for (int j = 0; j < side; ++j)
            for (int i = 0; i < side; ++i) {
                const Vec3d p = (Vec3d(i, j, k) + Vec3d(0.5 - 0.5 * side)) * h;
                const double x = p.x * 9, y = p.y * 9, z = p.z * 9, r2 = dot(p, p) / (0.16 * side * h * side * h), w = r2 < 1.5 ? std::exp(-r2 * 4) : 0;
                if (w == 0) continue;
                const Vec3d omega(std::sin(y) - std::cos(z), std::sin(z) - std::cos(x), std::sin(x) - std::cos(y));
                append_vorton(vortons, {.position = Vec3f(p), .strength = Vec3f(omega * (10 * w * h * h * h)), .volume = float(h * h * h), .matter = {}});
            }
    return vortons;
}

double rms_error(const std::vector<Vec3f>& found, const std::vector<Vec3f>& exact) {
    double error = 0, size = 0;
    for (std::size_t p = 0; p < exact.size(); ++p) {
        const Vec3f d = found[p] - exact[p];
        error += double(dot(d, d)), size += double(dot(exact[p], exact[p]));
    }
    return std::sqrt(error / size);
}

std::vector<Row> compare_velocities(int side) {
    const double h = 0.02, sigma = 1.5 * h;
    const Vortons vortons = cloud(side, h);
    const auto count = vortons.size();
    const models::VortonView view{.position = vortons.position, .strength = vortons.strength, .core_radius = sigma};
    std::vector<Vec3f> exact(count), by_tree(count), by_lattice(count);
    const auto row = [&](const char* method) {
        return Row{.method = method, .threads = thread_count(), .vortons = double(count), .tracers = 0, .milliseconds = 1e30, .stages = {}, .error = 0};
    };
    Row direct = row("direct"), tree = row("tree"), grid = row("grid");
    direct.milliseconds = milliseconds_of([&] { models::direct_velocity(view, vortons.position, exact); });
    models::TreeVelocity solver;
    for (int turn = 0; turn < 3; ++turn)
        tree.milliseconds = std::min(tree.milliseconds, milliseconds_of([&] { solver.build(view, {.theta = 0.5}), solver.at_vortons(by_tree); }));
    tree.error = rms_error(by_tree, exact);
    const int cells = (side + 16 + 7) / 8 * 8;
    const models::VortexLattice lattice{.first = Vec3i(-cells / 2), .cells = Vec3i(cells), .h = h};
    models::LatticeVelocity poisson;
    models::NodeValues<4> vorticity, velocity;
    models::NodeValues<8> matter;
    models::NodeRows filled;
    poisson.fit(lattice, models::LatticeVelocity::Edge::far);
    for (int turn = 0; turn < 5; ++turn)   // cold first, then warm, as in a fire that changes by a percent a step
        grid.milliseconds = std::min(grid.milliseconds, milliseconds_of([&] {
            models::splat_vortons(lattice, vortons, {}, filled, vorticity, matter);
            for (auto& component : poisson.components())
                for (float& u : component.storage()) u *= 0.99f;
            poisson.solve(vorticity, filled, 3e-3);
            velocity.fit(lattice), set_velocity(poisson.components(), velocity);
            const models::PlaceFinder finder(lattice);
            constexpr std::size_t pack = models::PlacePack::width;
            parallel_for(int((count + pack - 1) / pack), [&](int c) {
                const std::size_t first = std::size_t(c) * pack, lanes = std::min(pack, count - first);
                models::PlacePack at;
                finder.find(&vortons.position[first], int(lanes), at);
                for (std::size_t l = 0; l < lanes; ++l) by_lattice[first + l] = sample_vector(velocity, at, int(l));
            });
        }));
    grid.error = rms_error(by_lattice, exact);   // with the tree's core: the lattice's is about a spacing wide
    return {direct, tree, grid};
}

void print_json(const std::vector<Row>& rows) {
    const std::string list = json::array(rows, [](const Row& r) {
        json::Object stages;
        for (const auto& [name, seconds] : r.stages.entries()) stages.number(name, 1e3 * seconds);
        return json::Object().text("method", r.method).number("threads", r.threads).number("vortons", r.vortons).number("tracers", r.tracers)
            .number("milliseconds_per_step", r.milliseconds).raw("stages", stages.str()).number("error", r.error).str();
    });
    fmt::print("{}\n", json::Object().text("bench", "vortex").text("cpu", name(compiled_for)).raw("rows", list).str());
}

void print_text(const std::vector<Row>& rows, const std::vector<Row>& by_threads) {
    fmt::print("{:18} {:>8} {:>10} {:>10} {:>10} {:>10}\n", "method", "threads", "vortons", "tracers", "ms", "error");
    for (const Row& r : rows) {
        fmt::print("{:18} {:8} {:10.0f} {:10.0f} {:10.2f} {:>10}\n", r.method, r.threads, r.vortons, r.tracers, r.milliseconds,
                   r.error > 0 ? fmt::format("{:.1e}", r.error) : "");
        for (const auto& [name, seconds] : r.stages.entries()) fmt::print("{:>24} {:8.2f} ms\n", name, 1e3 * seconds);
    }
    fmt::print("\nWhole steps by threads, beside table 2 of Gourlay's part 11 (Core i7-2600, its whole frame)\n{:>8} {:>14} {:>14}\n", "threads", "published", "here");
    constexpr std::pair<int, double> published[] = {{1, 19.5}, {2, 10.1}, {4, 7.41}, {8, 5.61}};
    for (const auto& [threads, milliseconds] : published) {
        const auto ours = std::ranges::find_if(by_threads, [&](const Row& r) { return r.threads == threads; });
        fmt::print("{:8} {:11.2f} ms {:>14}\n", threads, milliseconds, ours == by_threads.end() ? "-" : fmt::format("{:.2f} ms", ours->milliseconds));
    }
}

}  // namespace

int bench_vortex(const BenchOptions& options) {
    std::vector<Row> rows = compare_velocities(options.resolution > 0 ? options.resolution : 48), by_threads;
    for (const VelocityRow& v : bench_tree_velocity({20'000, 100'000}))
        rows.push_back({.method = v.method + ", gradient", .threads = thread_count(), .vortons = double(v.vortons), .tracers = 0, .milliseconds = v.milliseconds, .stages = {}, .error = v.error});
    rows.push_back(measure_step("grid step", 100'000, 1'000'000, 0, VortexVelocity::grid));
    rows.push_back(measure_ball_fire());
    rows.push_back(measure_step("tree step", 20'000, 20'000, 0, VortexVelocity::tree));
    for (int threads = 1; threads <= thread_count() && threads <= 8; threads *= 2)
        by_threads.push_back(measure_step("grid step", 20'000, 200'000, threads, VortexVelocity::grid));
    rows.insert(rows.end(), by_threads.begin(), by_threads.end());
    if (options.json) print_json(rows);
    else print_text(rows, by_threads);
    return 0;
}

}  // namespace phlo::bench
