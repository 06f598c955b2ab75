// Liquids of many shapes in a cubic box of n cells a side, for the tests and the bench of the free-surface pressure.
//
//   LiquidCase pool = liquid_case("pool", 64);
//   projector.set_up(pool.walls, pool.solids, pool.phi);
#pragma once
#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/random.h"
#include "flow/free_surface.h"

namespace phlo::flow {

struct LiquidCase {
    std::string name;
    field::Domain domain;
    field::Layout layout;
    field::Grid phi;                                 ///< [m]
    std::unique_ptr<std::vector<geom::Body>> bodies; ///< where the solids point to
    Solids solids;
    Walls walls{};                                   ///< closed

    LiquidCase(std::string what, int n) : name(std::move(what)), domain{.cells = {n, n, n}, .origin = {0, 0, 0}, .h = 1.0 / n}, layout(domain.cells), phi(layout) {}

    /// f(x, y, z) in the unit cube; ghosts included.
    void set_phi(const std::function<double(double, double, double)>& f) {
        const Vec3i n = domain.cells;
        for (int k = -1; k <= n.z; ++k)
            for (int j = -1; j <= n.y; ++j)
                for (int i = -1; i <= n.x; ++i) {
                    const Vec3d p = domain.cell_center(i, j, k);
                    phi(i, j, k) = float(f(p.x, p.y, p.z));
                }
    }
    void add_ball(const Vec3d& center, double radius) {
        if (!bodies) bodies = std::make_unique<std::vector<geom::Body>>();
        bodies->push_back({.name = "ball", .shape = geom::Sphere{.radius = radius}, .motion = {.position = Curve<Vec3d>(center)}});
        rasterize(domain, *bodies, 0, solids);
    }
};

/// The signed distance to a union of random balls, radii in cells.
class RandomBalls {
public:
    RandomBalls(const LiquidCase& c, int count, double smallest, double largest, std::uint32_t seed) : layout_(c.layout), phi_(c.layout, float(3 * c.domain.h)) {
        const double h = c.domain.h;
        for (int b = 0; b < count; ++b) {
            const auto r = uniform4({seed, 0, 0}, std::uint32_t(b));
            add(Vec3d(r[0], r[1], r[2]), (smallest + (largest - smallest) * double(r[3])) * h, c.domain);
        }
    }
    double operator()(const LiquidCase& c, double x, double y, double z) const {
        const Vec3d p = c.domain.grid_from_world({x, y, z});
        const Vec3i n = c.domain.cells;
        const auto cell = [](double v, int count) { return std::clamp(int(std::lround(v)), 0, count - 1); };
        return double(phi_(cell(p.x, n.x), cell(p.y, n.y), cell(p.z, n.z)));
    }

private:
    void add(const Vec3d& center, double radius, const field::Domain& domain) {
        const Vec3d at = domain.grid_from_world(center);
        const int reach = int(radius / domain.h) + 4;
        const auto low = [&](double v) { return std::max(0, int(v) - reach); };
        const auto high = [&](double v, int count) { return std::min(count - 1, int(v) + reach); };
        for (int k = low(at.z); k <= high(at.z, layout_.nz()); ++k)
            for (int j = low(at.y); j <= high(at.y, layout_.ny()); ++j)
                for (int i = low(at.x); i <= high(at.x, layout_.nx()); ++i)
                    phi_(i, j, k) = std::min(phi_(i, j, k), float(length(domain.cell_center(i, j, k) - center) - radius));
    }
    field::Layout layout_;
    field::Grid phi_;
};

inline LiquidCase liquid_case(const std::string& name, int n) {
    LiquidCase c(name, n);
    const double h = c.domain.h;
    const auto noise = [&](double x, double y, double z, std::uint32_t stream) {
        const auto id = std::uint32_t((int(z * n) * n + int(y * n)) * n + int(x * n));
        return uniform4({9, 0, stream}, id);
    };
    const auto pool = [](double x, double y, double z) { return (z - 0.5 - 0.2 * (x - 0.5) - 0.07 * (y - 0.5)) / 1.022; };
    const auto waves = [](double x, double y, double z) { return 0.7 * (z - 0.48 - 0.06 * std::sin(17 * x) * std::cos(11 * y)); };
    const int drops = std::min(10000, n * n * n / 160);
    if (name == "pool") {
        c.set_phi(pool);
    } else if (name == "dam") {
        c.set_phi([](double x, double, double z) { return std::max(x - 0.3137, z - 0.6171); });
    } else if (name == "drops") {
        const RandomBalls balls(c, drops, 1, 3, 3);
        c.set_phi([&](double x, double y, double z) { return balls(c, x, y, z); });
    } else if (name == "sheets") {  // one cell thick, oblique, eight cells apart
        c.set_phi([h](double x, double y, double z) {
            const double s = (z + 0.31 * x + 0.17 * y) / h / 8;
            return (std::abs(s - std::round(s)) * 8 / 1.06 - 0.5) * h;
        });
    } else if (name == "waves") {
        c.set_phi(waves);
        c.add_ball({0.45, 0.5, 0.47}, 0.2);
    } else if (name == "pockets") {  // bubbles in the pool
        const RandomBalls balls(c, n * n * n / 2000, 0.8, 6, 5);
        c.set_phi([&](double x, double y, double z) { return std::max(pool(x, y, z), -balls(c, x, y, z)); });
    } else if (name == "flat") {  // the surface touches cell centres
        c.set_phi([h, n](double, double, double z) { return z - (n / 2 + 0.5) * h - 1e-4 * h; });
    } else if (name == "rough") {  // theta from 0.001 to 1, the surface jumps over a few cells
        c.set_phi([&](double x, double y, double z) {
            const auto r = noise(std::clamp(x, 0.0, 1 - h / 2), std::clamp(y, 0.0, 1 - h / 2), std::clamp(z, 0.0, 1 - h / 2), 0);
            const double s = pool(x, y, z) / h + 5 * (double(r[0]) - 0.5);
            return s < 0 ? -h * std::pow(10, -3 * double(r[1])) : h * (0.5 + 0.5 * double(r[1]));
        });
    } else if (name == "mist") {  // every second cell, at random
        c.set_phi([&](double x, double y, double z) {
            const auto r = noise(std::clamp(x, 0.0, 1 - h / 2), std::clamp(y, 0.0, 1 - h / 2), std::clamp(z, 0.0, 1 - h / 2), 1);
            return h * (r[0] < 0.5f ? -1 : 1) * std::pow(10, -2 * double(r[1]));
        });
    } else if (name == "splash") {  // a wavy pool, drops above, bubbles below, a sheet
        const RandomBalls up(c, drops / 2, 0.6, 3, 5), down(c, drops / 8, 0.6, 3, 6);
        c.set_phi([&](double x, double y, double z) {
            const double sheet = std::abs(x + 0.3 * z - 0.6) / 1.05 - 0.6 * h;
            return std::max(std::min({waves(x, y, z) + 0.05, sheet, up(c, x, y, z)}), -down(c, x, y, z));
        });
    } else if (name == "film") {  // one to two cells on the floor and a wall
        c.set_phi([h](double x, double y, double z) { return std::min(z, x) - h * (1.45 + 0.5 * std::sin(9 * x + 7 * y)); });
    }
    return c;
}

/// A velocity with vortices, sources and a fall in it.
inline void stir(const LiquidCase& c, field::MacGrid& u) {
    for (int a = 0; a < 3; ++a) {
        const Vec3i extent = field::face_extent(c.layout, a);
        for (int k = 0; k < extent.z; ++k)
            for (int j = 0; j < extent.y; ++j)
                for (int i = 0; i < extent.x; ++i) {
                    const Vec3d p = c.domain.face_center(a, i, j, k);
                    u[a](i, j, k) = float(std::sin(9 * p.x + 4 * p.y + a) * std::cos(7 * p.z + 2 * p.x - a) - (a == 2 ? 1.5 : 0));
                }
    }
    enforce_walls(c.walls, u);
    if (c.solids.present()) constrain_velocity(c.solids, u);
}

}  // namespace phlo::flow
