// phlo_bench NAME [--resolution N] [--json] [--only ROWS] [--cycles] [--keep DIR]: the benches that `./phlo bench` runs. A new one is a line in the table below.
#include <fmt/format.h>

#include <charconv>
#include <cstdio>
#include <exception>
#include <string_view>

#include "adaptive.h"
#include "advect.h"
#include "base/error.h"
#include "base/heap.h"
#include "hybrid.h"
#include "kinetics.h"
#include "liquid.h"
#include "live.h"
#include "options.h"
#include "pressure.h"
#include "render.h"
#include "smoke.h"
#include "torch.h"
#include "vortex.h"

namespace {

using phlo::bench::BenchOptions;

struct Bench {
    std::string_view name, help;
    int (*run)(const BenchOptions&);
};

constexpr Bench benches[] = {
    {"pressure", "the pressure solver against hypre's PFMG-PCG and Eigen's IC-PCG", phlo::bench::bench_pressure},
    {"advect", "cells a second of each transport scheme, and how near that is to the memory bound", phlo::bench::bench_advect},
    {"kinetics", "chemistry in cells against SUNDIALS CVODE, at equal or smaller measured error", phlo::bench::bench_kinetics},
    {"hybrid", "reacting gas: the published tables beside ours, hybrid method against chemistry in every cell", phlo::bench::bench_hybrid},
    {"liquid", "whole frames of a dam break: seconds by stage, memory, volume; the pressure of liquids of eleven kinds: cycles, set-up", phlo::bench::bench_liquid},
    {"adaptive", "water with cells of one size, fine at the surface, fine where the camera looks: unknowns, seconds, memory", phlo::bench::bench_adaptive},
    {"live", "live pictures of fires of particles: milliseconds by stage", phlo::bench::bench_live},
    {"render", "a picture of burning gas by every quality: seconds, and noise before any filter", phlo::bench::bench_render},
    {"torch", "steps of grid-less fire, and its search for neighbours against nanoflann", phlo::bench::bench_torch},
    {"vortex", "vortex fire: a step by stages; lattice and tree against the sum over all pairs; the published table beside ours", phlo::bench::bench_vortex},
    {"smoke", "whole frames of smoke: seconds by stage and memory", phlo::bench::bench_smoke},
};

int list() {
    for (const Bench& bench : benches) fmt::print("{:15} {}\n", bench.name, bench.help);
    return 0;
}

int run(int argc, char** argv) {
    const Bench* chosen = nullptr;
    BenchOptions options;
    for (int a = 1; a < argc; ++a) {
        const std::string_view word = argv[a];
        if (word == "--list" || word == "--help") return list();
        if (word == "--json") {
            options.json = true;
        } else if (word == "--cycles") {
            options.cycles = true;
        } else if (word == "--only") {
            if (a + 1 == argc) throw phlo::InputError("--only: expected a part of the names of rows");
            options.only = argv[++a];
        } else if (word == "--keep") {
            if (a + 1 == argc) throw phlo::InputError("--keep: expected a directory");
            options.keep = argv[++a];
        } else if (word == "--resolution") {
            const std::string_view value = a + 1 < argc ? argv[++a] : "";
            const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), options.resolution);
            if (error != std::errc() || end != value.data() + value.size() || options.resolution < 8)
                throw phlo::InputError(fmt::format("--resolution: expected a whole number of at least 8, got '{}'", value));
        } else {
            for (const Bench& bench : benches)
                if (bench.name == word) chosen = &bench;
            if (chosen == nullptr) throw phlo::InputError(fmt::format("unknown bench or option '{}'; '--list' names the benches", word));
        }
    }
    if (chosen == nullptr) throw phlo::InputError("which bench? '--list' names them");
    return chosen->run(options);
}

}  // namespace

int main(int argc, char** argv) {
    phlo::give_large_blocks_back();
    try {
        return run(argc, argv);
    } catch (const phlo::InputError& error) {
        fmt::print(stderr, "phlo bench: {}\n", error.what());
        return 2;
    } catch (const std::exception& error) {
        fmt::print(stderr, "phlo bench: {}\n", error.what());
        return 1;
    }
}
