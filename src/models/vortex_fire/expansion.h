// Taylor expansions of the regularised Green's function: what many vortons do far away, in a few numbers.
//
//   Moments<4> moments = {};
//   add_source<4>(offset, strength, moments);                               // offset from the centre of the vortons
//   LocalPacks<4> local = {};
//   translate<4>(between, mask, sigma_squared, moments, local);             // lanes are groups of targets; `between`: from centre to centre
//
// With ψ(x) = Σ Γ_j G(|x - x_j|) the velocity is u = ∇×ψ / 4π. About the centres c_s of vortons and c_t of targets, with R = c_t - c_s,
//   ψ(c_t + y) = Σ_β y^β/β! Σ_α D^(α+β) G(R) M_α,        M_α = Σ_j Γ_j (c_s - x_j)^α / α!,        |α + β| <= order,
// where α and β are powers of x, y and z. G belongs to the high-order algebraic core [winckelmans1993]:
//   G = (r² + 3/2 σ²) / (r² + σ²)^(3/2),      g_m = (1/r d/dr)^m G = (-1)^m (2m-1)!! q^(-m-1/2) (1 + (m + 1/2) σ²/q),      q = r² + σ².
// Derivatives follow from D^(α+e) g_m = x_e D^α g_(m+1) + α_e D^(α-e) g_(m+1), e one of the axes.
//
// Only for sources that are compiled for each CPU.
#pragma once
#include <array>
#include <utility>

#include "base/simd.h"
#include "base/vec.h"

namespace phlo::models {

/// How many powers x^a y^b z^c there are with a + b + c <= order.
constexpr int term_count(int order) { return (order + 1) * (order + 2) * (order + 3) / 6; }

struct Power {
    int x = 0, y = 0, z = 0;
    constexpr int degree() const { return x + y + z; }
    constexpr int operator[](int axis) const { return axis == 0 ? x : axis == 1 ? y : z; }
    constexpr Power plus(int axis, int n = 1) const { return {x + (axis == 0 ? n : 0), y + (axis == 1 ? n : 0), z + (axis == 2 ? n : 0)}; }
    friend constexpr Power operator+(Power a, Power b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
    /// The axis along which one is taken away to get to a lower power.
    constexpr int axis() const { return x > 0 ? 0 : y > 0 ? 1 : 2; }
};

/// Powers are numbered by degree: those up to some degree are the first.
constexpr int index_of(Power p) {
    const int n = p.degree(), rest = n - p.x;
    return (n > 0 ? term_count(n - 1) : 0) + rest * (rest + 1) / 2 + p.z;
}

template <int order>
inline constexpr auto powers = [] {
    std::array<Power, std::size_t(term_count(order))> result{};
    for (int x = 0; x <= order; ++x)
        for (int y = 0; x + y <= order; ++y)
            for (int z = 0; x + y + z <= order; ++z) result[std::size_t(index_of({x, y, z}))] = {x, y, z};
    return result;
}();

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define PHLO_INLINE_LAMBDA
#else
#define PHLO_INLINE_LAMBDA __attribute__((always_inline))
#endif

/// body.operator()<i>() for i in [first, last): what depends on i is known when it is compiled.
template <int first, int last, class Body>
PHLO_INLINE void unrolled(Body&& body) {
    [&]<int... i>(std::integer_sequence<int, i...>) PHLO_INLINE_LAMBDA {
        (body.template operator()<first + i>(), ...);
    }(std::make_integer_sequence<int, last - first>{});
}

/// M_α for |α| < order: higher ones do not reach the velocity.
template <int order>
using Moments = std::array<Vec3f, std::size_t(term_count(order - 1))>;

/// p^α / α! for all |α| <= order.
template <int order, class T>
PHLO_INLINE void monomials(const T& x, const T& y, const T& z, T* result) {
    result[0] = T(1.0f);
    unrolled<1, term_count(order)>([&]<int i>() PHLO_INLINE_LAMBDA {
        constexpr Power p = powers<order>[std::size_t(i)];
        constexpr int axis = p.axis();
        const T& along = axis == 0 ? x : axis == 1 ? y : z;
        result[i] = along * result[index_of(p.plus(axis, -1))] * T(1.0f / float(p[axis]));
    });
}

/// `offset`: of the vorton from the centre.
template <int order>
void add_source(const Vec3f& offset, const Vec3f& strength, Moments<order>& moments) {
    float weight[term_count(order - 1)];
    monomials<order - 1>(-offset.x, -offset.y, -offset.z, weight);
    for (std::size_t i = 0; i < moments.size(); ++i) moments[i] += strength * weight[i];
}

/// Adds moments about another centre; `offset`: of that centre from this one.
template <int order>
void add_moments(const Vec3f& offset, const Moments<order>& from, Moments<order>& moments) {
    float weight[term_count(order - 1)];
    monomials<order - 1>(-offset.x, -offset.y, -offset.z, weight);
    for (const Power a : powers<order - 1>)
        for (const Power b : powers<order - 1>)
            if (a.degree() + b.degree() < order) moments[std::size_t(index_of(a + b))] += from[std::size_t(index_of(a))] * weight[index_of(b)];
}

/// D^α G for 1 <= |α| <= order at `r`, in the lanes of `mask`; 0 in the others.
template <int order>
PHLO_INLINE void derivatives(const simd::Float3& r, simd::Mask mask, simd::Float sigma_squared, simd::Float* D) {
    using simd::Float;
    const Float q = fma(r.x, r.x, fma(r.y, r.y, fma(r.z, r.z, sigma_squared)));
    const Float inverse = select(mask, Float(1.0f) / q, Float(0.0f)), core = sigma_squared * inverse;
    Float g[order + 1];
    Float power = sqrt(inverse);
    unrolled<0, order + 1>([&]<int m>() PHLO_INLINE_LAMBDA {
        g[m] = power * fma(Float(float(m) + 0.5f), core, Float(1.0f));
        power = power * inverse * Float(-(2.0f * float(m) + 1));
    });
    // table m holds D^α g_m up to degree order - m; the last becomes D
    Float higher[term_count(order)], lower[term_count(order)];
    higher[0] = g[order];
    unrolled<1, order + 1>([&]<int step>() PHLO_INLINE_LAMBDA {
        Float* const to = step == order ? D : step % 2 == 1 ? lower : higher;
        const Float* const from = step % 2 == 1 ? higher : lower;
        to[0] = g[order - step];
        unrolled<1, term_count(step)>([&]<int i>() PHLO_INLINE_LAMBDA {
            constexpr Power p = powers<step>[std::size_t(i)];
            constexpr int axis = p.axis();
            constexpr Power less = p.plus(axis, -1);
            const Float& along = axis == 0 ? r.x : axis == 1 ? r.y : r.z;
            if constexpr (less[axis] == 0) to[i] = along * from[index_of(less)];
            else to[i] = fma(along, from[index_of(less)], Float(float(less[axis])) * from[index_of(less.plus(axis, -1))]);
        });
    });
}

/// Coefficients of ψ about the centres of as many groups of targets as a pack has lanes: 3 components a power β; β = 0 stays empty.
template <int order>
struct LocalPacks {
    simd::Float psi[term_count(order)][3];
};

/// Adds what `moments` do to the groups of `mask`. `between`: from the vortons' centre to the groups' centres.
template <int order>
PHLO_INLINE void translate(const simd::Float3& between, simd::Mask mask, simd::Float sigma_squared, const Moments<order>& moments, LocalPacks<order>& local) {
    using simd::Float;
    Float D[term_count(order)];
    derivatives<order>(between, mask, sigma_squared, D);
    unrolled<1, term_count(order)>([&]<int b>() PHLO_INLINE_LAMBDA {
        constexpr Power beta = powers<order>[std::size_t(b)];
        Float x = local.psi[b][0], y = local.psi[b][1], z = local.psi[b][2];
        unrolled<0, term_count(order - beta.degree())>([&]<int a>() PHLO_INLINE_LAMBDA {
            const Float d = D[index_of(powers<order>[std::size_t(a)] + beta)];
            x = fma(d, Float(moments[std::size_t(a)].x), x);
            y = fma(d, Float(moments[std::size_t(a)].y), y);
            z = fma(d, Float(moments[std::size_t(a)].z), z);
        });
        local.psi[b][0] = x, local.psi[b][1] = y, local.psi[b][2] = z;
    });
}

/// Coefficients of ψ about one centre.
template <int order>
using LocalPotential = std::array<Vec3f, std::size_t(term_count(order))>;

template <int order>
LocalPotential<order> potential_of_lane(const LocalPacks<order>& local, int lane) {
    LocalPotential<order> result{};
    alignas(64) float lanes[simd::width];
    for (int i = 1; i < term_count(order); ++i)
        for (int c = 0; c < 3; ++c) store(lanes, local.psi[i][c]), result[std::size_t(i)][c] = lanes[lane];
    return result;
}

/// Coefficients of u = ∇×ψ of one group, by power: of degree < order.
template <int order>
using LocalVelocity = std::array<Vec3f, std::size_t(term_count(order - 1))>;

template <int order>
LocalVelocity<order> curl_of(const LocalPotential<order>& potential) {
    const auto psi = [&](Power p) { return potential[std::size_t(index_of(p))]; };
    LocalVelocity<order> u;
    for (const Power p : powers<order - 1>) {
        const Vec3f x = psi(p.plus(0)), y = psi(p.plus(1)), z = psi(p.plus(2));
        u[std::size_t(index_of(p))] = {y.z - z.y, z.x - x.z, x.y - y.x};
    }
    return u;
}

}  // namespace phlo::models
