#include <gtest/gtest.h>

#include "advect_cases.h"
#include "flow/cubic.h"

namespace phlo::flow {
namespace {

using namespace cases;

const Vec3i cells{40, 13, 11};

struct RandomField {
    field::Layout layout{cells};
    field::Grid grid{layout};
    RandomField() {
        randomize(grid, cells, 1, -1, 1);
        fill_ghosts(grid, cells, {});
    }
};

/// Between entries (1, 1, 1) and (2, 2, 2).
float scalar_linear(const field::Grid& f, float tx, float ty, float tz) {
    const auto lerp_ = [](float a, float b, float t) { return std::fma(t, b - a, a); };
    const auto row = [&](int b, int c) { return lerp_(f(1, 1 + b, 1 + c), f(2, 1 + b, 1 + c), tx); };
    return lerp_(lerp_(row(0, 0), row(1, 0), ty), lerp_(row(0, 1), row(1, 1), ty), tz);
}

double scalar_cubic(const field::Grid& f, double tx, double ty, double tz) {
    const auto cubic = [](const double* v, double t) {
        const double d = v[2] - v[1], low = std::min(0.0, 3 * d), high = std::max(0.0, 3 * d);
        const double s0 = std::clamp((v[2] - v[0]) / 2, low, high), s1 = std::clamp((v[3] - v[1]) / 2, low, high);
        return v[1] + t * (s0 + t * (3 * d - 2 * s0 - s1 + t * (s0 + s1 - 2 * d)));
    };
    double plane[4];
    for (int c = 0; c < 4; ++c) {
        double line[4];
        for (int b = 0; b < 4; ++b) {
            double v[4];
            for (int a = 0; a < 4; ++a) v[a] = double(f(a, b, c));
            line[b] = cubic(v, tx);
        }
        plane[c] = cubic(line, ty);
    }
    return cubic(plane, tz);
}

/// Packs of displacements of every kind: all lanes alike, a row apart, scattered over the domain; body(i, j, k, displacements).
template <class Body>
void for_points(Body&& body) {
    for (int trial = 0; trial < 3000; ++trial) {
        const auto r = [&](unsigned n, double low, double high) { return noise(trial, int(n), 0, 50, low, high); };
        const int i = trial % 3 * 8, j = int(r(0, 0, cells.y)), k = int(r(1, 0, cells.z));
        const double spread[] = {0, 0.3, 1.5, 6, 40};
        const double s = spread[trial % 5];
        float d[3][simd::width];
        for (int l = 0; l < simd::width; ++l) {
            const int from[3] = {i + l, j, k};
            for (int axis = 0; axis < 3; ++axis) {
                const double wish = r(unsigned(2 + axis), -2, 2) + s * r(unsigned(10 + 3 * l + axis), -1, 1);
                d[axis][l] = float(std::clamp(wish, -1.0 - from[axis], double(cells[axis] - from[axis])));
            }
        }
        body(i, j, k, d);
    }
}

Bounded::Value bounded(const View& view, const Float3& p) { return sample<Bounded>(view, p, Centre(p, view.strides)); }
Float even(const View& view, const Float3& p) { return sample<Even>(view, p, Centre(p, view.strides)); }

TEST(sampler, packs_equal_a_scalar_reference) {
    const RandomField f;
    for_points([&](int i, int j, int k, const float (*d)[simd::width]) {
        const View view = View(f.grid).at(i, j, k);
        const Float3 p{simd::load(d[0]), simd::load(d[1]), simd::load(d[2])};
        const Bounded::Value found = bounded(view, p);
        float value[3][simd::width], cubic[simd::width], low[simd::width], high[simd::width];
        simd::store(value[0], sample_linear(view, p)), simd::store(value[1], even(view, p)), simd::store(value[2], found.value);
        simd::store(low, found.low), simd::store(high, found.high), simd::store(cubic, sample_cubic(view, p));
        for (int l = 0; l < simd::width; ++l) {
            // The reference sees the same displacement from the same entry, so that both have the same fractions.
            const int fi = int(std::floor(d[0][l])), fj = int(std::floor(d[1][l])), fk = int(std::floor(d[2][l]));
            const auto moved = [&](int a, int b, int c) { return f.grid(i + l + fi + a, j + fj + b, k + fk + c); };
            field::Grid local(field::Layout({4, 4, 4}));
            for (int c = 0; c < 4; ++c)
                for (int b = 0; b < 4; ++b)
                    for (int a = 0; a < 4; ++a) local(a, b, c) = moved(a - 1, b - 1, c - 1);
            const float tx = d[0][l] - float(fi), ty = d[1][l] - float(fj), tz = d[2][l] - float(fk);
            for (int kind = 0; kind < 3; ++kind)
                ASSERT_NEAR(value[kind][l], scalar_linear(local, tx, ty, tz), 1e-6f)
                    << "lane " << l << " at " << d[0][l] << ' ' << d[1][l] << ' ' << d[2][l];
            ASSERT_NEAR(double(cubic[l]), scalar_cubic(local, double(tx), double(ty), double(tz)), 2e-6);
            float least = 2, most = -2;
            for (int corner = 0; corner < 8; ++corner) {
                const int a = corner & 1, b = corner / 2 & 1, c = corner / 4;
                const auto weight = [](int upper, float t) { return upper ? t : 1 - t; };
                if (std::min({weight(a, tx), weight(b, ty), weight(c, tz)}) <= 0x1p-14f) continue;
                least = std::min(least, local(1 + a, 1 + b, 1 + c)), most = std::max(most, local(1 + a, 1 + b, 1 + c));
            }
            ASSERT_EQ(low[l], least);
            ASSERT_EQ(high[l], most);
        }
    });
}

TEST(sampler, weights_are_a_partition_of_unity) {
    field::Grid constant(field::Layout(cells), 0.1f);
    for_points([&](int i, int j, int k, const float (*d)[simd::width]) {
        const Float3 p{simd::load(d[0]), simd::load(d[1]), simd::load(d[2])};
        const View view = View(constant).at(i, j, k);
        const Bounded::Value found = bounded(view, p);
        for (const Float v : {even(view, p), sample_cubic(view, p), found.low, found.high}) ASSERT_TRUE(simd::all(v == Float(0.1f)));
        for (const Float v : {sample_linear(view, p), found.value}) ASSERT_TRUE(simd::all(abs(v - Float(0.1f)) < Float(3e-8f)));
    });
}

TEST(sampler, range_on_an_entry_is_that_entry) {
    const RandomField f;
    for (const float off : {0.0f, 1e-6f, -1e-6f}) {   // whichever way the displacement was rounded
        const Bounded::Value r = bounded(View(f.grid).at(8, 5, 5), {Float(off), Float(off), Float(off)});
        float low[simd::width], high[simd::width];
        simd::store(low, r.low), simd::store(high, r.high);
        for (int l = 0; l < simd::width; ++l) {
            EXPECT_EQ(low[l], f.grid(8 + l, 5, 5));
            EXPECT_EQ(high[l], f.grid(8 + l, 5, 5));
        }
    }
}

}  // namespace
}  // namespace phlo::flow
