#include "advect.h"

#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <cstdio>
#include <functional>
#include <string>
#include <vector>

#include "base/cpu.h"
#include "base/random.h"
#include "base/simd.h"
#include "flow/advect.h"
#include "flow/conserve.h"

namespace phlo::bench {
namespace {

struct Row {
    int n;
    std::string scheme;
    double mcells_per_second, bound_fraction;
};

/// Shortest of several runs [s].
double best_time(const std::function<void()>& work) {
    double best = 1e30, spent = 0;
    for (int run = 0; run < 4 || spent < 1.5; ++run) {
        const auto start = std::chrono::steady_clock::now();
        work();
        const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        best = std::min(best, seconds);
        spent += seconds;
    }
    return best;
}

/// Bytes a second of a += s b over grids of this size, all threads: from memory or from the last cache, as the transport sees it.
double bandwidth(field::Grid& a, const field::Grid& b) {
    constexpr std::size_t chunk = 1 << 14;
    const std::size_t size = a.storage().size(), chunks = size / chunk;
    const double seconds = best_time([&] {
        parallel_for(int(chunks), [&](int c) {
            float* p = a.storage().data() + std::size_t(c) * chunk;
            const float* q = b.storage().data() + std::size_t(c) * chunk;
#pragma omp simd
            for (std::size_t i = 0; i < chunk; ++i) p[i] += 1e-9f * q[i];
        });
    });
    return double(chunks * chunk) * 12 / seconds;
}

/// A few waves of random direction, weaker the shorter they are; the shortest is some 15 cells long at n = 128.
void set_turbulence(field::MacGrid& u) {
    const Vec3i n = u.layout().cells();
    const double pi = std::acos(-1.0);
    for (int axis = 0; axis < 3; ++axis)
        for (unsigned mode = 0; mode < 6; ++mode) {
            const auto r = uniform4({.seed = 1, .step = 0, .stream = unsigned(axis)}, mode);
            const double wave = 1 + 1.5 * mode, amplitude = std::pow(wave, -0.83), phase = 2 * pi * double(r[3]);
            Vec3d k;
            for (int a = 0; a < 3; ++a) k[a] = 2 * pi * std::round(wave * (2 * double(r[std::size_t(a)]) - 1)) / n[a];
            const Vec3i extent = field::face_extent(u.layout(), axis);
            parallel_for(extent.z, [&](int z) {
                for (int y = 0; y < extent.y; ++y)
                    for (int x = 0; x < extent.x; ++x) u[axis](x, y, z) += float(amplitude * std::sin(k.x * x + k.y * y + k.z * z + phase));
            });
        }
}

void bench_size(int n, std::vector<Row>& rows) {
    const field::Layout layout({n, n, n});
    const double cells = double(layout.cell_count());
    field::MacGrid u(layout);
    set_turbulence(u);
    field::Grid q(layout), second(layout), to(layout), to_second(layout), to_third(layout);
    parallel_for(n, [&](int k) {
        for (int j = 0; j < n; ++j)
            for (int i = 0; i < n; ++i) q(i, j, k) = second(i, j, k) = float(1 + std::sin(0.3 * i) * std::cos(0.2 * j + 0.1 * k));
    });
    double fastest = 0;
    for (int axis = 0; axis < 3; ++axis) fastest = std::max(fastest, field::max_abs(u[axis], field::face_extent(layout, axis)));
    const double dt = 2 / fastest, bytes_per_second = bandwidth(to, to_second);   // two cells a step at most

    const flow::TileSet all(layout, true);
    flow::Workspace work;
    const flow::Carried one[] = {{&q, &to, flow::walls_with(0)}}, three[] = {one[0], {&second, &to_second}, {&second, &to_third}};
    // Bytes a cell that must move, a store counted with the load of its line.
    const auto add = [&](const char* scheme, double seconds, double bytes) {
        rows.push_back({n, scheme, cells / seconds / 1e6, cells * bytes / bytes_per_second / seconds});
    };
    const auto run = [&](flow::Scheme scheme, std::span<const flow::Carried> carried) {
        return best_time([&] { flow::advect_scalars({.scheme = scheme, .dt = dt, .h = 1}, u, carried, all, work); });
    };
    const double alone = run(flow::Scheme::trilinear, one);
    add("trilinear", alone, 24);                                                  // u, v, w, q in; q out
    add("cubic", run(flow::Scheme::cubic, one), 24);
    add("maccormack", run(flow::Scheme::maccormack, one), 40 + 32);               // prediction and range out, and in again
    add("extra_scalar", (run(flow::Scheme::trilinear, three) - alone) / 2, 12);   // beside the first, on the same trace
    int substeps = 0;
    const double conserving =
        best_time([&] { substeps = flow::transport_conserving({.dt = dt, .h = 1}, u, one[0], all).substeps; });
    add("conserving", conserving, 12 + 16 + 48.0 * substeps);                     // copy, largest outflow, three sweeps each
}

}  // namespace

int bench_advect(const BenchOptions& options) {
    std::vector<Row> rows;
    for (const int n : {64, 128, 256})
        if (options.resolution == 0 || options.resolution == n) bench_size(n, rows);
    if (options.resolution != 0 && rows.empty()) bench_size(options.resolution, rows);
    if (options.json) {
        std::string text = fmt::format(R"({{"bench": "advect", "simd": "{}", "threads": {}, "rows": [)", name(compiled_for), thread_count());
        for (const Row& row : rows)
            text += fmt::format(R"({}{{"n": {}, "scheme": "{}", "mcells_per_second": {:.1f}, "bound_fraction": {:.3f}}})", &row == &rows[0] ? "" : ", ",
                                row.n, row.scheme, row.mcells_per_second, row.bound_fraction);
        fmt::print("{}]}}\n", text);
        return 0;
    }
    fmt::print("transport of one scalar, at most two cells a step, {} on {} threads\n", name(compiled_for), thread_count());
    fmt::print("{:>5}  {:<13} {:>10}  {:>14}\n", "n", "scheme", "Mcells/s", "of the bound");
    for (const Row& row : rows) fmt::print("{:>5}  {:<13} {:>10.1f}  {:>13.0f}%\n", row.n, row.scheme, row.mcells_per_second, 100 * row.bound_fraction);
    return 0;
}

}  // namespace phlo::bench
