#include "models/gas/smoke.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "base/log.h"
#include "base/parallel.h"
#include "flow/activity.h"
#include "flow/forces.h"
#include "flow/sources.h"

namespace phlo::models {

using field::Grid;
using field::MacGrid;

namespace {

flow::Scheme semi_lagrangian(ScalarTransport transport) {
    switch (transport) {
        case ScalarTransport::trilinear: return flow::Scheme::trilinear;
        case ScalarTransport::cubic: return flow::Scheme::cubic;
        default: return flow::Scheme::maccormack;
    }
}

template <class T>
std::shared_ptr<const T> borrowed(const T& object) { return {std::shared_ptr<void>(), &object}; }

}  // namespace

Smoke::Smoke(SmokeSetup setup)
    : setup_(std::move(setup)),
      domain_(make_domain(setup_.domain)),
      layout_(domain_.cells),
      u_(layout_),
      next_u_(layout_),
      density_(layout_),
      excess_(layout_),
      projector_(layout_),
      scalar_tiles_(layout_, true),
      velocity_tiles_(layout_, true) {
    coverage_.resize(setup_.emitters.size());
    rasterize(domain_, setup_.bodies, time_, solids_);
    emit(0);
}

FrameStats Smoke::advance(double seconds) {
    FrameStats stats;
    times_.clear();
    ledger_.clear();
    record("density", "start", amount(density_));
    const double end = time_ + seconds;
    double remaining = seconds;
    while (remaining > 1e-9 * seconds) {
        const double dt = choose_step(remaining, stats.substeps);
        step(dt);
        remaining = std::max(0.0, remaining - dt);
        ++stats.substeps;
        stats.pressure_iterations += projection_.iterations;
        stats.pressure_residual = std::max(stats.pressure_residual, projection_.residual);
        stats.divergence_max = std::max(stats.divergence_max, projection_.divergence_max);
        stats.divergence_rms = std::max(stats.divergence_rms, projection_.divergence_rms);
        stats.active_fraction = velocity_tiles_.active_fraction();
    }
    time_ = end;
    record("density", "now", amount(density_));
    stats.time = time_;
    stats.dt = seconds / std::max(1, stats.substeps);
    stats.seconds = times_;
    stats.ledger = ledger_;
    stats.memory_bytes = bytes();
    return stats;
}

void Smoke::step(double dt) {
    { Stage stage(times_, "sources");   move_bodies(dt); emit(dt); }
    { Stage stage(times_, "activity");  find_activity(dt); }
    { Stage stage(times_, "velocity");  advect_velocity(dt); }
    { Stage stage(times_, "forces");    add_forces(dt); }
    { Stage stage(times_, "pressure");  project(dt); }
    { Stage stage(times_, "transport"); transport_scalars(dt); }
    { Stage stage(times_, "decay");     diffuse_and_decay(dt); }
    time_ += dt;
    ++steps_;
}

double Smoke::choose_step(double remaining, int done) const {
    const TimeParams& time = setup_.time;
    if (time.fixed_step > 0) return std::min(time.fixed_step, remaining);
    double speed = 0;
    for (int axis = 0; axis < 3; ++axis) speed = std::max(speed, max_abs(u_[axis], face_extent(layout_, axis)));
    for (const geom::Body& body : setup_.bodies) speed = std::max(speed, length(body.motion.position.derivative(time_)));
    if (!std::isfinite(speed))
        throw RunError(fmt::format("the velocity is no longer a number at t = {:.4f} s. Lower time.cfl or gas.vorticity, and start from the "
                                   "last good frame", time_));
    const double wanted = speed > 0 ? time.cfl * domain_.h / speed : remaining;
    int parts = std::max(1, int(std::ceil(remaining / wanted - 1e-6)));
    const int allowed = std::max(1, time.max_substeps - done);
    if (parts > allowed) {
        log::once("max_substeps", fmt::format("time.max_substeps = {} was reached at t = {:.3f} s: the flow crosses {:.1f} cells a sub-step, "
                                              "more than time.cfl = {}", time.max_substeps, time_, speed * remaining / allowed / domain_.h, time.cfl));
        parts = allowed;
    }
    return remaining / parts;
}

flow::Walls Smoke::walls_now() const {
    flow::Walls walls;
    for (std::size_t w = 0; w < 6; ++w)
        walls[w] = {.kind = setup_.domain.walls[w].kind, .speed = setup_.domain.walls[w].velocity(time_)};
    return walls;
}

/// What the gas brings along when it enters through each wall.
flow::Boundary Smoke::incoming(Curve<double> Wall::*value, double still_air) const {
    flow::Boundary boundary;
    for (std::size_t w = 0; w < 6; ++w) {
        const Wall& wall = setup_.domain.walls[w];
        if (wall.kind == WallKind::open) boundary[w] = 0.0f;
        if (wall.kind == WallKind::inflow) boundary[w] = float((wall.*value)(time_) - still_air);
    }
    return boundary;
}

void Smoke::move_bodies(double dt) {
    const bool moved = rasterize(domain_, setup_.bodies, time_ + dt, solids_);
    if (moved || steps_ == 0) sweep();
    if (moved || !projector_ready_) {
        projector_.set_up(walls_now(), solids_);
        projector_ready_ = true;
    }
}

/// What a body now covers. The conserving transport moves amounts, so they are handed on to the fluid beside the body. The others move
/// values along with the flow in front of the body: handing on as well would count the smoke twice, step after step.
void Smoke::sweep() {
    const double before = amount(density_);
    if (setup_.gas.scalar_transport == ScalarTransport::conserving) push_out(solids_, density_);
    else clear_inside(solids_, density_, 0);
    clear_inside(solids_, excess_, 0);
    record("density", "swept", amount(density_) - before);
}

void Smoke::emit(double dt) {
    const SmokeParams& gas = setup_.gas;
    const double expansion = gas.expansion(time_);
    const flow::Solids* solids = solids_.present() ? &solids_ : nullptr;
    if (expansion != 0 && phi_.empty()) phi_ = Grid(layout_);
    if (!phi_.empty()) phi_.fill(0);
    for (std::size_t e = 0; e < setup_.emitters.size(); ++e) {
        const Emitter& emitter = setup_.emitters[e];
        flow::Coverage& coverage = coverage_[e];
        const double strength = emitter.strength(time_);
        if (strength <= 0) continue;
        cover(domain_, {.shape = &emitter.shape, .pose = emitter.motion.pose(time_), .softness = emitter.softness, .noise = emitter.noise}, time_,
              solids, coverage);
        const double density = strength * emitter.density(time_);
        const double excess = strength * (emitter.temperature(time_) - gas.ambient_temperature);
        double added = 0;
        if (emitter.mode == EmitMode::hold) {
            added = hold(coverage, density_, density);
            hold(coverage, excess_, excess);
        } else {
            added = add(coverage, density_, density * dt);
            add(coverage, excess_, excess * dt);
        }
        record("density", "emitted", added * cell_volume());
        if (emitter.sets_velocity) blend_velocity(coverage, emitter.velocity(time_), solids, u_);
        if (!phi_.empty()) add(coverage, phi_, strength * expansion);
    }
}

void Smoke::find_activity(double dt) {
    const double threshold = setup_.gas.activity_threshold;
    if (threshold <= 0) return;
    double speed = 0;
    for (int axis = 0; axis < 3; ++axis) speed = std::max(speed, max_abs(u_[axis], face_extent(layout_, axis)));
    const int reach = int(std::ceil(speed * dt / domain_.h)) + 2;
    scalar_tiles_.clear();
    scalar_tiles_.activate_where(density_, 0, float(threshold), reach);
    scalar_tiles_.activate_where(excess_, 0, float(threshold * setup_.gas.ambient_temperature), reach);
    activate_bringing_walls(scalar_tiles_, reach);
    velocity_tiles_ = flow::stirred_tiles(u_, dt, domain_.h);
    velocity_tiles_.dilate(reach);
    velocity_tiles_ |= scalar_tiles_;
}

/// Inflow walls bring smoke into tiles that hold none yet.
void Smoke::activate_bringing_walls(flow::TileSet& tiles, int reach) const {
    for (int w = 0; w < 6; ++w) {
        if (setup_.domain.walls[std::size_t(w)].kind != WallKind::inflow) continue;
        const int axis = w / 2;
        flow::CellBox box{Vec3i(), layout_.cells()};
        if (w % 2) box.lower[axis] = box.upper[axis] - reach;
        else box.upper[axis] = reach;
        tiles.activate(box);
    }
}

void Smoke::advect_velocity(double dt) {
    const SmokeParams& gas = setup_.gas;
    constrain_velocity(solids_, u_);
    const flow::Advection how{.scheme = gas.velocity_transport, .trace = gas.trace, .dt = dt, .h = domain_.h,
                              .solid_distance = solids_.present() ? &solids_.distance : nullptr};
    flow::advect_velocity(how, u_, next_u_, velocity_tiles_, workspace_);
}

void Smoke::add_forces(double dt) {
    const SmokeParams& gas = setup_.gas;
    flow::add_forces({.dt = dt, .h = domain_.h, .alpha = gas.density_weight(time_), .beta = gas.temperature_lift(time_),
                      .epsilon = gas.vorticity(time_)},
                     u_, density_, excess_, velocity_tiles_, next_u_);
    diffuser_.diffuse_velocity(next_u_, gas.viscosity * dt / (domain_.h * domain_.h), walls_now(), solids_);
}

void Smoke::project(double dt) {
    std::swap(u_, next_u_);
    enforce_walls(walls_now(), u_);
    constrain_velocity(solids_, u_);
    projection_ = projector_.project(solids_, phi_.empty() ? nullptr : &phi_, domain_.h,
                                     {.tolerance = setup_.gas.pressure_tolerance, .max_iterations = setup_.gas.pressure_iterations}, u_);
    constrain_velocity(solids_, u_);
    if (!projection_.converged && projection_.iterations >= setup_.gas.pressure_iterations)
        log::once("pressure", fmt::format("the pressure solve stopped at a relative residual of {:.1e} after {} iterations (t = {:.3f} s); "
                                          "raise gas.pressure.iterations", projection_.residual, projection_.iterations, time_));
    if (projection_.imbalance * dt > 1e-4)
        log::once("sealed", fmt::format("a sealed part of the domain is told to expand by {:.3g} 1/s on average and cannot: the mean is taken "
                                        "off its divergence. Open a wall to let the gas out", projection_.imbalance));
}

void Smoke::transport_scalars(double dt) {
    const SmokeParams& gas = setup_.gas;
    const double before = amount(density_);
    Grid &next_density = next_u_.x, &next_excess = next_u_.y;   // free until the velocity is carried again
    const flow::Carried carried[] = {{&density_, &next_density, incoming(&Wall::density, 0)},
                                     {&excess_, &next_excess, incoming(&Wall::temperature, gas.ambient_temperature)}};
    double crossed = 0;
    if (gas.scalar_transport == ScalarTransport::conserving) {
        const flow::Conserving how{.dt = dt, .h = domain_.h, .aperture = solids_.present() ? &solids_.aperture : nullptr,
                                   .x_first = int(steps_) % 2 == 0};
        const flow::Ledger flux = transport_conserving(how, u_, carried[0], scalar_tiles_);
        transport_conserving(how, u_, carried[1], scalar_tiles_);
        record("density", "entered", flux.in);
        record("density", "left", -flux.out);
        crossed = flux.in - flux.out;
    } else {
        extend_inside(solids_, density_);
        extend_inside(solids_, excess_);
        const flow::Advection how{.scheme = semi_lagrangian(gas.scalar_transport), .trace = gas.trace, .dt = dt, .h = domain_.h,
                                  .solid_distance = solids_.present() ? &solids_.distance : nullptr};
        advect_scalars(how, u_, carried, scalar_tiles_, workspace_);
    }
    std::swap(density_, next_density);
    std::swap(excess_, next_excess);
    clear_inside(solids_, density_, 0);
    clear_inside(solids_, excess_, 0);
    // A semi-Lagrangian scheme cannot tell what left through a wall from what interpolation lost.
    record("density", "transported", amount(density_) - before - crossed);
}

void Smoke::diffuse_and_decay(double dt) {
    const SmokeParams& gas = setup_.gas;
    const double per_cell = dt / (domain_.h * domain_.h);
    diffuser_.diffuse_cells(density_, gas.density_diffusion * per_cell, solids_);
    diffuser_.diffuse_cells(excess_, gas.temperature_diffusion * per_cell, solids_);
    const double before = gas.dissolve > 0 ? amount(density_) : 0;
    const auto decay = [&](Grid& q, double rate) {
        if (rate <= 0) return;
        const float keep = float(std::exp(-rate * dt));
        scalar_tiles_.for_each_run([&](const flow::CellBox& box) {
            for (int k = box.lower.z; k < box.upper.z; ++k)
                for (int j = box.lower.y; j < box.upper.y; ++j) {
                    float* row = q.row(j, k);
#pragma omp simd
                    for (int i = box.lower.x; i < box.upper.x; ++i) row[i] *= keep;
                }
        });
    };
    decay(density_, gas.dissolve);
    decay(excess_, gas.cooling);
    if (gas.dissolve > 0) record("density", "dissolved", amount(density_) - before);
}

field::Frame Smoke::show() const {
    field::Frame frame;
    frame.time = time_;
    frame.domain = domain_;
    // The second velocity is free between steps: it holds the temperature itself, the solver works with the excess.
    Grid& temperature = next_u_.z;
    const float ambient = float(setup_.gas.ambient_temperature);
    parallel_for(layout_.nz(), [&](int k) {
        for (int j = 0; j < layout_.ny(); ++j) {
            const float* __restrict from = excess_.row(j, k);
            float* __restrict to = temperature.row(j, k);
#pragma omp simd
            for (int i = 0; i < layout_.nx(); ++i) to[i] = ambient + from[i];
        }
    });
    frame.scalars = {{.name = "density", .unit = "1", .background = 0, .negligible = 1e-4f, .grid = borrowed(density_)},
                     {.name = "temperature", .unit = "K", .background = ambient, .negligible = 0.01f, .grid = borrowed<Grid>(temperature)}};
    frame.velocity = borrowed(u_);
    for (const geom::Body& body : setup_.bodies) frame.surfaces.push_back(body.surface(time_));
    return frame;
}

StateView Smoke::state() {
    return {.fields = {{"velocity.x", u_.x.storage()},
                       {"velocity.y", u_.y.storage()},
                       {"velocity.z", u_.z.storage()},
                       {"density", density_.storage()},
                       {"excess_temperature", excess_.storage()}},
            .numbers = {{"time", &time_}, {"steps", &steps_}}};
}

double Smoke::amount(const Grid& q) const { return sum(q) * cell_volume(); }

void Smoke::record(const char* quantity, const char* entry, double change) { ledger_[quantity][entry] += change; }

std::size_t Smoke::bytes() const {
    return u_.bytes() + next_u_.bytes() + density_.bytes() + excess_.bytes() + phi_.bytes() + solids_.bytes() + projector_.bytes() + diffuser_.bytes() + workspace_.bytes();
}

}  // namespace phlo::models
