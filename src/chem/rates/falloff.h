// Rate constants between their low- and high-pressure limits [lindemann1922; gilbert1983], with exact derivatives.
//
//   P_r = k0 [M] / k∞,   k = k∞ P_r / (1 + P_r) F,   log10 F = log10 F_cent / (1 + f²),   f = x / (0.75 − 1.27 log10 F_cent − 0.14 x),
//   x = log10 P_r − 0.4 − 0.67 log10 F_cent                                               (Lindemann: F = 1)
#pragma once
#include <limits>
#include <optional>

#include "base/pack_math.h"
#include "chem/mechanism/mechanism.h"

namespace phlo::chem {

template <class P>
struct FalloffResult {
    P k, log_by_T, log_by_collider;  ///< k, ∂ln k/∂T at constant [M], ∂ln k/∂[M]
};

template <bool slopes, class P>
FalloffResult<P> falloff(const std::optional<Troe>& troe, P T, P low, P high, P collider, P log_low_by_T, P log_high_by_T) {
    using S = typename P::Scalar;
    const P one(S(1)), tiny(std::numeric_limits<S>::min());
    const P reduced = low * collider / max(high, tiny);
    const P share = reduced / (one + reduced);
    FalloffResult<P> result{high * share, P(S(0)), P(S(0))};
    const P log_reduced_by_T = log_low_by_T - log_high_by_T, log_reduced_by_collider = one / max(collider, tiny);
    P sensitivity = one - share;  // ∂ln(k/k∞)/∂ln P_r
    P log_centre_part(S(0));  // ∂ln F/∂T through F_cent
    if (troe) {
        const P ln10(S(2.302585092994046)), inverse_ln10(S(0.4342944819032518));
        const auto part = [&](double weight, P exponent, P by_T, P& sum, P& slope) {
            const P value = P(S(weight)) * exp(exponent);
            sum += value;
            slope += value * by_T;
        };
        P centre(S(0)), centre_by_T(S(0));
        const P inverse3(S(1 / troe->T3)), inverse1(S(1 / troe->T1));
        part(1 - troe->a, -T * inverse3, -inverse3, centre, centre_by_T);
        part(troe->a, -T * inverse1, -inverse1, centre, centre_by_T);
        if (troe->T2) part(1, P(S(-*troe->T2)) / T, P(S(*troe->T2)) / (T * T), centre, centre_by_T);
        centre = max(centre, tiny);
        const P log_centre = log(centre) * inverse_ln10;
        const P x = log(max(reduced, tiny)) * inverse_ln10 - P(S(0.4)) - P(S(0.67)) * log_centre;
        const P n = P(S(0.75)) - P(S(1.27)) * log_centre, below = one / (n - P(S(0.14)) * x);
        const P f = x * below, bell = one / (one + f * f);
        result.k *= exp(ln10 * log_centre * bell);
        if constexpr (slopes) {
            const P by_f = P(S(-2)) * log_centre * f * bell * bell;  // ∂log10 F/∂f
            const P f_by_x = n * below * below, f_by_n = -x * below * below;
            sensitivity += by_f * f_by_x;
            const P by_centre = bell + by_f * (P(S(-0.67)) * f_by_x + P(S(-1.27)) * f_by_n);  // ∂log10 F/∂log10 F_cent
            log_centre_part = by_centre * centre_by_T / centre;
        }
    }
    if constexpr (slopes) {
        result.log_by_T = log_high_by_T + sensitivity * log_reduced_by_T + log_centre_part;
        result.log_by_collider = sensitivity * log_reduced_by_collider;
    }
    return result;
}

}  // namespace phlo::chem
