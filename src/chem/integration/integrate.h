// The choice of an integrator for a batch of cells.
#pragma once
#include "chem/integration/cell_system.h"
#include "numerics/explicit_rk.h"
#include "numerics/rosenbrock.h"

namespace phlo::chem {

template <class P, class Stepper, class Observer>
numerics::BatchReport run(CellSystem<P>& system, double dt, const KineticsParams& params, const Observer& observe) {
    Stepper stepper(system);
    return numerics::integrate_batch<P>(system, stepper, dt, {.relative = params.relative, .fixed_step = params.fixed_step, .most_steps = params.most_steps}, observe);
}

template <class P, class Observer = numerics::NoObserver>
numerics::BatchReport run_with(Integrator integrator, CellSystem<P>& system, double dt, const KineticsParams& params,
                               const Observer& observe = {}) {
    using System = CellSystem<P>;
    switch (integrator) {
        case Integrator::rk2: return run<P, numerics::ExplicitRk<numerics::Rk2, System, P>>(system, dt, params, observe);
        case Integrator::rk3: return run<P, numerics::ExplicitRk<numerics::Rk3, System, P>>(system, dt, params, observe);
        default: return run<P, numerics::Rosenbrock<numerics::Rodas4, System, P>>(system, dt, params, observe);
    }
}

}  // namespace phlo::chem
