#include "flow/reach.h"

#include <gtest/gtest.h>

#include "solids_cases.h"

namespace phlo::flow {
namespace {

using field::Grid;
using field::Layout;

/// A plate a third of a cell thick across x = 0.5, with a hole above z = 0.75, and water before it.
struct Plate {
    static constexpr int n = 16;
    const field::Domain domain = unit_domain(n);
    Solids solids = at_rest(domain, {geom::Body{.name = "plate", .shape = geom::Box{.size = {0.02, 2, 1.5}}, .motion = {.position = Curve<Vec3d>(Vec3d(0.5, 0.5, 0))}}});
    Grid before{Layout(domain.cells)};
    field::MacGrid u{Layout(domain.cells)};

    Plate() {
        for_each_cell(domain, [&](int i, int j, int k) { before(i, j, k) = float(domain.cell_center(i, j, k).x - 0.45); });
        u.x.fill(1);
    }
    std::vector<int> denied(Grid& phi) const { return deny_unreached({.dt = 2 * domain.h, .h = domain.h, .u = &u}, solids, before, phi); }
};

TEST(reach, liquid_behind_a_plate_thinner_than_a_cell_is_denied) {
    const Plate plate;
    Grid phi = plate.before;
    const Vec3i behind(8, 8, 4), over(8, 8, 13), on_this_side(7, 8, 4);
    for (const Vec3i& c : {behind, over, on_this_side}) phi(c.x, c.y, c.z) = -0.01f;
    const std::vector<int> denied = plate.denied(phi);
    ASSERT_EQ(denied.size(), 1u);
    EXPECT_EQ(denied[0], int(phi.layout().offset(behind.x, behind.y, behind.z)));
    EXPECT_NEAR(phi(behind.x, behind.y, behind.z), plate.domain.h, 1e-6);
    EXPECT_LT(phi(over.x, over.y, over.z), 0) << "above the plate the way is free";
    EXPECT_LT(phi(on_this_side.x, on_this_side.y, on_this_side.z), 0);
}

TEST(reach, liquid_is_denied_that_is_farther_away_than_its_velocity_carries_it) {
    Plate plate;
    Grid phi = plate.before;
    phi(9, 8, 12) = -0.01f, plate.u.x.fill(0.4f);   // three cells beyond the water, above the plate
    EXPECT_EQ(plate.denied(phi).size(), 1u);
    phi(9, 8, 12) = -0.01f, plate.u.x.fill(1);
    EXPECT_EQ(plate.denied(phi).size(), 0u);
}

TEST(reach, a_film_in_the_skin_of_a_body_dries_unless_liquid_is_beside_it) {
    const field::Domain domain = unit_domain(24);
    const Solids solids = at_rest(domain, {ball({0.5, 0.5, 0.5}, 0.3)});
    Grid phi((Layout(domain.cells)));
    // Water up to half the ball's height, and a film in every cell with its centre in the ball.
    for_each_cell(domain, [&](int i, int j, int k) {
        phi(i, j, k) = solids.distance(i, j, k) < 0 ? -0.01f : float(domain.cell_center(i, j, k).z - 0.5);
    });
    const std::vector<int> dried = dry_skins(solids, phi);
    EXPECT_GT(dried.size(), 100u);
    int films = 0;
    for_each_cell(domain, [&](int i, int j, int k) {
        if (solids.volume(i, j, k) == 0 || solids.distance(i, j, k) >= 0) return;
        const double height = domain.cell_center(i, j, k).z - 0.5;
        if (height < -domain.h) {
            EXPECT_LT(phi(i, j, k), 0) << "under water";
        }
        films += height > 1.5 * domain.h && phi(i, j, k) < 0;
    });
    EXPECT_LT(films, 12) << "but in cells all of whose neighbours have their centre in the body";
}

TEST(reach, inside_markers_go_with_their_cells) {
    const Layout layout(Vec3i(8));
    Markers markers;
    markers.inside = {.x = {2.4f, 2.6f, 5}, .y = {3, 3, 3}, .z = {4, 4, 4}, .radius = {0.1f, 0.2f, 0.3f}};
    markers.outside = markers.inside;
    remove_inside(layout, {int(layout.offset(2, 3, 4))}, markers);
    EXPECT_EQ(markers.inside.radius, (std::vector<float>{0.2f, 0.3f}));
    EXPECT_EQ(markers.outside.radius.size(), 3u);
}

}  // namespace
}  // namespace phlo::flow
