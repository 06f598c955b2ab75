#include "models/shot/point_volumes.h"

#include <gtest/gtest.h>

#include <cmath>

namespace phlo::models {
namespace {

const field::Volume& named(const std::vector<field::Volume>& volumes, const std::string& name) {
    for (const field::Volume& volume : volumes)
        if (volume.name == name) return volume;
    throw std::runtime_error("no volume " + name);
}

double integral(const field::Volume& volume) { return sum(*volume.grid) * std::pow(volume.domain.h, 3); }

TEST(PointVolumes, a_lone_point_keeps_its_smoke_and_its_flame) {
    VolumePoints points;
    points.add({.position = {0.313f, -2.1f, 0.77f}, .volume = 1e-9, .flame = 0.5, .temperature = 1500, .smoke = 0.25});
    const auto volumes = point_volumes(points, {.cell = 0.02});
    EXPECT_NEAR(integral(named(volumes, "density")), 0.25e-9, 1e-15);
    EXPECT_NEAR(integral(named(volumes, "flame")), 0.5e-9, 1e-13);   // so thin that 1 - exp(-c) is c
    const field::Volume& temperature = named(volumes, "temperature");
    EXPECT_NEAR((sum(*temperature.grid) - double(temperature.background) * double(temperature.grid->layout().cell_count())) * 8e-6, 1e-9 * (1500 - 293.15), 2e-6);
}

TEST(PointVolumes, crowded_points_make_full_flame_at_their_own_temperature) {
    VolumePoints points;
    for (int i = 0; i < 20; ++i)
        for (int j = 0; j < 20; ++j)
            for (int k = 0; k < 20; ++k) points.add({.position = {0.01f * float(i), 0.01f * float(j), 0.01f * float(k)}, .volume = 2e-5, .flame = 0.9, .temperature = 1700});
    const auto volumes = point_volumes(points, {.cell = 0.02});
    const field::Volume &flame = named(volumes, "flame"), &temperature = named(volumes, "temperature");
    const Vec3d middle = flame.domain.grid_from_world({0.1, 0.1, 0.1});
    const int i = int(std::lround(middle.x)), j = int(std::lround(middle.y)), k = int(std::lround(middle.z));
    EXPECT_NEAR((*flame.grid)(i, j, k), 0.9, 1e-3);
    EXPECT_NEAR((*temperature.grid)(i, j, k), 1700, 1);
    for (const float value : {(*flame.grid)(0, 0, 0), (*temperature.grid)(0, 0, 0) - 293.15f}) EXPECT_EQ(value, 0) << "the corner is air";
}

TEST(PointVolumes, cells_lie_at_multiples_of_their_size_wherever_the_points_are) {
    for (const double x : {0.0, 0.013, 7.7771, -1234.5}) {
        VolumePoints points;
        points.add({.position = {float(x), 0, 0}, .volume = 1e-6, .flame = 1, .temperature = 1000});
        const field::Domain domain = named(point_volumes(points, {.cell = 0.02}), "flame").domain;
        const double cells = domain.origin.x / 0.02;
        EXPECT_NEAR(cells, std::round(cells), 1e-6);
        EXPECT_LT(domain.origin.x, x);
        EXPECT_GT(domain.upper().x, x);
    }
}

TEST(PointVolumes, points_far_apart_get_larger_cells_and_lose_nothing) {
    VolumePoints points;
    for (const float x : {0.0f, 300.0f, 5000.0f}) points.add({.position = {x, x, x}, .volume = 1e-6, .flame = 1, .temperature = 1000, .smoke = 1});
    const auto volumes = point_volumes(points, {.cell = 0.02, .max_cells = 1e6});
    const field::Volume& density = named(volumes, "density");
    EXPECT_LE(double(density.grid->layout().cell_count()), 1e6);
    EXPECT_GT(density.domain.h, 0.02);
    EXPECT_NEAR(integral(density), 3e-6, 1e-11);
}

TEST(PointVolumes, without_points_there_are_no_volumes) { EXPECT_TRUE(point_volumes({}, {}).empty()); }

}  // namespace
}  // namespace phlo::models
