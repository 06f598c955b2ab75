#include "examples.h"

#include <numbers>

#include "geom/body.h"
#include "geom/contact.h"
#include "geom/marching_cubes.h"
#include "geom/marching_cubes_table.h"
#include "geom/mass.h"
#include "geom/mesh.h"
#include "geom/motion.h"
#include "geom/noise.h"
#include "geom/placement.h"
#include "geom/pose.h"
#include "geom/rigid.h"
#include "geom/sampled_solid.h"
#include "geom/sculpture.h"
#include "geom/shape.h"
#include "geom/surface_samples.h"

namespace phlo::geom {

constexpr double pi = std::numbers::pi;

void body_example(const Vec3d& world_point, double t) {
    Body ball{.name = "ball", .shape = Sphere{.radius = 0.2}, .motion = {.position = Curve<Vec3d>{Vec3d(0, 0, 1)}}};
    ball.signed_distance(world_point, t);
}

void contact_example(const Shape& ball_shape, RigidBody& ball, std::span<const Body> bodies, double t, double dt) {
    std::vector<Mover> movers = {{.shape = &ball_shape, .body = &ball, .restitution = 0.3}};
    Obstacles around{.planes = {{.normal = {0, 0, 1}, .offset = 0}}, .placed = place(bodies, t)};
    step_contacts(movers, around, dt);
}

void marching_cubes_example(const field::Domain& domain, field::Grid& phi) {
    field::extend_into_ghosts(phi, domain.cells);
    field::TriangleMesh mesh = marching_cubes(domain, phi);
}

void sampled_solid_example(const Shape& shape, int i, int j, int k) {
    auto rest = std::make_shared<SampledSolid>(shape, 0.01);
    rest->distance(i, j, k) += 0.002f;  rest->update();
    Shape what_is_left(Sampled{rest});
}

void sculpture_example() {
    Sculpture head{.parts = {{.shape = Sphere{.radius = 0.1}, .scale = {0.8, 1, 1.3}}, {.shape = Sphere{.radius = 0.03}, .position = {0, -0.1, 0}}}};
    Shape statue(Mesh{sculpt(head), "", 1, std::make_shared<Sculpture>(head)});
}

void marching_cubes_table_example(unsigned inside, unsigned joined) {
    const CubeTable& table = CubeTable::get();
    CubeTable::Case c = table.at(inside, joined);
}

void mass_example(const Shape& plank) {
    MassProperties m = mass_properties(plank, 600);
    m.mass;  m.center;  m.moments;
}

void mesh_example() {
    auto dragon = load_mesh("dragon.obj", 0.01);
    dragon->signed_distance({0, 0, 0.3});
}

void motion_example(const Vec3d& point, double t) {
    Motion motion{.position = Curve<Vec3d>{Vec3d(0, 0, 1)}};
    motion.pose(t);  motion.velocity_at(point, t);
}

void noise_example(float x, float y, float z, float t, float x0, float dx, std::span<const float> xs, std::span<const float> ys,
                   std::span<const float> zs, std::span<float> values) {
    Noise noise{.seed = 7, .octaves = 3};
    float value = noise(x, y, z, t);
    noise.row(x0, dx, y, z, t, values);
    noise.at(xs, ys, zs, values);
}

void placement_example(std::span<const Body> bodies, double t) {
    std::vector<Placement> now = place(bodies, t);
}

void pose_example() {
    Pose pose{.position = {0, 0, 1}, .rotation = Rotation::from_euler({0, 0, pi / 2})};
    pose.world_from_local({1, 0, 0});
}

void rigid_example(const Shape& shape, const Vec3d& velocity, const Vec3d& spin, const Vec3d& point, const Vec3d& impulse, double dt) {
    RigidBody ball = make_rigid(shape, {.position = {0, 0, 1}}, 600, velocity, spin);
    push(ball, point, impulse);  coast(ball, dt);
    Pose p = pose(ball);
}

void shape_example() {
    Shape ball(Sphere{.radius = 0.2});
    Shape plank(Box{.size = {1, 0.3, 0.05}, .rounding = 0.01});
    Shape dragon(Mesh{load_mesh("dragon.obj")});
    ball.signed_distance({0.5, 0, 0});
}

void glue(const Vec3d&, const Vec3d&) {}
void surface_samples_example(const Shape& ball, const Pose& pose, std::uint64_t scene_seed) {
    for (const SurfaceSample& s : surface_samples(ball, 5000, {.seed = scene_seed, .stream = 7}))
        glue(pose.world_from_local(s.point), pose.rotation(s.normal));
}

}  // namespace phlo::geom
