#include "flow/erosion.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "flow/room.h"

namespace phlo::flow {
namespace {

/// A ball in a box of gas, and what the gas took of it.
struct Scene {
    field::Domain domain{.cells = {24, 24, 24}, .origin = {0, 0, 0}, .h = 1.0 / 24};
    geom::Body body{.name = "ball", .shape = geom::Sphere{.radius = 0.3}, .motion = {.position = Curve<Vec3d>{Vec3d(0.5)}}};
    geom::SampledSolid rest{body.shape, 1.0 / 48};
    Solids solids;
    field::Grid room, softness{field::Layout(rest.lattice.cells), 1}, area, taken;
    geom::Pose pose{.position = Vec3d(0.5)};

    Scene() {
        rasterize(domain, std::span(&body, 1), 0, solids);
        find_room(solids, room);
        area = taken = field::Grid(field::Layout(domain.cells));
    }
    GasAround gas() const { return {domain, solids, room}; }
    double cell_volume() const { return domain.h * domain.h * domain.h; }
};

TEST(erosion, the_gas_sees_all_of_the_surface) {
    Scene s;
    expose(s.gas(), s.pose, s.rest, s.softness, s.area);
    EXPECT_NEAR(sum_with_room(s.area, s.room) * s.cell_volume() / s.rest.area(), 1, 1e-5);
}

TEST(erosion, hard_spots_count_and_recede_as_much_less) {
    Scene s;
    const Vec3i n = s.rest.lattice.cells;
    for (int k = 0; k < n.z; ++k)
        for (int j = 0; j < n.y; ++j)
            for (int i = 0; i < n.x; ++i) s.softness(i, j, k) = s.rest.lattice.cell_center(i, j, k).x < 0 ? 1.0f : 0.2f;
    expose(s.gas(), s.pose, s.rest, s.softness, s.area);
    EXPECT_NEAR(sum_with_room(s.area, s.room) * s.cell_volume() / s.rest.area(), 0.6, 0.02);
    for (std::size_t c = 0; c < s.taken.storage().size(); ++c) s.taken.storage()[c] = s.area.storage()[c] * float(2 * 0.03);
    MarchScratch scratch;
    recede(s.gas(), {s.area, s.taken, 2}, s.pose, {.scale = 1, .band = 7}, s.softness, s.rest, scratch);
    double soft = 0, hard = 0;
    for (const Vec3f& p : s.rest.surface().points) {
        if (p.x < -0.2f) soft = std::max(soft, 0.3 - double(length(p)));
        if (p.x > 0.2f) hard = std::max(hard, 0.3 - double(length(p)));
    }
    EXPECT_NEAR(soft, 0.03, 0.004);
    EXPECT_NEAR(hard, 0.2 * 0.03, 0.004);
}

/// Whatever the pattern of the bites, the body loses what the gas took.
TEST(erosion, the_body_loses_what_the_gas_took) {
    Scene s;
    for (std::size_t n = 0; n < s.softness.storage().size(); ++n) s.softness.storage()[n] = 0.5f + float(n % 7) / 5;
    expose(s.gas(), s.pose, s.rest, s.softness, s.area);
    for (std::size_t n = 0; n < s.taken.storage().size(); ++n) s.taken.storage()[n] = s.area.storage()[n] * float(n % 13) * 1e-3f;
    const Bite bite{s.area, s.taken, 7};
    EXPECT_NEAR(7 * eaten_volume(s.gas(), bite, s.pose, s.rest, s.softness) / (sum_with_room(s.taken, s.room) * s.cell_volume()), 1, 1e-5);
}

TEST(erosion, an_even_bite_makes_the_ball_smaller_by_its_depth) {
    for (const double depth : {0.003, 0.04}) {   // the second takes several steps
        Scene s;
        expose(s.gas(), s.pose, s.rest, s.softness, s.area);
        for (std::size_t n = 0; n < s.taken.storage().size(); ++n) s.taken.storage()[n] = s.area.storage()[n] * float(2 * depth);
        MarchScratch scratch;
        const double before = std::cbrt(s.rest.volume() * 3 / (4 * std::numbers::pi));
        recede(s.gas(), {s.area, s.taken, 2}, s.pose, {.scale = 1, .band = 7}, s.softness, s.rest, scratch);
        const double after = std::cbrt(s.rest.volume() * 3 / (4 * std::numbers::pi));
        EXPECT_NEAR((before - after) / depth, 1, 0.03) << depth;
    }
}

TEST(erosion, what_no_open_cell_touches_is_not_eaten) {
    Scene s;
    geom::Body wall{.name = "wall", .shape = geom::Box{.size = {1, 1, 0.5}}, .motion = {.position = Curve<Vec3d>{Vec3d(0.5, 0.5, 0.25)}}};
    const std::vector<geom::Body> bodies{s.body, wall};
    rasterize(s.domain, bodies, 0, s.solids);
    find_room(s.solids, s.room);
    expose(s.gas(), s.pose, s.rest, s.softness, s.area);
    EXPECT_NEAR(sum_with_room(s.area, s.room) * s.cell_volume() / s.rest.area(), 0.5, 0.06);
}

}  // namespace
}  // namespace phlo::flow
