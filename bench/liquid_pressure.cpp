#include "liquid_pressure.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "../tests/flow/liquid_cases.h"
#include "base/json.h"
#include "flow/free_surface.h"
#include "frames.h"

namespace phlo::bench {
namespace {

constexpr double tolerance = 1e-4;

struct Row {
    int n = 0;
    std::string liquid;
    flow::FreeSurfaceReport report;
    double setup_seconds = 1e30, solve_seconds = 1e30, bytes = 0;
    double setup_over_cycle() const { return setup_seconds / (solve_seconds / std::max(report.iterations, 1)); }
    double nanoseconds_per_cell() const { return 1e9 * (setup_seconds + solve_seconds) / double(std::max(report.cells, 1L)); }
};

Row measure(int n, const std::string& name) {
    const flow::LiquidCase c = flow::liquid_case(name, n);
    flow::FreeSurfaceProjector projector(c.layout);
    field::MacGrid start(c.layout), u(c.layout);
    stir(c, start);
    Row row;
    row.n = n, row.liquid = name;
    for (int run = 0; run < (n > 200 ? 3 : 8); ++run) {
        u = start;
        double start_time = processor_seconds();
        projector.set_up(c.walls, c.solids, c.phi);
        row.setup_seconds = std::min(row.setup_seconds, processor_seconds() - start_time);
        start_time = processor_seconds();
        row.report = projector.project({.h = c.domain.h, .tolerance = tolerance, .let_go = false}, u);
        row.solve_seconds = std::min(row.solve_seconds, processor_seconds() - start_time);
    }
    row.bytes = double(projector.bytes()) / double(c.layout.cell_count());
    return row;
}

std::string row_json(const Row& row) {
    return json::Object()
        .number("n", row.n)
        .text("liquid", row.liquid)
        .number("cells", row.report.cells)
        .number("tolerance", tolerance)
        .number("iterations", row.report.iterations)
        .number("converged", row.report.converged)
        .number("setup_seconds", row.setup_seconds)
        .number("solve_seconds", row.solve_seconds)
        .number("setup_over_cycle", row.setup_over_cycle())
        .number("nanoseconds_per_cell", row.nanoseconds_per_cell())
        .number("bytes_per_cell", row.bytes)
        .str();
}

}  // namespace

std::string liquid_pressure_rows(const std::vector<int>& sizes, bool json) {
    if (!json)
        fmt::print("\npressure of liquids to {:g}: seconds of processor, best of several runs; a cycle's share of the projection is what set-up is compared with\n"
                   "{:>5} {:8} {:>9} {:>5} {:>9} {:>9} {:>11} {:>8} {:>7}\n",
                   tolerance, "n", "liquid", "cells", "iter", "setup", "solve", "setup/cycle", "ns/cell", "B/cell");
    std::vector<std::string> rows;
    for (int n : sizes)
        for (const char* name : {"pool", "dam", "drops", "sheets", "waves", "splash", "rough", "pockets", "flat", "mist", "film"}) {
            const Row row = measure(n, name);
            if (json)
                rows.push_back(row_json(row));
            else
                fmt::print("{:5} {:8} {:9} {:5} {:9.4f} {:9.4f} {:11.2f} {:8.1f} {:7.1f}{}\n", n, name, row.report.cells, row.report.iterations, row.setup_seconds,
                           row.solve_seconds, row.setup_over_cycle(), row.nanoseconds_per_cell(), row.bytes, row.report.converged ? "" : "  not converged");
            std::fflush(stdout);
        }
    return json ? json::array(rows) : "";
}

}  // namespace phlo::bench
