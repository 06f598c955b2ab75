#include "models/vortex_fire/combustion.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>

#include "base/error.h"
#include "base/pack_growth.h"
#include "base/parallel.h"
#include "base/simd.h"

namespace phlo::models {
namespace {

using P = simd::Pack<float>;

constexpr std::size_t chunk = 4096;   ///< particles of one task; a multiple of any pack's width

PHLO_INLINE P zero() { return P(0.0f); }
PHLO_INLINE P one() { return P(1.0f); }

/// The parameters as the kernel wants them, and as it can spread them over a pack.
struct Law {
    float rate, activation, smoke_rate, per_smoke_temperature, rise, max_rise, ambient, radiation, radiation_rate, oxygen_per_fuel, per_ambient_oxygen;
    bool needs_oxygen;
    int max_sub_steps;

    Law(const CombustionParams& p, bool with_oxygen)
        : rate(float(p.rate)),
          activation(float(p.activation_temperature)),
          smoke_rate(float(p.smoke_rate)),
          per_smoke_temperature(float(1 / p.smoke_temperature)),
          rise(float(p.heat_of_combustion / p.heat_capacity)),
          max_rise(float(p.max_rise)),
          ambient(float(p.ambient_temperature)),
          radiation(float(p.radiation)),
          radiation_rate(float(3 * p.radiation * p.ambient_temperature * p.ambient_temperature * p.ambient_temperature)),
          oxygen_per_fuel(float(p.oxygen_per_fuel)),
          per_ambient_oxygen(float(1 / p.ambient_oxygen)),
          needs_oxygen(with_oxygen && p.oxygen_per_fuel > 0),
          max_sub_steps(p.max_sub_steps) {}

    PHLO_INLINE P fuel_rate(P T) const { return P(rate) * exp(P(-activation) / T); }
    PHLO_INLINE P flame_rate(P T) const {
        const P x = T * P(per_smoke_temperature);
        return P(smoke_rate) * exp(-x * x);
    }
};

struct Particle {
    P T, fuel, flame, smoke, oxygen;
    P burning;   ///< the integral of k over the step: how often the fuel was divided by e
    P released;  ///< rise of T by combustion alone [K]
};

/// (1 - e^-d) / d for d >= 0, which is 1 at 0.
PHLO_INLINE P mean_decay(P d) { return select(d > P(1e-6f), -expm1(-d) / max(d, P(1e-6f)), one() - P(0.5f) * d); }

/// ln(Y before / Y after) over h: k h, or less where oxygen runs out. With D = O - s Y, which stays as it is, and x = k h D / O_a
///   ln = x + ln(1 + s Y k h/O_a (1 - e^-x)/x)            written for x >= 0; and for x < 0 with e^x taken out of the bracket.
PHLO_INLINE P fuel_exponent(const Law& law, P k, P h, const Particle& p) {
    if (!law.needs_oxygen) return k * h;
    const P kappa = k * h * P(law.per_ambient_oxygen), spent = P(law.oxygen_per_fuel) * p.fuel;
    const P x = kappa * (p.oxygen - spent), more = kappa * spent * mean_decay(abs(x));
    const P plenty = x + log1p(more), scarce = log1p(more + expm1(min(x, zero())));
    return max(select(x < zero(), scarce, plenty), zero());
}

PHLO_INLINE P burnt_fuel(const Law& law, P exponent, const Particle& p) {
    const P burnt = p.fuel * -expm1(-exponent);
    return law.needs_oxygen ? min(burnt, p.oxygen * P(1 / law.oxygen_per_fuel)) : burnt;
}

enum class Mean { rough, good };

/// T after h of radiation alone; `h` may be 0, and then it is T to the bit.
template <Mean mean>
PHLO_INLINE P radiate(const Law& law, P T, P h) {
    if (law.radiation <= 0) return T;
    const P tau = h * P(law.radiation_rate), s = P(law.ambient) / T, w = s * s * s;
    const auto mu = [](P s_) { return (one() + s_) * (one() + s_ * s_) / (one() + s_ + s_ * s_); };
    // w grows by (1 - w) (1 - e^-(μ τ)): with the μ of the start, then with Simpson's mean of start, middle and end
    const auto gain = [&](P m, P time) { return (one() - w) * -expm1(-m * time) / w; };
    const auto cooled = [&](P g) { return exp(P(-1.0f / 3) * log1p(g)); };
    const P start = mu(s);
    if constexpr (mean == Mean::rough) return T * cooled(gain(start, tau));
    const P middle = mu(s / cooled(gain(start, P(0.5f) * tau))), end = mu(s / cooled(gain(middle, tau)));
    return T * cooled(gain((start + P(4.0f) * middle + end) * P(1.0f / 6), tau));
}

/// How much of `rest` may be done with one set of rates.
PHLO_INLINE P sub_step(const Law& law, P k, P rest, const Particle& p) {
    P fuel = p.fuel, rate = k;
    if (law.needs_oxygen) {   // what is scarcer bounds how much can burn, what is richer how fast
        const P need = P(law.oxygen_per_fuel) * p.fuel;
        fuel = min(fuel, p.oxygen * P(1 / law.oxygen_per_fuel));
        rate = k * max(p.oxygen, need) * P(law.per_ambient_oxygen);
    }
    // d ln k = T_a dT / T²: the rate may change by a third within a sub-step
    const P limit = p.T * min(P(law.max_rise), P(0.3f) * p.T / P(std::max(law.activation, 1.0f)));
    const P share = min(limit / max(P(law.rise) * fuel, P(1e-30f)), P(0.999f));
    const P warming = select(share < P(0.999f), -log1p(-share) / max(rate, P(1e-30f)), rest);
    P h = min(rest, warming);
    if (law.radiation > 0) {
        const P T2 = p.T * p.T, a2 = P(law.ambient * law.ambient);
        const P cooling = limit / max(abs(P(law.radiation) * (T2 * T2 - a2 * a2)), P(1e-30f));
        h = select(p.fuel + p.flame > P(1e-3f), min(h, cooling), h);   // where nothing reacts any length is exact
    }
    return h;
}

/// One sub-step of length h: heat by halves around the radiation, rates from the middle.
PHLO_INLINE void advance(const Law& law, P k, P h, Particle& p) {
    const P rise(law.rise), half(0.5f);
    const P first = half * rise * burnt_fuel(law, fuel_exponent(law, k, half * h, p), p);
    const P T = radiate<Mean::rough>(law, p.T + first, half * h) + first;
    const P a = fuel_exponent(law, law.fuel_rate(T), h, p), b = law.flame_rate(T) * h;
    const P burnt = burnt_fuel(law, a, p), heat = rise * burnt;
    // Fuel that burns at the rate a/h feeds flame that fades at b/h: the exact chain, of which nothing is left over or missing.
    const P fed = p.flame + burnt;
    const P flame = min(p.flame * exp(-b) + p.fuel * a * exp(-min(a, b)) * mean_decay(abs(b - a)), fed);
    p.smoke += fed - flame;
    p.flame = flame;
    p.fuel = max(p.fuel - burnt, zero());
    if (law.needs_oxygen) p.oxygen = max(p.oxygen - P(law.oxygen_per_fuel) * burnt, zero());
    p.T = radiate<Mean::good>(law, p.T + half * heat, h) + half * heat;
    p.burning += a;
    p.released += heat;
}

/// Returns whether the sub-steps sufficed.
bool react(const Law& law, float dt, Particle& p) {
    // Sums of rounded numbers may lie a hair above 1; more than 1 comes out only where it went in.
    const P most = max(p.fuel + p.flame + p.smoke, one());
    P rest(dt);
    for (int n = 1;; ++n) {
        const P k = law.fuel_rate(p.T), h = n < law.max_sub_steps ? sub_step(law, k, rest, p) : rest;
        const bool last = !any(h < rest);
        advance(law, k, h, p);
        rest = select(h < rest, rest - h, zero());
        if (last) {
            p.flame = min(p.flame, most), p.smoke = min(p.smoke, most);
            return n < law.max_sub_steps;
        }
    }
}

/// `lit` fades, and is set by fuel that begins to burn where little flame is yet.
PHLO_INLINE P light_up(P lit, float fading, P fuel, P flame, P burning) {
    const P fresh = fuel / max(fuel + flame, P(1e-12f)), begun = fresh * -expm1(-burning);
    const P faded = lit * P(fading);
    return min(max(faded + (one() - faded) * begun, zero()), one());
}

CombustionReport& operator+=(CombustionReport& a, const CombustionReport& b) {
    a.fuel_burnt += b.fuel_burnt, a.oxygen_used += b.oxygen_used, a.smoke_made += b.smoke_made;
    a.heat_released += b.heat_released, a.heat_radiated += b.heat_radiated, a.hurried += b.hurried;
    return a;
}

/// A column of one task's particles, a pack at a time; the last pack may be short and works on a copy.
struct Slice {
    float* from;
    float buffer[P::width];

    PHLO_INLINE P read(std::size_t i, std::size_t lanes, float rest) {
        if (lanes == std::size_t(P::width)) return P::load(from + i);
        std::fill(buffer, buffer + P::width, rest);
        std::copy_n(from + i, lanes, buffer);
        return P::load(buffer);
    }
    PHLO_INLINE void write(std::size_t i, std::size_t lanes, P value) {
        if (lanes == std::size_t(P::width)) return value.store(from + i);
        value.store(buffer);
        std::copy_n(buffer, lanes, from + i);
    }
};

CombustionReport burn_chunk(const Law& law, const CombustionColumns& c, float heat_capacity, float dt, float fading, std::size_t first, std::size_t last) {
    CombustionReport report;
    Slice T{c.temperature.data(), {}}, fuel{c.fuel.data(), {}}, flame{c.flame.data(), {}}, smoke{c.smoke.data(), {}}, oxygen{c.oxygen.data(), {}}, lit{c.lit.data(), {}};
    for (std::size_t i = first; i < last; i += P::width) {
        const std::size_t lanes = std::min(last - i, std::size_t(P::width));
        Particle p{T.read(i, lanes, law.ambient), fuel.read(i, lanes, 0), flame.read(i, lanes, 0), smoke.read(i, lanes, 0), one(), zero(), zero()};
        if (law.needs_oxygen) p.oxygen = oxygen.read(i, lanes, 1);
        const Particle before = p;
        // Air and cold smoke are most of a scene: nothing happens there.
        if (any((p.fuel > zero()) | (p.flame > zero())) || law.radiation > 0) {
            if (!react(law, dt, p)) ++report.hurried;
            T.write(i, lanes, p.T), fuel.write(i, lanes, p.fuel), flame.write(i, lanes, p.flame), smoke.write(i, lanes, p.smoke);
            if (law.needs_oxygen) oxygen.write(i, lanes, p.oxygen);
            for (std::size_t l = 0; l < lanes; ++l) {
                const int n = int(l);
                const double mass = c.mass.empty() ? 1 : double(c.mass[i + l]), heat = mass * double(heat_capacity), released = double(p.released[n]);
                report.fuel_burnt += mass * (double(before.fuel[n]) - double(p.fuel[n]));
                report.smoke_made += mass * (double(p.smoke[n]) - double(before.smoke[n]));
                report.oxygen_used += mass * (double(before.oxygen[n]) - double(p.oxygen[n]));
                report.heat_released += heat * released;
                if (law.radiation > 0) report.heat_radiated += heat * (double(before.T[n]) + released - double(p.T[n]));
            }
        }
        if (!c.lit.empty()) lit.write(i, lanes, light_up(lit.read(i, lanes, 0), fading, before.fuel, before.flame, p.burning));
    }
    return report;
}

}  // namespace

CombustionReport burn(const CombustionParams& params, const CombustionColumns& columns, double dt) {
    const std::size_t count = columns.temperature.size();
    for (const std::size_t other : {columns.fuel.size(), columns.flame.size(), columns.smoke.size()}) PHLO_CHECK(other == count);
    for (const std::size_t other : {columns.oxygen.size(), columns.lit.size(), columns.mass.size()}) PHLO_CHECK(other == 0 || other == count);
    PHLO_CHECK(dt >= 0 && params.max_sub_steps > 0 && params.max_rise > 0);
    if (dt == 0) return {};
    const Law law(params, !columns.oxygen.empty());
    const float fading = float(std::exp(-dt / params.lit_time));
    return parallel_reduce(int((count + chunk - 1) / chunk), CombustionReport{}, [&](int c) {
        const std::size_t first = std::size_t(c) * chunk;
        return burn_chunk(law, columns, float(params.heat_capacity), float(dt), fading, first, std::min(count, first + chunk));
    }, [](CombustionReport a, const CombustionReport& b) { return a += b; });
}

}  // namespace phlo::models
