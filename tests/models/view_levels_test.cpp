#include "models/liquid/view_levels.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "field/blocks.h"

namespace phlo::models {
namespace {

/// 16 x 8 x 8 blocks of 16 cells in a tank 16 m long, half full: water below, the surface in the fourth layer.
struct Tank {
    field::Domain domain{{256, 128, 128}, {0, 0, 0}, 1.0 / 16};
    Vec3i base{16, 8, 8};
    std::vector<Holds> holds = std::vector<Holds>(16 * 8 * 8, Holds::air);
    AdaptParams params{.mode = AdaptMode::view, .view = {}};

    Tank() {
        for (int z = 0; z < 4; ++z)
            for (int b = 0; b < 16 * 8; ++b) holds[std::size_t(b + 16 * 8 * z)] = z == 3 ? Holds::surface : Holds::liquid;
        params.view.height = 1e6;   // distance does not count
        params.view.margin = 0;
    }
    int at(const std::vector<std::int8_t>& levels, const Vec3i& b) const { return levels[std::size_t(b.x + base.x * (b.y + base.y * b.z))]; }
    std::vector<std::int8_t> levels(double time = 0) const {
        std::vector<std::int8_t> levels =
            levels_by_view({.domain = domain, .base = base, .depth = 4, .holds = holds, .time = time}, params, sights_around(params.view, domain, time, 1.0 / 24));
        field::balance(base, levels);
        return levels;
    }
    /// A camera above one end that looks straight along the y axis at x = 2, narrow.
    void look_at(double x) {
        params.view.position = Curve<Vec3d>(Vec3d(x, -6, 3.5));
        params.view.target = Curve<Vec3d>(Vec3d(x, 4, 3.5));
        params.view.fov = Curve<double>(12.0);
        params.view.aspect = 1;
    }
};

bool in_picture(const Sight& s, const Vec3d& p) {
    const Vec3d to = p - s.position;
    const double depth = dot(to, s.forward);
    return depth > 0 && std::fabs(dot(to, s.right)) <= s.half_width * depth && std::fabs(dot(to, s.up)) <= s.half_height * depth;
}

TEST(view_levels, a_sight_misses_no_ball_that_reaches_into_the_picture) {
    AdaptView view;
    view.position = Curve<Vec3d>(Vec3d(1, -3, 2)), view.target = Curve<Vec3d>(Vec3d(0, 0, 0.5));
    const Sight s = sight(view, {}, 0);
    std::mt19937 random(7);
    std::uniform_real_distribution<double> number(-1, 1);
    int seen = 0, wasted = 0;
    for (int n = 0; n < 2000; ++n) {
        const Vec3d center = Vec3d(number(random), number(random), number(random)) * 4.0;
        const double radius = 0.3 + 0.2 * number(random);
        bool reaches = false;
        for (int m = 0; m < 400; ++m) {
            Vec3d d(number(random), number(random), number(random));
            if (length(d) < 1) reaches |= in_picture(s, center + d * radius);
        }
        if (reaches) {
            ++seen;
            EXPECT_TRUE(s.sees(center, radius));
        } else if (s.sees(center, radius)) {
            ++wasted;
        }
    }
    EXPECT_GT(seen, 100);
    EXPECT_LT(wasted, seen / 3);   // at the edges of the pyramid a plane's distance is a bound only
}

TEST(view_levels, the_seen_surface_is_finest_seen_water_finer_than_the_rest_and_unseen_surface_moderate) {
    Tank tank;
    tank.look_at(2);
    const std::vector<std::int8_t> levels = tank.levels();
    EXPECT_EQ(tank.at(levels, {1, 4, 3}), 4);    // surface, in the picture
    EXPECT_EQ(tank.at(levels, {1, 4, 4}), 3);    // the air above it
    EXPECT_EQ(tank.at(levels, {12, 4, 3}), 2);   // surface, out of it
    EXPECT_EQ(tank.at(levels, {12, 4, 0}), 0);   // water that nobody sees
    EXPECT_EQ(tank.at(levels, {12, 4, 7}), 0);
}

TEST(view_levels, water_in_the_picture_is_one_level_coarser_than_its_surface) {
    Tank tank;
    tank.look_at(2);
    tank.params.view.position = Curve<Vec3d>(Vec3d(2, -6, 0.5)), tank.params.view.target = Curve<Vec3d>(Vec3d(2, 4, 0.5));
    const std::vector<std::int8_t> levels = tank.levels();
    EXPECT_EQ(tank.at(levels, {1, 1, 0}), 3);
    EXPECT_EQ(tank.at(levels, {12, 1, 0}), 0);
}

TEST(view_levels, without_a_camera_all_of_the_surface_is_fine) {
    const std::vector<std::int8_t> levels = Tank().levels();
    for (int x = 0; x < 16; ++x) {
        EXPECT_EQ(Tank().at(levels, {x, 4, 3}), 4);
        EXPECT_EQ(Tank().at(levels, {x, 4, 0}), 1);   // three blocks below
    }
}

TEST(view_levels, far_away_cells_are_no_smaller_than_their_pixels) {
    Tank tank;
    tank.look_at(2);
    tank.params.view.height = 100, tank.params.view.pixels = 2;   // at 1 m a pixel is 2.1 mm, at 14 m two of them are 59 mm: a cell
    tank.params.view.position = Curve<Vec3d>(Vec3d(2, -40, 3.5));
    EXPECT_EQ(tank.at(tank.levels(), {1, 4, 3}), 3);              // 43 m: 0.18 m, nearly three cells
    tank.params.view.position = Curve<Vec3d>(Vec3d(2, -6, 3.5));
    EXPECT_EQ(tank.at(tank.levels(), {1, 4, 3}), 4);
}

TEST(view_levels, water_is_fine_before_the_camera_cuts_to_it_and_a_frame_after_it_has_left) {
    Tank tank;
    tank.look_at(2);
    tank.params.view.position = Curve<Vec3d>({{0.0, {2, -6, 3.5}}, {1.0, {2, -6, 3.5}}, {1.001, {13, -6, 3.5}}});
    tank.params.view.target = Curve<Vec3d>({{0.0, {2, 4, 3.5}}, {1.0, {2, 4, 3.5}}, {1.001, {13, 4, 3.5}}});
    const auto level = [&](double time, int x) { return tank.at(tank.levels(time), {x, 4, 3}); };
    EXPECT_EQ(level(0.5, 12), 2);
    EXPECT_EQ(level(0.8, 12), 4);    // a quarter of a second ahead
    EXPECT_EQ(level(1.02, 1), 4);    // the last frame still saw it
    EXPECT_EQ(level(1.1, 1), 2);
    EXPECT_EQ(level(1.1, 12), 4);
}

}  // namespace
}  // namespace phlo::models
