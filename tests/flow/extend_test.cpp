#include "flow/extend.h"

#include <gtest/gtest.h>

#include <cstring>

#include "advect_cases.h"
#include "base/parallel.h"
#include "solids_cases.h"

namespace phlo::flow {
namespace {

using cases::set_cells;
using cases::set_faces;
using field::Grid;
using field::Layout;
using field::MacGrid;

double ball_distance(double x, double y, double z) { return std::hypot(x - 0.5, y - 0.5, z - 0.5) - 0.25; }

TEST(extend, velocities_are_constant_along_the_normals_of_a_ball) {
    double error[2];
    for (int r = 0; r < 2; ++r) {
        const int n = 32 << r;
        const double h = 1.0 / n;
        Grid phi((Layout(Vec3i(n))));
        set_cells(phi, h, ball_distance);
        field::extend_into_ghosts(phi, phi.layout().cells());
        MacGrid u(phi.layout());
        // A velocity that depends on the direction from the centre alone is its own extension.
        const auto direction = [](int axis) {
            return [axis](double x, double y, double z) {
                const Vec3d d = normalized(Vec3d(x - 0.5 + 1e-9, y - 0.5, z - 0.5));
                return d[axis] + 0.5 * d[(axis + 1) % 3] * d[axis];
            };
        };
        set_faces(u, h, direction(0), direction(1), direction(2));
        const MacGrid exact = u;
        for (int axis = 0; axis < 3; ++axis)
            for (int k = 0; k < n + (axis == 2); ++k)
                for (int j = 0; j < n + (axis == 1); ++j)
                    for (int i = 0; i < n + (axis == 0); ++i)
                        if (std::min(phi(i, j, k), phi(i - (axis == 0), j - (axis == 1), k - (axis == 2))) >= 0) u[axis](i, j, k) = 77;
        MarchScratch scratch;
        extend_velocity({.h = h, .layers = 4}, phi, u, scratch);
        error[r] = 0;
        for (int axis = 0; axis < 3; ++axis)
            for (int k = 0; k < n; ++k)
                for (int j = 0; j < n; ++j)
                    for (int i = 0; i < n; ++i) {
                        const double d = ball_distance((i + (axis == 0 ? 0 : 0.5)) * h, (j + (axis == 1 ? 0 : 0.5)) * h,
                                                       (k + (axis == 2 ? 0 : 0.5)) * h);
                        if (d < 2 * h) error[r] = std::max(error[r], std::fabs(double(u[axis](i, j, k)) - double(exact[axis](i, j, k))));
                        ASSERT_TRUE(d <= 8 * h || u[axis](i, j, k) == 0);
                    }
    }
    EXPECT_LT(error[0], 0.15);
    EXPECT_LT(error[1], 0.65 * error[0]);
}

TEST(extend, a_velocity_goes_on_with_its_slope_where_it_is_even_and_constant_where_it_is_not) {
    constexpr int n = 24, surface = 12;
    Grid phi((Layout(Vec3i(n))));
    set_cells(phi, 1.0, [](double, double, double z) { return z - surface; });
    field::extend_into_ghosts(phi, phi.layout().cells());
    MacGrid u(phi.layout());
    const auto linear = [](double, double, double z) { return 0.25 * z; };
    const auto rough = [](double, double, double z) { return int(z) % 2 ? 1.0 : -1.0; };
    set_faces(u, 1.0, linear, rough, linear);
    MarchScratch scratch;
    extend_velocity({.h = 1, .layers = 5, .sloping = 3}, phi, u, scratch);
    for (int layer = 0; layer < 5; ++layer) {
        EXPECT_NEAR(double(u.x(8, 8, surface + layer)), 0.25 * (surface + 0.5 + std::min(layer, 2)), 1e-5) << layer;
        EXPECT_EQ(u.y(8, 8, surface + layer), u.y(8, 8, surface - 1)) << layer;
    }
}

TEST(extend, faces_of_liquid_keep_their_velocity_and_closed_ones_take_their_neighbours) {
    const int n = 16;
    Grid phi((Layout(Vec3i(n))));
    set_cells(phi, 1, [](double, double, double z) { return z - 8; });
    field::extend_into_ghosts(phi, phi.layout().cells());
    MacGrid u(phi.layout()), open(phi.layout(), 1.0f);
    u.x.fill(2), u.y.fill(3), u.z.fill(4);
    open.x(5, 5, 3) = 0, u.x(5, 5, 3) = -9;
    MarchScratch scratch;
    extend_velocity({.h = 1, .layers = 3, .open = &open}, phi, u, scratch);
    EXPECT_EQ(u.x(5, 5, 3), 2);
    for (int k = 0; k < n; ++k) {
        EXPECT_FLOAT_EQ(u.x(7, 7, k), k < 11 ? 2 : 0) << k;
        EXPECT_FLOAT_EQ(u.z(7, 7, k), k < 12 ? 4 : 0) << k;  // the face on top of the last liquid cell is the liquid's
    }
}

TEST(extend, air_behind_a_closed_wall_does_not_move_with_the_water_before_it) {
    const int n = 16;
    Grid phi((Layout(Vec3i(n))));
    set_cells(phi, 1, [](double x, double, double) { return x - 6; });
    field::extend_into_ghosts(phi, phi.layout().cells());
    MacGrid u(phi.layout()), open(phi.layout());
    u.x.fill(3);
    for (int a = 0; a < 3; ++a) open[a].fill(1);
    for (int k = 0; k < n; ++k)
        for (int j = 0; j < n; ++j) open.x(7, j, k) = 0;   // a wall much thinner than a cell
    MarchScratch scratch;
    extend_velocity({.h = 1, .layers = 5, .open = &open}, phi, u, scratch);
    EXPECT_EQ(u.x(6, 8, 8), 3);
    EXPECT_EQ(u.x(7, 8, 8), 3) << "the wall's own face, for what lies before it";
    for (int i = 8; i < 12; ++i) EXPECT_EQ(u.x(i, 8, 8), 0) << i;
}

TEST(extend, a_level_set_goes_on_into_a_body_without_a_gap) {
    const int n = 32;
    const field::Domain domain = unit_domain(n);
    const Solids solids = at_rest(domain, {ball({0.5, 0.5, 0.5}, 0.3)});
    Grid phi((Layout(domain.cells)));
    // Water up to half the ball's height. Inside the ball somebody left nonsense.
    set_cells(phi, domain.h, [](double, double, double z) { return z - 0.5; });
    for_each_cell(domain, [&](int i, int j, int k) {
        if (solids.covered(i, j, k)) phi(i, j, k) = 9;
    });
    MarchScratch scratch;
    extend_into_solids(solids, 4, 0, phi, scratch);
    int filled = 0, kept = 0;
    for_each_cell(domain, [&](int i, int j, int k) {
        const double depth = 0.3 - length(domain.cell_center(i, j, k) - Vec3d(0.5));
        if (!solids.covered(i, j, k)) {
            EXPECT_EQ(phi(i, j, k), float((k + 0.5) * domain.h - 0.5));
        } else if (depth < 2 * domain.h) {
            // The surface meets the ball at a right angle: along the ball's normals the level set has its value at the ball's skin.
            const Vec3d skin = Vec3d(0.5) + normalized(domain.cell_center(i, j, k) - Vec3d(0.5)) * 0.3;
            EXPECT_NEAR(phi(i, j, k), skin.z - 0.5, 1.5 * domain.h);
            ++filled;
        } else if (depth > 8 * domain.h) kept += phi(i, j, k) == 9;
    });
    EXPECT_GT(filled, 500);
    EXPECT_GT(kept, 0);
}

TEST(extend, a_plane_goes_on_into_a_body_as_a_plane) {
    const int n = 32;
    const field::Domain domain = unit_domain(n);
    const Solids solids = at_rest(domain, {ball({0.5, 0.5, 0.5}, 0.3)});
    Grid phi((Layout(domain.cells)));
    const auto plane = [](const Vec3d& p) { return 0.6 * (p.z - 0.5) + 0.8 * (p.x - 0.5) + 0.4; };   // far from zero in the ball
    for_each_cell(domain, [&](int i, int j, int k) { phi(i, j, k) = solids.covered(i, j, k) ? 9 : float(plane(domain.cell_center(i, j, k))); });
    MarchScratch scratch;
    extend_into_solids(solids, 3, float(domain.h), phi, scratch);
    for_each_cell(domain, [&](int i, int j, int k) {
        const double depth = 0.3 - length(domain.cell_center(i, j, k) - Vec3d(0.5));
        if (depth < 1.2 * domain.h) {
            EXPECT_NEAR(phi(i, j, k), plane(domain.cell_center(i, j, k)), 1e-5);
        }
    });
}

TEST(extend, a_level_set_turns_negative_in_a_wall_only_beside_liquid) {
    const int n = 16;
    const field::Domain domain = unit_domain(n);
    const double h = domain.h;
    const Solids solids = at_rest(domain, {{.name = "wall", .shape = geom::Box{.size = {4 * h, 4, 4}}, .motion = {.position = Curve<Vec3d>(Vec3d(8 * h, 0.5, 0.5))}}});
    Grid phi((Layout(domain.cells)));
    // Liquid to the left, up to half the height; above it the level set falls towards the wall on both sides, as if the wall were full of liquid.
    set_cells(phi, h, [&](double x, double, double z) { return x < 0.5 && z < 0.5 ? z - 0.5 : std::fabs(x - 0.5) - 2 * h; });
    MarchScratch scratch;
    extend_into_solids(solids, 5, float(h), phi, scratch);
    int wet = 0;
    for_each_cell(domain, [&](int i, int j, int k) {
        if (!solids.covered(i, j, k)) return;
        if (k >= 10) {
            EXPECT_GE(phi(i, j, k), 0) << i << " " << k;
        }
        if (k < 6) wet += phi(i, j, k) < 0;
    });
    EXPECT_GT(wet, 0) << "beside liquid it does";
}

TEST(extend, the_number_of_threads_changes_nothing) {
    Grid phi((Layout({30, 40, 50})));
    cases::randomize(phi, phi.layout().cells(), 6, -0.1, 1);
    field::extend_into_ghosts(phi, phi.layout().cells());
    MacGrid one(phi.layout());
    cases::randomize(one, 1);
    MacGrid two = one;
    MarchScratch scratch, other;
    extend_velocity({.layers = 5}, phi, one, scratch);
    const ThreadLimit limit(1);
    extend_velocity({.layers = 5}, phi, two, other);
    for (int axis = 0; axis < 3; ++axis)
        EXPECT_EQ(std::memcmp(one[axis].storage().data(), two[axis].storage().data(), one[axis].bytes()), 0);
}

}  // namespace
}  // namespace phlo::flow
