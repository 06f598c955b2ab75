#include "torch.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <limits>
#include <vector>

#include <nanoflann.hpp>

#include "base/cpu.h"
#include "base/json.h"
#include "base/parallel.h"
#include "models/gridless_fire/torch_fire.h"

namespace phlo::bench {
namespace {

constexpr int neighbours = 16;

struct Row {
    int particles = 0;
    double step = std::numeric_limits<double>::infinity(), search = step, peer = step;   ///< [ms], the best of several
    StageTimes stages;                                                                    ///< of the best step
};

double milliseconds_of(const auto& work) {
    const auto start = std::chrono::steady_clock::now();
    work();
    return 1e3 * std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

models::TorchSetup torch_of(int particles) {
    models::TorchSetup setup;
    setup.torch.neighbours = neighbours;
    models::Torch torch;
    torch.name = "torch";
    torch.shape = geom::Cylinder{.radius = 0.1, .height = 0.05};
    torch.particles = particles;
    torch.flicker = models::Flicker::steady;
    setup.torches = {torch};
    return setup;
}

struct PlacesOf {
    const models::FireParticles& p;
    std::size_t kdtree_get_point_count() const { return p.count(); }
    float kdtree_get_pt(std::size_t i, std::size_t axis) const { return axis == 0 ? p.x[i] : axis == 1 ? p.y[i] : p.z[i]; }
    template <class Box>
    bool kdtree_get_bbox(Box&) const { return false; }
};

/// nanoflann as its documentation has it: leaves of ten, built by one thread, asked by all; the particles stand in our order, which suits its caches.
double peer_milliseconds(const models::FireParticles& p) {
    std::vector<particles::NearestSums> sums(p.count());
    const PlacesOf places{p};
    return milliseconds_of([&] {
        using Tree = nanoflann::KDTreeSingleIndexAdaptor<nanoflann::L2_Simple_Adaptor<float, PlacesOf>, PlacesOf, 3, std::uint32_t>;
        Tree tree(3, places, nanoflann::KDTreeSingleIndexAdaptorParams(10));
        tree.buildIndex();
        constexpr std::size_t chunk = 1024;
        parallel_for(int((p.count() + chunk - 1) / chunk), [&](int c) {
            for (std::size_t i = std::size_t(c) * chunk; i < std::min(p.count(), (std::size_t(c) + 1) * chunk); ++i) {
                std::uint32_t index[neighbours];
                float squared[neighbours];
                const float place[3] = {p.x[i], p.y[i], p.z[i]};
                tree.knnSearch(place, neighbours, index, squared);
                for (const std::uint32_t n : index)
                    for (int v = 0; v < 7; ++v) sums[i].difference[v] += p.motion[n].value[v] - p.motion[i].value[v];
            }
        });
    });
}

Row measure(int particles) {
    models::TorchFire fire(models::Shot(), torch_of(particles));
    Row row;
    constexpr int steps = 25;
    for (int n = 0; n < steps; ++n) {
        const models::FrameStats stats = fire.advance(1.0 / 60);
        const double step = 1e3 * stats.seconds.total(), search = 1e3 * (stats.seconds.seconds("sorting") + stats.seconds.seconds("neighbours"));
        row.search = std::min(row.search, search);
        if (step < row.step) row.step = step, row.stages = stats.seconds;
        row.particles = int(stats.particles.at("fire"));
    }
    for (int n = 0; n < 3; ++n) row.peer = std::min(row.peer, peer_milliseconds(fire.flames()[0].particles()));
    return row;
}

json::Object described(const Row& row) {
    json::Object stages;
    for (const auto& [name, seconds] : row.stages.entries()) stages.number(name, 1e3 * seconds);
    return json::Object()
        .number("particles", row.particles)
        .number("milliseconds_per_step", row.step)
        .raw("stages", stages.str())
        .number("neighbours_milliseconds", row.search)
        .number("nanoflann_milliseconds", row.peer)
        .number("ratio_to_nanoflann", row.peer / row.search);
}

void print(const Row& row) {
    fmt::print("{:>9} {:>10.2f} {:>10.0f} {:>12.2f} {:>12.1f} {:>7.1f}   ", row.particles, row.step, 1e3 / row.step, row.search, row.peer, row.peer / row.search);
    for (const auto& [name, seconds] : row.stages.entries()) fmt::print("{} {:.2f}  ", name, 1e3 * seconds);
    fmt::print("\n");
    std::fflush(stdout);
}

}  // namespace

int bench_torch(const BenchOptions& options) {
    std::vector<int> sizes{300, 10000, 100000, 300000};
    if (options.resolution > 0) sizes = {options.resolution};
    std::vector<Row> rows;
    if (!options.json)
        fmt::print("Grid-less fire, {} neighbours, {} threads, {}; milliseconds, the best of several.\n"
                   "Adabala and Hughes 2004: 300 particles, 58 to 59 frames a second with their picture (Pentium 4, GeForce 5800).\n"
                   "{:>9} {:>10} {:>10} {:>12} {:>12} {:>7}   stages of the step\n", neighbours, thread_count(), name(compiled_for), "particles", "step", "steps/s",
                   "neighbours", "nanoflann", "ratio");
    for (const int size : sizes) {
        rows.push_back(measure(size));
        if (!options.json) print(rows.back());
    }
    if (options.json) {
        fmt::print("{}\n", described(rows.back()).text("bench", "torch").number("threads", thread_count()).text("cpu", name(compiled_for))
                               .number("paper_particles", 300).number("paper_frames_per_second", 58).raw("rows", json::array(rows, [](const Row& row) { return described(row).str(); })).str());
    }
    return 0;
}

}  // namespace phlo::bench
