#include "flow/viscosity.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "base/parallel.h"
#include "flow/plane_part.h"
#include "liquid_cases.h"
#include "solids_cases.h"

namespace phlo::flow {
namespace {

using field::Grid;
using field::MacGrid;
constexpr double pi = std::numbers::pi;

template <class Visit>
void each_face(const field::Layout& layout, const Visit& visit) {
    for (int axis = 0; axis < 3; ++axis) {
        const Vec3i extent = field::face_extent(layout, axis);
        for (int k = 0; k < extent.z; ++k)
            for (int j = 0; j < extent.y; ++j)
                for (int i = 0; i < extent.x; ++i) visit(axis, i, j, k);
    }
}

void set_velocity(const field::Domain& domain, MacGrid& u, const std::function<Vec3d(const Vec3d&)>& f) {
    each_face(u.layout(), [&](int a, int i, int j, int k) { u[a](i, j, k) = float(f(domain.face_center(a, i, j, k))[a]); });
}

double random_number(int axis, int i, int j, int k, std::uint32_t stream) { return 2 * double(uniform4({7, std::uint32_t(axis), stream}, std::uint32_t((k * 997 + j) * 991 + i))[0]) - 1; }

/// Liquid that flows along x and changes along z: a row of cells across x and y would be enough. The velocity in the walls across x is that of
/// `exact`, so that the box might be of any length; y is free of stress.
struct Channel {
    field::Domain domain;
    field::Layout layout;
    Grid phi;
    MacGrid u;
    Walls walls{};
    std::vector<geom::Body> bodies;
    std::vector<double> speeds;
    Solids solids;

    explicit Channel(int n) : domain{.cells = {6, 5, n}, .origin = {0, 0, 0}, .h = 1.0 / n}, layout(domain.cells), phi(layout, -1), u(layout) {
        walls[0].kind = walls[1].kind = WallKind::inflow;
        walls[2].kind = walls[3].kind = WallKind::open;
    }
    /// A slab from z = low to z = high that moves along x.
    void add_slab(double low, double high, double speed) {
        bodies.push_back({.name = "slab", .shape = geom::Box{.size = {20, 20, high - low}}, .motion = {.position = Curve<Vec3d>(Vec3d(0, 0, 0.5 * (low + high)))}, .no_slip = true});
        speeds.push_back(speed);
    }
    void put_bodies() {
        std::vector<geom::Placement> placed = geom::place(bodies, 0);
        for (std::size_t b = 0; b < placed.size(); ++b) placed[b].linear = {speeds[b], 0, 0};
        rasterize(domain, placed, solids);
    }
    /// Returns the largest difference of u_x from exact(z) at heights between low and high.
    double solve(const ViscosityParams& params, const std::function<double(double)>& exact, double low = 0, double high = 1) {
        put_bodies();
        for (int k = 0; k < layout.nz(); ++k)
            for (int j = 0; j < layout.ny(); ++j) u.x(0, j, k) = u.x(layout.nx(), j, k) = float(exact(z(k)));
        ViscositySolver solver(domain);
        const ViscosityReport report = solver.solve(params, walls, solids, phi, u);
        EXPECT_TRUE(report.converged) << report.residual;
        double most = 0;
        for (int k = 0; k < layout.nz(); ++k)
            for (int i = 1; i < layout.nx(); ++i)
                if (z(k) > low && z(k) < high) most = std::max(most, std::fabs(double(u.x(i, 2, k)) - exact(z(k))));
        return most;
    }
    double z(int k) const { return (k + 0.5) * domain.h; }
};

double number(double c, double h) { return c * h * h; }  // nu dt of c = nu dt / h^2

TEST(viscosity, the_part_of_a_cube_below_a_plane_is_exact) {
    const Slopes across{.ahead = {0.1, 0, 0}, .behind = {0.1, 0, 0}}, film{.ahead = {0, 0, 1}, .behind = {0, 0, -1}};
    EXPECT_NEAR(part_inside(0.02, across), 0.3, 1e-3);
    EXPECT_NEAR(part_inside(-0.2, film), 0.4, 1e-3);
    const Slopes oblique{.ahead = {1, 1, 1}, .behind = {1, 1, 1}};
    EXPECT_NEAR(part_inside(1, oblique), 0.5 * 0.5 * 0.5 / 6, 1e-12);
}

TEST(viscosity, the_matrix_is_symmetric_and_positive) {
    LiquidCase c = liquid_case("splash", 24);
    c.bodies = std::make_unique<std::vector<geom::Body>>();
    c.bodies->push_back(ball({0.3, 0.4, 0.4}, 0.21));
    c.bodies->push_back(ball({0.72, 0.6, 0.4}, 0.17));
    (*c.bodies)[0].no_slip = true;
    rasterize(c.domain, *c.bodies, 0, c.solids);
    c.walls[5].kind = c.walls[0].kind = WallKind::open;
    Grid nu(c.layout);
    for (float& v : nu.storage()) v = 0.01f + 0.1f * float((&v - nu.storage().data()) % 64);
    ViscousSystem system(c.domain);
    MacGrid x(c.layout), y(c.layout), ax(c.layout), ay(c.layout);
    system.set_up({.dt = 0.1, .nu_grid = &nu, .walls_stick = true}, c.walls, c.solids, c.phi, x);
    ASSERT_GT(system.unknowns(), 10000);
    x.x.fill(0), x.y.fill(0), x.z.fill(0);
    each_face(c.layout, [&](int a, int i, int j, int k) {
        if (system.inverse()[a](i, j, k) == 0) return;
        x[a](i, j, k) = float(random_number(a, i, j, k, 0)), y[a](i, j, k) = float(random_number(a, i, j, k, 1));
    });
    const double xx = system.apply(x, ax), yy = system.apply(y, ay);
    double xy = 0, yx = 0;
    each_face(c.layout, [&](int a, int i, int j, int k) {
        if (system.inverse()[a](i, j, k) == 0) return;
        xy += double(x[a](i, j, k)) * double(ay[a](i, j, k)), yx += double(y[a](i, j, k)) * double(ax[a](i, j, k));
    });
    EXPECT_GT(xx, 0);
    EXPECT_GT(yy, 0);
    EXPECT_NEAR(xy, yx, 1e-6 * std::sqrt(xx * yy));
}

/// A crooked blob in the middle of the box.
LiquidCase blob(int n) {
    LiquidCase c("blob", n);
    c.set_phi([](double x, double y, double z) {
        const double one = std::hypot(x - 0.45, y - 0.52, z - 0.5) - 0.22, two = std::hypot(x - 0.62, y - 0.45, z - 0.57) - 0.15;
        return std::min(one, two);
    });
    return c;
}

struct Momenta {
    Vec3d linear, angular;
};

Momenta momenta(const field::Domain& domain, const MacGrid& volume, const MacGrid& u) {
    Momenta m;
    each_face(u.layout(), [&](int a, int i, int j, int k) {
        Vec3d p;
        p[a] = double(volume[a](i, j, k)) * double(u[a](i, j, k));
        m.linear += p, m.angular += cross(domain.face_center(a, i, j, k) - Vec3d(0.5), p);
    });
    return m;
}

TEST(viscosity, a_rigid_motion_feels_none) {
    const LiquidCase c = blob(32);
    MacGrid u(c.layout);
    const auto rigid = [](const Vec3d& p) { return Vec3d(3, -2, 1) + cross(Vec3d(4, 7, -5), p); };
    set_velocity(c.domain, u, rigid);
    ViscositySolver solver(c.domain);
    const ViscosityReport report = solver.solve({.dt = 1, .nu = number(1000, c.domain.h), .tolerance = 1e-5}, c.walls, c.solids, c.phi, u);
    EXPECT_TRUE(report.converged);
    EXPECT_GT(report.faces, 5000);
    double most = 0;
    each_face(c.layout, [&](int a, int i, int j, int k) {
        if (solver.system().volume()[a](i, j, k) > 0) most = std::max(most, std::fabs(double(u[a](i, j, k)) - rigid(c.domain.face_center(a, i, j, k))[a]));
    });
    EXPECT_LT(most, 1e-4);
}

TEST(viscosity, a_blob_in_free_flight_keeps_its_momenta_and_becomes_rigid) {
    const LiquidCase c = blob(32);
    MacGrid u(c.layout);
    set_velocity(c.domain, u, [](const Vec3d& p) {
        const Vec3d r = p - Vec3d(0.5);
        return Vec3d(1, 2, -3) + cross(Vec3d(1, 2, 8) * (1 + 30 * dot(r, r)), r) + Vec3d(std::sin(20 * p.y), 0, 0);
    });
    ViscositySolver solver(c.domain);
    const MacGrid before = u;
    const ViscosityReport report = solver.solve({.dt = 1, .nu = number(1000, c.domain.h), .tolerance = 1e-5}, c.walls, c.solids, c.phi, u);
    EXPECT_TRUE(report.converged);
    const Momenta was = momenta(c.domain, solver.system().volume(), before), is = momenta(c.domain, solver.system().volume(), u);
    EXPECT_LT(length(is.linear - was.linear), 1e-4 * length(was.linear));
    EXPECT_LT(length(is.angular - was.angular), 1e-4 * length(was.angular));
    // What is left of the differences in spin: nu dt / R^2 is about 20.
    const auto shear = [&](const MacGrid& v) { return double(v.x(14, 17, 16) - v.x(14, 16, 16)) + double(v.y(14, 17, 16) - v.y(13, 17, 16)); };
    EXPECT_LT(std::fabs(shear(u)), 0.03 * std::fabs(shear(before)));
}

TEST(viscosity, faces_without_liquid_keep_their_velocity) {
    const LiquidCase c = blob(24);
    MacGrid u(c.layout);
    each_face(c.layout, [&](int a, int i, int j, int k) { u[a](i, j, k) = float(random_number(a, i, j, k, 2)); });
    const MacGrid before = u;
    ViscositySolver solver(c.domain);
    solver.solve({.dt = 1, .nu = number(5, c.domain.h)}, c.walls, c.solids, c.phi, u);
    each_face(c.layout, [&](int a, int i, int j, int k) {
        const Vec3d p = c.domain.face_center(a, i, j, k);
        const double away = std::min(length(p - Vec3d(0.45, 0.52, 0.5)) - 0.22, length(p - Vec3d(0.62, 0.45, 0.57)) - 0.15);
        if (away > 2.7 * c.domain.h) {
            EXPECT_EQ(u[a](i, j, k), before[a](i, j, k));
        }
    });
}

TEST(viscosity, couette_flow_is_linear_wherever_the_plates_are) {
    for (const double low : {0.1, 0.125, 0.16}) {
        Channel channel(16);
        channel.add_slab(-1, low, 0);
        channel.add_slab(0.83, 2, 1);
        EXPECT_LT(channel.solve({.dt = 1, .nu = 100, .walls_stick = true, .tolerance = 1e-7}, [&](double z) { return (z - low) / (0.83 - low); }, low, 0.83), 2e-3) << low;
    }
}

/// Flow along a channel from low to high under a force, after a long time step: u = 1 - cosh / cosh, in units of force times dt.
double channel_error(int n, bool slabs, double place = 0) {
    Channel channel(n);
    const double low = slabs ? 0.131 + place : 0, high = slabs ? 0.883 : 1, length = 0.4, middle = 0.5 * (low + high);
    if (slabs) channel.add_slab(-1, low, 0), channel.add_slab(high, 2, 0);
    channel.u.x.fill(1);
    const auto exact = [&](double z) { return 1 - std::cosh((z - middle) / length) / std::cosh(0.5 * (high - low) / length); };
    return channel.solve({.dt = 1, .nu = length * length, .walls_stick = true, .tolerance = 1e-7}, exact, low, high);
}

TEST(viscosity, channel_flow_converges_at_second_order_between_walls_of_the_box) {
    const double coarse = channel_error(8, false), middle = channel_error(16, false), fine = channel_error(32, false);
    EXPECT_GT(std::log2(coarse / middle), 1.9) << coarse << " " << middle;
    EXPECT_GT(std::log2(middle / fine), 1.9) << middle << " " << fine;
}

TEST(viscosity, channel_flow_converges_at_second_order_between_bodies) {
    double coarse = 0, fine = 0;  // the worst of several places between the faces
    for (int place = 0; place < 6; ++place) coarse = std::max(coarse, channel_error(12, true, place / 72.0)), fine = std::max(fine, channel_error(36, true, place / 216.0));
    EXPECT_GT(std::log(coarse / fine) / std::log(3.0), 1.8) << coarse << " " << fine;
}

TEST(viscosity, a_film_on_a_plate_has_no_stress_at_its_surface) {
    Channel channel(32);
    const double depth = 0.6127, length = 0.5;
    for (int k = -2; k < 34; ++k)
        for (int j = -2; j < 7; ++j)
            for (int i = -2; i < 8; ++i) channel.phi(i, j, k) = float(channel.z(k) - depth);
    channel.u.x.fill(1);
    const auto exact = [&](double z) { return 1 - std::cosh((depth - z) / length) / std::cosh(depth / length); };
    EXPECT_LT(channel.solve({.dt = 1, .nu = length * length, .walls_stick = true, .tolerance = 1e-6}, exact, 0, depth), 5e-3);
}

TEST(viscosity, a_shear_wave_decays_at_its_rate) {
    Channel channel(24);
    channel.walls[4].kind = channel.walls[5].kind = WallKind::open;  // no stress at floor and ceiling, where the wave has no slope
    const double k = pi, nu = 0.3, dt = 0.004;
    set_velocity(channel.domain, channel.u, [&](const Vec3d& p) { return Vec3d(std::cos(k * p.z), 0, 0); });
    for (int step = 1; step <= 50; ++step) {
        const double error = channel.solve({.dt = dt, .nu = nu, .walls_stick = true, .tolerance = 1e-6}, [&](double z) { return std::exp(-nu * k * k * step * dt) * std::cos(k * z); });
        ASSERT_LT(error, 0.003) << step;
    }
}

/// Velocities that vanish on the walls of the unit box: amplitude times products of sines.
struct Manufactured {
    double amplitude[3] = {1, -0.7, 0.4};
    int waves[3][3] = {{1, 2, 1}, {1, 1, 2}, {2, 1, 1}};

    /// The derivative of component c along axes a and b, or none (-1).
    double value(int c, const Vec3d& p, int a = -1, int b = -1) const {
        double product = amplitude[c];
        for (int x = 0; x < 3; ++x) {
            const double m = waves[c][x] * pi;
            const int order = (a == x) + (b == x);
            product *= order == 0 ? std::sin(m * p[x]) : order == 1 ? m * std::cos(m * p[x]) : -m * m * std::sin(m * p[x]);
        }
        return product;
    }
    /// div (grad u + grad u^T)
    double force(int c, const Vec3d& p) const {
        double sum = 0;
        for (int a = 0; a < 3; ++a) sum += value(c, p, a, a) + value(a, p, a, c);
        return sum;
    }
};

double manufactured_error(int n) {
    const field::Domain domain = unit_domain(n);
    const field::Layout layout(domain.cells);
    const Manufactured exact;
    const double nu = 0.05;
    MacGrid u(layout);
    set_velocity(domain, u, [&](const Vec3d& p) {
        Vec3d v;
        for (int c = 0; c < 3; ++c) v[c] = exact.value(c, p) - nu * exact.force(c, p);
        return v;
    });
    enforce_walls(Walls{}, u);
    ViscositySolver solver(domain);
    const ViscosityReport report = solver.solve({.dt = 1, .nu = nu, .walls_stick = true, .tolerance = 1e-6}, Walls{}, Solids{}, Grid(layout, -1), u);
    EXPECT_TRUE(report.converged);
    double sum = 0;
    each_face(layout, [&](int a, int i, int j, int k) { sum += std::pow(double(u[a](i, j, k)) - exact.value(a, domain.face_center(a, i, j, k)), 2); });
    return std::sqrt(sum / (n * n * n));
}

TEST(viscosity, all_components_converge_at_second_order_in_a_box) {
    const double coarse = manufactured_error(8), middle = manufactured_error(16), fine = manufactured_error(32);
    EXPECT_GT(std::log2(coarse / middle), 1.8) << coarse << " " << middle;
    EXPECT_GT(std::log2(middle / fine), 1.8) << middle << " " << fine;
}

TEST(viscosity, a_slip_wall_exerts_no_shear) {
    Channel channel(16);
    channel.u.x.fill(1);
    EXPECT_LT(channel.solve({.dt = 1, .nu = number(200, channel.domain.h)}, [](double) { return 1; }), 1e-6);
    EXPECT_GT(channel.solve({.dt = 1, .nu = number(200, channel.domain.h), .walls_stick = true}, [](double) { return 1; }), 0.2);
}

TEST(viscosity, a_slip_body_exerts_no_shear_and_a_sticky_one_does) {
    const field::Domain domain = unit_domain(24);
    for (const bool no_slip : {false, true}) {
        std::vector<geom::Body> bodies = {half_space({0.5, 0.5, 0.4}, {0, 0.4, 0})};
        bodies[0].no_slip = no_slip;
        const Solids solids = at_rest(domain, bodies);
        MacGrid u(solids.aperture.layout());
        const Vec3d along(std::cos(0.4), 0, -std::sin(0.4));
        set_velocity(domain, u, [&](const Vec3d&) { return along; });
        Walls walls;
        for (Wall& w : walls) w.kind = WallKind::open;
        constrain_velocity(solids, u);
        const MacGrid before = u;
        ViscositySolver solver(domain);
        solver.solve({.dt = 1, .nu = number(50, domain.h)}, walls, solids, Grid(u.layout(), -1), u);
        const double changed = std::fabs(double(u.x(12, 12, 14)) - along.x);
        EXPECT_NEAR(changed, no_slip ? 0.5 : 0, no_slip ? 0.4 : 1e-4);
    }
}

TEST(viscosity, a_blob_on_a_slip_plate_keeps_its_momentum_along_it) {
    LiquidCase c = blob(24);
    for (const bool no_slip : {false, true}) {
        std::vector<geom::Body> bodies = {half_space({0.5, 0.5, 0.42}, {})};
        bodies[0].no_slip = no_slip;
        rasterize(c.domain, bodies, 0, c.solids);
        MacGrid u(c.layout);
        set_velocity(c.domain, u, [](const Vec3d& p) { return Vec3d(10 * (p.z - 0.3), p.z * p.z, 0); });
        constrain_velocity(c.solids, u);
        const MacGrid before = u;
        ViscositySolver solver(c.domain);
        solver.solve({.dt = 1, .nu = number(50, c.domain.h), .tolerance = 1e-5}, c.walls, c.solids, c.phi, u);
        const Vec3d was = momenta(c.domain, solver.system().volume(), before).linear, is = momenta(c.domain, solver.system().volume(), u).linear;
        for (int a : {0, 1}) EXPECT_NEAR(is[a] / was[a], no_slip ? 0 : 1, no_slip ? 0.4 : 1e-4) << a;
    }
}

TEST(viscosity, liquid_that_turns_with_a_body_is_left_alone_and_other_liquid_is_dragged) {
    LiquidCase c("turning", 32);
    c.set_phi([](double x, double y, double z) { return std::hypot(x - 0.5, y - 0.5, z - 0.5) - 0.4; });
    std::vector<geom::Body> bodies = {ball({0.5, 0.5, 0.5}, 0.2)};
    bodies[0].no_slip = true;
    std::vector<geom::Placement> placed = geom::place(bodies, 0);
    const Vec3d spin(1, 3, 2), linear(0.5, 0, 0);
    placed[0].angular = spin, placed[0].linear = linear;
    rasterize(c.domain, placed, c.solids);
    const auto rigid = [&](const Vec3d& p) { return linear + cross(spin, p - Vec3d(0.5)); };
    ViscositySolver solver(c.domain);
    const ViscosityParams params{.dt = 1, .nu = number(20, c.domain.h), .tolerance = 1e-6};
    for (const double share : {1.0, 0.0}) {
        MacGrid u(c.layout);
        set_velocity(c.domain, u, [&](const Vec3d& p) { return rigid(p) * share; });
        EXPECT_TRUE(solver.solve(params, c.walls, c.solids, c.phi, u).converged);
        double near = 0, far = 0, near_most = 0, far_most = 0;  // parts of the body's motion that the liquid has
        each_face(c.layout, [&](int a, int i, int j, int k) {
            const Vec3d p = c.domain.face_center(a, i, j, k), r = p - Vec3d(0.5);
            const double v = double(u[a](i, j, k)), w = rigid(p)[a];
            if (length(r) > 0.22 && length(r) < 0.25) near += v * w, near_most += w * w;
            if (length(r) > 0.35 && length(r) < 0.38) far += v * w, far_most += w * w;
        });
        EXPECT_NEAR(near / near_most, share == 1 ? 1 : 0.6, share == 1 ? 0.002 : 0.1);
        EXPECT_NEAR(far / far_most, share == 1 ? 1 : 0.2, share == 1 ? 0.002 : 0.1);
    }
}

TEST(viscosity, two_layers_share_one_stress) {
    Channel channel(16);
    channel.add_slab(0.9, 2, 1);
    Grid nu(channel.layout);
    const double thin = 20, thick = 400, interface = 0.5;
    for (int k = 0; k < 16; ++k)
        for (int j = 0; j < 5; ++j)
            for (int i = 0; i < 6; ++i) nu(i, j, k) = float(channel.z(k) < interface ? thin : thick);
    const double stress = 1 / (interface / thin + (0.9 - interface) / thick);
    const auto exact = [&](double z) { return stress * (std::min(z, interface) / thin + std::max(z - interface, 0.0) / thick); };
    EXPECT_LT(channel.solve({.dt = 1, .nu_grid = &nu, .walls_stick = true, .tolerance = 1e-7}, exact, 0, 0.9), 2e-3);
}

TEST(viscosity, the_number_of_threads_changes_nothing) {
    LiquidCase c = liquid_case("splash", 24);
    c.add_ball({0.45, 0.5, 0.47}, 0.2);
    MacGrid results[2];
    for (const int threads : {1, 3}) {
        const ThreadLimit limit(threads);
        MacGrid u(c.layout);
        each_face(c.layout, [&](int a, int i, int j, int k) { u[a](i, j, k) = float(random_number(a, i, j, k, 5)); });
        ViscositySolver solver(c.domain);
        solver.solve({.dt = 1, .nu = number(20, c.domain.h), .walls_stick = true}, c.walls, c.solids, c.phi, u);
        results[threads == 3] = u;
    }
    for (int a = 0; a < 3; ++a) EXPECT_TRUE(identical(results[0][a], results[1][a]));
}

}  // namespace
}  // namespace phlo::flow
