#include "flow/sticky_faces.h"

#include <gtest/gtest.h>

#include <cmath>

#include "flow/diffusion.h"
#include "solids_cases.h"

namespace phlo::flow {
namespace {

/// The plates' surfaces. On grids of 12, 24 and 48 cells they lie a third and two thirds into their cells by turns: theta is 1/6 or 5/6, and the error, which
/// goes with theta (1 - theta) h^2, can be compared.
constexpr double low = 7.0 / 36, high = 29.0 / 36;

/// Everything below `low`, moving along x, and everything above `high`.
struct Channel {
    field::Domain domain;
    std::vector<geom::Body> bodies;
    Solids solids;
    field::MacGrid u;

    Channel(int n, double speed, bool no_slip = true) : domain{.cells = {4, 3, n}, .origin = {}, .h = 1.0 / n}, u(field::Layout(domain.cells)) {
        bodies = {half_space({0, 0, low}, {}), half_space({0, 0, high}, {std::numbers::pi, 0, 0})};
        for (geom::Body& body : bodies) body.no_slip = no_slip;
        std::vector<geom::Placement> placed = geom::place(bodies, 0);
        placed[0].linear = {speed, 0, 0};
        rasterize(domain, placed, solids);
    }
    /// Until nothing changes, with a push of `force` per ν.
    void settle(double force) {
        Walls walls;
        for (Wall& wall : walls) wall.kind = WallKind::open;
        const StickyFaces sticky(domain, solids);
        const double number = 0.5, push = 0.5 * force * number * domain.h * domain.h;
        Diffuser diffuser;
        const int steps = int(1.2 * (high - low) * (high - low) / (number * domain.h * domain.h));
        for (int s = 0; s < steps; ++s) {   // half of the push before, half after: second order in the step
            for (const int turn : {0, 1}) {
                for (float& v : u.x.storage()) v += float(push);
                sticky.hold(u);
                if (turn == 0) diffuser.diffuse_velocity(u, number, walls, solids, &sticky);
            }
        }
    }
    /// Largest departure from `exact(z)` between the plates.
    template <class F>
    double error(const F& exact) const {
        double worst = 0;
        for (int k = 0; k < domain.cells.z; ++k) {
            const double z = (k + 0.5) * domain.h;
            if (z > low + 0.15 * domain.h && z < high - 0.15 * domain.h) worst = std::max(worst, std::abs(double(u.x(2, 1, k)) - exact(z)));
        }
        return worst;
    }
};

TEST(sticky_faces, couette_flow_between_a_moving_and_a_resting_plate_is_straight) {
    for (const int n : {12, 17, 24}) {
        Channel channel(n, 2);
        channel.settle(0);
        EXPECT_LT(channel.error([](double z) { return 2 * (high - z) / (high - low); }), 0.02) << n;
    }
}

TEST(sticky_faces, poiseuille_flow_converges_at_second_order) {
    std::vector<double> errors;
    for (const int n : {12, 24, 48}) {
        Channel channel(n, 0);
        channel.settle(8);   // u = 4 (z - low) (high - z)
        errors.push_back(channel.error([](double z) { return 4 * (z - low) * (high - z); }));
    }
    EXPECT_GT(std::log2(errors[0] / errors[2]) / 2, 1.8) << errors[0] << " " << errors[1] << " " << errors[2];
    EXPECT_LT(errors[2], 0.004) << "of 0.37 in the middle";
}

TEST(sticky_faces, there_are_none_where_gas_slides) {
    EXPECT_TRUE(StickyFaces(Channel(12, 0, false).domain, Channel(12, 0, false).solids).empty());
    Channel sliding(12, 2, false);
    sliding.settle(0);
    EXPECT_EQ(sliding.u.x(2, 1, 6), 0) << "a plate that gas slides along takes none with it";
}

}  // namespace
}  // namespace phlo::flow
