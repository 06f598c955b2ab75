#include "models/shot/grid_flow.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "models/shot/step_choice.h"

namespace phlo::models {

namespace {

constexpr std::size_t most_pieces = 64;

/// With room for what breaks off.
Shot with_room(Shot shot) {
    const bool can_break = std::ranges::any_of(shot.bodies, [](const geom::Body& body) { return body.erosion.any(); });
    if (can_break) shot.bodies.reserve(shot.bodies.size() + most_pieces);
    return shot;
}

}  // namespace

GridFlow::GridFlow(const Shot& shot, const Physics& physics)
    : shot_(with_room(shot)),
      given_bodies_(shot_.bodies.size()),
      physics_(physics),
      domain_(make_domain(shot_.domain)),
      layout_(domain_.cells),
      u_(layout_),
      next_u_(layout_),
      free_(shot_.bodies) {
    rasterize(domain_, placements(), solids_);
}

flow::Walls GridFlow::walls() const {
    flow::Walls walls;
    for (std::size_t w = 0; w < 6; ++w) walls[w] = {.kind = shot_.domain.walls[w].kind, .speed = shot_.domain.walls[w].velocity(time_)};
    return walls;
}

flow::BodySurroundings GridFlow::surroundings() const {
    return {.domain = domain_, .walls = walls(), .gravity = physics_.gravity, .gas_density = physics_.fluid_density,
            .carries_its_weight = physics_.liquid};
}

/// Several times a step somebody asks, and looking takes as long as reading the whole velocity.
double GridFlow::fastest() {
    if (fastest_ >= 0) return fastest_;
    fastest_ = 0;
    for (int axis = 0; axis < 3; ++axis) fastest_ = std::max(fastest_, max_abs(u_[axis], face_extent(layout_, axis)));
    return fastest_;
}

double GridFlow::choose_step(double remaining, int done, const Coming& coming, Warnings& warnings) {
    if (shot_.time.fixed_step > 0) return std::min(shot_.time.fixed_step, remaining);   // without looking for the fastest
    double speed = fastest();
    for (const geom::Body& body : shot_.bodies) speed = std::max(speed, length(body.motion.position.derivative(time_)));
    speed = std::max({speed, free_.fastest(), coming.speed});
    return models::choose_step({.time = shot_.time, .h = domain_.h, .now = time_, .speed = speed, .longest = coming.longest}, remaining, done, warnings);
}

void GridFlow::reshape(std::size_t body, geom::Shape shape) {
    shot_.bodies[body].shape = std::move(shape);
    ++shot_.bodies[body].revision;
    free_.reshape(int(body));
}

std::size_t GridFlow::add_body(geom::Body body, const geom::Pose& pose, const Vec3d& velocity, const Vec3d& spin) {
    PHLO_CHECK(has_room_for_bodies());
    shot_.bodies.push_back(std::move(body));
    free_.add(shot_.bodies, int(shot_.bodies.size()) - 1, pose, velocity, spin);
    return shot_.bodies.size() - 1;
}

void GridFlow::drop_added_bodies() {
    shot_.bodies.resize(given_bodies_);
    free_.keep_first(shot_.bodies, int(given_bodies_));
}

bool GridFlow::move_bodies(double dt) {
    free_.move(surroundings(), time_, dt);
    return place_bodies(time_ + dt) || steps_ == 0;
}

bool GridFlow::place_bodies(double time) {
    const bool changed = rasterize(domain_, free_.placements(time), solids_);
    if (changed) projector_ready_ = false;
    return changed;
}

flow::Advection GridFlow::scalar_advection(flow::Scheme scheme, flow::Trace trace, double dt) {
    return {.scheme = scheme, .trace = trace, .dt = dt, .h = domain_.h, .fastest = fastest_,
            .solid_distance = solids_.present() ? &solids_.distance : nullptr};
}

void GridFlow::advect_velocity(flow::Scheme scheme, flow::Trace trace, double dt, const flow::TileSet& tiles) {
    constrain_velocity(solids_, u_);   // inside bodies, where nobody looks for the largest component
    flow::advect_velocity(scalar_advection(scheme, trace, dt), u_, next_u_, tiles, workspace_);
}

field::MacGrid& GridFlow::adopt_next_velocity() {
    std::swap(u_, next_u_);
    field::MacGrid& u = edit_velocity();
    enforce_walls(walls(), u);
    constrain_velocity(solids_, u);
    return u;
}

void GridFlow::press_bodies(const field::Grid& q, double dt) {
    if (!free_.any()) return;
    free_.respond(q);
    rasterize(domain_, free_.placements(time_ + dt), solids_);   // the same place, new velocities
}

void GridFlow::project(double dt, const field::Grid* divergence, const numerics::PoissonSolver::Options& options, Warnings& warnings) {
    if (!projector_) projector_.emplace(layout_);
    if (!projector_ready_) {
        projector_->set_up(walls(), solids_);
        if (free_.any()) projector_->couple(free_.pressure_terms(surroundings(), solids_));
        projector_ready_ = true;
    }
    field::MacGrid& u = adopt_next_velocity();
    projection_ = projector_->project(solids_, divergence, domain_.h, options, u, [&](const field::Grid& q) { press_bodies(q, dt); });
    constrain_velocity(solids_, u);
    if (projection_.imbalance * dt > 1e-4)
        warnings.once("sealed", fmt::format("a sealed part of the domain is told to expand by {:.3g} 1/s on average and cannot: the mean is taken "
                                            "off its divergence. Open a wall to let the gas out", projection_.imbalance));
}

void GridFlow::add_state(StateView& view) {
    field::MacGrid& u = edit_velocity();
    for (int axis = 0; axis < 3; ++axis) view.fields.push_back({fmt::format("velocity.{}", "xyz"[axis]), u[axis].storage()});
    view.numbers.insert(view.numbers.end(), {{"time", &time_}, {"steps", &steps_}});
    for (const flow::FreeBodies::Number& number : free_.numbers()) view.numbers.push_back({number.name, number.value});
}

std::size_t GridFlow::bytes() const { return u_.bytes() + next_u_.bytes() + solids_.bytes() + (projector_ ? projector_->bytes() : 0) + workspace_.bytes(); }

}  // namespace phlo::models
