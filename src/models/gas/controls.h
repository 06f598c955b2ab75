// Control functions: what the reactions do besides changing amounts [kang2007, sec. 3.4]. Each is an expression of the mean rates r1, r2, …
// [mol/(m³ s)] of the reactions over a step, of the temperature T [K], the time t [s] and the concentrations by name [mol/m³].
//
//   Controls controls(mechanism, {.heat = {"1500*r5"}, .expansion = {"0.4*r5 + 0.1*r3"}});
//   react(controls.extents().network(), cells, dt, params);
//   controls.evaluate<float>(Control::heat, {.count = n, .rates = rates, .temperature = T, .concentrations = c, .time = t}, kelvin_per_second);
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "chem/rates/extents.h"

namespace phlo::models {

enum class Control {
    heat,       ///< rise of the temperature [K/s]
    expansion,  ///< divergence φ, or its growth where it evolves [1/s] or [1/s²]
    vortices,         ///< vortex particles born at a reacting particle [1/s]
    vortex_strength,  ///< their vorticity [1/s]
    soot              ///< soot particles per kelvin of cooling and mol that is seen [1/(K mol)]; of cells, not of reacting particles
};
inline constexpr std::size_t control_count = 5;

/// Empty texts are zero.
struct ControlTexts {
    chem::Formula heat = {}, expansion = {}, vortices = {}, vortex_strength = {}, soot = {};
};

/// One array for every name that the expressions may use; rates in the order of Extents::wanted().
template <class S>
struct ControlInputs {
    int count = 0;
    std::vector<const S*> rates = {};
    const S* temperature = nullptr;
    std::vector<const S*> concentrations = {};
    double time = 0;
};

class Controls {
public:
    /// Throws InputError for a formula that cannot be read, or that asks for a rate that is not known.
    Controls(const chem::Mechanism& mechanism, const ControlTexts& texts);

    const chem::Extents& extents() const { return extents_; }
    bool has(Control control) const { return !functions_[std::size_t(control)].code().empty(); }
    /// Its value if it depends on nothing.
    std::optional<double> constant(Control control) const;
    /// Which of Extents::wanted() it depends on, and which species.
    std::vector<int> rates_in(Control control) const;
    std::vector<int> species_in(Control control) const;
    bool depends_on_temperature(Control control) const;
    /// values[i] for i < count. Arrays of inputs that it does not depend on may be null.
    template <class S>
    void evaluate(Control control, const ControlInputs<S>& inputs, S* values) const;

private:
    std::array<chem::Expression, control_count> functions_;
    int species_;
    chem::Extents extents_;
};

/// Mean over a step of a heating that depends on the temperature that it changes: from its value at the start, and that at the temperature which the
/// first would give in the middle. Exact where it is a straight line in the temperature, such as a flame that heats the less the hotter it is.
template <class S>
S mean_heating(S start, S middle) {
    if (start == 0) return middle;
    const S falls = std::max(1 - middle / start, S(-1));
    return std::abs(falls) < S(1e-3) ? middle : start * -std::expm1(-2 * falls) / (2 * falls);
}

extern template void Controls::evaluate<float>(Control, const ControlInputs<float>&, float*) const;
extern template void Controls::evaluate<double>(Control, const ControlInputs<double>&, double*) const;

}  // namespace phlo::models
