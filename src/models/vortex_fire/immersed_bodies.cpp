#include "models/vortex_fire/immersed_bodies.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"

namespace phlo::models {
namespace {

constexpr double added_mass = 0.5;       ///< C, of a ball in the gas that it displaces
constexpr double band_cells = 2;         ///< gas this near exchanges heat with a body
constexpr float far_away = 1e6f;
constexpr int chunk = 1024;

/// The covered part of a node: a smooth step two cells wide. Its middle lies a little inside the surface: a node that is covered by a tenth gives in to the
/// body within a few steps, and the body would act larger than it is.
float covered_part(float distance) {
    constexpr float inside = 0.75f;
    const float x = std::clamp(0.5f - 0.5f * (distance + inside), 0.0f, 1.0f);
    return x * x * (3 - 2 * x);
}

double surface_area(const geom::Shape& shape) {
    const field::TriangleMesh mesh = shape.tessellate();
    double area = 0;
    for (const Vec3i& t : mesh.triangles) {
        const Vec3d a(mesh.points[std::size_t(t.x)]), b(mesh.points[std::size_t(t.y)]), c(mesh.points[std::size_t(t.z)]);
        area += 0.5 * length(cross(b - a, c - a));
    }
    return area;
}

/// Solves the symmetric 3 x 3 system of a tensor of inertia.
Vec3d solved(const std::array<double, 6>& t, const Vec3d& right) {   // xx, yy, zz, xy, xz, yz
    const Vec3d r0(t[0], t[3], t[4]), r1(t[3], t[1], t[5]), r2(t[4], t[5], t[2]);
    const double det = dot(r0, cross(r1, r2));
    if (!(std::fabs(det) > 0)) return {};
    const Vec3d c0 = cross(r1, r2), c1 = cross(r2, r0), c2 = cross(r0, r1);
    return (c0 * right.x + c1 * right.y + c2 * right.z) / det;
}

bool same_pose(const geom::Pose& a, const geom::Pose& b) {
    return a.position == b.position && a.rotation.w == b.rotation.w && a.rotation.v == b.rotation.v;
}

}  // namespace

ImmersedBodies::ImmersedBodies(std::span<const geom::Body> bodies, const ImmersedPhysics& physics)
    : bodies_(bodies), physics_(physics), free_(bodies), among_(bodies.size()), in_gas_(free_.free().size()), spin_in_gas_(free_.free().size()) {
    for (const geom::Body& body : bodies) area_.push_back(surface_area(body.shape));
    for (std::size_t f = 0; f < in_gas_.size(); ++f) {   // gas that was at rest is taken along from the first step on
        in_gas_[f] = free_.free()[f].rigid.state.velocity;
        spin_in_gas_[f] = angular_velocity(free_.free()[f].rigid);
    }
}

field::Bounds ImmersedBodies::bounds(double time) const {
    field::Bounds all;
    for (const geom::Placement& placed : placements(time)) all.include(placed.pose.world_from_local(placed.body->shape.bounds()));
    return all;
}

double ImmersedBodies::fastest(double time) const {
    double most = 0;
    for (const geom::Placement& placed : placements(time)) most = std::max(most, length(placed.linear));
    return most;
}

double ImmersedBodies::temperature(std::size_t body, double time) const {
    if (!bodies_[body].temperature) return 0;
    if (bodies_[body].heat_capacity > 0)
        for (const auto& one : free_.free())
            if (one.index == int(body)) return one.temperature;
    return (*bodies_[body].temperature)(time);
}

double ImmersedBodies::density(std::size_t free_body) const {
    const auto& one = free_.free()[free_body];
    const geom::Body& body = bodies_[std::size_t(one.index)];
    const double cold = body.free->density;
    if (body.free->expansion == 0 || !body.temperature) return cold;
    return cold / (1 + body.free->expansion * (temperature(std::size_t(one.index), 0) - (*body.temperature)(0)));
}

void ImmersedBodies::put_on(const VortexLattice& lattice, double time) {
    const std::vector<geom::Placement> placed = placements(time);
    for (std::size_t b = 0; b < among_.size(); ++b) {
        Among& among = among_[b];
        among.placed = placed[b];
        if (among.lattice == lattice && same_pose(among.pose, placed[b].pose) && !among.distance.empty()) continue;
        among.pose = placed[b].pose, among.lattice = lattice;
        const field::Domain domain = lattice.domain();
        const field::Bounds box = placed[b].pose.world_from_local(bodies_[b].shape.bounds()).grown(3 * lattice.h);
        for (int axis = 0; axis < 3; ++axis) {
            const double n = lattice.cells[axis];
            among.first[axis] = int(std::clamp(std::floor((box.lower[axis] - domain.origin[axis]) / lattice.h), 0.0, n));
            among.last[axis] = int(std::clamp(std::ceil((box.upper[axis] - domain.origin[axis]) / lattice.h), 0.0, n));
        }
        const Vec3i count = among.last - among.first;
        among.distance.assign(std::size_t(count.x) * std::size_t(count.y) * std::size_t(count.z), far_away);
        parallel_for(count.z, [&](int plane) {
            float* to = among.distance.data() + std::size_t(plane) * std::size_t(count.x) * std::size_t(count.y);
            for (int j = among.first.y; j < among.last.y; ++j)
                for (int i = among.first.x; i < among.last.x; ++i) {
                    const Vec3d p = among.pose.local_from_world(domain.cell_center(i, j, among.first.z + plane));
                    *to++ = float(bodies_[b].shape.quick_distance(p, 3 * lattice.h) / lattice.h);
                }
        });
    }
}

float ImmersedBodies::distance_at(const Among& among, int i, int j, int k) const {
    if (i < among.first.x || j < among.first.y || k < among.first.z || i >= among.last.x || j >= among.last.y || k >= among.last.z) return far_away;
    const Vec3i count = among.last - among.first;
    return among.distance[(std::size_t(k - among.first.z) * std::size_t(count.y) + std::size_t(j - among.first.y)) * std::size_t(count.x) +
                          std::size_t(i - among.first.x)];
}

float ImmersedBodies::depth_below(int i, int j, int k) const {
    float nearest = far_away;
    for (const Among& among : among_) nearest = std::min(nearest, distance_at(among, i, j, k));
    return nearest;
}

ImmersedBodies::Inside ImmersedBodies::look_inside(const Among& among, const Vec3d& center, const NodeValues<4>& velocity) const {
    const field::Domain domain = among.lattice.domain();
    double weight = 0;
    Vec3d momentum, turning;
    std::array<double, 6> inertia{};
    for (int k = among.first.z; k < among.last.z; ++k)
        for (int j = among.first.y; j < among.last.y; ++j)
            for (int i = among.first.x; i < among.last.x; ++i) {
                const double chi = double(covered_part(distance_at(among, i, j, k)));
                if (chi == 0) continue;
                const float* v = velocity.node(i, j, k);
                const Vec3d u(Vec3f(v[0], v[1], v[2])), r = domain.cell_center(i, j, k) - center;
                weight += chi, momentum += u * chi, turning += cross(r, u) * chi;
                inertia[0] += chi * (r.y * r.y + r.z * r.z), inertia[1] += chi * (r.x * r.x + r.z * r.z), inertia[2] += chi * (r.x * r.x + r.y * r.y);
                inertia[3] -= chi * r.x * r.y, inertia[4] -= chi * r.x * r.z, inertia[5] -= chi * r.y * r.z;
            }
    if (!(weight > 0)) return {.velocity = among.placed.linear, .spin = among.placed.angular, .center = center, .share = 1};
    const double share = weight * among.lattice.cell_volume() / among.placed.body->shape.volume();
    return {.velocity = momentum / weight, .spin = solved(inertia, turning), .center = center, .share = std::clamp(share, 0.2, 1.2)};
}

void ImmersedBodies::set_free_velocity(std::size_t f, double dt, const Inside& gas) {
    flow::FreeBodies::Free& one = free_.free()[f];
    geom::RigidBody& rigid = one.rigid;
    const double density_now = density(f), lighter = density_now * rigid.mass.volume / rigid.mass.mass;
    const Vec3d spin = angular_velocity(rigid);
    rigid.mass.mass *= lighter, rigid.mass.moments = rigid.mass.moments * lighter;   // a warm balloon
    const double s = density_now / physics_.gas_density;
    const Vec3d fall = Vec3d(0, 0, -physics_.gravity * dt);
    rigid.state.velocity = ((rigid.state.velocity + fall) * s - (in_gas_[f] + fall) + gas.velocity * (1 + added_mass)) / (s + added_mass);
    set_angular_velocity(rigid, (spin * s - spin_in_gas_[f] + gas.spin) / s);
    in_gas_[f] = rigid.state.velocity, spin_in_gas_[f] = angular_velocity(rigid);
}

void ImmersedBodies::push(double dt, NodeValues<4>& velocity, NodeValues<4>& push, NodeRows& pushed) {
    std::vector<std::size_t> free_of(bodies_.size(), free_.free().size());
    for (std::size_t f = 0; f < free_.free().size(); ++f) free_of[std::size_t(free_.free()[f].index)] = f;
    for (std::size_t b = 0; b < among_.size(); ++b) {
        Among& among = among_[b];
        const std::size_t f = free_of[b];
        const bool is_free = f < free_.free().size();
        const Inside gas = look_inside(among, is_free ? free_.free()[f].rigid.state.position : among.placed.pose.position, velocity);
        if (is_free) {
            set_free_velocity(f, dt, gas);
            among.placed.angular = angular_velocity(free_.free()[f].rigid);
            among.placed.linear = velocity_at(free_.free()[f].rigid, among.placed.pose.position);
        }
        const Vec3f more((among.placed.velocity_at(gas.center) - gas.velocity) * ((1 + added_mass) / gas.share - 1));
        const field::Domain domain = among.lattice.domain();
        parallel_for(among.last.z - among.first.z, [&](int plane) {
            const int k = among.first.z + plane;
            for (int j = among.first.y; j < among.last.y; ++j)
                for (int i = among.first.x; i < among.last.x; ++i) {
                    const float chi = covered_part(distance_at(among, i, j, k));
                    if (chi == 0) continue;
                    float *u = velocity.node(i, j, k), *p = push.node(i, j, k);
                    pushed.include(i, j, k);
                    const Vec3f wanted(among.placed.velocity_at(domain.cell_center(i, j, k)));
                    for (int c = 0; c < 3; ++c) {
                        const float change = wanted[c] - u[c];
                        p[c] += chi * (change + more[c]);
                        u[c] += chi * change;
                    }
                }
        });
    }
}

void ImmersedBodies::move(double time, double dt) {
    if (!free_.any()) return;
    flow::BodySurroundings around{.domain = physics_.box, .walls = physics_.walls, .gravity = {}, .gas_density = physics_.gas_density};
    if (around.domain.cells == Vec3i()) around.domain.cells = {1, 1, 1};
    free_.move(around, time, dt);
}

HeatExchange ImmersedBodies::exchange_heat(const VortexLattice& lattice, const FireMatter& air, double time, double dt, Vortons& vortons) {
    HeatExchange exchange;
    const std::vector<geom::Placement> placed = placements(time);
    for (std::size_t b = 0; b < bodies_.size(); ++b) {
        const geom::Body& body = bodies_[b];
        if (!body.temperature || body.heat_transfer == 0) continue;
        const double own = temperature(b, time), band = band_cells * lattice.h, band_volume = area_[b] * band;
        const double heat_of_volume = physics_.gas_density * physics_.gas_heat_capacity;
        const float share = float(-std::expm1(-body.heat_transfer / (band * heat_of_volume) * dt));
        const field::Bounds box = placed[b].pose.world_from_local(body.shape.bounds()).grown(band);
        struct Sum {
            double heat = 0, volume = 0;
        };
        const Sum sum = parallel_reduce((int(vortons.size()) + chunk - 1) / chunk, Sum{}, [&](int c) {
            Sum part;
            for (std::size_t p = std::size_t(c) * chunk; p < std::min(vortons.size(), (std::size_t(c) + 1) * chunk); ++p) {
                const Vec3d at(vortons.position[p]);
                if (!box.contains(at) || body.shape.quick_distance(placed[b].pose.local_from_world(at), band) > band) continue;
                const float change = share * (float(own) - vortons.temperature[p]);
                vortons.temperature[p] += change;
                part.heat -= double(change * vortons.volume[p]) * heat_of_volume, part.volume += double(vortons.volume[p]);
            }
            return part;
        }, [](Sum x, const Sum& y) { return Sum{x.heat + y.heat, x.volume + y.volume}; });
        const double clean = std::max(0.0, 1 - sum.volume / band_volume);   // share of its surface that meets air without vortons
        const double cooling = body.heat_transfer * area_[b] * clean * (double(air.temperature) - own) * dt;
        exchange.from_gas += sum.heat;
        if (body.heat_capacity == 0) continue;
        for (auto& one : free_.free())
            if (one.index == int(b)) one.temperature += (sum.heat + cooling) / (one.rigid.mass.mass * body.heat_capacity);
        exchange.to_bodies += sum.heat + cooling;
    }
    return exchange;
}

long ImmersedBodies::keep_outside(double time, double depth, std::span<Vec3f> points) const {
    long moved = 0;
    for (const geom::Placement& placed : placements(time)) {
        const geom::Shape& shape = placed.body->shape;
        const field::Bounds box = placed.pose.world_from_local(shape.bounds());
        const Vec3f lower(box.lower), upper(box.upper);
        moved += long(parallel_sum((int(points.size()) + chunk - 1) / chunk, [&](int c) {
            double count = 0;
            for (std::size_t p = std::size_t(c) * chunk; p < std::min(points.size(), (std::size_t(c) + 1) * chunk); ++p) {
                Vec3f& at = points[p];
                // One jump, not six that nobody can foresee: most particles are beside a body along one axis or another.
                if ((at.x < lower.x) | (at.y < lower.y) | (at.z < lower.z) | (at.x > upper.x) | (at.y > upper.y) | (at.z > upper.z)) continue;
                for (int round = 0; round < 4; ++round) {   // at an edge the nearest surface changes on the way
                    const Vec3d local = placed.pose.local_from_world(Vec3d(at));
                    const double distance = shape.signed_distance(local);
                    if (distance >= -depth) break;
                    const double e = 1e-3 * length(shape.bounds().size());
                    const auto slope = [&](const Vec3d& d) { return shape.signed_distance(local + d) - shape.signed_distance(local - d); };
                    Vec3d normal(slope({e, 0, 0}), slope({0, e, 0}), slope({0, 0, e}));
                    if (!(dot(normal, normal) > 0)) normal = {0, 0, 1};
                    at = Vec3f(placed.pose.world_from_local(local + normalized(normal) * (-distance - depth + 1e-2 * e)));
                    count += round == 0;
                }
            }
            return count;
        }));
    }
    return moved;
}

std::vector<flow::FreeBodies::Number> ImmersedBodies::numbers() {
    std::vector<flow::FreeBodies::Number> all = free_.numbers();
    for (std::size_t f = 0; f < in_gas_.size(); ++f) {
        const std::string name = "body." + std::to_string(free_.free()[f].index) + ".gas.";
        for (int axis = 0; axis < 3; ++axis) {
            all.push_back({name + "velocity." + "xyz"[axis], &in_gas_[f][axis]});
            all.push_back({name + "spin." + "xyz"[axis], &spin_in_gas_[f][axis]});
        }
        all.push_back({name + "mass", &free_.free()[f].rigid.mass.mass});
        for (int axis = 0; axis < 3; ++axis) all.push_back({name + "moment." + "xyz"[axis], &free_.free()[f].rigid.mass.moments[axis]});
    }
    return all;
}

std::size_t ImmersedBodies::bytes() const {
    std::size_t sum = 0;
    for (const Among& among : among_) sum += among.distance.capacity() * sizeof(float);
    return sum;
}

}  // namespace phlo::models
