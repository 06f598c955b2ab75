// Fields and flows that the transport tests share.
#pragma once
#include <cmath>
#include <functional>

#include "base/random.h"
#include "field/mac.h"
#include "flow/advect.h"

namespace phlo::flow::cases {

using Function = std::function<double(double x, double y, double z)>;

/// Sets cells from a function of cell coordinates, the centre of cell (0, 0, 0) at (0.5, 0.5, 0.5) h.
inline void set_cells(field::Grid& grid, double h, const Function& f) {
    const Vec3i n = grid.layout().cells();
    for (int k = 0; k < n.z; ++k)
        for (int j = 0; j < n.y; ++j)
            for (int i = 0; i < n.x; ++i) grid(i, j, k) = float(f((i + 0.5) * h, (j + 0.5) * h, (k + 0.5) * h));
}

inline void set_faces(field::MacGrid& u, double h, const Function& x, const Function& y, const Function& z) {
    const Function f[3] = {x, y, z};
    for (int axis = 0; axis < 3; ++axis) {
        const Vec3i n = field::face_extent(u.layout(), axis);
        const double ox = axis == 0 ? 0 : 0.5, oy = axis == 1 ? 0 : 0.5, oz = axis == 2 ? 0 : 0.5;
        for (int k = 0; k < n.z; ++k)
            for (int j = 0; j < n.y; ++j)
                for (int i = 0; i < n.x; ++i) u[axis](i, j, k) = float(f[axis]((i + ox) * h, (j + oy) * h, (k + oz) * h));
    }
}

/// Uniform numbers in [low, high), a function of the place only.
inline double noise(int i, int j, int k, unsigned stream, double low, double high) {
    return low + (high - low) * double(uniform4({.seed = 7, .step = 0, .stream = stream}, unsigned(i + 1024 * j), unsigned(k))[0]);
}

inline void randomize(field::Grid& grid, Vec3i extent, unsigned stream, double low, double high) {
    for (int k = 0; k < extent.z; ++k)
        for (int j = 0; j < extent.y; ++j)
            for (int i = 0; i < extent.x; ++i) grid(i, j, k) = float(noise(i, j, k, stream, low, high));
}

inline void randomize(field::MacGrid& u, double speed) {
    for (int axis = 0; axis < 3; ++axis) randomize(u[axis], field::face_extent(u.layout(), axis), unsigned(20 + axis), -speed, speed);
}

/// A divergence-free swirl in the unit box with no flow through the walls: the curl of a stream function, on the faces exactly.
inline void set_swirl(field::MacGrid& u, double h, double speed) {
    const double pi = std::acos(-1.0);
    const auto psi = [&](double x, double y) { return speed * std::sin(pi * x) * std::sin(pi * x) * std::sin(pi * y) * std::sin(pi * y) / pi; };
    set_faces(
        u, h, [&](double x, double y, double) { return (psi(x, y + h / 2) - psi(x, y - h / 2)) / h; },
        [&](double x, double y, double) { return -(psi(x + h / 2, y) - psi(x - h / 2, y)) / h; },
        [](double, double, double) { return 0.0; });
}

inline double largest_difference(const field::Grid& a, const field::Grid& b, Vec3i extent) {
    double most = 0;
    for (int k = 0; k < extent.z; ++k)
        for (int j = 0; j < extent.y; ++j)
            for (int i = 0; i < extent.x; ++i) most = std::max(most, double(std::fabs(a(i, j, k) - b(i, j, k))));
    return most;
}

inline std::pair<float, float> range(const field::Grid& grid, Vec3i extent) {
    float low = grid(0, 0, 0), high = low;
    for (int k = 0; k < extent.z; ++k)
        for (int j = 0; j < extent.y; ++j)
            for (int i = 0; i < extent.x; ++i) low = std::min(low, grid(i, j, k)), high = std::max(high, grid(i, j, k));
    return {low, high};
}

/// Mean error of a smooth blob on n x n cells after a quarter turn in `steps` calls of step(number, u, from, to, dt, h).
template <class Step>
double quarter_turn_error(int n, int steps, const Step& step) {
    const field::Layout layout({n, n, 1});
    const double h = 1.0 / n, turn = std::acos(-1.0) / 2, width = 0.09;
    const auto blob_at = [&](double cx, double cy) {
        return [=](double x, double y, double) { return std::exp(-((x - cx) * (x - cx) + (y - cy) * (y - cy)) / (2 * width * width)); };
    };
    field::MacGrid u(layout);
    set_faces(
        u, h, [](double, double y, double) { return 0.5 - y; }, [](double x, double, double) { return x - 0.5; },
        [](double, double, double) { return 0.0; });
    field::Grid from(layout), to(layout), exact(layout);
    set_cells(from, h, blob_at(0.7, 0.5));
    set_cells(exact, h, blob_at(0.5, 0.7));
    for (int s = 0; s < steps; ++s) {
        step(s, u, from, to, turn / steps, h);
        std::swap(from, to);
    }
    double error = 0;
    for (int j = 0; j < n; ++j)
        for (int i = 0; i < n; ++i) error += std::fabs(double(from(i, j, 0) - exact(i, j, 0)));
    return error / (double(n) * n);
}

}  // namespace phlo::flow::cases
