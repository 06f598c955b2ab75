#include "geom/mass.h"

#include <array>
#include <cmath>
#include <numbers>

#include "base/error.h"
#include "geom/sampled_solid.h"

namespace phlo::geom {
namespace {

constexpr double pi = std::numbers::pi;
using Matrix = std::array<Vec3d, 3>;  ///< rows

/// Integrals over the solid of 1, x_i and x_i x_j.
struct Moments {
    double volume = 0;
    Vec3d first;
    Matrix second{};
};

Moments symmetric(double volume, const Vec3d& squares) {
    Moments m;
    m.volume = volume;
    for (int axis = 0; axis < 3; ++axis) m.second[std::size_t(axis)][axis] = squares[axis];
    return m;
}

/// A box of edges e grown by r: the section at x has the area of a rectangle grown by rho, rho = r along the middle part, and
/// sqrt(r^2 - s^2) at the distance s beyond it.
double second_moment_of_grown_box(double ex, double ey, double ez, double r) {
    const double half = ex / 2, area = ey * ez, rim = 2 * (ey + ez);
    const double middle = half * half * half / 3 * (area + rim * r + pi * r * r);
    // Integrals over s in [0, r] of rho^n, s rho^n, s^2 rho^n for n = 0, 1, 2.
    const double r2 = r * r, r3 = r2 * r, r4 = r2 * r2, r5 = r4 * r;
    const double end = half * half * (area * r + rim * pi * r2 / 4 + pi * 2 * r3 / 3) +
                       2 * half * (area * r2 / 2 + rim * r3 / 3 + pi * r4 / 4) + (area * r3 / 3 + rim * pi * r4 / 16 + pi * 2 * r5 / 15);
    return 2 * (middle + end);
}

Moments moments_of_grown_box(double volume, const Vec3d& e, double r) {
    return symmetric(volume, {second_moment_of_grown_box(e.x, e.y, e.z, r), second_moment_of_grown_box(e.y, e.z, e.x, r),
                              second_moment_of_grown_box(e.z, e.x, e.y, r)});
}

Moments moments(const Sphere& s, double volume) { return moments_of_grown_box(volume, {}, s.radius); }
Moments moments(const Box& s, double volume) { return moments_of_grown_box(volume, s.size - Vec3d(2 * s.rounding), s.rounding); }
Moments moments(const Capsule& s, double volume) {
    const double r = s.radius, across = pi * r * r * r * r * (s.height / 4 + 4.0 / 15 * r);  // integral of pi rho^4 / 4 along z
    return symmetric(volume, {across, across, second_moment_of_grown_box(s.height, 0, 0, r)});
}
Moments moments(const Cylinder& s, double volume) {
    const double across = volume * s.radius * s.radius / 4;
    return symmetric(volume, {across, across, volume * s.height * s.height / 12});
}
/// Discs of radius r(z), r linear along each side of the profile: polynomials up to the fourth degree, for which three places suffice.
Moments moments(const Cup& s, double volume) {
    Moments m;
    m.volume = volume;
    const auto line = profile(s);
    const double place[3] = {0.5 - std::sqrt(0.15), 0.5, 0.5 + std::sqrt(0.15)}, weight[3] = {5.0 / 18, 8.0 / 18, 5.0 / 18};
    for (std::size_t n = 0; n + 1 < line.size(); ++n)
        for (int q = 0; q < 3; ++q) {
            const double r = line[n].r + place[q] * (line[n + 1].r - line[n].r), z = line[n].z + place[q] * (line[n + 1].z - line[n].z);
            const double part = weight[q] * (line[n + 1].z - line[n].z) * pi * r * r;
            m.first.z += part * z;
            m.second[0].x += part * r * r / 4, m.second[1].y += part * r * r / 4, m.second[2].z += part * z * z;
        }
    return m;
}
Moments moments(const field::TriangleMesh& mesh, const Vec3d& origin) {  // tetrahedra from here: less cancellation than from a far origin
    Moments m;
    for (const Vec3i& t : mesh.triangles) {
        const Vec3d a = Vec3d(mesh.points[std::size_t(t.x)]) - origin, b = Vec3d(mesh.points[std::size_t(t.y)]) - origin,
                    c = Vec3d(mesh.points[std::size_t(t.z)]) - origin, sum = a + b + c;
        const double volume = dot(a, cross(b, c)) / 6;
        m.volume += volume;
        m.first += sum * (volume / 4);
        for (int i = 0; i < 3; ++i) m.second[std::size_t(i)] += (a * a[i] + b * b[i] + c * c[i] + sum * sum[i]) * (volume / 20);
    }
    const Vec3d first = m.first + origin * m.volume;
    for (int i = 0; i < 3; ++i) m.second[std::size_t(i)] += m.first * origin[i] + origin * m.first[i] + origin * (origin[i] * m.volume);
    m.first = first;
    return m;
}

Moments moments(const Mesh& s, double) { return moments(s.surface->triangles(), s.surface->bounds().center()); }
Moments moments(const Sampled& s, double) { return moments(s.solid->surface(), s.solid->bounds().center()); }

/// Jacobi's method for a symmetric matrix: the columns of `vectors` become its eigenvectors.
void diagonalize(Matrix& a, Matrix& vectors) {
    vectors = {Vec3d(1, 0, 0), Vec3d(0, 1, 0), Vec3d(0, 0, 1)};
    const double scale = std::fabs(a[0].x) + std::fabs(a[1].y) + std::fabs(a[2].z);
    for (int sweep = 0; sweep < 30; ++sweep) {
        if (std::fabs(a[0].y) + std::fabs(a[1].z) + std::fabs(a[0].z) <= 1e-15 * scale) return;
        for (int p = 0; p < 2; ++p)
            for (int q = p + 1; q < 3; ++q) {
                const auto P = std::size_t(p), Q = std::size_t(q);
                if (a[P][q] == 0) continue;
                const double theta = (a[Q][q] - a[P][p]) / (2 * a[P][q]);
                const double t = std::copysign(1.0, theta) / (std::fabs(theta) + std::sqrt(theta * theta + 1));
                const double c = 1 / std::sqrt(t * t + 1), s = t * c;
                for (int k = 0; k < 3; ++k) {
                    const auto K = std::size_t(k);
                    const double kp = a[K][p], kq = a[K][q];
                    a[K][p] = c * kp - s * kq, a[K][q] = s * kp + c * kq;
                }
                for (int k = 0; k < 3; ++k) {
                    const auto K = std::size_t(k);
                    const double pk = a[P][k], qk = a[Q][k];
                    a[P][k] = c * pk - s * qk, a[Q][k] = s * pk + c * qk;
                    const double vp = vectors[K][p], vq = vectors[K][q];
                    vectors[K][p] = c * vp - s * vq, vectors[K][q] = s * vp + c * vq;
                }
            }
    }
}

/// Of a matrix whose columns are orthonormal; the third is turned around if they are left-handed.
Rotation rotation_from_columns(const Matrix& m) {
    const auto column = [&](int c) { return Vec3d(m[0][c], m[1][c], m[2][c]); };
    const Vec3d x = column(0), y = column(1), z = cross(x, y);
    const double xx = x.x, yy = y.y, zz = z.z;
    const double squares[4] = {1 + xx + yy + zz, 1 + xx - yy - zz, 1 - xx + yy - zz, 1 - xx - yy + zz};  // 4 w^2, 4 x^2, ...
    int largest = 0;
    for (int i = 1; i < 4; ++i)
        if (squares[i] > squares[largest]) largest = i;
    const double d = std::sqrt(squares[largest]), s = 0.5 / d;
    switch (largest) {
        case 0: return {d / 2, {(y.z - z.y) * s, (z.x - x.z) * s, (x.y - y.x) * s}};
        case 1: return {(y.z - z.y) * s, {d / 2, (x.y + y.x) * s, (z.x + x.z) * s}};
        case 2: return {(z.x - x.z) * s, {(x.y + y.x) * s, d / 2, (y.z + z.y) * s}};
        default: return {(x.y - y.x) * s, {(z.x + x.z) * s, (y.z + z.y) * s, d / 2}};
    }
}

}  // namespace

MassProperties mass_properties(const Shape& shape, double density) {
    PHLO_CHECK(density > 0);
    const Moments m = std::visit([&](const auto& s) { return moments(s, shape.volume()); }, shape.kind());
    MassProperties result{.mass = density * m.volume, .volume = m.volume, .center = m.first / m.volume, .axes = {}, .moments = {}};
    Matrix about_center = m.second, axes;
    for (int i = 0; i < 3; ++i) about_center[std::size_t(i)] -= result.center * (result.center[i] * m.volume);
    diagonalize(about_center, axes);
    result.axes = rotation_from_columns(axes);
    const Vec3d s(about_center[0].x, about_center[1].y, about_center[2].z);
    result.moments = Vec3d(s.y + s.z, s.z + s.x, s.x + s.y) * density;
    return result;
}

}  // namespace phlo::geom
