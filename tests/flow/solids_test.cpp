#include "flow/solids.h"

#include <gtest/gtest.h>

#include <queue>

#include "base/parallel.h"
#include "solids_cases.h"

namespace phlo::flow {
namespace {

using field::Domain;

/// Area of the unit square where c + a u + b v > 0, by clipping the square.
double area_above(double a, double b, double c) {
    std::vector<std::pair<double, double>> square = {{0, 0}, {1, 0}, {1, 1}, {0, 1}}, kept;
    const auto value = [&](const std::pair<double, double>& p) { return a * p.first + b * p.second + c; };
    for (std::size_t s = 0; s < 4; ++s) {
        const auto p = square[s], q = square[(s + 1) % 4];
        const double vp = value(p), vq = value(q);
        if (vp > 0) kept.push_back(p);
        if ((vp > 0) != (vq > 0)) {
            const double t = vp / (vp - vq);
            kept.emplace_back(p.first + t * (q.first - p.first), p.second + t * (q.second - p.second));
        }
    }
    double area = 0;
    for (std::size_t s = 0; s < kept.size(); ++s) {
        const auto &p = kept[s], &q = kept[(s + 1) % kept.size()];
        area += 0.5 * (p.first * q.second - q.first * p.second);
    }
    return area;
}

TEST(solids, aperture_and_volume_of_a_plane_are_exact) {
    const Domain domain = unit_domain(16);
    for (const Vec3d angles : {Vec3d(0.3, 0.5, 0), Vec3d(-1.2, 0.2, 0.7), Vec3d(2.5, 0.9, 0)}) {
        const Vec3d point(0.47, 0.52, 0.49), normal = geom::Rotation::from_euler(angles)({0, 0, 1});
        const Solids solids = at_rest(domain, {half_space(point, angles)});
        double most = 0, most_volume = 0;
        int cut = 0;
        for_each_cell(domain, [&](int i, int j, int k) {
            const auto exact = [&](int axis, double offset) {  // of the cell's section at `offset` along axis
                Vec3d corner = Vec3d(i, j, k);
                corner[axis] += offset;
                return area_above(normal[(axis + 1) % 3], normal[(axis + 2) % 3], dot(normal, corner - point * 16.0));
            };
            for (int axis = 0; axis < 3; ++axis) {
                const double open = double(solids.aperture[axis](i, j, k));
                cut += open > 0 && open < 1;
                most = std::max(most, std::fabs(open - exact(axis, 0)));
            }
            double volume = 0;  // the sections' area is a piecewise quadratic
            for (int s = 0; s < 400; ++s) volume += exact(2, (s + 0.5) / 400) / 400;
            most_volume = std::max(most_volume, std::fabs(double(solids.volume(i, j, k)) - volume));
        });
        EXPECT_GT(cut, 300);
        EXPECT_LT(most, smallest_aperture + 1e-5f);  // slits below smallest_aperture are shut
        EXPECT_LT(most_volume, 2e-3);
    }
}

TEST(solids, open_parts_and_wall_close_around_every_cut_cell) {
    // The wall of a cell cut by a plane is what the six faces leave: it must point along the plane's normal.
    const Domain domain = unit_domain(16);
    const Vec3d angles(0.3, 0.5, 0), normal = geom::Rotation::from_euler(angles)({0, 0, 1});
    const Solids solids = at_rest(domain, {half_space({0.47, 0.52, 0.49}, angles)});
    double total = 0;
    for_each_cell(domain, [&](int i, int j, int k) {
        const Vec3d wall = wall_vector(solids, i, j, k);
        total += length(wall);
        EXPECT_LT(length(cross(wall, normal)), 3e-3);
        EXPECT_LE(dot(wall, normal), 3e-3);  // out of the fluid, into the body
    });
    EXPECT_NEAR(total / 256, 1 / normal.z, 0.01);  // the plane's area inside the box
}

/// Least-squares slope of log(error) over log(h).
double slope(const std::vector<double>& error) { return std::log2(error.front() / error.back()) / double(error.size() - 1); }

TEST(solids, sphere_volume_and_surface_converge_at_second_order) {
    const double radius = 0.31, exact = 4.0 / 3 * std::numbers::pi * std::pow(radius, 3), surface = 4 * std::numbers::pi * radius * radius;
    std::vector<double> volume_error, surface_error;
    for (int n : {12, 24, 48}) {
        const Domain domain = unit_domain(n);
        double ev = 0, es = 0;
        for (const Vec3d offset : {Vec3d(0.013, 0.027, -0.018), Vec3d(-0.02, 0.005, 0.011), Vec3d(0.001, -0.017, 0.009)}) {
            const Solids solids = at_rest(domain, {ball(Vec3d(0.5) + offset, radius)});
            double area = 0;
            for_each_cell(domain, [&](int i, int j, int k) { area += length(wall_vector(solids, i, j, k)); });
            ev += std::fabs(solid_volume(domain, solids) / exact - 1) / 3;
            es += std::fabs(area * domain.h * domain.h / surface - 1) / 3;
        }
        volume_error.push_back(ev), surface_error.push_back(es);
    }
    EXPECT_GT(slope(volume_error), 1.8) << volume_error[0] << ' ' << volume_error[1] << ' ' << volume_error[2];
    EXPECT_GT(slope(surface_error), 1.8) << surface_error[0] << ' ' << surface_error[1] << ' ' << surface_error[2];
    EXPECT_LT(volume_error.back(), 4e-3);
}

TEST(solids, box_along_grid_faces_closes_exactly_its_cells) {
    const Domain domain = unit_domain(16);
    geom::Body block = ball({0.5, 0.5, 0.5}, 0.1);
    block.shape = geom::Box{.size = {0.25, 0.5, 0.375}};  // 4 x 8 x 6 cells
    const Solids solids = at_rest(domain, {block});
    int covered = 0;
    double open = 0;
    for_each_cell(domain, [&](int i, int j, int k) {
        const bool in = i >= 6 && i < 10 && j >= 4 && j < 12 && k >= 5 && k < 11;
        EXPECT_EQ(solids.covered(i, j, k), in) << i << ' ' << j << ' ' << k;
        covered += solids.covered(i, j, k);
        open += double(solids.volume(i, j, k));
    });
    EXPECT_EQ(covered, 4 * 8 * 6);
    EXPECT_NEAR(open, 4096 - 4 * 8 * 6, 1e-1);
    EXPECT_EQ(solids.aperture.x(6, 6, 7), 0);
    EXPECT_EQ(solids.aperture.x(5, 6, 7), 1);
}

TEST(solids, cell_is_covered_if_and_only_if_all_its_faces_are_closed) {
    const Domain domain = unit_domain(24);
    const Solids solids =
        at_rest(domain, {ball({0.4, 0.5, 0.6}, 0.23), plate({0.7, 0.7, 0.2}, {0.5, 0.3, 0}, 0.02, 0.5), ball({0, 0.1, 0}, 0.2)});
    const field::MacGrid& a = solids.aperture;
    int special = 0;
    for_each_cell(domain, [&](int i, int j, int k) {
        const float total = a.x(i, j, k) + a.x(i + 1, j, k) + a.y(i, j, k) + a.y(i, j + 1, k) + a.z(i, j, k) + a.z(i, j, k + 1);
        EXPECT_EQ(total == 0, solids.covered(i, j, k));
        EXPECT_GE(solids.volume(i, j, k), 0);
        EXPECT_LE(solids.volume(i, j, k), 1);
        const bool flagged = solids.special_row[std::size_t(k * 24 + j)] != 0;
        EXPECT_TRUE(flagged || total == 6);
        special += flagged;
    });
    EXPECT_LT(special, 24 * 24 * 24) << "rows far from every body are plain";
}

/// How many cells on the far side of the plane can be reached from the near side through open faces.
int leaks(const Domain& domain, const Solids& solids, const Vec3d& point, const Vec3d& normal) {
    const field::Layout layout(domain.cells);
    std::vector<char> seen(layout.cell_count(), 0);
    std::queue<Vec3i> front;
    const auto index = [&](const Vec3i& c) { return std::size_t((c.z * domain.cells.y + c.y) * domain.cells.x + c.x); };
    const auto side = [&](const Vec3i& c) { return dot(domain.cell_center(c.x, c.y, c.z) - point, normal); };
    for_each_cell(domain, [&](int i, int j, int k) {
        if (side({i, j, k}) > 2.5 * domain.h) seen[index({i, j, k})] = 1, front.push({i, j, k});
    });
    int crossed = 0;
    while (!front.empty()) {
        const Vec3i c = front.front();
        front.pop();
        crossed += side(c) < -2.5 * domain.h;
        for (int axis = 0; axis < 3; ++axis)
            for (int s = 0; s < 2; ++s) {
                Vec3i face = c, to = c;
                face[axis] += s, to[axis] += 2 * s - 1;
                if (to[axis] < 0 || to[axis] >= domain.cells[axis] || seen[index(to)]) continue;
                if (solids.aperture[axis](face.x, face.y, face.z) > 0) seen[index(to)] = 1, front.push(to);
            }
    }
    return crossed;
}

TEST(solids, thin_plate_lets_nothing_through) {
    const Domain domain = unit_domain(20);
    const std::vector<Vec3d> turns = {{0, 0, 0},      {0, std::numbers::pi / 2, 0}, {0.4, 0, 0},     {0.3, 0.5, 0},
                                      {0.7854, 0, 0}, {0.7854, 0.6155, 0},          {-1.1, 0.4, 0.3}};
    for (double thickness : {0.01, 0.2, 0.6, 0.99, 1.3, 1.7, 2.2})
        for (const Vec3d& turn : turns)
            for (const Vec3d point : {Vec3d(0.5, 0.5, 0.5), Vec3d(0.513, 0.487, 0.524), Vec3d(0.475, 0.525, 0.475)}) {
                const Solids solids = at_rest(domain, {plate(point, turn, thickness * domain.h)});
                const Vec3d normal = geom::Rotation::from_euler(turn)({0, 0, 1});
                EXPECT_EQ(leaks(domain, solids, point, normal), 0) << thickness << " cells thick, turned " << turn.x << ' ' << turn.y;
            }
    EXPECT_GT(leaks(domain, at_rest(domain, {ball({0.5, 0.5, 0.5}, 0.2)}), Vec3d(0.5), {0, 0, 1}), 100) << "the measure sees a leak";
}

TEST(solids, plate_thinner_than_a_cell_closes_just_the_faces_it_crosses) {
    const Domain domain = unit_domain(16);
    const Solids solids = at_rest(domain, {plate({0.5, 0.5, (8 + 0.3) / 16}, {}, 0.2 / 16)});
    for_each_cell(domain, [&](int i, int j, int k) {
        EXPECT_EQ(solids.aperture.z(i, j, k), k == 8 ? 0.f : 1.f);
        EXPECT_EQ(solids.aperture.x(i, j, k), 1.f);
    });
}

TEST(solids, bulge_of_a_thick_body_does_not_close_faces_it_only_grazes) {
    // Between two centres just above the top of a ball the apertures are partly open, not shut.
    const Domain domain = unit_domain(32);
    const double top = (20 + 0.51) / 32;
    const Solids solids = at_rest(domain, {ball({0.5, 0.5 + 0.5 / 32, top - 0.2}, 0.2)});
    EXPECT_GT(solids.distance(15, 16, 20), 0);
    EXPECT_GT(solids.distance(16, 16, 20), 0);
    EXPECT_GT(solids.aperture.x(16, 16, 20), 0.3f);
    EXPECT_LT(solids.aperture.x(16, 16, 20), 0.7f);
}

TEST(solids, distance_is_the_nearest_bodys_near_it_and_far_elsewhere) {
    const Domain domain = unit_domain(24);
    const std::vector<geom::Body> bodies = {ball({0.3, 0.5, 0.5}, 0.15), ball({0.55, 0.5, 0.5}, 0.15)};
    const Solids solids = at_rest(domain, bodies);
    for_each_cell(domain, [&](int i, int j, int k) {
        const Vec3d p = domain.cell_center(i, j, k);
        const double exact = std::min(bodies[0].signed_distance(p, 0), bodies[1].signed_distance(p, 0));
        EXPECT_NEAR(solids.distance(i, j, k), std::min(exact, 3 * domain.h), 1e-5);
    });
    EXPECT_FALSE(Solids().present());
    EXPECT_TRUE(solids.present());
}

TEST(solids, number_of_threads_changes_nothing) {
    const Domain domain = unit_domain(24);
    const std::vector<geom::Body> bodies = {ball({0.3, 0.5, 0.5}, 0.15), plate({0.55, 0.5, 0.5}, {0.2, 0.9, 0}, 0.01, 0.6)};
    const auto make = [&](int threads) {
        ThreadLimit limit(threads);
        return at_rest(domain, bodies);
    };
    EXPECT_TRUE(identical(make(1), make(2)));
}

}  // namespace
}  // namespace phlo::flow
