// Integrates many cells over the same interval, or each over its own, each with its own steps. A cell occupies a lane; when it has
// arrived, the next one takes its place, so that a stiff cell never makes others wait. What happens in one lane does not depend on the
// other lanes: the results are the same for any order and any number of threads.
//
//   Rosenbrock<Rodas4, System, P> stepper(system);
//   BatchReport report = integrate_batch<P>(system, stepper, dt, {.relative = 1e-4});
//
// Beside what the stepper needs (rosenbrock.h) the system has these members:
//   bool load(int lane, P* y);                     puts the next cell into a lane; false if there is none
//   void store(int lane, const P* y, Outcome);     takes a cell back
//   P absolute(int k);                             absolute tolerance of unknown k
//   Mask repair(P* y);                             makes a new state admissible (no negative amounts); false in lanes where it cannot
//   S duration(int lane, S dt);                    may be missing: how long the cell in a lane is followed, if not for dt
#pragma once
#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <vector>

#include "base/pack_math.h"
#include "numerics/batch_report.h"

namespace phlo::numerics {

struct StepControl {
    double relative = 1e-4;  ///< tolerance of one step, relative to each unknown
    double fixed_step = 0;  ///< [s] above 0: steps of this length without error control
    long most_steps = 1'000'000;  ///< of one cell
};

/// How a cell left its lane. A cell fails when its step had to shrink to nothing, or took too many.
enum class Outcome { arrived, failed };

/// Called after each accepted step with (lane, time, state).
struct NoObserver {
    template <class P>
    void operator()(int, P, const P*) const {}
};

template <class P, class System, class Stepper, class Observer = NoObserver>
BatchReport integrate_batch(System& system, Stepper& stepper, double dt, const StepControl& control, Observer observe = {}) {
    using S = typename P::Scalar;
    using Mask = typename P::Mask;
    const int n = system.size();
    const P relative{S(control.relative)};
    const bool adaptive = control.fixed_step <= 0;
    const P tiny{S(16) * std::numeric_limits<S>::epsilon() * std::numeric_limits<S>::epsilon()};
    P whole{S(dt)};
    std::vector<P> y(n), y_new(n), error(n);
    P h(S(1)), t(S(0)), left(S(0));  // t is added up beside what is left: a long run keeps the digits of its first steps
    Mask busy = Mask::none(), fresh = Mask::none();
    long steps[P::width] = {};
    BatchReport report;

    const auto refill = [&](int lane) {
        const bool loaded = system.load(lane, y.data());
        busy.set(lane, loaded);
        fresh.set(lane, loaded);
        if constexpr (requires { system.duration(lane, S(dt)); }) whole.set(lane, loaded ? system.duration(lane, S(dt)) : S(0));
        left.set(lane, loaded ? whole[lane] : S(0));
        t.set(lane, S(0));
        steps[lane] = 0;
        if (loaded) ++report.cells;
    };
    const auto first_step = [&](const P* rate) {  // a tenth of the time in which what there is would be used up or doubled
        P most(S(0));
        for (int k = 0; k < n; ++k) most = max(most, abs(rate[k]) / (P(S(1e-3)) * system.scale(k) + abs(y[k])));
        return min(whole, P(S(0.1)) / max(most, P(std::numeric_limits<S>::min())));
    };

    // A step that the clock can hardly tell from nothing meets a jump of f in time, which no shorter step resolves: t would stand still.
    // It is taken if its error is small beside all there is; a solution that grows without bounds has a large one, and fails.
    const P clock{S(4) * std::numeric_limits<S>::epsilon()};
    const auto harmless = [&](const P* from, const P* wrong) {
        Mask all = Mask::every();
        for (int k = 0; k < n; ++k) all = all & (abs(wrong[k]) <= relative * (system.scale(k) + abs(from[k])));
        return all;
    };
    const auto too_short_to_divide = [&](P step, P now, Mask error_is_harmless) {
        return adaptive ? (step <= clock * now) & error_is_harmless : Mask::none();
    };

    for (int lane = 0; lane < P::width; ++lane) refill(lane);
    while (any(busy)) {
        const P smallest = tiny * whole;
        const P* rate = stepper.begin(t, y.data());
        if (any(fresh)) {
            h = select(fresh, adaptive ? first_step(rate) : P(S(control.fixed_step)), h);
            fresh = Mask::none();
        }
        const P step = select(h * P(S(1.001)) >= left, max(left, smallest), h);
        stepper.step(t, step, y.data(), y_new.data(), error.data());

        P sum(S(0));
        for (int k = 0; k < n; ++k) {
            const P scale = system.absolute(k) + relative * max(abs(y[k]), abs(y_new[k]));
            const P ratio = error[k] / scale;
            sum += ratio * ratio;
        }
        const Mask sound = system.repair(y_new.data());
        const P norm2 = sum * P(S(1) / S(n));
        const Mask good = adaptive ? norm2 <= P(S(1)) : norm2 == norm2;
        const Mask accepted = busy & sound & (good | too_short_to_divide(step, t, harmless(y.data(), error.data())));
        for (int k = 0; k < n; ++k) y[k] = select(accepted, y_new[k], y[k]);
        const Mask arrived = accepted & (step >= left);
        left = select(accepted, left - step, left);
        t = select(arrived, whole, select(accepted, t + step, t));
        if (adaptive) {
            const P wish = P(S(0.9)) * simd::exp(simd::log(max(norm2, P(S(1e-12)))) * P(S(-0.5) / S(Stepper::order)));
            const P factor = select(norm2 == norm2, min(max(wish, P(S(0.1))), P(S(6))), P(S(0.1)));
            h = step * select(accepted, factor, select(sound, factor, min(factor, P(S(0.25)))));
        }

        const std::uint64_t active = bits(busy), accepted_bits = bits(accepted), arrived_bits = bits(arrived);
        const std::uint64_t stuck = bits(adaptive ? busy & ~(accepted | (h > smallest)) : busy & ~accepted);
        report.steps += std::popcount(active);
        report.rejected += std::popcount(active & ~accepted_bits);
        for (std::uint64_t rest = active; rest != 0; rest &= rest - 1) {
            const int lane = std::countr_zero(rest);
            const std::uint64_t bit = std::uint64_t(1) << lane;
            if (accepted_bits & bit) observe(lane, t, y.data());
            if (arrived_bits & bit) {
                system.store(lane, y.data(), Outcome::arrived);
                refill(lane);
            } else if ((stuck & bit) || ++steps[lane] >= control.most_steps) {
                ++report.failed;
                system.store(lane, y.data(), Outcome::failed);
                refill(lane);
            }
        }
    }
    return report;
}

}  // namespace phlo::numerics
