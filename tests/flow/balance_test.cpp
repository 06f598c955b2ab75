#include "flow/balance.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "advect_cases.h"
#include "flow/extend.h"
#include "solids_cases.h"

namespace phlo::flow {
namespace {

using cases::set_cells;
using cases::set_faces;
using field::Grid;
using field::Layout;
using field::MacGrid;

/// A pool whose surface is a wave; liquid runs apart along x and sinks: no divergence, and a strain of 1/s.
struct SpreadingPool {
    static constexpr int n = 24;
    static constexpr double h = 1.0 / n;
    Grid phi{Layout(Vec3i(n))};
    MacGrid u{phi.layout()};
    Walls walls{};

    SpreadingPool() {
        set_cells(phi, h, [](double x, double y, double z) { return (z - 0.5 - 0.06 * std::sin(9 * x + 4 * y)) / 1.15; });
        field::extend_into_ghosts(phi, phi.layout().cells());
        set_faces(u, h, [](double x, double, double) { return x - 0.5; }, [](double, double, double) { return 0.0; }, [](double, double, double z) { return -z; });
        walls[0].kind = walls[1].kind = walls[5].kind = WallKind::open;
        MarchScratch scratch;
        extend_velocity({.h = h, .layers = 6}, phi, u, scratch);
    }

    void balance(const Solids& solids = {}) {
        Grid q(phi.layout(), 3e3f);
        balance_extension({.h = h}, walls, solids, phi, TileSet(phi.layout(), true), q, u);
    }

    /// The largest outflow of air within a cell of the surface [m/s].
    double worst_outflow() const {
        double worst = 0;
        for (int k = 0; k < n; ++k)
            for (int j = 0; j < n; ++j)
                for (int i = 0; i < n; ++i)
                    if (phi(i, j, k) >= 0 && double(phi(i, j, k)) < h)
                        worst = std::max(worst, std::fabs(double(u.x(i + 1, j, k)) - double(u.x(i, j, k)) + double(u.y(i, j + 1, k)) - double(u.y(i, j, k)) +
                                                          double(u.z(i, j, k + 1)) - double(u.z(i, j, k))));
        return worst;
    }
};

TEST(balance, air_at_the_surface_has_no_divergence) {
    SpreadingPool pool;
    EXPECT_GT(pool.worst_outflow(), 0.9 * pool.h);   // all of the strain
    pool.balance();
    EXPECT_LT(pool.worst_outflow(), 0.02 * pool.h);
}

TEST(balance, faces_of_liquid_keep_their_velocity) {
    SpreadingPool pool;
    const MacGrid before = pool.u;
    pool.balance();
    long kept = 0, changed = 0;
    for (int axis = 0; axis < 3; ++axis)
        for (int k = 1; k < pool.n; ++k)
            for (int j = 1; j < pool.n; ++j)
                for (int i = 1; i < pool.n; ++i) {
                    const bool wet = std::min(pool.phi(i, j, k), pool.phi(i - (axis == 0), j - (axis == 1), k - (axis == 2))) < 0;
                    ASSERT_TRUE(!wet || pool.u[axis](i, j, k) == before[axis](i, j, k));
                    (wet ? kept : changed) += wet || pool.u[axis](i, j, k) != before[axis](i, j, k);
                }
    EXPECT_GT(kept, 1000);
    EXPECT_GT(changed, 1000);
}

TEST(balance, closed_walls_let_nothing_through) {
    SpreadingPool pool;
    pool.walls = {};
    enforce_walls(pool.walls, pool.u);
    pool.balance();
    for (int k = 0; k < pool.n; ++k)
        for (int j = 0; j < pool.n; ++j) ASSERT_TRUE(pool.u.x(0, j, k) == 0 && pool.u.x(pool.n, j, k) == 0);
}

TEST(balance, slits_beside_a_body_become_no_jets) {
    SpreadingPool pool;
    const Solids solids = at_rest(unit_domain(pool.n), {ball({0.5, 0.5, 0.55}, 0.2)});
    const MacGrid before = pool.u;
    pool.balance(solids);
    long slits = 0;
    for (int axis = 0; axis < 3; ++axis)
        for (int k = 1; k < pool.n; ++k)
            for (int j = 1; j < pool.n; ++j)
                for (int i = 1; i < pool.n; ++i) {
                    const bool slit = solids.aperture[axis](i, j, k) < 1;
                    ASSERT_TRUE(!slit || pool.u[axis](i, j, k) == before[axis](i, j, k));
                    slits += slit;
                }
    EXPECT_GT(slits, 100);
}

}  // namespace
}  // namespace phlo::flow
