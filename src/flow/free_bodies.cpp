#include "flow/free_bodies.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "base/error.h"

namespace phlo::flow {
namespace {

constexpr double touching = 1e-2;  ///< [cells] a gap this small counts as contact for what must not move into each other
constexpr double virtual_mass = 0.5;  ///< of a sphere, in displaced gas

std::vector<geom::Plane> closed_planes(const BodySurroundings& around) {
    std::vector<geom::Plane> planes;
    const Vec3d lower = around.domain.origin, upper = around.domain.upper();
    for (int w = 0; w < 6; ++w) {
        if (around.walls[std::size_t(w)].kind == WallKind::open) continue;
        const int axis = w / 2;
        Vec3d normal;
        normal[axis] = w % 2 ? -1 : 1;
        planes.push_back({.normal = normal, .offset = w % 2 ? -upper[axis] : lower[axis]});
    }
    return planes;
}

bool in_closed_wall(const BodySurroundings& around, int axis, int along) {
    if (along == 0) return around.walls[std::size_t(2 * axis)].kind != WallKind::open;
    if (along == around.domain.cells[axis]) return around.walls[std::size_t(2 * axis + 1)].kind != WallKind::open;
    return false;
}

/// For each cell beside body `b`: how much its outflow grows with each of the body's velocities, three along the world's axes and three
/// about them through `center`.
numerics::RankTerm outflow_by_velocity(const BodySurroundings& around, const Solids& solids, int b, const Vec3d& center) {
    numerics::RankTerm term;
    std::unordered_map<std::ptrdiff_t, std::size_t> entry_of;
    const field::Layout& layout = solids.volume.layout();
    const Vec3i n = layout.cells();
    const auto add = [&](const Vec3i& cell, const std::array<double, 6>& flux, double sign) {
        for (int axis = 0; axis < 3; ++axis)
            if (cell[axis] < 0 || cell[axis] >= n[axis]) return;
        if (solids.covered(cell.x, cell.y, cell.z)) return;
        const auto [place, fresh] = entry_of.try_emplace(layout.offset(cell.x, cell.y, cell.z), term.entries.size());
        if (fresh) term.entries.push_back({.cell = cell});
        for (std::size_t c = 0; c < flux.size(); ++c) term.entries[place->second].value[c] += float(sign * flux[c]);
    };
    const Solids::Placed& placed = solids.placed[std::size_t(b)];
    const Vec3i first = max(placed.first, Vec3i()), last = min(placed.last, n);
    for (int axis = 0; axis < 3; ++axis) {
        Vec3i ea;
        ea[axis] = 1;
        const Vec3i end = last + ea;
        for (int k = first.z; k < end.z; ++k)
            for (int j = first.y; j < end.y; ++j)
                for (int i = first.x; i < end.x; ++i) {
                    const double covered = 1 - double(solids.aperture[axis](i, j, k));
                    const Vec3i face(i, j, k), low = face - ea;
                    if (!(covered > 0) || in_closed_wall(around, axis, face[axis])) continue;
                    const bool beside_fluid =
                        (face[axis] < n[axis] && !solids.covered(i, j, k)) || (face[axis] > 0 && !solids.covered(low.x, low.y, low.z));
                    if (!beside_fluid) continue;
                    const CoveredPart part = covered_part(around.domain, solids, axis, face);
                    if (part.body != b) continue;
                    const Vec3d e(ea), turn = cross(part.center - center, e);
                    const std::array<double, 6> flux = {covered * e.x,    covered * e.y,    covered * e.z,
                                                        covered * turn.x, covered * turn.y, covered * turn.z};
                    add(low, flux, 1), add(face, flux, -1);
                }
    }
    return term;
}

/// In a closed box the pressure is free by a constant: it must not push.
void remove_means(numerics::RankTerm& term) {
    if (term.entries.empty()) return;
    for (std::size_t c = 0; c < std::size_t(numerics::RankTerm::columns); ++c) {
        double mean = 0;
        for (const auto& e : term.entries) mean += double(e.value[c]);
        mean /= double(term.entries.size());
        for (auto& e : term.entries) e.value[c] = float(double(e.value[c]) - mean);
    }
}

}  // namespace

FreeBodies::FreeBodies(std::span<const geom::Body> bodies) : bodies_(bodies), named_(int(bodies.size())) {
    for (std::size_t b = 0; b < bodies.size(); ++b) {
        const geom::Body& body = bodies[b];
        if (!body.free) continue;
        free_.push_back({int(b), make_rigid(body.shape, body.pose(0), body.free->density, body.free->velocity, body.free->spin), {},
                         body.temperature ? (*body.temperature)(0) : 0.0});
    }
}

FreeBodies::Free* FreeBodies::find(int index) {
    const auto found = std::ranges::find(free_, index, &Free::index);
    return found == free_.end() ? nullptr : &*found;
}

void FreeBodies::add(std::span<const geom::Body> bodies, int index, const geom::Pose& pose, const Vec3d& velocity, const Vec3d& spin) {
    bodies_ = bodies;
    const geom::Body& body = bodies[std::size_t(index)];
    PHLO_CHECK(body.free.has_value());
    free_.push_back({index, make_rigid(body.shape, pose, body.free->density, velocity, spin), {}, body.temperature ? (*body.temperature)(0) : 0.0});
    terms_.clear();
}

void FreeBodies::keep_first(std::span<const geom::Body> bodies, int count) {
    bodies_ = bodies;
    std::erase_if(free_, [&](const Free& f) { return f.index >= count; });
    terms_.clear();
}

void FreeBodies::reshape(int index) {
    Free* f = find(index);
    if (!f) return;
    const geom::Body& body = bodies_[std::size_t(index)];
    f->present = body.shape.volume() > 0;
    if (!f->present) {
        f->rigid.state.velocity = f->rigid.state.angular_momentum = f->pressed = Vec3d();
        return;
    }
    const geom::Pose where = pose(f->rigid);
    const Vec3d spin = angular_velocity(f->rigid);
    geom::RigidBody next = make_rigid(body.shape, where, body.free->density);
    next.state.velocity = velocity_at(f->rigid, next.state.position);
    set_angular_velocity(next, spin);
    f->rigid = next;
}

double FreeBodies::fastest() const {
    double most = 0;
    for (const Free& f : free_) most = std::max(most, length(f.rigid.state.velocity));
    return most;
}

std::vector<geom::Placement> FreeBodies::placements(double time) const {
    std::vector<geom::Placement> result = geom::place(bodies_, time);
    for (const Free& f : free_) {
        geom::Placement& p = result[std::size_t(f.index)];
        p.pose = pose(f.rigid);
        p.angular = angular_velocity(f.rigid);
        p.linear = velocity_at(f.rigid, p.pose.position);
    }
    return result;
}

void FreeBodies::move(const BodySurroundings& around, double time, double dt) {
    if (!any()) return;
    geom::Obstacles obstacles{.planes = closed_planes(around)};
    for (const geom::Body& body : bodies_)
        if (!body.free) obstacles.placed.push_back(geom::place(body, time));
    std::vector<geom::Mover> movers;
    std::vector<Vec3d> rest;
    for (Free& f : free_) {
        if (!f.present) continue;
        const geom::Body& body = bodies_[std::size_t(f.index)];
        const double mass = f.rigid.mass.mass, displaced = around.carries_its_weight ? 0 : around.gas_density * f.rigid.mass.volume;
        // The weight, less what the still air carries of it. On its way the gas pushes too, most likely as in the last step: a ball that
        // floats goes nowhere. That guess moves the body only; it is taken off again before the pressure is found, which gives body and
        // gas the true push.
        const Vec3d force = around.gravity * (mass - displaced);
        if (moved_ == 0) f.pressed = force / (mass + virtual_mass * displaced) - force / mass;
        movers.push_back({.shape = &body.shape,
                          .body = &f.rigid,
                          .acceleration = force / mass + f.pressed,
                          .restitution = body.free->restitution,
                          .friction = body.free->friction});
        rest.push_back(-f.pressed * dt);
        f.pressed = Vec3d();
    }
    dt_ = dt, moved_ = 1;
    step_contacts(movers, obstacles, dt);
    for (std::size_t m = 0; m < movers.size(); ++m) movers[m].body->state.velocity += rest[m];
    for (geom::Placement& p : obstacles.placed) p = geom::place(*p.body, time + dt);
    stop_at_contacts(movers, obstacles, touching * around.domain.h);
    for (const Free& f : free_)
        if (!std::isfinite(dot(f.rigid.state.position, f.rigid.state.velocity)))
            throw RunError("the body '" + bodies_[std::size_t(f.index)].name + "' moves no longer by numbers: its velocity is not finite");
}

std::vector<numerics::RankTerm> FreeBodies::pressure_terms(const BodySurroundings& around, const Solids& solids) {
    terms_.clear(), per_impulse_.clear();
    const bool sealed = !around.carries_its_weight && std::none_of(around.walls.begin(), around.walls.end(), [](const Wall& w) { return w.kind == WallKind::open; });
    const double cell_mass = around.gas_density * around.domain.h * around.domain.h * around.domain.h;
    for (const Free& f : free_) {
        numerics::RankTerm term = outflow_by_velocity(around, solids, f.index, f.rigid.state.position);
        if (sealed) remove_means(term);
        std::array<double, 6> scale;
        std::array<Vec3d, 3> axes;
        for (int a = 0; a < 3; ++a) {
            axes[std::size_t(a)] = principal_axis(f.rigid, a);
            scale[std::size_t(a)] = std::sqrt(cell_mass / f.rigid.mass.mass);
            scale[std::size_t(a + 3)] = std::sqrt(cell_mass / f.rigid.mass.moments[a]);
        }
        for (auto& e : term.entries) {
            const Vec3d turn(Vec3f(e.value[3], e.value[4], e.value[5]));
            for (std::size_t a = 0; a < 3; ++a) {
                e.value[a] = float(double(e.value[a]) * scale[a]);
                e.value[a + 3] = float(dot(turn, axes[a]) * scale[a + 3]);
            }
        }
        terms_.push_back(std::move(term));
        per_impulse_.push_back(scale);
    }
    return terms_;
}

void FreeBodies::respond(const field::Grid& q) {
    PHLO_CHECK(terms_.size() == free_.size());
    for (std::size_t f = 0; f < free_.size(); ++f) {
        std::array<double, 6> product{};
        for (const auto& e : terms_[f].entries)
            for (std::size_t c = 0; c < product.size(); ++c) product[c] += double(e.value[c]) * double(q(e.cell.x, e.cell.y, e.cell.z));
        geom::RigidBody& rigid = free_[f].rigid;
        const Vec3d before = rigid.state.velocity;
        for (int a = 0; a < 3; ++a) {
            const auto A = std::size_t(a);
            rigid.state.velocity[a] += per_impulse_[f][A] * product[A];
            rigid.state.angular_momentum += principal_axis(rigid, a) * (rigid.mass.moments[a] * per_impulse_[f][A + 3] * product[A + 3]);
        }
        if (dt_ > 0) free_[f].pressed += (rigid.state.velocity - before) / dt_;
    }
}

void FreeBodies::push(int index, const Vec3d& world, const Vec3d& impulse) {
    for (Free& f : free_)
        if (f.index == index) geom::push(f.rigid, world, impulse);
}

std::vector<double*> FreeBodies::numbers(Free& free) {
    geom::RigidState& s = free.rigid.state;
    std::vector<double*> all;
    for (Vec3d* v : {&s.position, &s.velocity, &s.angular_momentum, &s.rotation.v, &free.pressed}) all.insert(all.end(), {&v->x, &v->y, &v->z});
    all.insert(all.end(), {&s.rotation.w, &free.temperature});
    return all;
}

std::vector<FreeBodies::Number> FreeBodies::numbers() {
    constexpr const char* names[] = {"position.x", "position.y", "position.z", "velocity.x", "velocity.y", "velocity.z", "angular_momentum.x",
                                     "angular_momentum.y", "angular_momentum.z", "rotation.x", "rotation.y", "rotation.z", "pressed.x", "pressed.y",
                                     "pressed.z", "rotation.w", "temperature"};
    std::vector<Number> result;
    if (std::ranges::any_of(free_, [&](const Free& f) { return f.index < named_; })) result.push_back({"bodies.moved", &moved_});
    for (Free& f : free_) {
        if (f.index >= named_) continue;
        const std::vector<double*> values = numbers(f);
        for (std::size_t n = 0; n < values.size(); ++n) result.push_back({"body." + std::to_string(f.index) + "." + names[n], values[n]});
    }
    return result;
}

}  // namespace phlo::flow
