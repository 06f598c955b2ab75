// Combustion on particles: fuel becomes flame, flame becomes smoke, and heat is released [gourlay2012].
//
//   CombustionReport report = burn({.rate = 90, .activation_temperature = 3000, .radiation = 1e-10},
//                                  {.temperature = T, .fuel = fuel, .flame = flame, .smoke = smoke, .lit = lit}, dt);
//   ledger.record("fuel", "burnt", -report.fuel_burnt);
//
// symbol    meaning                                                                                 unit
// Y, F, S   mass fractions of fuel, flame and smoke; what is left to 1 is air                          1
// O         mass fraction of oxygen that is left in the air; O_a in fresh air                          1
// T, T_0    temperature, and that of the surroundings                                                  K
// A, T_a    frequency factor and activation temperature of fuel -> flame                               1/s, K
// A_s, T_s  the same of flame -> smoke                                                                 1/s, K
// G, c_p    heat of combustion, specific heat                                                          J/kg, J/(kg K)
// s         oxygen that burns with a unit of fuel                                                      kg/kg
//
//   dY/dt = -k Y,   dF/dt = k Y - k_s F,   dS/dt = k_s F,       k = A exp(-T_a/T) [O/O_a],   k_s = A_s exp(-(T/T_s)²)
//   dT/dt = (G/c_p) k Y - c (T⁴ - T_0⁴),   dO/dt = -s k Y
//
// With the rates frozen the chain has an exact solution, also where k = k_s, which no time step can make negative; so has the pair fuel and
// oxygen. Rates are frozen at the temperature of the middle of a sub-step, which is as long as warms or cools the gas by a share of its
// temperature (5 %, or less where the rate would change by more than a third): second order in time, without a limit on dt.
//
// The paper's code differs in three ways, all slips: its temperature rise is G ΔY ρ c_p (it is G ΔY / c_p); its smoke is 1 - fuel - flame, which
// turns clean air into smoke; it does not divide splatted fractions by their weights. Oxygen, radiation and the blue core are its future work.
//
// Radiation: in w = (T_0/T)³ the loss is dw/dτ = 1 - w^(4/3) = μ(w) (1 - w), τ = 3 c T_0³ t, with μ between 1 and 4/3 for everything hotter
// than the surroundings: w approaches 1 almost exponentially, and a step with the mean μ is monotone for any dt.
#pragma once
#include <span>

namespace phlo::models {

struct CombustionParams {
    double rate = 90;                      ///< A [1/s]
    double activation_temperature = 3000;  ///< T_a [K]
    double smoke_rate = 6;                 ///< A_s [1/s]
    double smoke_temperature = 900;        ///< T_s [K]
    double heat_of_combustion = 1.8e6;     ///< G, of the fuel as it is emitted: mixed with the air it burns in [J/kg]
    double heat_capacity = 1005;           ///< c_p [J/(kg K)]
    double ambient_temperature = 293.15;   ///< T_0 [K]
    double radiation = 0;                  ///< c [1/(K³ s)]; 1e-10 cools gas of 2000 K at 1600 K/s
    double oxygen_per_fuel = 0.2;          ///< s [kg/kg]; only where there is a column of oxygen
    double ambient_oxygen = 0.232;         ///< O_a, at which k is as without oxygen
    double lit_time = 1.0 / 60;            ///< within which `lit` fades to 1/e [s]
    double max_rise = 0.05;                ///< of the temperature, within a sub-step
    int max_sub_steps = 1000;              ///< the last one takes the time that is left, whatever happens in it
};

/// One entry a particle. Fractions are within [0, 1], and so is the sum of fuel, flame and smoke; temperatures are positive.
struct CombustionColumns {
    std::span<float> temperature;        ///< [K]
    std::span<float> fuel, flame, smoke;
    std::span<float> oxygen;             ///< may be empty: there is always enough
    std::span<float> lit;                ///< 1 where fuel has just begun to burn; may be empty
    std::span<const float> mass;         ///< of the gas that a particle stands for [kg]; may be empty: 1 kg each
};

/// What happened to all of them.
struct CombustionReport {
    double fuel_burnt = 0;     ///< [kg]
    double oxygen_used = 0;    ///< [kg]
    double smoke_made = 0;     ///< [kg]
    double heat_released = 0;  ///< [J]
    double heat_radiated = 0;  ///< [J]; negative where the surroundings are hotter
    long hurried = 0;          ///< packs of particles that used up their sub-steps: coarser than promised, but within all bounds
};

/// The same bits for any number of threads; a particle's result does not depend on others.
CombustionReport burn(const CombustionParams& params, const CombustionColumns& columns, double dt);

}  // namespace phlo::models
