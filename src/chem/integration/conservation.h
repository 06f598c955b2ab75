// Keeps amounts from becoming negative without losing what the network conserves.
//
// A step of the integrator may leave −1e-7 of a species that is used up. Setting it to zero makes matter. So the cell's start n° is kept,
// and after each step n ← n (1 + Wᵀ λ) with (W diag(n) Wᵀ) λ = W (n° − n): the smallest change, in proportion to what there is of each
// species, that restores every total W n°. It is of the order of the tolerance where something was clipped and of round-off everywhere
// else. (Totals of differences, not differences of totals: where nothing happens, nothing drifts, however often it is called.)
#pragma once
#include <vector>

#include "base/pack.h"
#include "chem/rates/network.h"

namespace phlo::chem {

template <class P>
class Totals {
public:
    using S = typename P::Scalar;
    using Mask = typename P::Mask;

    explicit Totals(const Network& network)
        : states_(int(network.states().size())),
          count_(int(network.invariants().size())),
          start_(std::size_t(states_), P(S(0))),
          short_(std::size_t(count_)),
          matrix_(std::size_t(count_) * count_) {
        for (const auto& w : network.invariants())
            for (const double v : w) weight_.push_back(S(v));
        for (int i = 0; i < count_; ++i)
            for (int k = 0; k < states_; ++k)
                if (weight(i, k) != 0) terms_.push_back({i, k, weight(i, k)});
    }

    /// The totals of a lane are those of its state now.
    void remember(int lane, const P* y) {
        for (int k = 0; k < states_; ++k) start_[k].set(lane, y[k][lane]);
    }

    /// Clips and restores. False in lanes where an amount would have to change its sign, or is not finite.
    Mask restore(P* y) {
        const P zero(S(0)), one(S(1));
        Mask sound = Mask::every();
        for (int k = 0; k < states_; ++k) {
            sound = sound & (y[k] - y[k] == zero);  // finite
            y[k] = max(y[k], zero);
        }
        for (int i = 0; i < count_; ++i) short_[i] = zero;
        for (P& m : matrix_) m = zero;
        for (const auto& t : terms_) short_[t.row] += P(t.weight) * (start_[t.state] - y[t.state]);
        for (int k = 0; k < states_; ++k)
            for (int i = 0; i < count_; ++i) {
                if (weight(i, k) == 0) continue;
                for (int j = 0; j <= i; ++j)
                    if (weight(j, k) != 0) matrix_[i * count_ + j] += P(weight(i, k) * weight(j, k)) * y[k];
            }
        solve();
        for (int k = 0; k < states_; ++k) {
            P change(S(0));
            for (int i = 0; i < count_; ++i)
                if (weight(i, k) != 0) change += P(weight(i, k)) * short_[i];
            sound = sound & (change > -one);
            y[k] += y[k] * change;
        }
        return sound;
    }

private:
    S weight(int i, int k) const { return weight_[std::size_t(i) * states_ + k]; }

    /// Cholesky's LDLᵀ, lower triangle; a total that nothing carries has no pivot and asks for no change.
    void solve() {
        const P zero(S(0)), one(S(1));
        for (int i = 0; i < count_; ++i) {
            const P whole = matrix_[i * count_ + i];
            for (int j = 0; j < i; ++j) {
                P sum = matrix_[i * count_ + j];
                for (int k = 0; k < j; ++k) sum -= matrix_[i * count_ + k] * matrix_[j * count_ + k] * matrix_[k * count_ + k];
                matrix_[i * count_ + j] = sum * inverse(j);
            }
            P pivot = whole;
            for (int k = 0; k < i; ++k) pivot -= matrix_[i * count_ + k] * matrix_[i * count_ + k] * matrix_[k * count_ + k];
            matrix_[i * count_ + i] = select(pivot > whole * P(S(32) * std::numeric_limits<S>::epsilon()), pivot, zero);
        }
        for (int i = 0; i < count_; ++i)
            for (int k = 0; k < i; ++k) short_[i] -= matrix_[i * count_ + k] * short_[k];
        for (int i = 0; i < count_; ++i) short_[i] *= inverse(i);
        for (int i = count_ - 1; i >= 0; --i)
            for (int k = i + 1; k < count_; ++k) short_[i] -= matrix_[k * count_ + i] * short_[k];
    }

    P inverse(int i) const {
        const P pivot = matrix_[i * count_ + i], zero(S(0));
        return select(pivot > zero, P(S(1)) / pivot, zero);
    }

    struct Entry {
        int row, state;
        S weight;
    };
    int states_, count_;
    std::vector<S> weight_;
    std::vector<Entry> terms_;
    std::vector<P> start_, short_, matrix_;
};

}  // namespace phlo::chem
