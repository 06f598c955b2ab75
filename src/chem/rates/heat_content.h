// The enthalpy that transport has to carry, and the temperature that goes with it:
//
//   H = Σ_k c_k (h_k(T) − z_k)   [J/m³],     enthalpy = H + Σ_k c_k z_k,     z_k = h_k(T_ref) − h°_k
//
//   const HeatContent content(mechanism, 293.15);
//   content.from_temperature(n, amounts, excess, heat);                    // rows of cells; excess = T − T_ref [K]
//   long lost = content.to_temperature(n, amounts, heat, excess);          // Newton's method, from the excess that was there
//
// Σ c_k z_k is a sum of amounts with fixed weights: whoever keeps the amounts keeps it, and only H has to be carried. With h° the enthalpy
// of formation, H is 0 in every mixture of elements at the reference temperature, in air and in hydrogen, and in all that an adiabatic
// flame makes of them: what a scheme does with a field that is 0 everywhere cannot be wrong.
#pragma once
#include <span>
#include <vector>

#include "chem/mechanism/mechanism.h"

namespace phlo::chem {

class HeatContent {
public:
    /// Every species needs thermodynamic data.
    HeatContent(const Mechanism& mechanism, double reference);

    int species() const { return int(data_.size()); }
    double reference() const { return reference_; }                    ///< [K]
    double zero(int species) const { return data_[std::size_t(species)].zero; }   ///< z_k [J/mol]
    double of(int species, double excess) const;                       ///< h_k − z_k [J/mol]

    /// `amounts`: one row a species [mol/m³].
    void from_temperature(int count, std::span<const float* const> amounts, const float* excess, float* heat) const;
    /// The excess to within 0.001 K; one below the round-off of a temperature is 0, and so is that of a cell without gas. Returns how many cells found none: they keep the excess they had.
    long to_temperature(int count, std::span<const float* const> amounts, const float* heat, float* excess) const;

private:
    /// (h − z)/R as a polynomial of degree five, and cp/R, below and above `middle`.
    struct Range {
        double h[6], cp[5];
    };
    struct Data {
        double middle, zero;
        Range below, above;
    };
    struct Block;
    void evaluate(int count, std::span<const float* const> amounts, int first, Block& block) const;

    double reference_;
    std::vector<Data> data_;
};

}  // namespace phlo::chem
