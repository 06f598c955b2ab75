#include "models/gas/gas.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/error.h"
#include "base/log.h"
#include "base/parallel.h"
#include "flow/activity.h"
#include "flow/forces.h"
#include "flow/sources.h"
#include "flow/surface.h"
#include "models/gas/grid_chemistry.h"
#include "models/gas/heat_field.h"
#include "models/gas/hybrid_chemistry.h"

namespace phlo::models {

using field::Grid;
using field::MacGrid;

namespace {

constexpr double air_heat_capacity = 1005;   ///< at constant pressure [J/(kg K)]
constexpr double inside = 0.5;               ///< weight of an emitter from which on a cell is inside its shape

}  // namespace

Gas::Gas(GasSetup setup)
    : setup_(std::move(setup)),
      domain_(make_domain(setup_.domain)),
      layout_(domain_.cells),
      u_(layout_),
      next_u_(layout_),
      excess_(layout_),
      projector_(layout_),
      scalar_tiles_(layout_, true),
      velocity_tiles_(layout_, true) {
    make_substances();
    if (reactions_expand()) swelling_ = Grid(layout_);
    coverage_.resize(setup_.emitters.size());
    free_ = flow::FreeBodies(setup_.bodies);
    rasterize(domain_, free_.placements(time_), solids_);
    for (Substance& substance : substances_) clear_inside(solids_, substance.amount, 0);
    hold_catalysts();
    emit(0, Emission::starting);
}

void Gas::make_substances() {
    if (!setup_.mechanism) {
        substances_.push_back({.name = "density", .amount = Grid(layout_)});
        return;
    }
    const chem::Mechanism& mechanism = *setup_.mechanism;
    if (setup_.gas.method == GasMethod::hybrid) chemistry_ = std::make_unique<HybridChemistry>(mechanism, setup_.chemistry, hybrid_scene());
    else chemistry_ = std::make_unique<GridChemistry>(mechanism, setup_.chemistry);
    conserved_ = chem::conserved_totals(chem::Network(mechanism));
    if (setup_.chemistry.pressure) content_.emplace(mechanism, setup_.gas.ambient_temperature);
    std::vector<Concentration> ambient;
    for (const auto& given : setup_.chemistry.ambient) ambient.push_back({given.name, given.value, given.position});
    for (const int s : chemistry_->fields()) {
        const chem::Species& species = mechanism.species[std::size_t(s)];
        const double far = concentration(ambient, s, setup_.gas.ambient_temperature);
        substances_.push_back({.name = species.name, .species = s, .ambient = far, .weight = species.molar_mass - setup_.gas.air_molar_mass,
                               .amount = Grid(layout_, float(far))});
        for (const geom::Body& body : setup_.bodies)
            for (const auto& catalyst : body.catalyst)
                if (catalyst.name == species.name) substances_.back().carried = false;
    }
}

HybridScene Gas::hybrid_scene() const {
    HybridScene scene{.domain = domain_, .strongest = 0, .lift = setup_.gas.temperature_lift(0), .seed = setup_.seed, .emitters = setup_.emitters.size()};
    for (std::size_t w = 0; w < 6; ++w) scene.walls[w] = setup_.domain.walls[w].kind;
    for (const Emitter& emitter : setup_.emitters)
        for (const Concentration& one : emitter.species)   // what is added in a tenth of a second counts as being there
            scene.strongest = std::max(scene.strongest, one.value(0) * (emitter.mode == EmitMode::add ? 0.1 : 1));
    if (scene.strongest <= 0) scene.strongest = 1;
    return scene;
}

FrameStats Gas::advance(double seconds) {
    FrameStats stats;
    times_.clear();
    ledger_.clear();
    take_stock("start");
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
        stats.active_fraction += velocity_tiles_.active_fraction();
    }
    time_ = end;
    take_stock("now");
    add_totals_to_ledger();
    stats.time = time_;
    stats.dt = seconds / std::max(1, stats.substeps);
    stats.active_fraction /= std::max(1, stats.substeps);
    stats.seconds = times_;
    stats.ledger = ledger_.entries();
    if (chemistry_) chemistry_->count(stats.particles);
    stats.memory_bytes = bytes();
    return stats;
}

void Gas::take_stock(const char* entry) {
    if (!chemistry_) return ledger_.record("density", entry, total(density()));
    for (const chem::Species& species : setup_.mechanism->species) ledger_.record(species.name, entry, amount(species.name));
    book_heat(entry, heat());
}

/// Of a real gas the enthalpy, which no reaction changes at constant pressure; else there is only temperature to add up.
void Gas::book_heat(const char* entry, double change) {
    if (chemistry_) ledger_.record(real() ? "total enthalpy" : "heat", entry, change);
}

double Gas::heat() const { return real() ? sum_of_enthalpy(*content_, substances_, excess_) * cell_volume() : total(excess_); }

/// The same entries once more for what no reaction changes: elements, or sums of species.
void Gas::add_totals_to_ledger() {
    const auto books = ledger_.entries();
    for (const chem::Conserved& conserved : conserved_)
        for (std::size_t s = 0; s < conserved.weights.size(); ++s)
            if (conserved.weights[s] != 0)
                for (const auto& [entry, value] : books.at(setup_.mechanism->species[s].name))
                    ledger_.record("total " + conserved.name, entry, conserved.weights[s] * value);
}

void Gas::step(double dt) {
    { Stage stage(times_, "sources");   move_bodies(dt); touch_bodies(dt); emit(dt, Emission::running); }
    { Stage stage(times_, "activity");  find_activity(dt); }
    { Stage stage(times_, "velocity");  advect_velocity(dt); }
    { Stage stage(times_, "forces");    add_forces(dt); }
    { Stage stage(times_, "pressure");  project(dt); }
    { Stage stage(times_, "transport"); transport_scalars(dt); }
    { Stage stage(times_, "decay");     diffuse_and_decay(dt); }
    if (chemistry_) {
        { Stage stage(times_, "particles"); move_particles(dt); }
        { Stage stage(times_, "kinetics");  react(dt); }
    }
    time_ += dt;
    ++steps_;
}

bool Gas::expands() const {
    const bool by_emitters = !setup_.gas.expansion.is_constant() || setup_.gas.expansion(0) != 0;
    return by_emitters || reactions_expand();
}

bool Gas::reactions_expand() const { return chemistry_ && (setup_.chemistry.pressure || !setup_.chemistry.expansion.empty()); }

bool Gas::evolves() const {
    return chemistry_ && !setup_.chemistry.expansion.empty() && setup_.chemistry.expansion_mode == ExpansionMode::evolving;
}

Medium Gas::medium() {
    return {.domain = domain_, .solids = solids_, .bodies = setup_.bodies, .tiles = scalar_tiles_, .u = u_, .substances = substances_,
            .excess = excess_, .swelling = swelling_, .ledger = ledger_, .content = real() ? &*content_ : nullptr,
            .ambient_temperature = setup_.gas.ambient_temperature, .time = time_, .step = std::uint32_t(steps_)};
}

double Gas::concentration(const std::vector<Concentration>& given, int species, double temperature) const {
    double value = 0, sum = 0;
    for (const Concentration& one : given) {
        const double here = one.value(time_);
        sum += here;
        if (setup_.mechanism->find(one.name) == species) value = here;
    }
    if (!setup_.chemistry.pressure || sum == 0) return value;
    return value / sum * *setup_.chemistry.pressure / (chem::gas_constant * temperature);
}

/// Three times a step somebody asks, and looking takes as long as reading the whole velocity.
double Gas::fastest() {
    if (fastest_ >= 0) return fastest_;
    fastest_ = 0;
    for (int axis = 0; axis < 3; ++axis) fastest_ = std::max(fastest_, max_abs(u_[axis], face_extent(layout_, axis)));
    return fastest_;
}

double Gas::choose_step(double remaining, int done) {
    const TimeParams& time = setup_.time;
    fastest_ = -1;   // whoever holds the velocity may have changed it since the last step
    if (time.fixed_step > 0) return std::min(time.fixed_step, remaining);
    double speed = fastest();
    for (const geom::Body& body : setup_.bodies) speed = std::max(speed, length(body.motion.position.derivative(time_)));
    speed = std::max({speed, free_.fastest(), swelling_speed()});
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

flow::Walls Gas::walls_now() const {
    flow::Walls walls;
    for (std::size_t w = 0; w < 6; ++w)
        walls[w] = {.kind = setup_.domain.walls[w].kind, .speed = setup_.domain.walls[w].velocity(time_)};
    return walls;
}

/// What the gas brings along when it enters through each wall.
flow::Boundary Gas::incoming(const Substance& substance) const {
    flow::Boundary boundary;
    for (std::size_t w = 0; w < 6; ++w) {
        const Wall& wall = setup_.domain.walls[w];
        if (wall.kind == WallKind::open) boundary[w] = float(substance.ambient);
        if (wall.kind == WallKind::inflow) boundary[w] = float(incoming_at(wall, substance));
    }
    return boundary;
}

double Gas::incoming_at(const Wall& wall, const Substance& substance) const {
    if (substance.species < 0) return wall.density(time_);
    if (wall.species.empty()) return substance.ambient;
    return concentration(wall.species, substance.species, wall.temperature(time_));
}

flow::Boundary Gas::incoming_heat() const {
    flow::Boundary boundary;
    for (std::size_t w = 0; w < 6; ++w) {
        const Wall& wall = setup_.domain.walls[w];
        if (wall.kind == WallKind::closed) continue;
        const bool open = wall.kind == WallKind::open;
        const double excess = open ? 0 : wall.temperature(time_) - setup_.gas.ambient_temperature;
        double brought = real() ? 0 : excess;
        if (real())
            for (const Substance& substance : substances_)
                brought += (open ? substance.ambient : incoming_at(wall, substance)) * content_->of(substance.species, excess);
        boundary[w] = float(brought);
    }
    return boundary;
}

void Gas::move_bodies(double dt) {
    free_.move(surroundings(), time_, dt);
    const bool moved = rasterize(domain_, free_.placements(time_ + dt), solids_);
    if (moved) fastest_ = -1;
    if (moved || steps_ == 0) sweep();
    if (moved || !projector_ready_) {
        projector_.set_up(walls_now(), solids_);
        if (free_.any()) projector_.couple(free_.pressure_terms(surroundings(), solids_));
        projector_ready_ = true;
    }
}

flow::BodySurroundings Gas::surroundings() const {
    return {.domain = domain_, .walls = walls_now(), .gravity = {0, 0, -setup_.gas.gravity}, .gas_density = setup_.gas.air_density};
}

/// Heat, friction and catalysts pass between the bodies' surfaces and the gas beside them.
void Gas::touch_bodies(double dt) {
    const auto& bodies = setup_.bodies;
    const bool any = std::ranges::any_of(bodies, [](const geom::Body& b) { return b.free || b.temperature || !b.catalyst.empty(); });
    if (!any) return;
    const std::vector<flow::SurfaceCell> surface = surface_cells(domain_, solids_);
    std::vector<flow::HotBody> hot;
    std::vector<double> given(bodies.size());
    for (std::size_t b = 0; b < bodies.size(); ++b) {
        if (!bodies[b].temperature) continue;
        given[b] = (*bodies[b].temperature)(time_);
        hot.push_back({.body = int(b), .transfer = bodies[b].heat_transfer, .temperature = &given[b]});
        for (flow::FreeBodies::Free& free : free_.free())
            if (free.index == int(b) && bodies[b].heat_capacity > 0)
                hot.back().temperature = &free.temperature, hot.back().capacity = bodies[b].heat_capacity * free.rigid.mass.mass;
    }
    const double heated = exchange_heat({.dt = dt, .h = domain_.h, .ambient = setup_.gas.ambient_temperature,
                                         .gas_capacity = setup_.gas.air_density * air_heat_capacity}, surface, hot, excess_);
    if (chemistry_ && !hot.empty()) ledger_.record("heat", "bodies", heated * cell_volume());
    rub(surroundings(), solids_, surface, bodies, dt, free_, u_);
    fastest_ = -1;
    hold_catalysts();
}

/// What is on a body's surface goes where the body goes, and nowhere else.
void Gas::hold_catalysts() {
    if (std::ranges::all_of(substances_, &Substance::carried)) return;
    const std::vector<flow::SurfaceCell> surface = surface_cells(domain_, solids_);
    for (Substance& substance : substances_) {
        if (substance.carried) continue;
        const double before = total(substance.amount);
        substance.amount.fill(0);
        for (std::size_t b = 0; b < setup_.bodies.size(); ++b)
            for (const auto& catalyst : setup_.bodies[b].catalyst)
                if (catalyst.name == substance.name) hold_on_surface(surface, int(b), catalyst.value, setup_.bodies[b].catalyst_layer, domain_.h, substance.amount);
        ledger_.record(substance.name, "bodies", total(substance.amount) - before);
    }
}

/// Where an emitter is: in the world, or in the frame of the body that carries it, all around it if the emitter has no shape of its own.
flow::SourceShape Gas::source_of(const Emitter& emitter) const {
    flow::SourceShape source{.shape = &emitter.shape, .pose = emitter.motion.pose(time_), .softness = emitter.softness, .noise = emitter.noise};
    for (const geom::Placement& placed : free_.placements(time_)) {
        if (emitter.on.empty() || placed.body->name != emitter.on) continue;
        source.pose = {placed.pose.world_from_local(source.pose.position), placed.pose.rotation * source.pose.rotation};
        if (!emitter.has_shape) source.shape = &placed.body->shape, source.grown = emitter.thickness;
    }
    return source;
}

/// What a body now covers. The conserving transport moves amounts, so they are handed on to the fluid beside the body. The others move
/// values along with the flow in front of the body: handing on as well would count the smoke twice, step after step.
void Gas::sweep() {
    const double heat_before = chemistry_ ? heat() : 0;
    for (Substance& substance : substances_) {
        if (!substance.carried) continue;
        const double before = total(substance.amount);
        if (conserving()) push_out(solids_, substance.amount);
        else clear_inside(solids_, substance.amount, 0);
        ledger_.record(substance.name, "swept", total(substance.amount) - before);
    }
    clear_inside(solids_, excess_, 0);
    if (chemistry_) book_heat("swept", heat() - heat_before);
}

void Gas::emit(double dt, Emission when) {
    const GasParams& gas = setup_.gas;
    const flow::Solids* solids = solids_.present() ? &solids_ : nullptr;
    const double heat_before = chemistry_ ? heat() : 0;
    for (std::size_t e = 0; e < setup_.emitters.size(); ++e) {
        const Emitter& emitter = setup_.emitters[e];
        if (emitter.mode == EmitMode::start && when == Emission::running) continue;
        flow::Coverage& coverage = coverage_[e];
        const double strength = emitter.strength(time_);
        if (strength <= 0) continue;
        cover(domain_, source_of(emitter), time_, solids, coverage);
        emit_substances(emitter, coverage, strength, dt);
        const double excess = emitter.temperature(time_) - gas.ambient_temperature;
        if (replaces_gas(emitter)) replace(coverage, excess_, excess, inside / strength);
        else if (emitter.mode == EmitMode::add) add(coverage, excess_, strength * excess * dt);
        else hold(coverage, excess_, strength * excess);
        if (emitter.sets_velocity || emitter.turbulence.speed != 0) fastest_ = -1;
        if (emitter.sets_velocity) blend_velocity(coverage, emitter.velocity(time_), solids, u_);
        stir(domain_, coverage, emitter.turbulence, strength * emitter.turbulence.speed * (emitter.mode == EmitMode::start ? 1 : dt), time_, solids, u_);
    }
    if (chemistry_) book_heat("emitted", heat() - heat_before);
}

/// A real gas fills its cells, so gas that an emitter holds there takes the place of what was: all species and the heat at once, in the cells
/// inside the shape. Shares of them at its soft edge, each at least so much, would be a mixture under pressure, heated for nothing.
bool Gas::replaces_gas(const Emitter& emitter) const { return real() && !emitter.species.empty() && emitter.mode != EmitMode::add; }

void Gas::emit_substances(const Emitter& emitter, const flow::Coverage& coverage, double strength, double dt) {
    const bool adds = emitter.mode == EmitMode::add;
    const auto give = [&](Substance& substance, double value) {
        const double changed = adds ? add(coverage, substance.amount, strength * value * dt)
                               : replaces_gas(emitter) ? replace(coverage, substance.amount, value, inside / strength)
                                                       : hold(coverage, substance.amount, strength * value, substance.ambient);
        ledger_.record(substance.name, "emitted", changed * cell_volume());
    };
    if (!chemistry_) return give(substances_.front(), emitter.density(time_));
    for (Substance& substance : substances_) {
        const double value = concentration(emitter.species, substance.species, emitter.temperature(time_));
        if (value > 0 || replaces_gas(emitter)) give(substance, value);
    }
    Medium gas = medium();
    for (const Concentration& one : emitter.species) {
        const int species = setup_.mechanism->find(one.name);
        const bool field = std::ranges::any_of(substances_, [&](const Substance& s) { return s.species == species; });
        if (!field) chemistry_->feed(gas, species, std::size_t(&coverage - coverage_.data()), coverage, emitter.mode, strength * one.value(time_) * (adds ? dt : 1));
    }
}

/// The divergence of this step, in a grid to work in; null if nothing expands. Reactions ask for a volume; it is given over a frame, so that
/// an explosion pushes the gas through a few steps that the time step can follow, instead of throwing it across many cells at once. A
/// real gas gets what its pressure demands at once.
const Grid* Gas::wanted_divergence(double dt) {
    if (!expands()) return nullptr;
    Grid& phi = workspace_.grid(0, layout_);
    if (swelling_.empty()) phi.fill(0);
    const double given_over = setup_.chemistry.pressure ? dt : std::max(dt, 1 / setup_.time.fps);
    const float rate = float(evolves() ? 1 : 1 / given_over), kept = float(evolves() ? 1 : 1 - dt / given_over);
    parallel_for(swelling_.empty() ? 0 : layout_.nz(), [&](int k) {
        for (int j = 0; j < layout_.ny(); ++j) {
            float *__restrict wanted = swelling_.row(j, k), *__restrict to = phi.row(j, k);
#pragma omp simd
            for (int i = 0; i < layout_.nx(); ++i) to[i] = rate * wanted[i], wanted[i] *= kept;
        }
    });
    for (std::size_t e = 0; e < setup_.emitters.size(); ++e)
        if (const double strength = setup_.emitters[e].strength(time_); strength > 0 && setup_.emitters[e].mode != EmitMode::start)
            if (const double expansion = setup_.gas.expansion(time_); expansion != 0) add(coverage_[e], phi, strength * expansion);
    return &phi;
}

/// How fast the gas will be pushed by what reactions want, if they want it in a ball: the volume of a second over the ball's surface [m/s].
double Gas::swelling_speed() const {
    if (swelling_.empty() || setup_.chemistry.pressure) return 0;
    constexpr float least = 1e-3f;
    struct Part { double wanted = 0, cells = 0; };
    const Part all = parallel_reduce(layout_.nz(), Part{}, [&](int k) {
        Part part;
        for (int j = 0; j < layout_.ny(); ++j) {
            const float* wanted = swelling_.row(j, k);
            for (int i = 0; i < layout_.nx(); ++i)
                if (std::fabs(wanted[i]) > least) part.wanted += std::fabs(double(wanted[i])), ++part.cells;
        }
        return part;
    }, [](Part a, const Part& b) { return Part{a.wanted + b.wanted, a.cells + b.cells}; });
    if (all.cells == 0) return 0;
    const double per_second = all.wanted * cell_volume() * (evolves() ? 1 : setup_.time.fps);
    const double radius = std::cbrt(all.cells * cell_volume() * 3 / (4 * std::numbers::pi));
    return per_second / (4 * std::numbers::pi * radius * radius);
}

void Gas::move_particles(double dt) {
    Medium gas = medium();
    chemistry_->move(gas, dt);
}

void Gas::react(double dt) {
    Medium gas = medium();
    chemistry_->react(gas, dt);
}

void Gas::find_activity(double dt) {
    const double threshold = setup_.gas.activity_threshold;
    if (threshold <= 0) return;
    const int reach = int(std::ceil(fastest() * dt / domain_.h)) + 2;
    scalar_tiles_.clear();
    for (const Substance& substance : substances_) {
        if (!substance.carried) continue;
        if (substance.ambient != 0) scalar_tiles_.activate_all();   // the conserving transport needs every cell that something crosses
        scalar_tiles_.activate_where(substance.amount, float(substance.ambient), float(threshold), reach);
    }
    scalar_tiles_.activate_where(excess_, 0, float(threshold * setup_.gas.ambient_temperature), reach);
    if (evolves()) scalar_tiles_.activate_where(swelling_, 0, float(threshold), reach);
    if (chemistry_) chemistry_->activate(scalar_tiles_, reach);
    activate_bringing_walls(scalar_tiles_, reach);
    velocity_tiles_ = flow::stirred_tiles(u_, dt, domain_.h);
    velocity_tiles_.dilate(reach);
    velocity_tiles_ |= scalar_tiles_;
}

/// Inflow walls bring smoke into tiles that hold none yet.
void Gas::activate_bringing_walls(flow::TileSet& tiles, int reach) const {
    for (int w = 0; w < 6; ++w) {
        if (setup_.domain.walls[std::size_t(w)].kind != WallKind::inflow) continue;
        const int axis = w / 2;
        flow::CellBox box{Vec3i(), layout_.cells()};
        if (w % 2) box.lower[axis] = box.upper[axis] - reach;
        else box.upper[axis] = reach;
        tiles.activate(box);
    }
}

void Gas::advect_velocity(double dt) {
    const GasParams& gas = setup_.gas;
    constrain_velocity(solids_, u_);
    const flow::Advection how{.scheme = gas.velocity_transport, .trace = gas.trace, .dt = dt, .h = domain_.h,
                              .fastest = fastest_, .solid_distance = solids_.present() ? &solids_.distance : nullptr};
    flow::advect_velocity(how, u_, next_u_, velocity_tiles_, workspace_);
}

void Gas::add_forces(double dt) {
    const GasParams& gas = setup_.gas;
    flow::add_forces({.dt = dt, .h = domain_.h, .alpha = chemistry_ ? gas.mass_weight(time_) : gas.density_weight(time_),
                      .beta = gas.temperature_lift(time_), .epsilon = gas.vorticity(time_)},
                     u_, mass_excess(), excess_, velocity_tiles_, next_u_);
    if (chemistry_) chemistry_->push(medium(), dt, next_u_);
    diffuser_.diffuse_velocity(next_u_, gas.viscosity * dt / (domain_.h * domain_.h), walls_now(), solids_);
}

/// How much more a cubic metre weighs than the air that the species displace [kg/m^3]; of smoke: its density.
const Grid& Gas::mass_excess() {
    if (!chemistry_) return substances_.front().amount;
    Grid& mass = workspace_.grid(0, layout_);
    double ambient = 0;
    for (const Substance& substance : substances_) ambient += substance.weight * substance.ambient;
    parallel_for(layout_.nz(), [&](int k) {
        for (int j = 0; j < layout_.ny(); ++j) {
            float* __restrict to = mass.row(j, k);
            std::fill(to, to + layout_.nx(), float(-ambient));
            for (const Substance& substance : substances_) {
                const float weight = substance.carried ? float(substance.weight) : 0.0f;   // what sits on bodies weighs on them
                const float* __restrict c = substance.amount.row(j, k);
                if (weight == 0) continue;
#pragma omp simd
                for (int i = 0; i < layout_.nx(); ++i) to[i] += weight * c[i];
            }
        }
    });
    return mass;
}

void Gas::project(double dt) {
    std::swap(u_, next_u_);
    enforce_walls(walls_now(), u_);
    constrain_velocity(solids_, u_);
    projection_ = projector_.project(solids_, wanted_divergence(dt), domain_.h,
                                     {.tolerance = setup_.gas.pressure_tolerance, .max_iterations = setup_.gas.pressure_iterations}, u_,
                                     [&](const Grid& q) {
                                         if (!free_.any()) return;
                                         free_.respond(q);
                                         rasterize(domain_, free_.placements(time_ + dt), solids_);   // the same place, new velocities
                                     });
    constrain_velocity(solids_, u_);
    fastest_ = -1;
    if (!projection_.converged && projection_.iterations >= setup_.gas.pressure_iterations)
        log::once("pressure", fmt::format("the pressure solve stopped at a relative residual of {:.1e} after {} iterations (t = {:.3f} s); "
                                          "raise gas.pressure.iterations", projection_.residual, projection_.iterations, time_));
    if (projection_.imbalance * dt > 1e-4)
        log::once("sealed", fmt::format("a sealed part of the domain is told to expand by {:.3g} 1/s on average and cannot: the mean is taken "
                                        "off its divergence. Open a wall to let the gas out", projection_.imbalance));
}

double Gas::total(const Grid& q) const { return sum(q) * cell_volume(); }

double Gas::amount(const std::string& substance) const {
    double result = 0;
    for (const Substance& one : substances_)
        if (one.name == substance) result += total(one.amount);
    if (chemistry_) result += chemistry_->amount_outside_fields(setup_.mechanism->find(substance));
    return result;
}

std::size_t Gas::chemistry_bytes() const {
    if (!chemistry_) return 0;
    return chemistry_->bytes() + (std::max<std::size_t>(substances_.size(), 1) - 1) * excess_.bytes() + swelling_.bytes();
}

std::size_t Gas::bytes() const {
    std::size_t total = u_.bytes() + next_u_.bytes() + excess_.bytes() + swelling_.bytes() + solids_.bytes() +
                        projector_.bytes() + diffuser_.bytes() + workspace_.bytes();
    for (const Substance& substance : substances_) total += substance.amount.bytes();
    return total + (chemistry_ ? chemistry_->bytes() : 0);
}

}  // namespace phlo::models
