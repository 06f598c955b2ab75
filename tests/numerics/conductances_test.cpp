#include "numerics/conductances.h"

#include <gtest/gtest.h>

#include "numerics/level.h"
#include "problems.h"

namespace phlo::numerics::testing {
namespace {

struct Weights {
    double low, high;
};

/// One coarsening step along an axis, written down once more point by point (network.h has the formulas).
struct Reference {
    const Conductances& fine;
    int axis, n = fine.n[axis];
    bool keep_last = n % 2 == 0 && n > 2;

    /// The face before point p along axis b.
    double face(int b, Vec3i p) const { return double(fine.face[std::size_t(b)](p.y, p.z)[fine.shape.at(p.x)]); }
    Vec3i moved(Vec3i p, int b, int to) const {
        p[b] = to;
        return p;
    }
    Weights weights(Vec3i p) const {
        const int s = p[axis];
        if (keep_last && s == n - 1) return {0, 1};
        const double before = face(axis, p), behind = face(axis, moved(p, axis, s + 1)), sum = before + behind;
        if (sum > 0) return {before / sum, s == n - 1 ? 0 : behind / sum};
        const Vec3i q = moved(p, axis, s - 1);
        return {fine.diagonal(q.x, q.y, q.z) == 0 ? 1.0 : 0.0, 0};
    }
    double along(Vec3i p) const {
        const int S = p[axis], coarse = coarse_count(n);
        if (S == 0) return face(axis, p);
        if (S == coarse && n != 2) return face(axis, moved(p, axis, n));
        if (keep_last && S == coarse - 1) return face(axis, moved(p, axis, n - 1));
        const double a = face(axis, moved(p, axis, 2 * S - 1)), b = face(axis, moved(p, axis, 2 * S));
        return a > 0 && b > 0 ? a * b / (a + b) : 0;
    }
    double across(int b, Vec3i p) const {
        const int S = p[axis];
        double sum = 2 * S < n ? face(b, moved(p, axis, 2 * S)) : 0;
        for (int odd : {2 * S - 1, 2 * S + 1}) {
            if (odd < 0 || odd >= n) continue;
            const Vec3i q = moved(p, axis, odd);
            const double w = face(b, q);
            const Weights u = weights(moved(q, b, std::max(q[b] - 1, 0))), v = weights(moved(q, b, std::min(q[b], fine.n[b] - 1)));
            const double low = std::sqrt(u.low * v.low), high = std::sqrt(u.high * v.high),
                         total = std::sqrt((u.low + u.high) * (v.low + v.high));
            if (low + high > 0) sum += w * total * (odd > 2 * S ? low : high) / (low + high);
            else sum += 0.5 * w * std::min(u.low + u.high, v.low + v.high);
        }
        return sum;
    }
};

TEST(conductances, coarsening_agrees_with_the_formulas_point_by_point) {
    std::uint32_t seed = 1;
    for (const Vec3i n : {Vec3i(30, 9, 10), Vec3i(17, 12, 2), Vec3i(2, 7, 11), Vec3i(13, 2, 6), Vec3i(1, 5, 4)}) {
        System system(n, {true, true, true, true, true, true});
        ++seed;  // a third of all faces closed, so that points are dropped and their places taken
        system.set_weights([&](int a, int i, int j, int k) {
            const float u = uniform4({seed, 2, std::uint32_t(a)}, std::uint32_t((k * 64 + j) * 64 + i))[0];
            return u < 0.33f ? 0.f : u;
        });
        const std::vector<std::uint8_t> all_rows(std::size_t(n.y) * std::size_t(n.z), 1);
        const Conductances fine = make_conductances(system.layout, {.faces = &system.faces, .open = system.open, .special_row = all_rows});
        for (int axis = 0; axis < 3; ++axis) {
            Transfer transfer;
            const auto arena = std::make_shared<RowArena>();
            const Conductances coarse = coarsen(fine, axis, transfer, arena);
            const Reference reference{fine, axis};
            for (int b = 0; b < 3; ++b) {
                Vec3i extent = coarse.n;
                ++extent[b];
                for (int k = 0; k < extent.z; ++k)
                    for (int j = 0; j < extent.y; ++j)
                        for (int i = 0; i < extent.x; ++i) {
                            const double expected = b == axis ? reference.along({i, j, k}) : reference.across(b, {i, j, k});
                            ASSERT_NEAR(double(coarse.face[std::size_t(b)](j, k)[coarse.shape.at(i)]), expected, 1e-6)
                                << n.x << "x" << n.y << "x" << n.z << " axis " << axis << " face " << b << " at " << i << " " << j << " "
                                << k;
                        }
            }
            for (int k = 0; k < n.z; ++k)
                for (int j = 0; j < n.y; ++j)
                    for (int i = 0; i < n.x; ++i) {
                        const Vec3i p(i, j, k);
                        if (p[axis] % 2 == 0) continue;
                        const int row = axis == 1 ? j / 2 : j, plane = axis == 2 ? k / 2 : k, entry = axis == 0 ? i / 2 : fine.shape.at(i);
                        ASSERT_NEAR(double(transfer.low(row, plane)[entry]), reference.weights(p).low, 1e-6)
                            << axis << " at " << i << " " << j << " " << k;
                        ASSERT_NEAR(double(transfer.high(row, plane)[entry]), reference.weights(p).high, 1e-6)
                            << axis << " at " << i << " " << j << " " << k;
                    }
        }
    }
}

}  // namespace
}  // namespace phlo::numerics::testing
