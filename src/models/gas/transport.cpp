#include "models/gas/transport.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "flow/conserve.h"
#include "models/gas/expansion.h"
#include "models/gas/heat_field.h"

namespace phlo::models {

using field::Grid;

namespace {

flow::Scheme semi_lagrangian(ScalarTransport transport) {
    switch (transport) {
        case ScalarTransport::trilinear: return flow::Scheme::trilinear;
        case ScalarTransport::cubic: return flow::Scheme::cubic;
        default: return flow::Scheme::maccormack;
    }
}

void multiply(const flow::TileSet& tiles, Grid& q, float factor) {
    tiles.for_each_run([&](const flow::CellBox& box) {
        for (int k = box.lower.z; k < box.upper.z; ++k)
            for (int j = box.lower.y; j < box.upper.y; ++j) {
                float* row = q.row(j, k);
#pragma omp simd
                for (int i = box.lower.x; i < box.upper.x; ++i) row[i] *= factor;
            }
    });
}

double incoming_at(const GasState& gas, const WallParams& wall, const Substance& substance) {
    if (substance.species < 0) return wall.density(gas.flow.time());
    if (wall.species.empty()) return substance.ambient;
    return gas.concentration(wall.species, substance.species, wall.temperature(gas.flow.time()));
}

/// What the gas brings along when it enters through each wall.
flow::Boundary incoming(const GasState& gas, const Substance& substance) {
    flow::Boundary boundary;
    for (std::size_t w = 0; w < 6; ++w) {
        const WallParams& wall = gas.flow.shot().domain.walls[w];
        if (wall.kind == WallKind::open) boundary[w] = float(substance.ambient);
        if (wall.kind == WallKind::inflow) boundary[w] = float(incoming_at(gas, wall, substance));
    }
    return boundary;
}

flow::Boundary incoming_heat(const GasState& gas) {
    flow::Boundary boundary;
    for (std::size_t w = 0; w < 6; ++w) {
        const WallParams& wall = gas.flow.shot().domain.walls[w];
        if (wall.kind == WallKind::closed) continue;
        const bool open = wall.kind == WallKind::open;
        const double excess = open ? 0 : wall.temperature(gas.flow.time()) - gas.setup.gas.ambient_temperature;
        double brought = gas.real() ? 0 : excess;
        if (gas.real())
            for (const Substance& substance : gas.substances)
                brought += (open ? substance.ambient : incoming_at(gas, wall, substance)) * gas.content->of(substance.species, excess);
        boundary[w] = float(brought);
    }
    return boundary;
}

flow::Conserving conserving_transport(const GasState& gas, double dt) {
    return {.dt = dt, .h = gas.flow.domain().h, .aperture = gas.flow.solids().present() ? &gas.flow.solids().aperture : nullptr,
            .volume = flow::room_or_null(gas.room), .x_first = gas.flow.steps() % 2 == 0};
}

/// q *= exp(-∇·u seconds): what an amount loses where the gas that holds it swells.
void thin_out(GasState& gas, double seconds, Grid& q) {
    const field::MacGrid& u = gas.flow.velocity();
    const float scale = float(-seconds / gas.flow.domain().h);
    const std::ptrdiff_t sy = q.layout().stride_y(), sz = q.layout().stride_z();
    gas.scalar_tiles.for_each_run([&](const flow::CellBox& box) {
        for (int k = box.lower.z; k < box.upper.z; ++k)
            for (int j = box.lower.y; j < box.upper.y; ++j) {
                float* row = q.row(j, k);
                const float *x = u.x.row(j, k), *y = u.y.row(j, k), *z = u.z.row(j, k);
                for (int i = box.lower.x; i < box.upper.x; ++i)
                    if (row[i] != 0) row[i] *= std::exp(scale * (x[i + 1] - x[i] + y[i + sy] - y[i] + z[i + sz] - z[i]));
            }
    });
}

/// The volume that reactions still want, on its way: an amount, whatever transport the scene chooses, so that it is given once and not again
/// wherever the gas swells. It takes the very way that the temperature takes: heat and expansion come from the same gas, and if one of them were
/// smeared more than the other, gas would swell that is not hot, the more so the coarser the grid. It is thinned out by half before and half after the
/// way, and what interpolation then changed of the whole is mended by one factor.
class WantedVolume {
public:
    WantedVolume(GasState& gas, double seconds, Grid& volume) : gas_(gas), seconds_(seconds), volume_(volume), start_(volume.empty() ? 0 : gas.total(volume)) {
        if (any()) thin_out(gas, 0.5 * seconds, volume);
    }
    bool any() const { return start_ != 0; }
    void arrive() {
        if (!any()) return;
        thin_out(gas_, 0.5 * seconds_, volume_);
        const double now = gas_.total(volume_);
        if (now * start_ > 0) multiply(gas_.scalar_tiles, volume_, float(start_ / now));
    }

private:
    GasState& gas_;
    double seconds_;
    Grid& volume_;
    double start_;
};

/// Amounts, and the heat of a real gas, which shares one limiter with its species: nothing is hotter than a mixture of what met can be.
void transport_amounts(GasState& gas, double dt) {
    std::vector<flow::Companion> together;
    std::vector<Substance*> of;
    for (Substance& substance : gas.substances) {
        if (!substance.carried) continue;
        together.push_back({&substance.amount, incoming(gas, substance)});
        of.push_back(&substance);
    }
    if (gas.real()) together.push_back({&gas.heat_density(), incoming_heat(gas), false});
    const std::vector<flow::Throughput> flux = transport_together(conserving_transport(gas, dt), gas.flow.edit_velocity(), together, gas.scalar_tiles, gas.real() ? &gas.flow.idle_grid(0) : nullptr);
    for (const flow::Companion& one : together) clear_inside(gas.flow.solids(), *one.field, 0);
    for (std::size_t s = 0; s < of.size(); ++s) {
        gas.ledger.record(of[s]->name, "entered", flux[s].in);
        gas.ledger.record(of[s]->name, "left", -flux[s].out);
        if (!gas.real()) continue;
        gas.book_heat("entered", flux[s].in * gas.content->zero(of[s]->species));
        gas.book_heat("left", -flux[s].out * gas.content->zero(of[s]->species));
    }
    if (!gas.real()) return;
    gas.book_heat("entered", flux.back().in);
    gas.book_heat("left", -flux.back().out);
}

/// Semi-Lagrangian, two at a time: the second velocity is free until the velocity is carried again.
void transport_along_paths(GasState& gas, double dt, std::span<const flow::Carried> carried) {
    flow::Advection how = gas.flow.scalar_advection(semi_lagrangian(gas.setup.gas.scalar_transport), gas.setup.gas.trace, dt);
    field::Grid* const spare[] = {&gas.flow.idle_grid(2)};
    how.spare = spare;
    for (std::size_t first = 0; first < carried.size(); first += 2) {
        std::vector<flow::Carried> few(carried.begin() + std::ptrdiff_t(first), carried.begin() + std::ptrdiff_t(std::min(first + 2, carried.size())));
        for (std::size_t i = 0; i < few.size(); ++i) {
            few[i].to = &gas.flow.idle_grid(int(i));
            extend_inside(gas.flow.solids(), *few[i].from);
        }
        advect_scalars(how, gas.flow.edit_velocity(), few, gas.scalar_tiles, gas.flow.workspace());
        for (const flow::Carried& one : few) std::swap(*one.from, *one.to);
    }
}

void find_temperature(GasState& gas) {
    if (const long lost = heat_to_temperature(*gas.content, gas.substances, gas.heat_density(), gas.excess_temperature); lost > 0)
        gas.warnings->once("temperature", fmt::format("{} cells hold a heat that belongs to no temperature (t = {:.4f} s) and keep the one they had", lost, gas.flow.time()));
}

}  // namespace

void transport_scalars(GasState& gas, double dt) {
    // The heat of a real gas goes the way of its amounts. Another temperature is no amount: where the gas swells it goes along with the gas
    // and is not diluted.
    if (gas.real()) temperature_to_heat(*gas.content, gas.substances, gas.excess_temperature, gas.heat_density());
    if (gas.conserving()) transport_amounts(gas, dt);
    if (gas.real()) return;
    const double heat_before = gas.chemistry ? gas.heat() : 0;
    std::vector<flow::Carried> carried{{&gas.excess_temperature, nullptr, incoming_heat(gas)}};
    std::vector<double> before;
    WantedVolume wanted(gas, dt, gas.expansion.volume);
    if (wanted.any()) carried.push_back({&gas.expansion.volume, nullptr, flow::walls_with(0.0f)});
    if (!gas.expansion.divergence.empty()) carried.push_back({&gas.expansion.divergence, nullptr, flow::walls_with(0.0f)});
    if (!gas.conserving())
        for (Substance& substance : gas.substances) {
            if (!substance.carried) continue;
            before.push_back(gas.total(substance.amount));
            carried.push_back({&substance.amount, nullptr, incoming(gas, substance)});
        }
    transport_along_paths(gas, dt, carried);
    clear_inside(gas.flow.solids(), gas.excess_temperature, 0);
    wanted.arrive();
    if (gas.chemistry) gas.book_heat("transported", gas.heat() - heat_before);
    if (gas.conserving()) return;
    auto was = before.begin();
    for (Substance& substance : gas.substances) {
        if (!substance.carried) continue;
        clear_inside(gas.flow.solids(), substance.amount, 0);
        // A semi-Lagrangian scheme cannot tell what left through a wall from what interpolation lost.
        gas.ledger.record(substance.name, "transported", gas.total(substance.amount) - *was++);
    }
}

void foresee_swelling(GasState& gas, double dt) {
    Grid& middle = gas.expansion.middle;
    if (middle.empty()) return;
    middle = gas.expansion.volume;
    constexpr double calm = 0.01;   // what hardly grows swells where it is
    if (growth_in(gas, dt) < calm) return;
    WantedVolume wanted(gas, 0.5 * dt, middle);
    const flow::Carried carried[] = {{&middle, nullptr, flow::walls_with(0.0f)}};
    transport_along_paths(gas, 0.5 * dt, carried);
    wanted.arrive();
}

void diffuse_and_decay(GasState& gas, double dt) {
    const GasParams& params = gas.setup.gas;
    const double per_cell = dt / (gas.flow.domain().h * gas.flow.domain().h);
    if (!gas.expansion.divergence.empty()) multiply(gas.scalar_tiles, gas.expansion.divergence, float(std::exp(-gas.setup.chemistry.expansion_fade * dt)));
    for (Substance& substance : gas.substances) {
        if (!substance.carried) continue;
        gas.diffuser.diffuse_cells(substance.amount, params.density_diffusion * per_cell, gas.flow.solids(), flow::room_or_null(gas.room));
        if (params.dissolve <= 0) continue;
        const double before = gas.total(substance.amount);
        multiply(gas.scalar_tiles, substance.amount, float(std::exp(-params.dissolve * dt)));
        gas.ledger.record(substance.name, "dissolved", gas.total(substance.amount) - before);
    }
    gas.diffuser.diffuse_cells(gas.real() ? gas.heat_density() : gas.excess_temperature, params.temperature_diffusion * per_cell, gas.flow.solids(),
                               flow::room_or_null(gas.room));
    if (gas.real()) find_temperature(gas);
    if (params.cooling <= 0) return;
    const HeatBooking booking(gas, "cooled");
    multiply(gas.scalar_tiles, gas.excess_temperature, float(std::exp(-params.cooling * dt)));
}

}  // namespace phlo::models
