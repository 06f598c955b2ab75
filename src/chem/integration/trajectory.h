// The path of one cell: states at the accepted steps with their slopes, and smooth values between them.
//
//   Trajectory path(Hold::pressure);
//   path.add(state, rates);                                     // from react_along
//   const CellState s = path.at(0.25e-3);                       // cubic between the steps [hairer1993, §II.6]
//   for (double t : path.faithful_times(2e-4)) …;               // dense enough to be joined by straight lines
#pragma once
#include <vector>

#include "chem/integration/kinetics.h"

namespace phlo::chem {

class Trajectory {
public:
    Trajectory() = default;
    explicit Trajectory(Hold hold) : hold_(hold) {}

    void add(const CellState& state, const Rates& rates);

    const std::vector<CellState>& steps() const { return steps_; }
    const CellState& front() const { return steps_.front(); }
    const CellState& back() const { return steps_.back(); }

    /// The state at a time within the path. Never negative where the steps are not.
    CellState at(double time) const;

    /// Times at which the states, joined by straight lines, are within `tolerance` of the curves, as a share of each curve's span; steps
    /// that neither a linear nor a logarithmic plot would miss are left out.
    std::vector<double> faithful_times(double tolerance) const;
    std::vector<double> linear_times(int count) const;
    /// Zero, then evenly spaced in the logarithm from the first step on.
    std::vector<double> log_times(int count) const;

private:
    /// Numbers of the steps that are needed.
    std::vector<std::size_t> needed_steps(const std::vector<double>& spans, double tolerance) const;

    Hold hold_ = Hold::volume;
    std::vector<CellState> steps_;
    std::vector<std::vector<double>> slopes_;  ///< of the amounts [mol/s]
};

}  // namespace phlo::chem
