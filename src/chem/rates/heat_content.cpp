#include "chem/rates/heat_content.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "chem/rates/thermo.h"

namespace phlo::chem {
namespace {

constexpr int block_cells = 64;
constexpr int most_rounds = 40;
constexpr double close_enough = 1e-3;   ///< [K] the last correction: the error is its square over thousands
constexpr double longest_step = 800;    ///< [K] of a correction: the polynomials bend at their joints and beyond their ends
constexpr double coldest = 50;          ///< [K]

constexpr double least_excess = 1e-5;   ///< [K] of a float near 300 K

/// Enthalpy of formation over R [K]. Elements in their standard state have none; fits of theirs are off by a few J/mol.
double formation(const Nasa7& nasa) {
    constexpr double standard = 298.15, fit = 6;
    const double h = h_over_RT(nasa, standard) * standard;
    return std::abs(h) < fit ? 0 : h;
}

}  // namespace

/// Cells side by side, in doubles: enthalpies of formation would cost floats their last digits.
struct HeatContent::Block {
    double T[block_cells], heat[block_cells], capacity[block_cells];   ///< [K], [J/m³], [J/(m³ K)]
};

HeatContent::HeatContent(const Mechanism& mechanism, double reference) : reference_(reference) {
    PHLO_CHECK(mechanism.has_thermo());
    for (const Species& species : mechanism.species) {
        const Nasa7& nasa = *species.thermo;
        const double zero = h_over_RT(nasa, reference) * reference - formation(nasa);
        const auto range = [&](const std::array<double, 7>& a) {
            Range r{.h = {a[5] - zero}, .cp = {}};
            for (int i = 0; i < 5; ++i) r.cp[i] = a[std::size_t(i)], r.h[i + 1] = a[std::size_t(i)] / (i + 1);
            return r;
        };
        data_.push_back({nasa.middle, gas_constant * zero, range(nasa.below), range(nasa.above)});
    }
}

double HeatContent::of(int species, double excess) const {
    const Data& d = data_[std::size_t(species)];
    const double T = reference_ + excess;
    const auto& h = (T <= d.middle ? d.below : d.above).h;
    return gas_constant * (h[0] + T * (h[1] + T * (h[2] + T * (h[3] + T * (h[4] + T * h[5])))));
}

/// Heat and heat capacity at the block's temperatures.
void HeatContent::evaluate(int count, std::span<const float* const> amounts, int first, Block& block) const {
    std::fill(block.heat, block.heat + count, 0.0);
    std::fill(block.capacity, block.capacity + count, 0.0);
    for (std::size_t s = 0; s < data_.size(); ++s) {
        const Data& d = data_[s];
        const Range &lo = d.below, &hi = d.above;
        const float* c = amounts[s] + first;
#pragma omp simd
        for (int i = 0; i < count; ++i) {
            const double T = block.T[i], n = gas_constant * double(c[i]);
            const bool cold = T <= d.middle;
            const auto pick = [cold](double below, double above) { return cold ? below : above; };
            double h = pick(lo.h[5], hi.h[5]), cp = pick(lo.cp[4], hi.cp[4]);
            h = h * T + pick(lo.h[4], hi.h[4]), cp = cp * T + pick(lo.cp[3], hi.cp[3]);
            h = h * T + pick(lo.h[3], hi.h[3]), cp = cp * T + pick(lo.cp[2], hi.cp[2]);
            h = h * T + pick(lo.h[2], hi.h[2]), cp = cp * T + pick(lo.cp[1], hi.cp[1]);
            h = h * T + pick(lo.h[1], hi.h[1]), cp = cp * T + pick(lo.cp[0], hi.cp[0]);
            h = h * T + pick(lo.h[0], hi.h[0]);
            block.heat[i] += n * h;
            block.capacity[i] += n * cp;
        }
    }
}

void HeatContent::from_temperature(int count, std::span<const float* const> amounts, const float* excess, float* heat) const {
    for (int first = 0; first < count; first += block_cells) {
        const int size = std::min(block_cells, count - first);
        Block block;
        for (int i = 0; i < size; ++i) block.T[i] = reference_ + double(excess[first + i]);
        evaluate(size, amounts, first, block);
        for (int i = 0; i < size; ++i) heat[first + i] = float(block.heat[i]);
    }
}

long HeatContent::to_temperature(int count, std::span<const float* const> amounts, const float* heat, float* excess) const {
    long lost = 0;
    for (int first = 0; first < count; first += block_cells) {
        const int size = std::min(block_cells, count - first);
        Block block;
        double step[block_cells];
        for (int i = 0; i < size; ++i) block.T[i] = reference_ + double(excess[first + i]);
        for (int round = 0; round < most_rounds; ++round) {
            evaluate(size, amounts, first, block);
            double worst = 0;
#pragma omp simd reduction(max : worst)
            for (int i = 0; i < size; ++i) {
                const double wish = block.capacity[i] > 0 ? (double(heat[first + i]) - block.heat[i]) / block.capacity[i] : 0;
                step[i] = std::fabs(wish);
                block.T[i] = std::max(coldest, block.T[i] + std::min(longest_step, std::max(-longest_step, wish)));
                worst = std::max(worst, step[i]);
            }
            if (worst <= close_enough) break;
        }
        for (int i = 0; i < size; ++i) {
            float& T = excess[first + i];
            const double found = block.T[i] - reference_;
            if (!(step[i] <= close_enough)) ++lost;
            else T = !(block.capacity[i] > 0) || std::fabs(found) < least_excess ? 0.0f : float(found);
        }
    }
    return lost;
}

}  // namespace phlo::chem
