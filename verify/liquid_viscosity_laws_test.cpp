// Viscous liquids against what is known of them: spin, waves that die, a sheet that spreads, honey that rests, sticks and slips.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numbers>
#include <vector>

#include "flow/level_set.h"
#include "liquid_tank.h"

namespace phlo::verify {
namespace {

using models::Liquid;
using models::LiquidSetup;
using models::Shot;

constexpr double pi = std::numbers::pi, g = 9.81;

/// Over the liquid: its momentum and spin per mass, around the middle of its own [m/s, m^2/s].
struct Motion {
    Vec3d linear, angular;
};
Motion motion_of(const Liquid& liquid) {
    const field::Domain& domain = liquid.domain();
    field::Grid part(field::Layout(domain.cells));
    flow::inside_fractions(liquid.phi(), domain.h, part);
    const auto each = [&](const auto& visit) {
        for (int k = 0; k < domain.cells.z; ++k)
            for (int j = 0; j < domain.cells.y; ++j)
                for (int i = 0; i < domain.cells.x; ++i)
                    if (part(i, j, k) > 0) visit(double(part(i, j, k)), domain.cell_center(i, j, k), i, j, k);
    };
    const field::MacGrid& u = liquid.velocity();
    Vec3d middle;
    double mass = 0;
    each([&](double m, const Vec3d& p, int, int, int) { middle += p * m, mass += m; });
    middle = middle / mass;
    Motion sum;
    each([&](double m, const Vec3d& p, int i, int j, int k) {
        const Vec3d v(0.5 * double(u.x(i, j, k) + u.x(i + 1, j, k)), 0.5 * double(u.y(i, j, k) + u.y(i, j + 1, k)), 0.5 * double(u.z(i, j, k) + u.z(i, j, k + 1)));
        sum.linear += v * (m / mass), sum.angular += cross(p - middle, v) * (m / mass);
    });
    return sum;
}

/// The share of its spin that a blob keeps in a fifth of a turn, in steps of dt [s], with a viscosity of so many h^2/dt.
double spin_kept(models::VelocityCarrier carrier, double viscosity, double dt) {
    const TankParams params{.resolution = 32, .gravity = {}, .lid = true};
    LiquidSetup setup = tank_setup(params);
    const double h = 1.0 / params.resolution;
    setup.liquid.velocity = carrier, setup.liquid.viscosity = viscosity * h * h / dt;
    Liquid liquid(tank_shot(params), setup);
    const Vec3d spin(0.5, 0.3, 2), middle(0.5), drift(0.2, -0.1, 0.15);
    fill(liquid, [&](const Vec3d& p) { return length(p - middle) - 0.25; }, [&](const Vec3d& p) { return drift + cross(spin, p - middle); });
    const Motion before = motion_of(liquid);
    for (int step = 0; step < std::lround(0.6 / dt); ++step) liquid.step(dt);
    const Motion after = motion_of(liquid);
    EXPECT_LT(length(after.linear - drift), 0.03 * length(drift)) << viscosity;
    return dot(after.angular, before.angular) / dot(before.angular, before.angular);
}

/// Without viscosity the blob flattens as it spins, and its surface, which the velocity of a step's beginning carries, lags behind by half a step: steps half as long.
TEST(LiquidViscosity, a_spinning_blob_keeps_its_spin_at_any_viscosity) {
    for (const models::VelocityCarrier carrier : {models::VelocityCarrier::grid, models::VelocityCarrier::apic}) {
        const double dt = 0.025, bent = std::pow(std::cos(length(Vec3d(0.5, 0.3, 2)) * dt), 24);
        const double plain = spin_kept(carrier, 0, dt / 2), syrup = spin_kept(carrier, 1, dt), honey = spin_kept(carrier, 1000, dt);
        std::printf("spinning blob, %s: keeps %.2f %% of its spin, without viscosity, %.2f %% with nu = h^2/dt, %.2f %% with a thousand times as much; without its turn, cos(w dt) each step: %.2f %%\n",
                    carrier == models::VelocityCarrier::apic ? "particles" : "grid", 100 * plain, 100 * syrup, 100 * honey, 100 * bent);
        for (const double kept : {plain, syrup, honey}) EXPECT_NEAR(kept, 1, 0.01);
        EXPECT_NEAR(honey, 1, 0.004);
    }
}

/// How fast the standing wave of half a length in a tank of 1 m dies [1/s].
double decay_of_sloshing(double nu) {
    const TankParams params{.size = {1, 0.125, 0.75}, .resolution = 32};
    LiquidSetup setup = tank_setup(params);
    setup.liquid.viscosity = nu;
    Liquid liquid(tank_shot(params), setup);
    const double depth = 0.45, a = 0.025, k = pi, dt = 0.01;
    fill(liquid, [&](const Vec3d& p) { return p.z - depth - a * std::cos(k * p.x); });
    const auto amplitude = [&] {
        double sum = 0;
        for (int i = 0; i < 32; ++i) sum += (surface_height(liquid, i, 2) - depth) * std::cos(k * liquid.domain().cell_center(i, 0, 0).x) / 16;
        return sum;
    };
    // Extremes half a period apart, each the top of a parabola through three times.
    std::vector<double> times, sizes, last;
    for (int step = 0; step < 320; ++step) {
        last.push_back(amplitude());
        if (last.size() >= 3) {
            const double x = last[last.size() - 3], y = last[last.size() - 2], z = last.back();
            if ((y - x) * (z - y) < 0 && std::fabs(y) > 0.1 * a) {
                const double bend = x - 2 * y + z, slope = 0.5 * (z - x);
                times.push_back((step - 1 - slope / bend) * dt), sizes.push_back(std::fabs(y - 0.5 * slope * slope / bend));
            }
        }
        liquid.step(dt);
    }
    EXPECT_GE(times.size(), 4u);
    // A wave with a slope has a mean of its crests and troughs: pairs of them cancel it.
    const auto pair = [&](std::size_t n) { return std::log(0.5 * (sizes[n] + sizes[n + 1])); };
    const std::size_t end = times.size() - 2;
    return (pair(0) - pair(end)) / (times[end] - times[0]);
}

/// Lamb's (1932, art. 348) 2 nu k^2, of any depth where walls and floor let the water slip, is for little viscosity: the layer under the surface takes away a share
/// sqrt(nu k^2 / 2 omega) of it, a tenth of it for the thicker one.
TEST(LiquidViscosity, sloshing_dies_at_two_nu_k_squared) {
    const double k = pi, omega = std::sqrt(g * k * std::tanh(k * 0.45)), without = decay_of_sloshing(0);
    for (const double nu : {0.0025, 0.01}) {
        const double plain = 2 * nu * k * k, layer = 1 - std::sqrt(nu * k * k / (2 * omega)), found = decay_of_sloshing(nu);
        std::printf("sloshing, nu %.4f m^2/s: dies by %.4f /s, of which %.4f without viscosity; 2 nu k^2 is %.4f (%+.1f %%), with its layer %.4f (%+.1f %%)\n", nu, found, without, plain,
                    100 * ((found - without) / plain - 1), plain * layer, 100 * ((found - without) / (plain * layer) - 1));
        EXPECT_NEAR(found / plain, 1, 0.1) << nu;
        EXPECT_NEAR(without / plain, 0, 0.01) << "a wave without viscosity does not die";
    }
}

/// Huppert (1982): a sheet of area q per width, released at a wall, spreads over a plate as x = 1.411 (g q^3 t / 3 nu)^(1/5).
TEST(LiquidViscosity, a_sheet_spreads_over_a_plate_as_huppert_says) {
    const TankParams params{.size = {1, 0.0625, 0.3125}, .resolution = 96};
    const double floor = 0.05, nu = 0.1, side = 0.2, q = side * side;
    Shot shot = tank_shot(params);
    shot.bodies.push_back({.name = "plate", .shape = geom::Box{.size = {4, 4, 1}}, .motion = {.position = Curve<Vec3d>(Vec3d(0, 0, floor - 0.5))}, .no_slip = true});
    LiquidSetup setup = tank_setup(params);
    setup.liquid.viscosity = nu;
    Liquid liquid(shot, setup);
    fill(liquid, [&](const Vec3d& p) { return std::max(p.x - side, p.z - floor - side); });
    const auto front = [&] {
        double x = 0;
        for (int k = 0; k < liquid.domain().cells.z; ++k)
            for (int i = 0; i + 1 < liquid.domain().cells.x; ++i) {
                const double here = double(liquid.phi()(i, 2, k)), next = double(liquid.phi()(i + 1, 2, k));
                if (here < 0 && next >= 0 && liquid.domain().cell_center(i, 2, k).z > floor) x = std::max(x, (i + 0.5 + here / (here - next)) * liquid.domain().h);
            }
        return x;
    };
    const double dt = 0.03;
    std::vector<double> times, fronts;
    while (liquid.time() < 10) {
        liquid.step(dt);
        if (liquid.time() > 2) times.push_back(std::log(liquid.time())), fronts.push_back(std::log(front()));
    }
    double mt = 0, mf = 0, up = 0, down = 0;
    const double n = double(times.size());
    for (std::size_t i = 0; i < times.size(); ++i) mt += times[i] / n, mf += fronts[i] / n;
    for (std::size_t i = 0; i < times.size(); ++i) up += (times[i] - mt) * (fronts[i] - mf), down += (times[i] - mt) * (times[i] - mt);
    const double exponent = up / down, wanted = 1.411 * std::pow(g * q * q * q * std::exp(times.back()) / (3 * nu), 0.2);
    std::printf("spreading: exponent %.4f, Huppert's 0.2; front %.3f m, wanted %.3f (%+.1f %%)\n", exponent, std::exp(fronts.back()), wanted, 100 * (std::exp(fronts.back()) / wanted - 1));
    EXPECT_NEAR(exponent, 0.2, 0.01);
    EXPECT_NEAR(std::exp(fronts.back()) / wanted, 1, 0.03);
}

/// Honey between two upright plates, cold at one and warm at the other, hangs on both: (nu v')' = -g has v(x) = -int_0^x g (s - m) / nu(T(s)) ds, m such that v = 0 at
/// the other plate; fastest where it is warm.
TEST(LiquidViscosity, warm_honey_runs_beside_cold_honey_as_its_thickness_says) {
    const TankParams params{.size = {0.375, 0.0625, 1.5}, .resolution = 96};
    constexpr double h = 1.0 / 64, width = 0.25, left = 0.0625, cold = 285, warm = 305;
    constexpr int columns = 16;
    Shot shot = tank_shot(params);
    for (const double x : {left - 0.25, left + width + 0.25})
        shot.bodies.push_back({.name = "plate", .shape = geom::Box{.size = {0.5, 1, 4}}, .motion = {.position = Curve<Vec3d>(Vec3d(x, 0, 0))}, .no_slip = true});
    LiquidSetup setup = tank_setup(params);
    setup.liquid.substance = "honey", setup.liquid.viscosity = 1, setup.liquid.heat.temperature = cold;
    setup.liquid.volume_rate = 0;   // mending would stretch it between the plates
    const auto temperature = [&](double x) { return cold + (warm - cold) * x / width; };
    for (int c = -3; c < columns + 3; ++c) {   // into the plates: what ends at them would have its surface there
        models::LiquidEmitter slab;
        slab.name = "slab", slab.shape = geom::Box{.size = {h, 1, 1}}, slab.temperature = Curve<double>(temperature((c + 0.5) * h));
        slab.motion.position = Curve<Vec3d>(Vec3d(left + (c + 0.5) * h, 0, 0.75));
        setup.emitters.push_back(slab);
    }
    Liquid liquid(shot, setup);
    for (int step = 0; step < 50; ++step) liquid.step(0.002);   // shorter: pressure and friction are found one after the other

    const auto thickness = [&](double x) { return std::exp(1e4 * (1 / temperature(x) - 1 / 293.15)); };   // of honey [m^2/s]
    constexpr int parts = 4000;
    double weights = 0, moments = 0, middle = 0;
    for (int n = 0; n < parts; ++n) weights += 1 / thickness((n + 0.5) * width / parts), moments += (n + 0.5) * width / parts / thickness((n + 0.5) * width / parts);
    middle = moments / weights;
    std::vector<double> wanted, found;
    double v = 0, wanted_sum = 0, found_sum = 0;
    for (int n = 0; n < parts; ++n) {
        const double x = (n + 0.5) * width / parts;
        v += g * (middle - x) / thickness(x) * width / parts;
        if (const std::size_t c = wanted.size(); c == columns || x < (double(c) + 0.5) * h) continue;
        wanted.push_back(v), found.push_back(-double(liquid.velocity().z(4 + int(wanted.size()) - 1, 2, 48)));
        wanted_sum += wanted.back(), found_sum += found.back();
    }
    // Its free ends hang less on the plates, and pull the rest along: the same profile, for a somewhat larger g.
    const double pull = found_sum / wanted_sum;
    double worst = 0;
    for (std::size_t c = 0; c < wanted.size(); ++c) worst = std::max(worst, std::fabs(found[c] - pull * wanted[c]) / (pull * std::ranges::max(wanted)));
    std::printf("warm beside cold honey between plates: %.3f g, off by %.2f %% of the fastest at most\n", pull, 100 * worst);
    EXPECT_LT(worst, 0.02);
    EXPECT_NEAR(pull, 1, 0.1);
}

TEST(LiquidViscosity, honey_at_rest_does_not_creep) {
    for (const bool sticks : {false, true}) {
        const TankParams params{.size = {0.1, 0.1, 0.1}, .resolution = 20};
        Shot shot = tank_shot(params);
        shot.bodies.push_back({.name = "ball", .shape = geom::Sphere{.radius = 0.016}, .motion = {.position = Curve<Vec3d>(Vec3d(0.045, 0.05, 0.025))}, .no_slip = sticks});
        LiquidSetup setup = tank_setup(params);
        setup.liquid.substance = "honey", setup.liquid.viscosity = {}, setup.liquid.walls_stick = sticks, setup.liquid.pressure_tolerance = 1e-6;
        Liquid liquid(shot, setup);
        fill(liquid, [&](const Vec3d& p) { return p.z - 0.0537; });
        for (int step = 0; step < 40; ++step) liquid.step(0.01);
        EXPECT_LT(fastest_in_liquid(liquid), 1e-6) << "m/s, " << sticks;
    }
}

/// Beside the sticky wall a slab of width w, free on the other side, falls at a mean of
/// g w^2 / nu (1/3 - sum of 2 / l^4 exp(-l^2 nu t / w^2)), l = pi/2, 3 pi/2, ...: 0.492 g t for nu t / w^2 = 0.467.
TEST(LiquidViscosity, honey_slides_down_a_slip_wall_and_hangs_on_a_sticky_one) {
    for (const bool sticks : {false, true}) {
        const TankParams params{.size = {0.1, 0.1, 0.2}, .resolution = 40};
        LiquidSetup setup = tank_setup(params);
        setup.liquid.substance = "honey", setup.liquid.viscosity = {}, setup.liquid.walls_stick = sticks;
        Liquid liquid(tank_shot(params), setup);
        fill(liquid, [&](const Vec3d& p) { return std::max({std::fabs(p.z - 0.15) - 0.02, p.x - 0.03, std::fabs(p.y - 0.05) - 0.03}); });
        const double dt = 0.005;
        for (int step = 0; step < 12; ++step) liquid.step(dt);
        const double fall = -motion_of(liquid).linear.z / (g * 12 * dt);
        std::printf("honey beside a %s wall: falls with %.4f g\n", sticks ? "sticky" : "slip", fall);
        EXPECT_NEAR(fall, sticks ? 0.492 : 1, sticks ? 0.06 : 0.01);
    }
}

}  // namespace
}  // namespace phlo::verify
