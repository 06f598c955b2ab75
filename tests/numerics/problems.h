// Systems for the tests of the Poisson solver, and the operator written down once more, slowly, in double.
#pragma once
#include <cmath>
#include <functional>
#include <vector>

#include "base/random.h"
#include "numerics/poisson.h"

namespace phlo::numerics::testing {

struct System {
    field::Layout layout;
    field::MacGrid faces;
    std::array<bool, 6> open{};
    field::Grid b;

    System(Vec3i n, std::array<bool, 6> open_walls) : layout(n), faces(layout), open(open_walls), b(layout) {
        set_weights([](int, int, int, int) { return 1.f; });
    }

    /// weight(axis, i, j, k) of every face; closed walls get none.
    void set_weights(const std::function<float(int, int, int, int)>& weight) {
        for (int a = 0; a < 3; ++a) {
            const Vec3i extent = field::face_extent(layout, a);
            for (int k = 0; k < extent.z; ++k)
                for (int j = 0; j < extent.y; ++j)
                    for (int i = 0; i < extent.x; ++i) {
                        const int at = Vec3i(i, j, k)[a];
                        const bool closed = (at == 0 && !open[std::size_t(2 * a)]) || (at == layout.cells()[a] && !open[std::size_t(2 * a + 1)]);
                        faces[a](i, j, k) = closed ? 0.f : weight(a, i, j, k);
                    }
        }
    }
    /// Faces between a fluid and a solid cell, or two solid ones, are closed.
    void set_solid(const std::function<bool(int, int, int)>& solid) {
        const Vec3i n = layout.cells();
        const auto blocked = [&](int i, int j, int k) {
            return i >= 0 && j >= 0 && k >= 0 && i < n.x && j < n.y && k < n.z && solid(i, j, k);
        };
        set_weights([&](int a, int i, int j, int k) {
            return blocked(i, j, k) || blocked(i - (a == 0), j - (a == 1), k - (a == 2)) ? 0.f : 1.f;
        });
    }
    void set_random_rhs(std::uint32_t seed) {
        each([&](int i, int j, int k) { b(i, j, k) = uniform4({seed, 0, 0}, std::uint32_t(id(i, j, k)))[0] - 0.5f; });
    }
    /// The divergence of a smooth velocity with a jet in it: what a plume asks of the pressure.
    void set_plume_rhs() {
        const Vec3i n = layout.cells();
        const auto flux = [&](int a, int i, int j, int k) {
            const double x = (i + 0.5 * (a != 0)) / n.x, y = (j + 0.5 * (a != 1)) / n.y, z = (k + 0.5 * (a != 2)) / n.z;
            const double jet = a == 2 ? 3 * std::exp(-((x - 0.5) * (x - 0.5) + (y - 0.4) * (y - 0.4)) * 200 - z) : 0;
            return double(faces[a](i, j, k)) * (std::sin(9 * x + 4 * y + a) * std::cos(7 * z + 2 * x - a) + jet);
        };
        each([&](int i, int j, int k) {
            b(i, j, k) = float(flux(0, i, j, k) - flux(0, i + 1, j, k) + flux(1, i, j, k) - flux(1, i, j + 1, k) + flux(2, i, j, k) - flux(2, i, j, k + 1));
        });
    }

    template <class F>
    void each(const F& f) const {
        const Vec3i n = layout.cells();
        for (int k = 0; k < n.z; ++k)
            for (int j = 0; j < n.y; ++j)
                for (int i = 0; i < n.x; ++i) f(i, j, k);
    }
    int id(int i, int j, int k) const { return (k * layout.ny() + j) * layout.nx() + i; }

    /// f(weight, neighbour's index or -1 for a ghost) for the six faces of a cell.
    template <class F>
    void each_face(int i, int j, int k, const F& f) const {
        const Vec3i n = layout.cells();
        f(faces.x(i, j, k), i > 0 ? id(i - 1, j, k) : -1), f(faces.x(i + 1, j, k), i + 1 < n.x ? id(i + 1, j, k) : -1);
        f(faces.y(i, j, k), j > 0 ? id(i, j - 1, k) : -1), f(faces.y(i, j + 1, k), j + 1 < n.y ? id(i, j + 1, k) : -1);
        f(faces.z(i, j, k), k > 0 ? id(i, j, k - 1) : -1), f(faces.z(i, j, k + 1), k + 1 < n.z ? id(i, j, k + 1) : -1);
    }
    double diagonal(int i, int j, int k) const {
        double d = 0;
        each_face(i, j, k, [&](float w, int) { d += double(w); });
        return d;
    }
    /// |rhs - A x| / |rhs|.
    double residual(const std::vector<double>& rhs, const field::Grid& x) const {
        std::vector<double> values(layout.cell_count());
        each([&](int i, int j, int k) { values[std::size_t(id(i, j, k))] = double(x(i, j, k)); });
        double rr = 0, bb = 0;
        each([&](int i, int j, int k) {
            const auto c = std::size_t(id(i, j, k));
            double r = rhs[c];
            each_face(i, j, k, [&](float w, int q) { r -= double(w) * (values[c] - (q >= 0 ? values[std::size_t(q)] : 0.0)); });
            rr += r * r, bb += rhs[c] * rhs[c];
        });
        return std::sqrt(rr / bb);
    }
    std::vector<double> rhs_values() const {
        std::vector<double> values(layout.cell_count());
        each([&](int i, int j, int k) { values[std::size_t(id(i, j, k))] = diagonal(i, j, k) > 0 ? double(b(i, j, k)) : 0.0; });
        return values;
    }
    /// Rows that hold a face other than the plain box's.
    std::vector<std::uint8_t> special_rows() const {
        const Vec3i n = layout.cells();
        std::vector<std::uint8_t> rows(std::size_t(n.y) * std::size_t(n.z), 0);
        each([&](int i, int j, int k) {
            const float walls[6] = {float(i > 0 || open[0]), float(i + 1 < n.x || open[1]), float(j > 0 || open[2]),
                                    float(j + 1 < n.y || open[3]), float(k > 0 || open[4]), float(k + 1 < n.z || open[5])};
            int face = 0;
            each_face(i, j, k, [&](float w, int) { rows[std::size_t(k) * std::size_t(n.y) + std::size_t(j)] |= w != walls[face++]; });
        });
        return rows;
    }
    PoissonSolver::Status solve(PoissonSolver& solver, const PoissonSolver::Options& options) const {
        solver.setup({.faces = &faces, .open = open, .special_row = special_rows()});
        each([&](int i, int j, int k) { solver.rhs()(i, j, k) = b(i, j, k); });
        return solver.solve(options);
    }
};

inline bool in_sphere(int n, int i, int j, int k) {
    const double c = 0.5 * n, x = i + 0.5 - c, y = j + 0.5 - c, z = k + 0.5 - c;
    return x * x + y * y + z * z <= 0.04 * n * n;
}

/// A horizontal plate one cell thick with a small square hole.
inline bool in_plate(int n, int i, int j, int k) {
    const int width = std::max(n / 32, 2), c = n / 3;
    return k == c && !(i >= c && i < c + width && j >= c && j < c + width);
}

constexpr std::array<bool, 6> open_top{false, false, false, false, false, true};

}  // namespace phlo::numerics::testing
