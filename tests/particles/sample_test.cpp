#include "particles/sample.h"

#include <gtest/gtest.h>

#include "base/random.h"
#include "particles/sample_pack.h"

namespace phlo::particles {
namespace {

const Vec3i cells{9, 7, 5};

field::Grid filled(const Vec3i& extent, std::uint32_t stream) {
    field::Grid grid{field::Layout(cells), 1e6f};   // nothing beyond the extent may be seen
    for (int k = 0; k < extent.z; ++k)
        for (int j = 0; j < extent.y; ++j)
            for (int i = 0; i < extent.x; ++i) grid(i, j, k) = uniform4({.seed = 4, .stream = stream}, std::uint32_t((k * 16 + j) * 16 + i))[0] - 0.5f;
    return grid;
}

field::MacGrid filled_faces() {
    field::MacGrid u{field::Layout(cells)};
    for (int axis = 0; axis < 3; ++axis) u[axis] = filled(face_extent(u.layout(), axis), std::uint32_t(axis + 1));
    return u;
}

Vec3f place(int n) {   // some beyond every side
    const auto u = uniform4({.seed = 9}, std::uint32_t(n));
    return {u[0] * 13 - 2, u[1] * 11 - 2, u[2] * 9 - 2};
}

TEST(sample, is_the_weighted_mean_of_eight_corners_and_goes_on_with_the_edge) {
    const field::Grid grid = filled(cells, 0);
    for (int n = 0; n < 500; ++n) {
        const Vec3f p = place(n);
        double mean = 0;
        for (int k = 0; k < cells.z; ++k)
            for (int j = 0; j < cells.y; ++j)
                for (int i = 0; i < cells.x; ++i) {
                    const auto tent = [](float x, int at, int count) {
                        return std::max(0.0, 1 - std::fabs(std::clamp(double(x), 0.0, double(count - 1)) - at));
                    };
                    mean += tent(p.x, i, cells.x) * tent(p.y, j, cells.y) * tent(p.z, k, cells.z) * double(grid(i, j, k));
                }
        EXPECT_NEAR(sample(grid, p), mean, 1e-6);
    }
}

TEST(sample, a_velocity_that_is_linear_in_space_is_exact_between_the_faces) {
    const field::Domain domain{.cells = cells, .origin = {-1, 0, 2}, .h = 0.25};
    const auto flow = [](const Vec3d& x) { return Vec3d(1 + x.y, x.z - 2 * x.x, 0.5 * x.x); };
    field::MacGrid u{field::Layout(cells)};
    for (int axis = 0; axis < 3; ++axis) {
        const Vec3i extent = face_extent(u.layout(), axis);
        for (int k = 0; k < extent.z; ++k)
            for (int j = 0; j < extent.y; ++j)
                for (int i = 0; i < extent.x; ++i) u[axis](i, j, k) = float(flow(domain.face_center(axis, i, j, k))[axis]);
    }
    for (int n = 0; n < 100; ++n) {
        const auto r = uniform4({.seed = 5}, std::uint32_t(n));
        const Vec3d x = domain.origin + Vec3d(0.5 * domain.h) + Vec3d(r[0], r[1], r[2]) * (domain.size() - Vec3d(domain.h));
        const Vec3d error = Vec3d(sample(u, cells_from_world(domain, Vec3f(x)))) - flow(x);
        EXPECT_LT(length(error), 3e-6);
    }
}

TEST(sample, a_grid_of_one_cell_is_its_value_everywhere) {
    field::Grid grid{field::Layout({1, 1, 1}), 7};
    grid(0, 0, 0) = 3;
    for (int n = 0; n < 20; ++n) EXPECT_EQ(sample(grid, place(n)), 3);
}

TEST(sample, registers_give_the_same_bits_as_one_place_after_the_other) {
    const field::Grid grid = filled(cells, 0);
    const field::MacGrid u = filled_faces();
    const PackSampler scalars(grid, cells);
    const MacPackSampler velocities(u);
    for (int n = 0; n < 512; n += simd::width) {
        float x[simd::width], y[simd::width], z[simd::width], value[simd::width], v[3][simd::width];
        for (int l = 0; l < simd::width; ++l) x[l] = place(n + l).x, y[l] = place(n + l).y, z[l] = place(n + l).z;
        simd::store(value, scalars(simd::load(x), simd::load(y), simd::load(z)));
        const simd::Float3 at = velocities(simd::load(x), simd::load(y), simd::load(z));
        simd::store(v[0], at.x), simd::store(v[1], at.y), simd::store(v[2], at.z);
        for (int l = 0; l < simd::width; ++l) {
            EXPECT_EQ(value[l], sample(grid, place(n + l)));
            EXPECT_EQ(Vec3f(v[0][l], v[1][l], v[2][l]), sample(u, place(n + l)));
        }
    }
}

}  // namespace
}  // namespace phlo::particles
