// Species and temperature: carried by the flow, spread, cooled.
#include "models/gas/gas.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/log.h"
#include "base/parallel.h"
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

}  // namespace

void Gas::transport_scalars(double dt) {
    // The heat of a real gas goes the way of its amounts. Another temperature is no amount: where the gas swells it goes along with the gas
    // and is not diluted.
    if (real()) temperature_to_heat(*content_, substances_, excess_, heat_field());
    if (conserving()) transport_amounts(dt);
    if (real()) return;
    const double heat_before = chemistry_ ? heat() : 0;
    std::vector<flow::Carried> carried{{&excess_, nullptr, incoming_heat()}};
    std::vector<double> before;
    if (evolves()) carried.push_back({&swelling_, nullptr, flow::walls_with(0.0f)});
    if (!conserving())
        for (Substance& substance : substances_) {
            if (!substance.carried) continue;
            before.push_back(total(substance.amount));
            carried.push_back({&substance.amount, nullptr, incoming(substance)});
        }
    transport_along_paths(dt, carried);
    clear_inside(solids_, excess_, 0);
    if (chemistry_) book_heat("transported", heat() - heat_before);
    if (conserving()) return;
    auto was = before.begin();
    for (Substance& substance : substances_) {
        if (!substance.carried) continue;
        clear_inside(solids_, substance.amount, 0);
        // A semi-Lagrangian scheme cannot tell what left through a wall from what interpolation lost.
        ledger_.record(substance.name, "transported", total(substance.amount) - *was++);
    }
}

/// Amounts, and the heat of a real gas, which shares one limiter with its species: nothing is hotter than a mixture of what met can be.
void Gas::transport_amounts(double dt) {
    std::vector<flow::Companion> together;
    std::vector<Substance*> of;
    for (Substance& substance : substances_) {
        if (!substance.carried) continue;
        together.push_back({&substance.amount, incoming(substance)});
        of.push_back(&substance);
    }
    if (real()) together.push_back({&heat_field(), incoming_heat(), false});
    const flow::Conserving how{.dt = dt, .h = domain_.h, .aperture = solids_.present() ? &solids_.aperture : nullptr,
                               .x_first = int(steps_) % 2 == 0};
    const std::vector<flow::Throughput> flux = transport_together(how, u_, together, scalar_tiles_, real() ? &next_u_.x : nullptr);
    for (const flow::Companion& one : together) clear_inside(solids_, *one.field, 0);
    for (std::size_t s = 0; s < of.size(); ++s) {
        ledger_.record(of[s]->name, "entered", flux[s].in);
        ledger_.record(of[s]->name, "left", -flux[s].out);
        if (!real()) continue;
        book_heat("entered", flux[s].in * content_->zero(of[s]->species));
        book_heat("left", -flux[s].out * content_->zero(of[s]->species));
    }
    if (!real()) return;
    book_heat("entered", flux.back().in);
    book_heat("left", -flux.back().out);
}

/// Semi-Lagrangian, two at a time: the second velocity is free until the velocity is carried again.
void Gas::transport_along_paths(double dt, std::span<const flow::Carried> carried) {
    const flow::Advection how{.scheme = semi_lagrangian(setup_.gas.scalar_transport), .trace = setup_.gas.trace, .dt = dt, .h = domain_.h,
                              .fastest = fastest_, .solid_distance = solids_.present() ? &solids_.distance : nullptr, .spare = &next_u_.z};
    for (std::size_t first = 0; first < carried.size(); first += 2) {
        std::vector<flow::Carried> few(carried.begin() + std::ptrdiff_t(first), carried.begin() + std::ptrdiff_t(std::min(first + 2, carried.size())));
        for (std::size_t i = 0; i < few.size(); ++i) {
            few[i].to = &next_u_[int(i)];
            extend_inside(solids_, *few[i].from);
        }
        advect_scalars(how, u_, few, scalar_tiles_, workspace_);
        for (const flow::Carried& one : few) std::swap(*one.from, *one.to);
    }
}

void Gas::diffuse_and_decay(double dt) {
    const GasParams& gas = setup_.gas;
    const double per_cell = dt / (domain_.h * domain_.h);
    if (evolves()) multiply(scalar_tiles_, swelling_, float(std::exp(-setup_.chemistry.expansion_fade * dt)));
    for (Substance& substance : substances_) {
        if (!substance.carried) continue;
        diffuser_.diffuse_cells(substance.amount, gas.density_diffusion * per_cell, solids_);
        if (gas.dissolve <= 0) continue;
        const double before = total(substance.amount);
        multiply(scalar_tiles_, substance.amount, float(std::exp(-gas.dissolve * dt)));
        ledger_.record(substance.name, "dissolved", total(substance.amount) - before);
    }
    diffuser_.diffuse_cells(real() ? heat_field() : excess_, gas.temperature_diffusion * per_cell, solids_);
    if (real()) find_temperature();
    if (gas.cooling <= 0) return;
    const double before = chemistry_ ? heat() : 0;
    multiply(scalar_tiles_, excess_, float(std::exp(-gas.cooling * dt)));
    if (chemistry_) book_heat("cooled", heat() - before);
}

void Gas::find_temperature() {
    if (const long lost = heat_to_temperature(*content_, substances_, heat_field(), excess_); lost > 0)
        log::once("temperature", fmt::format("{} cells hold a heat that belongs to no temperature (t = {:.4f} s) and keep the one they had", lost, time_));
}

}  // namespace phlo::models
