// Surfaces that are carried by a given flow: what is left of them when the flow has brought them back.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <cstring>
#include <functional>
#include <numbers>

#include "flow/level_set.h"
#include "flow/markers.h"
#include "flow/redistance.h"
#include "geom/marching_cubes.h"
#include "threads.h"

namespace phlo::verify {
namespace {

using field::Grid;
using field::MacGrid;
using namespace flow;

constexpr double pi = std::numbers::pi;

/// A surface followed by a level set, with or without markers.
struct Tracked {
    MarkerParams params;  ///< none a cell: the level set alone
    Grid phi, moved, spare;
    Markers markers = {};
    MarchScratch march = {};
    Workspace work = {};

    Tracked(const Vec3i& cells, double h, int per_cell, const std::function<double(const Vec3d&)>& distance)
        : params{.h = h, .per_cell = per_cell, .seed = 11}, phi(field::Layout(cells)), moved(phi.layout()), spare(phi.layout()) {
        for (int k = 0; k < cells.z; ++k)
            for (int j = 0; j < cells.y; ++j)
                for (int i = 0; i < cells.x; ++i) phi(i, j, k) = float(distance(Vec3d(i + 0.5, j + 0.5, k + 0.5) * h));
        redistance({.h = h}, phi, march);
        if (per_cell > 0) reseed(params, phi, markers);
    }

    void step(MacGrid& u, double dt) {
        const double h = params.h;
        advect_level_set({.scheme = Scheme::maccormack, .dt = dt, .h = h}, u, phi, moved, band_tiles(phi, 5 * h), work);
        std::swap(phi, moved);
        move_markers({.dt = dt, .h = h, .trace = Trace::rk3}, u, markers);
        const CorrectScratch spheres{&moved, &spare};
        if (params.per_cell > 0) correct(phi, markers, h, spheres);
        redistance({.h = h}, phi, march);
        if (params.per_cell == 0) return;
        correct(phi, markers, h, spheres);
        adjust_radii(params, phi, markers);
        if (++markers.steps % std::uint32_t(params.reseed_interval) == 0) reseed(params, phi, markers);
    }

    /// The part of each cell that is inside.
    Grid parts() {
        Grid result(phi.layout());
        field::extend_into_ghosts(phi, phi.layout().cells());
        inside_fractions(phi, params.h, result);
        return result;
    }
    double volume() { return field::sum(parts()) * std::pow(params.h, 3); }
};

void set_faces(MacGrid& u, double h, const std::function<Vec3d(const Vec3d&)>& velocity) {
    for (int axis = 0; axis < 3; ++axis) {
        const Vec3i n = field::face_extent(u.layout(), axis);
        for (int k = 0; k < n.z; ++k)
            for (int j = 0; j < n.y; ++j)
                for (int i = 0; i < n.x; ++i) {
                    Vec3d p(i + 0.5, j + 0.5, k + 0.5);
                    p[axis] -= 0.5;
                    u[axis](i, j, k) = float(velocity(p * h)[axis]);
                }
    }
}

// ---- Zalesak's disk [zalesak1979] --------------------------------------------------------------------------------------

/// Radius 15 around (50, 75), a slot 5 wide from below, 25 deep.
double slotted_disk(const Vec3d& p) {
    const double x = p.x - 50, y = p.y - 75, disk = std::hypot(x, y) - 15;
    const Vec3d q(std::fabs(x) - 2.5, y - 10, 0);  // beside and above the slot
    const double slot = q.x <= 0 && q.y <= 0 ? std::max(q.x, q.y) : std::hypot(std::max(q.x, 0.0), std::max(q.y, 0.0));
    return std::max(disk, -slot);
}

struct Turned {
    double area_error, misplaced;
};
Turned after_one_turn(int per_cell) {
    Tracked disk({100, 100, 2}, 1, per_cell, slotted_disk);
    MacGrid u(disk.phi.layout());
    set_faces(u, 1, [](const Vec3d& p) { return Vec3d(pi / 314 * (50 - p.y), pi / 314 * (p.x - 50), 0); });
    const Grid before = disk.parts();
    for (int step = 0; step < 628; ++step) disk.step(u, 1);
    const Grid after = disk.parts();
    double misplaced = 0;
    for (int k = 0; k < 2; ++k)
        for (int j = 0; j < 100; ++j)
            for (int i = 0; i < 100; ++i) misplaced += std::fabs(double(after(i, j, k)) - double(before(i, j, k)));
    return {field::sum(after) / field::sum(before) - 1, misplaced / field::sum(before)};
}

TEST(Surface, zalesak_disk_keeps_its_area) {
    const Turned with = after_one_turn(32), alone = after_one_turn(0);
    std::printf(
        "Zalesak's disk, 100 x 100, one turn: area %+.2f %% with markers, %+.2f %% by the level set alone; misplaced %.1f %% and %.1f %%\n",
        100 * with.area_error, 100 * alone.area_error, 100 * with.misplaced, 100 * alone.misplaced);
    EXPECT_LT(std::fabs(with.area_error), 0.01);
    EXPECT_LT(with.misplaced, 0.5 * alone.misplaced);
}

// ---- Enright's sphere ---------------------------------------------------------------------------------------------------

double small_ball(const Vec3d& p) { return length(p - Vec3d(0.35)) - 0.15; }

/// LeVeque's flow: it draws the ball out to a sheet, and back again within 3 s.
Vec3d deforming_flow(const Vec3d& p) {
    const auto square = [](double x) { return std::sin(pi * x) * std::sin(pi * x); };
    const auto twice = [](double x) { return std::sin(2 * pi * x); };
    return {2 * square(p.x) * twice(p.y) * twice(p.z), -twice(p.x) * square(p.y) * twice(p.z), -twice(p.x) * twice(p.y) * square(p.z)};
}

class Deforming {
public:
    Deforming(int n, int per_cell) : tracked({n, n, n}, 1.0 / n, per_cell, small_ball), full_(tracked.phi.layout()), u_(full_) {
        set_faces(full_, 1.0 / n, deforming_flow);
    }
    /// One cell a step at most.
    void step() {
        const double fastest = 2 * std::fabs(std::cos(pi * time / 3)),
                     dt = std::min({tracked.params.h / std::max(fastest, 1e-9), 0.15, 3 - time});
        const float now = float(std::cos(pi * (time + dt / 2) / 3));
        for (int axis = 0; axis < 3; ++axis)
            std::ranges::transform(full_[axis].storage(), u_[axis].storage().begin(), [&](float v) { return now * v; });
        tracked.step(u_, dt);
        time += dt;
    }
    Tracked tracked;
    double time = 0;

private:
    MacGrid full_, u_;
};

double volume_error_of_enrights_sphere(int n, int per_cell) {
    Deforming ball(n, per_cell);
    const double start = ball.tracked.volume();
    while (ball.time < 3 - 1e-9) ball.step();
    return ball.tracked.volume() / start - 1;
}

TEST(Surface, enrights_sphere_comes_back_with_its_volume) {
    const double with = volume_error_of_enrights_sphere(64, 16), alone = volume_error_of_enrights_sphere(64, 0);
    std::printf("Enright's sphere, 64^3: volume %+.2f %% with markers, %+.2f %% by the level set alone\n", 100 * with, 100 * alone);
    EXPECT_LT(std::fabs(with), 0.03);
}

// ---- neutrality ---------------------------------------------------------------------------------------------------------

bool same_bits(const Tracked& a, const Tracked& b) {
    return std::memcmp(a.phi.storage().data(), b.phi.storage().data(), a.phi.bytes()) == 0 && save(a.markers) == save(b.markers);
}

TEST(Surface, neither_threads_nor_a_restart_change_a_bit) {
    Deforming one(32, 16), two(32, 16), three(32, 16);
    for (Deforming* each : {&one, &two, &three}) each->tracked.params.reseed_interval = 3;
    const auto ten_steps = [](Deforming& each) {
        for (int step = 0; step < 10; ++step) each.step();
    };
    test::with_threads(1, [&] { ten_steps(one); });
    test::with_threads(7, [&] { ten_steps(two); });
    EXPECT_TRUE(same_bits(one.tracked, two.tracked));
    for (int step = 0; step < 5; ++step) three.step();
    Deforming other(32, 16);
    other.tracked.params.reseed_interval = 3;
    other.time = three.time;
    other.tracked.phi = three.tracked.phi;
    load(save(three.tracked.markers), other.tracked.markers);
    for (int step = 0; step < 5; ++step) other.step();
    EXPECT_TRUE(same_bits(one.tracked, other.tracked));
    // And the surface that is seen.
    const field::Domain domain{Vec3i(32), {}, 1.0 / 32};
    EXPECT_EQ(geom::marching_cubes(domain, one.tracked.phi).triangles, geom::marching_cubes(domain, other.tracked.phi).triangles);
}

}  // namespace
}  // namespace phlo::verify
