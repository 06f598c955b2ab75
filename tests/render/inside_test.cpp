// Which border a ray meets where clear things, bodies and the ground lie in each other.
#include "render/surfaces/inside.h"

#include <gtest/gtest.h>

#include "liquid_fixture.h"

using namespace phlo;
using namespace phlo::render;

namespace {

/// The ratios of the borders on the way of a ray that goes straight on, and what it meets at last.
struct Way {
    std::vector<float> ratios;
    std::optional<Hit> end;
};
Way way_of(const Surfaces& surfaces, Ray ray) {
    Way way;
    Inside inside = surfaces.around(ray.origin);
    for (int n = 0; n < 20; ++n) {
        way.end = surfaces.hit(ray, inside);
        if (!way.end || !way.end->material->dielectric()) return way;
        way.ratios.push_back(way.end->ratio);
        ray = surfaces.onward(*way.end, ray.direction, inside);
    }
    return way;
}

void expect_near(const std::vector<float>& a, const std::vector<float>& b, const std::string& what) {
    ASSERT_EQ(a.size(), b.size()) << what;
    for (std::size_t n = 0; n < a.size(); ++n) EXPECT_NEAR(a[n], b[n], 1e-4) << what << " " << n;
}

}  // namespace

TEST(inside, water_in_a_glass_tank_meets_the_glass_with_a_gap_touching_or_overlapping) {
    for (const double gap : {0.05, 0.0, -0.01}) {
        field::Frame frame{.world = field::Bounds{{-1, -1, 0}, {1, 1, 1}}};
        frame.surfaces.push_back(test::box("liquid", {-0.5, -0.5, 0}, {0.5, 0.5, 0.4}, "water"));
        frame.surfaces.push_back(test::box("wall", {0.5 + gap, -0.6, 0}, {0.6 + gap, 0.6, 0.6}));
        RenderParams params = test::dark();
        params.materials = {{.body = "wall", .surface = DielectricSurface{.ior = 1.5}}};
        const RenderScene scene(frame, params);
        const Way out = way_of(scene.surfaces, {{-0.9f, 0.11f, 0.21f}, {1, 0, 0}}), back = way_of(scene.surfaces, {{0.9f, 0.07f, 0.17f}, {-1, 0, 0}});
        const float water = 1.333f, glass = 1.5f;
        if (gap > 0) expect_near(out.ratios, {water, 1 / water, glass, 1 / glass}, "gap");
        else expect_near(out.ratios, {water, glass / water, 1 / glass}, gap == 0 ? "touching" : "overlapping");
        if (gap <= 0) expect_near(back.ratios, {glass, water / glass, 1 / water}, "back");
    }
}

TEST(inside, the_floor_under_water_is_met_from_within_it) {
    const auto liquid = test::pool(24, 0.3, [](double x, double) { return 0.03 * std::sin(12 * x); });
    RenderParams params = test::dark();
    params.ground.visible = true;
    const RenderScene scene(test::pool_frame(liquid), params);
    for (int n = 0; n < 400; ++n) {
        const Vec3f d = fibonacci_direction(400 + n, 800);
        if (d.z > -0.1f) continue;
        const Way way = way_of(scene.surfaces, {Vec3f(0.05f, 0.02f, 0.2f), d});
        ASSERT_TRUE(way.end && way.end->ground);
        // Towards the floor nothing else is met; towards a wall the water ends and the floor outside comes.
        const Vec3f reached = Vec3f(0.05f, 0.02f, 0.2f) - d * (0.2f / d.z);
        const bool within = std::max(std::fabs(reached.x), std::fabs(reached.y)) < 0.499f;
        ASSERT_TRUE(!within || way.ratios.empty()) << d.x << " " << d.y << " " << d.z;
    }
}

TEST(inside, a_body_in_the_liquid_is_simply_met_and_hides_what_of_the_liquid_is_in_it) {
    field::Frame frame = test::pool_frame(test::pool(24, 0.3, [](double, double) { return 0; }));
    frame.surfaces.push_back(test::sphere({0, 0, 0.3}, 0.2));
    const RenderScene scene(frame, test::dark());
    const Way above = way_of(scene.surfaces, {{0.02f, 0.03f, 0.9f}, {0, 0, -1}}), below = way_of(scene.surfaces, {{0.02f, 0.03f, 0.05f}, {0, 0, 1}});
    EXPECT_EQ(above.ratios.size(), 0u);
    EXPECT_NEAR(above.end.value().point.z, 0.5, 5e-3);
    EXPECT_EQ(below.ratios.size(), 0u);
    EXPECT_NEAR(below.end.value().point.z, 0.1, 5e-3);
    EXPECT_FALSE(scene.surfaces.around({0.3f, 0.3f, 0.1f}).empty());
    EXPECT_TRUE(scene.surfaces.around({0.3f, 0.3f, 0.5f}).empty());
    // A glass ball there displaces the water.
    RenderParams params = test::dark();
    params.materials = {{.body = "ball", .surface = DielectricSurface{.ior = 1.5}}};
    const RenderScene clear(frame, params);
    expect_near(way_of(clear.surfaces, {{0.02f, 0.03f, 0.9f}, {0, 0, -1}}).ratios, {1.5f, 1.333f / 1.5f, 1 / 1.333f}, "glass ball");
}

TEST(inside, light_straight_through_water_is_dimmed_at_its_surface_and_on_its_way) {
    RenderParams params = test::dark();
    params.materials = {{.body = "liquid", .surface = LiquidSurface{.tint = Vec3d(0.2, 0.5, 0.8), .depth = 0.3}}};
    const RenderScene scene(test::pool_frame(test::pool(24, 0.3, [](double, double) { return 0; })), params);
    const Vec3f point(0.05f, 0.02f, 0.001f);
    const Vec3f share = scene.surfaces.through(point, {0, 0, 1}, scene.surfaces.around(point));
    const float passed = 1 - std::pow(0.333f / 2.333f, 2.f);
    for (int c = 0; c < 3; ++c) EXPECT_NEAR(share[c], Vec3f(0.2f, 0.5f, 0.8f)[c] * passed, 0.01f);
}
