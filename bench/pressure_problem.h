// The system that all pressure solvers of the bench solve: n^3 cells, closed box with an open top, h = 1.
//
//   box     nothing in it
//   sphere  a solid sphere of radius 0.2 n in the middle
//   plate   a solid plate one cell thick with a small square hole, at a third of the height
//
// The right-hand side is minus the divergence of a wobbling jet among smooth waves. No other header is needed: the peers are programs of
// their own.
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

namespace phlo::bench {

class PressureProblem {
public:
    PressureProblem(int n, const std::string& variant) : n_(n), sphere_(variant == "sphere"), plate_(variant == "plate") {
        unsigned state = 2463534242u;
        const auto random = [&] {
            state ^= state << 13, state ^= state >> 17, state ^= state << 5;
            return double(state >> 8) * 0x1p-24;
        };
        for (auto& component : waves_)
            for (auto& axis : component)
                for (int m = 0; m < modes; ++m) {
                    const double frequency = (1 + 1.4 * m) * (0.5 + random()), phase = 6.2831853 * random();
                    auto& table = axis[std::size_t(m)];
                    table.resize(std::size_t(2 * n + 1));
                    for (int q = 0; q <= 2 * n; ++q) table[std::size_t(q)] = std::sin(6.2831853 * frequency * q / (2.0 * n) + phase);
                }
        for (auto* jet : {&jet_x_, &jet_y_}) jet->resize(std::size_t(n + 1) * std::size_t(n));
        for (int k = 0; k <= n; ++k) {
            const double z = double(k) / n, width = 0.03 + 0.08 * z;
            const double strength = z < 0.03 ? 0 : 3 * std::exp(-12 * std::max(z - 0.8, 0.0));
            for (int i = 0; i < n; ++i) {
                const double x = (i + 0.5) / n - 0.5;
                jet_x_[at(k, i)] = strength * std::exp(-0.5 * std::pow((x - 0.08 * z * std::sin(9 * z)) / width, 2));
                jet_y_[at(k, i)] = std::exp(-0.5 * std::pow((x - 0.08 * z * std::cos(7 * z)) / width, 2));
            }
        }
    }

    int n() const { return n_; }
    bool fluid(int i, int j, int k) const {
        if (i < 0 || j < 0 || k < 0 || i >= n_ || j >= n_ || k >= n_) return false;
        if (sphere_) {
            const double c = 0.5 * n_, x = i + 0.5 - c, y = j + 0.5 - c, z = k + 0.5 - c;
            return x * x + y * y + z * z > 0.04 * n_ * n_;
        }
        if (plate_ && k == n_ / 3) {
            const int c = n_ / 3, width = std::max(n_ / 32, 2);
            return i >= c && i < c + width && j >= c && j < c + width;
        }
        return true;
    }
    /// Whether the face before cell (i, j, k) along the axis is open; k = n is the open top.
    bool open(int axis, int i, int j, int k) const {
        const bool before = fluid(i - (axis == 0), j - (axis == 1), k - (axis == 2));
        return before && (fluid(i, j, k) || (axis == 2 && k == n_));
    }
    int diagonal(int i, int j, int k) const {
        return open(0, i, j, k) + open(0, i + 1, j, k) + open(1, i, j, k) + open(1, i, j + 1, k) + open(2, i, j, k) + open(2, i, j, k + 1);
    }
    double rhs(int i, int j, int k) const {
        if (!fluid(i, j, k)) return 0;
        return velocity(0, i, j, k) - velocity(0, i + 1, j, k) + velocity(1, i, j, k) - velocity(1, i, j + 1, k) + velocity(2, i, j, k) -
               velocity(2, i, j, k + 1);
    }
    /// |b - A x| / |b| in double; x(i, j, k) is asked for fluid cells.
    template <class X>
    double residual(const X& x) const {
        double rr = 0, bb = 0;
        for (int k = 0; k < n_; ++k)
            for (int j = 0; j < n_; ++j)
                for (int i = 0; i < n_; ++i) {
                    if (!fluid(i, j, k)) continue;
                    const double b = rhs(i, j, k);
                    double r = b - diagonal(i, j, k) * double(x(i, j, k));
                    for (int axis = 0; axis < 3; ++axis)
                        for (int side : {-1, 1}) {
                            const int p = i + side * (axis == 0), q = j + side * (axis == 1), s = k + side * (axis == 2);
                            if (fluid(p, q, s)) r += double(x(p, q, s));
                        }
                    rr += r * r, bb += b * b;
                }
        return std::sqrt(rr / bb);
    }

private:
    static constexpr int modes = 5;
    std::size_t at(int k, int i) const { return std::size_t(k) * std::size_t(n_) + std::size_t(i); }
    double velocity(int axis, int i, int j, int k) const {
        if (!open(axis, i, j, k)) return 0;
        const auto& w = waves_[std::size_t(axis)];
        const auto x = std::size_t(2 * i + (axis != 0)), y = std::size_t(2 * j + (axis != 1)), z = std::size_t(2 * k + (axis != 2));
        double sum = axis == 2 ? jet_x_[at(k, i)] * jet_y_[at(k, j)] : 0;
        for (std::size_t m = 0; m < modes; ++m) sum += 0.4 / (1.0 + double(m)) * w[0][m][x] * w[1][m][y] * w[2][m][z];
        return sum;
    }

    int n_;
    bool sphere_, plate_;
    std::array<std::array<std::array<std::vector<double>, modes>, 3>, 3> waves_;  // [component][axis][mode], at half cells
    std::vector<double> jet_x_, jet_y_;
};

}  // namespace phlo::bench
