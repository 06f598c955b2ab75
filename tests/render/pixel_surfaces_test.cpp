#include "render/photons/pixel_surfaces.h"

#include <gtest/gtest.h>

namespace phlo::render {
namespace {

Hit met(const Vec3f& point, const Vec3f& normal) {
    Hit hit;
    hit.point = point, hit.normal = normal;
    return hit;
}

}  // namespace

TEST(pixel_surfaces, one_surface_enters_with_its_mean_and_how_sure_it_is) {
    SurfaceLayer layer(2, 1);
    PixelSurfaces surfaces;
    const Hit floor = met({1, 2, 0}, {0, 0, 1});
    for (const float light : {1.f, 3.f}) surfaces.add(floor, Vec3f(0.5f), 0.1f).shine(Vec3f(0.5f), Vec3f(light), 0.25f);
    surfaces.add(floor, Vec3f(0.5f), 0.1f);   // seen, not shaded
    surfaces.enter(layer, 1, 0.25f);
    EXPECT_EQ(layer.weight[1], Vec3f(0.375f));
    EXPECT_EQ(layer.light[1], Vec3f(2.f));
    EXPECT_NEAR(layer.variance[1], 0.25f + 1, 1e-5f);
    EXPECT_EQ(layer.place[1].normal, Vec3f(0, 0, 1));
    EXPECT_TRUE(layer.edges[1].empty());
    EXPECT_EQ(layer.seen(1), Vec3f(0.75f));
}

TEST(pixel_surfaces, surfaces_that_touch_are_told_apart_by_their_normals_and_those_behind_by_their_distance) {
    for (const Hit& other : {met({1, 2, 0.01f}, {0, 1, 0}), met({1, 2, 1}, {0, 0, 1})}) {
        SurfaceLayer layer(1, 1);
        PixelSurfaces surfaces;
        surfaces.add(met({1, 2, 0}, {0, 0, 1}), Vec3f(1.f), 0.1f).shine(Vec3f(1.f), Vec3f(2.f), 0);
        surfaces.add(other, Vec3f(1.f), 0.1f).shine(Vec3f(1.f), Vec3f(4.f), 0);
        surfaces.enter(layer, 0, 0.5f);
        ASSERT_EQ(layer.edges[0].size(), 2u);
        EXPECT_EQ(layer.place[0].normal, Vec3f());
        EXPECT_EQ(layer.seen(0), Vec3f(3.f));
    }
}

TEST(pixel_surfaces, a_pixel_full_of_splinters_loses_no_light) {
    SurfaceLayer layer(1, 1);
    PixelSurfaces surfaces;
    for (int n = 0; n < 12; ++n) surfaces.add(met({0, 0, float(n)}, {0, 0, 1}), Vec3f(1.f), 0.1f).shine(Vec3f(1.f), Vec3f(float(n)), 0);
    surfaces.enter(layer, 0, 1 / 12.f);
    EXPECT_NEAR(layer.seen(0).x, 5.5f, 1e-5f);
}

}  // namespace phlo::render
