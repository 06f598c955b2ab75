// NASA7 thermodynamics of all species at the temperatures of a batch of cells. Dimensionless: cp/R, h/RT, g/RT.
#pragma once
#include <vector>

#include "base/pack.h"
#include "chem/mechanism/mechanism.h"

namespace phlo::chem {

template <class P>
class ThermoBatch {
public:
    using S = typename P::Scalar;

    explicit ThermoBatch(const Mechanism& mechanism) : available_(mechanism.has_thermo()) {
        if (!available_) return;
        for (const Species& s : mechanism.species) data_.push_back(*s.thermo);
        cp_.resize(data_.size()), enthalpy_.resize(data_.size()), gibbs_.resize(data_.size()), cp_by_T_.resize(data_.size());
    }

    /// Whether every species has data; without, nothing else may be called.
    bool available() const { return available_; }

    void set_temperature(P T, P inverse_T, P log_T) {
        for (std::size_t s = 0; s < data_.size(); ++s) {
            const Nasa7& d = data_[s];
            const auto cold = T <= P(S(d.middle));
            P a[7];
            for (int i = 0; i < 7; ++i) a[i] = select(cold, P(S(d.below[i])), P(S(d.above[i])));
            const auto over = [](int i) { return P(S(1.0 / i)); };
            const P h = ((((a[4] * over(5)) * T + a[3] * over(4)) * T + a[2] * over(3)) * T + a[1] * over(2)) * T + a[0] + a[5] * inverse_T;
            const P s_over_R = ((((a[4] * over(4)) * T + a[3] * over(3)) * T + a[2] * over(2)) * T + a[1]) * T + a[0] * log_T + a[6];
            cp_[s] = (((a[4] * T + a[3]) * T + a[2]) * T + a[1]) * T + a[0];
            cp_by_T_[s] = ((P(S(4)) * a[4] * T + P(S(3)) * a[3]) * T + P(S(2)) * a[2]) * T + a[1];
            enthalpy_[s] = h;
            gibbs_[s] = h - s_over_R;
        }
    }

    P cp(int species) const { return cp_[species]; }  ///< cp/R
    P cp_by_T(int species) const { return cp_by_T_[species]; }  ///< its derivative [1/K]
    P enthalpy(int species) const { return enthalpy_[species]; }  ///< h/RT
    P gibbs(int species) const { return gibbs_[species]; }  ///< g/RT at the reference pressure

private:
    bool available_;
    std::vector<Nasa7> data_;
    std::vector<P> cp_, cp_by_T_, enthalpy_, gibbs_;
};

}  // namespace phlo::chem
