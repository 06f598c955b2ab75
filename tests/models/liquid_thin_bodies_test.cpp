#include "models/liquid/thin_bodies.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "geom/marching_cubes.h"

namespace phlo::models {
namespace {

const field::Domain domain{.cells = {16, 8, 8}, .origin = {0, 0, 0}, .h = 0.1};

/// A plate across x, and the points of the mesh of a level set beside it that are not at the walls of the box.
struct Plate {
    double thickness, center;   ///< [m]
    geom::Body body{.name = "plate", .shape = geom::Box{.size = {thickness, 4, 4}}, .motion = {}};
    geom::Placement placed{.body = &body, .pose = {.position = {center, 0.4, 0.4}}, .linear = {}, .angular = {}};

    template <class Phi>
    std::vector<double> surface_x(const Phi& level) const {
        field::Grid phi{field::Layout(domain.cells)}, distance{field::Layout(domain.cells)};
        for (int k = -1; k <= 8; ++k)
            for (int j = -1; j <= 8; ++j)
                for (int i = -1; i <= 16; ++i) {
                    const Vec3d p = domain.cell_center(i, j, k);
                    phi(i, j, k) = float(level(p)), distance(i, j, k) = float(placed.signed_distance(p));
                }
        std::vector<double> found;
        for (const Vec3f& p : geom::marching_cubes(domain, phi, ThinBodies(domain, phi, distance, {placed})).points)
            if (p.x > 0.01f && p.x < 1.59f && p.y > 0.01f && p.y < 0.79f && p.z > 0.01f && p.z < 0.79f) found.push_back(double(p.x));
        EXPECT_FALSE(found.empty());
        return found;
    }
};

TEST(thin_bodies, a_surface_behind_a_wall_thinner_than_a_cell_ends_in_its_middle) {
    for (const double center : {0.76, 0.78, 0.80, 0.84, 0.86, 0.88}) {
        const Plate plate{.thickness = 0.03, .center = center};
        const auto behind = [&](const Vec3d& p) { return p.x - center - 0.04; };   // a third of a cell too far, through the wall
        for (const double x : plate.surface_x(behind)) EXPECT_NEAR(x, center, 0.015) << center;
    }
}

TEST(thin_bodies, a_film_with_no_liquid_behind_its_wall_stays) {
    const Plate plate{.thickness = 0.04, .center = 0.85};   // the centres of cells at 0.85 are in it
    const auto film = [](const Vec3d& p) { return std::max(p.x - 0.91, 0.83 - p.x); };
    const std::vector<double> found = plate.surface_x(film);
    EXPECT_NEAR(*std::ranges::max_element(found), 0.85 + 0.1 * 0.02 / (0.02 + 0.04), 1e-5) << "as linear interpolation says";
}

TEST(thin_bodies, a_surface_before_a_wall_and_one_in_a_thick_body_stay) {
    const auto flat = [](const Vec3d& p) { return p.x - 0.79; };
    for (const double x : Plate{.thickness = 0.03, .center = 0.85}.surface_x(flat)) EXPECT_NEAR(x, 0.79, 1e-5);
    for (const double x : Plate{.thickness = 0.6, .center = 1.05}.surface_x(flat)) EXPECT_NEAR(x, 0.79, 1e-5);
}

}  // namespace
}  // namespace phlo::models
