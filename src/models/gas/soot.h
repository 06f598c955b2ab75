// Soot particles [kang2007, sec. 2.2, 3.4.4]: where gas cools below a threshold, some of what is seen there becomes soot. They drift with
// the gas, live for a while and shrink; they weigh nothing.
//
//   remember(tiles, excess, before);                     // when the gas has moved, and before it cools
//   …                                                    // cooling, diffusion, reactions
//   form_soot({.threshold = 900, .life = 1.5, .radius = 0.01},
//             {.domain = domain, .tiles = &tiles, .before = &before, .after = &excess, .ambient = 293, .visible = densities, .per_kelvin = 40, .amount = 1e-4},
//             key, soot);
//   drift(domain, u, solids, dt, soot);
//   age(dt, soot);
//
// symbol  meaning                                                                              unit
// Θ       threshold                                                                             K
// κ       per_kelvin: particles per kelvin of cooling and mol that is seen                      1/(K mol)
// a       amount of what is seen that a particle stands for                                     mol
// m       what is seen in a cell, all visible species together                                  mol
//
// Gas that is below the threshold and cools by dT gives dn = κ m dT particles, and each takes its amount along: dm = -a dn. Over a step
//   n = (m / a) (1 - exp(-a κ ΔT)),   ΔT = min(T_before, Θ) - min(T_after, Θ),   m <- m - a n.
// T_before is the temperature of the same gas a step ago, where the flow has carried it, so that the drops of its steps add up to the drop of
// its whole way: it does not matter how many steps that takes, and gas that only passes by a cell forms nothing there. Cells lose the mean
// number's amount; the number itself is rounded up or down at random. What moving the gas smears, and what bodies and emitters cool, is not counted.
#pragma once
#include <cstdint>
#include <functional>
#include <vector>

#include "base/random.h"
#include "field/domain.h"
#include "field/mac.h"
#include "flow/solids.h"
#include "flow/tiles.h"
#include "models/gas/births.h"
#include "models/gas/hybrid_params.h"
#include "particles/columns.h"

namespace phlo::models {

struct SootParticles {
    std::vector<float> x, y, z;        ///< [m]
    std::vector<float> life, span;     ///< what is left of it, and what it was at birth [s]

    std::size_t count() const { return x.size(); }
    float radius(std::size_t i, const SootParams& params) const;
    static constexpr std::tuple columns{&SootParticles::x, &SootParticles::y, &SootParticles::z, &SootParticles::life, &SootParticles::span};
};

struct CoolingGas {
    field::Domain domain;
    const flow::TileSet* tiles = nullptr;         ///< where it is
    const field::Grid* before = nullptr;          ///< T_before over `ambient` [K]
    const field::Grid* after = nullptr;           ///< T_after over `ambient` [K]
    double ambient = 293.15;                      ///< [K]
    const field::Grid* room = nullptr;            ///< of the gas in each cell; null: every cell is full
    std::vector<field::Grid*> visible = {};       ///< species that are seen [mol/m³]
    double per_kelvin = 0;                        ///< κ everywhere, unless:
    std::function<void(int j, int k, int first, int last, float* values)> per_kelvin_in_row = {};   ///< κ of the cells [first, last) of row (j, k)
    double amount = 0;                            ///< a; 0: nothing leaves the fields
};

struct SootReport : Births {
    std::vector<double> taken;   ///< by visible species [mol]
};

SootReport form_soot(const SootParams& params, const CoolingGas& gas, const RandomKey& key, SootParticles& soot);

/// Of a particle that no scene gives: so much that gas which cools from the threshold to the ambient temperature gives half of what is seen [mol].
double usual_amount(const SootParams& params, double per_kelvin, double ambient);

/// before = now, inside `tiles`.
void remember(const flow::TileSet& tiles, const field::Grid& now, field::Grid& before);

/// RK2 with the velocity u. Those that leave the domain are removed; bodies stop them.
void drift(const field::Domain& domain, const field::MacGrid& u, const flow::Solids* solids, double dt, SootParticles& soot);

/// Takes dt off their lives, and away those that have none left.
void age(double dt, SootParticles& soot);

}  // namespace phlo::models
