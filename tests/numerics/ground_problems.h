// Small systems with conductances to ground for the tests, and their coarsening written down once more, point by point in double.
#pragma once
#include <algorithm>
#include <cmath>
#include <vector>

#include "base/random.h"
#include "numerics/conductances.h"
#include "numerics/poisson.h"

namespace phlo::numerics::testing {

/// A box of points with conductances to the neighbours before them (w) and to ground (g), by axis.
struct PlainNet {
    Vec3i n;
    std::array<bool, 3> short_end{};
    std::array<std::vector<double>, 3> w, g;

    explicit PlainNet(Vec3i size) : n(size) {
        for (auto* side : {&w, &g})
            for (auto& values : *side) values.assign(std::size_t(n.x) * std::size_t(n.y) * std::size_t(n.z), 0);
    }
    bool inside(const Vec3i& p) const { return p.x >= 0 && p.y >= 0 && p.z >= 0 && p.x < n.x && p.y < n.y && p.z < n.z; }
    std::size_t id(const Vec3i& p) const { return (std::size_t(p.z) * std::size_t(n.y) + std::size_t(p.y)) * std::size_t(n.x) + std::size_t(p.x); }
    static Vec3i next(Vec3i p, int axis, int steps) {
        p[axis] += steps;
        return p;
    }
    /// The face before point p, zero in walls.
    double face(int axis, const Vec3i& p) const { return inside(p) && p[axis] > 0 ? w[std::size_t(axis)][id(p)] : 0; }
    double diagonal(const Vec3i& p) const {
        double sum = 0;
        for (int a = 0; a < 3; ++a) sum += face(a, p) + face(a, next(p, a, 1)) + g[std::size_t(a)][id(p)];
        return sum;
    }
    template <class F>
    void each(const F& f) const {
        for (int k = 0; k < n.z; ++k)
            for (int j = 0; j < n.y; ++j)
                for (int i = 0; i < n.x; ++i) f(Vec3i(i, j, k));
    }
    std::vector<double> multiply(const std::vector<double>& x) const {
        std::vector<double> y(x.size(), 0);
        each([&](const Vec3i& p) {
            for (int a = 0; a < 3; ++a) {
                y[id(p)] += g[std::size_t(a)][id(p)] * x[id(p)];
                for (int side : {0, 1})
                    if (const double f = face(a, next(p, a, side)); f > 0) y[id(p)] += f * (x[id(p)] - x[id(next(p, a, 2 * side - 1))]);
            }
        });
        return y;
    }
    /// As the solver asks for it. Rows are plain where that is true.
    PoissonRows rows() const {
        PoissonRows r;
        r.kind.assign(std::size_t(n.y) * std::size_t(n.z), PoissonRows::special);
        for (int k = 0; k < n.z; ++k)
            for (int j = 0; j < n.y; ++j) {
                bool any = false, plain = true;
                for (int i = 0; i < n.x; ++i) {
                    const Vec3i p(i, j, k);
                    any |= diagonal(p) > 0;
                    for (int a = 0; a < 3; ++a) {
                        plain &= g[std::size_t(a)][id(p)] == 0;
                        for (int side : {0, 1}) plain &= p[a] + side == 0 || p[a] + side == n[a] || face(a, next(p, a, side)) == 1;
                    }
                }
                r.kind[std::size_t(k) * std::size_t(n.y) + std::size_t(j)] = !any ? PoissonRows::outside : plain ? PoissonRows::plain : PoissonRows::special;
            }
        r.faces = [this](int axis, int j, int k, float* out) {
            for (int i = 0; i < n.x; ++i) out[i] = float(face(axis, {i, j, k}));
        };
        r.ground = [this](int j, int k, const std::array<float*, 3>& out) {
            for (std::size_t a = 0; a < 3; ++a)
                for (int i = 0; i < n.x; ++i) out[a][i] = float(g[a][id({i, j, k})]);
        };
        return r;
    }
};

/// A random liquid: round blobs, thin parts, cut faces, theta down to 1e-5; `fill` is the share of liquid cells.
inline PlainNet random_liquid(Vec3i n, std::uint32_t seed) {
    PlainNet net(n);
    const auto kind = uniform4({seed, 0, 1}, 0);
    const double fill = 0.15 + 0.8 * double(kind[0]), grain = kind[1] < 0.4f ? 1 : kind[1] < 0.7f ? 3 : 6, smallest = std::pow(10, -5 * double(kind[2]));
    const bool cut = kind[3] < 0.4f;
    const auto random = [&](const Vec3i& p, std::uint32_t stream) { return uniform4({seed, 0, stream}, std::uint32_t((p.z * 100 + p.y) * 100 + p.x)); };
    const auto liquid = [&](const Vec3i& p) {
        if (!net.inside(p)) return false;
        const Vec3i blob(int(p.x / grain), int(p.y / grain), int(p.z / grain));
        return double(random(blob, 2)[0]) < fill;
    };
    net.each([&](const Vec3i& p) {
        for (int a = 0; a < 3; ++a) {
            const Vec3i q = PlainNet::next(p, a, -1);
            if (!net.inside(q)) continue;
            const auto r = random(p, 3 + std::uint32_t(a));
            const double open = !cut || r[0] < 0.6f ? 1 : r[0] < 0.7f ? 0 : double(r[1]);
            const double theta = std::max(smallest, double(r[2]));
            if (liquid(p) && liquid(q)) net.w[std::size_t(a)][net.id(p)] = double(float(open));
            else if (liquid(p) != liquid(q)) net.g[std::size_t(a)][net.id(liquid(p) ? p : q)] += double(float(open / theta));
        }
    });
    for (auto& values : net.g)
        for (double& v : values) v = double(float(v));
    return net;
}

/// The rules of coarsen_ground.cpp.
inline PlainNet coarsen_plainly(const PlainNet& fine, int axis) {
    const int n = fine.n[axis];
    const auto a = std::size_t(axis);
    const bool keep_last = n % 2 == 0 && n > 2 && !fine.short_end[a];
    Vec3i size = fine.n;
    size[axis] = coarse_count(n, fine.short_end[a]);
    PlainNet coarse(size);
    coarse.short_end = fine.short_end;
    coarse.short_end[a] = n % 2 == 0 && !fine.short_end[a];
    struct Parents {
        double low = 0, high = 0;
        double sum() const { return low + high; }
    };
    const auto parents = [&](const Vec3i& p) -> Parents {
        if (keep_last && p[axis] == n - 1) return {0, 1};
        const double before = fine.face(axis, p), behind = fine.face(axis, PlainNet::next(p, axis, 1)), s = before + behind + fine.g[a][fine.id(p)];
        if (before + behind > 0) return {before / s, behind / s};
        return fine.diagonal(p) > 0 && fine.diagonal(PlainNet::next(p, axis, -1)) == 0 ? Parents{1, 0} : Parents{};
    };
    const auto share = [](double w, Parents p, Parents q) -> Parents {
        const double low = std::sqrt(p.low * q.low), high = std::sqrt(p.high * q.high), all = w * p.sum() * q.sum();
        return low + high > 0 ? Parents{all * low / (low + high), all * high / (low + high)} : Parents{0.5 * all, 0.5 * all};
    };
    fine.each([&](const Vec3i& p) {
        Vec3i to = p;
        to[axis] = p[axis] / 2;
        const Vec3i behind = PlainNet::next(to, axis, 1);
        if (p[axis] % 2 == 0) {
            for (std::size_t b = 0; b < 3; ++b) {
                coarse.g[b][coarse.id(to)] += fine.g[b][fine.id(p)];
                if (b != a) coarse.w[b][coarse.id(to)] += fine.face(int(b), p);
            }
            return;
        }
        const Parents here = parents(p);
        if (coarse.inside(behind)) {
            const double x = fine.face(axis, p), y = fine.face(axis, PlainNet::next(p, axis, 1));
            const bool kept = keep_last && p[axis] == n - 1;
            coarse.w[a][coarse.id(behind)] = kept ? x : x > 0 && y > 0 ? x * y / (x + y + fine.g[a][fine.id(p)]) : 0;
        }
        std::array<double, 3> hand_on{};
        for (int b = 0; b < 3; ++b) {
            hand_on[std::size_t(b)] += fine.g[std::size_t(b)][fine.id(p)] * (b == axis ? 1 : here.sum());
            if (b == axis) continue;
            for (int side : {0, 1}) {
                const double w = fine.face(b, PlainNet::next(p, b, side));
                if (w <= 0) continue;
                const Parents there = parents(PlainNet::next(p, b, 2 * side - 1));
                if (there.sum() <= 0) hand_on[std::size_t(b)] += w * here.sum();
                else hand_on[a] += 0.25 * w * (here.sum() - there.sum());
                if (side == 1) continue;
                const Parents part = share(w, here, there);
                coarse.w[std::size_t(b)][coarse.id(to)] += part.low;
                if (coarse.inside(behind)) coarse.w[std::size_t(b)][coarse.id(behind)] += part.high;
            }
        }
        for (std::size_t b = 0; b < 3; ++b) {
            coarse.g[b][coarse.id(to)] += here.low * hand_on[b];
            if (coarse.inside(behind)) coarse.g[b][coarse.id(behind)] += here.high * hand_on[b];
        }
    });
    for (auto* side : {&coarse.w, &coarse.g})
        for (auto& values : *side)
            for (double& v : values) v = v > 1e-10 ? v : 0;
    return coarse;
}

}  // namespace phlo::numerics::testing
