// SUNDIALS CVODE as the kinetics bench uses it: BDF, dense Newton with an analytic Jacobian, one cell after the other.
#pragma once
#include <functional>
#include <memory>
#include <vector>

namespace phlo::bench {

struct OdeProblem {
    int n = 0;
    std::function<void(const double* y, double* f)> rates;
    std::function<void(const double* y, double* columns)> jacobian;  ///< n columns of n
};

class Cvode {
public:
    /// Whether the bench was built with it.
    static bool available();

    Cvode(OdeProblem problem, double relative, double absolute);
    ~Cvode();
    Cvode(const Cvode&) = delete;
    Cvode& operator=(const Cvode&) = delete;

    /// From 0 to dt, in place; false if it gave up.
    bool integrate(double* y, double dt);

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace phlo::bench
