#include <array>
#include <cmath>
#include <numbers>
#include <utility>

#include "models/liquid/drops.h"
#include "particles/columns.h"
#include "particles/sample.h"

namespace phlo::models {
namespace {

/// An icosahedron with each triangle divided into four, as large as makes its volume that of a sphere of radius 1.
struct Ball {
    std::vector<Vec3d> points;
    std::vector<Vec3i> triangles;
    double half_width = 0;

    Ball() {
        const double t = 0.5 * (1 + std::sqrt(5.0));
        const Vec3d corners[] = {{-1, t, 0}, {1, t, 0}, {-1, -t, 0}, {1, -t, 0}, {0, -1, t}, {0, 1, t},
                                 {0, -1, -t}, {0, 1, -t}, {t, 0, -1}, {t, 0, 1}, {-t, 0, -1}, {-t, 0, 1}};
        for (const Vec3d& c : corners) points.push_back(normalized(c));
        const Vec3i sides[] = {{0, 11, 5}, {0, 5, 1}, {0, 1, 7}, {0, 7, 10}, {0, 10, 11}, {1, 5, 9}, {5, 11, 4}, {11, 10, 2}, {10, 7, 6}, {7, 1, 8},
                               {3, 9, 4}, {3, 4, 2}, {3, 2, 6}, {3, 6, 8}, {3, 8, 9}, {4, 9, 5}, {2, 4, 11}, {6, 2, 10}, {8, 6, 7}, {9, 8, 1}};
        for (const Vec3i& side : sides) {
            const int a = middle(side.x, side.y), b = middle(side.y, side.z), c = middle(side.z, side.x);
            for (const Vec3i& part : {Vec3i(side.x, a, c), Vec3i(side.y, b, a), Vec3i(side.z, c, b), Vec3i(a, b, c)}) triangles.push_back(part);
        }
        double volume = 0;
        for (const Vec3i& s : triangles) volume += dot(points[std::size_t(s.x)], cross(points[std::size_t(s.y)], points[std::size_t(s.z)])) / 6;
        const double scale = std::cbrt(4.0 / 3 * std::numbers::pi / volume);
        for (Vec3d& p : points) {
            p *= scale;
            half_width = std::max(half_width, p.x);   // the same along all axes
        }
    }

private:
    int middle(int a, int b) {
        const Vec3d p = normalized(points[std::size_t(a)] + points[std::size_t(b)]);
        for (std::size_t n = 12; n < points.size(); ++n)
            if (length(points[n] - p) < 1e-9) return int(n);
        points.push_back(p);
        return int(points.size()) - 1;
    }
};

}  // namespace

void add_drops(const Drops& drops, const field::Domain& domain, const field::Grid& phi, field::TriangleMesh& mesh, std::vector<Vec3f>& velocity) {
    static const Ball ball;
    for (std::size_t n = 0; n < particles::count(drops); ++n) {
        if (particles::sample(phi, particles::cells_from_world(domain, drops.position[n])) < 0) continue;
        const int first = int(mesh.points.size());
        // Walls stop a drop's centre; what is seen lies against the wall, and is flattened in a box thinner than itself.
        const Vec3d half = min(Vec3d(ball.half_width * double(drops.radius[n])), 0.5 * domain.size());
        const Vec3d center = max(domain.origin + half, min(domain.upper() - half, Vec3d(drops.position[n])));
        for (const Vec3d& p : ball.points) mesh.points.push_back(Vec3f(center + p * half / ball.half_width));
        for (const Vec3i& t : ball.triangles) mesh.triangles.push_back(t + Vec3i(first));
        velocity.insert(velocity.end(), ball.points.size(), drops.velocity[n]);
    }
}

void stamp_shares(const Drops& drops, std::vector<Shares> Drops::* column, int which, const field::Domain& domain, const field::Grid& phi, field::Grid& share) {
    const float outside = float(0.5 * domain.h);   // cells nearer to the liquid are its own
    for (std::size_t n = 0; n < particles::count(drops); ++n) {
        const Vec3f at = particles::cells_from_world(domain, drops.position[n]);
        if (particles::sample(phi, at) < 0) continue;
        for (int k = int(std::floor(at.z)); k < int(std::floor(at.z)) + 2; ++k)
            for (int j = int(std::floor(at.y)); j < int(std::floor(at.y)) + 2; ++j)
                for (int i = int(std::floor(at.x)); i < int(std::floor(at.x)) + 2; ++i) {
                    const Vec3i cell(i, j, k);
                    if (min(cell, Vec3i(0)) == Vec3i(0) && max(cell, domain.cells - Vec3i(1)) == domain.cells - Vec3i(1) && phi(i, j, k) > outside)
                        share(i, j, k) = (drops.*column)[n][std::size_t(which)];
                }
    }
}

}  // namespace phlo::models
