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

/// The cells at work, a lane each, from one step to the next.
template <class P, class System, class Stepper, class Observer>
class BatchIntegration {
public:
    using S = typename P::Scalar;
    using Mask = typename P::Mask;

    BatchIntegration(System& system, Stepper& stepper, double dt, const StepControl& control, Observer& observe)
        : system_(system), stepper_(stepper), observe_(observe), control_(control), dt_(S(dt)), n_(system.size()), adaptive_(control.fixed_step <= 0),
          y_(std::size_t(n_)), y_new_(std::size_t(n_)), error_(std::size_t(n_)), whole_(dt_) {}

    BatchReport run() {
        for (int lane = 0; lane < P::width; ++lane) refill(lane);
        while (any(busy_)) {
            const P smallest = P(tiny) * whole_;
            start_fresh(stepper_.begin(t_, y_.data()));
            const P step = select(h_ * P(S(1.001)) >= left_, max(left_, smallest), h_);
            stepper_.step(t_, step, y_.data(), y_new_.data(), error_.data());
            const P norm2 = error_norm_squared();
            const Mask sound = system_.repair(y_new_.data());
            const Mask accepted = acceptable(step, norm2, sound);
            const Mask arrived = accepted & (step >= left_);
            advance(step, accepted, arrived);
            if (adaptive_) choose_next_step(step, norm2, accepted, sound);
            exchange_cells(accepted, arrived, adaptive_ ? busy_ & ~(accepted | (h_ > smallest)) : busy_ & ~accepted);
        }
        return report_;
    }

private:
    static constexpr S tiny = S(16) * std::numeric_limits<S>::epsilon() * std::numeric_limits<S>::epsilon();

    void refill(int lane) {
        const bool loaded = system_.load(lane, y_.data());
        busy_.set(lane, loaded);
        fresh_.set(lane, loaded);
        if constexpr (requires { system_.duration(lane, dt_); }) whole_.set(lane, loaded ? system_.duration(lane, dt_) : S(0));
        left_.set(lane, loaded ? whole_[lane] : S(0));
        t_.set(lane, S(0));
        steps_[lane] = 0;
        if (loaded) ++report_.cells;
    }

    void start_fresh(const P* rate) {
        if (!any(fresh_)) return;
        h_ = select(fresh_, adaptive_ ? first_step(rate) : P(S(control_.fixed_step)), h_);
        fresh_ = Mask::none();
    }

    /// A tenth of the time in which what there is would be used up or doubled.
    P first_step(const P* rate) const {
        P most(S(0));
        for (int k = 0; k < n_; ++k) most = max(most, abs(rate[k]) / (P(S(1e-3)) * system_.scale(k) + abs(y_[k])));
        return min(whole_, P(S(0.1)) / max(most, P(std::numeric_limits<S>::min())));
    }

    /// Mean square over the unknowns of error / tolerance.
    P error_norm_squared() const {
        const P relative{S(control_.relative)};
        P sum(S(0));
        for (int k = 0; k < n_; ++k) {
            const P scale = system_.absolute(k) + relative * max(abs(y_[k]), abs(y_new_[k]));
            const P ratio = error_[k] / scale;
            sum += ratio * ratio;
        }
        return sum * P(S(1) / S(n_));
    }

    Mask acceptable(P step, P norm2, Mask sound) const {
        const Mask good = adaptive_ ? norm2 <= P(S(1)) : norm2 == norm2;
        return busy_ & sound & (good | too_short_to_divide(step));
    }

    /// A step that the clock can hardly tell from nothing meets a jump of f in time, which no shorter step resolves: t would stand still.
    /// It is taken if its error is small beside all there is; a solution that grows without bounds has a large one, and fails.
    Mask too_short_to_divide(P step) const {
        if (!adaptive_) return Mask::none();
        const P relative{S(control_.relative)}, clock{S(4) * std::numeric_limits<S>::epsilon()};
        Mask harmless = Mask::every();
        for (int k = 0; k < n_; ++k) harmless = harmless & (abs(error_[k]) <= relative * (system_.scale(k) + abs(y_[k])));
        return (step <= clock * t_) & harmless;
    }

    void advance(P step, Mask accepted, Mask arrived) {
        for (int k = 0; k < n_; ++k) y_[k] = select(accepted, y_new_[k], y_[k]);
        left_ = select(accepted, left_ - step, left_);
        t_ = select(arrived, whole_, select(accepted, t_ + step, t_));
    }

    void choose_next_step(P step, P norm2, Mask accepted, Mask sound) {
        const P wish = P(S(0.9)) * simd::exp(simd::log(max(norm2, P(S(1e-12)))) * P(S(-0.5) / S(Stepper::order)));
        const P factor = select(norm2 == norm2, min(max(wish, P(S(0.1))), P(S(6))), P(S(0.1)));
        h_ = step * select(accepted, factor, select(sound, factor, min(factor, P(S(0.25)))));
    }

    /// Cells that have arrived, or will not, leave their lane to the next.
    void exchange_cells(Mask accepted, Mask arrived, Mask stuck) {
        const std::uint64_t active = bits(busy_), accepted_bits = bits(accepted), arrived_bits = bits(arrived), stuck_bits = bits(stuck);
        report_.steps += std::popcount(active);
        report_.rejected += std::popcount(active & ~accepted_bits);
        for (std::uint64_t rest = active; rest != 0; rest &= rest - 1) {
            const int lane = std::countr_zero(rest);
            const std::uint64_t bit = std::uint64_t(1) << lane;
            if (accepted_bits & bit) observe_(lane, t_, y_.data());
            if (arrived_bits & bit) {
                system_.store(lane, y_.data(), Outcome::arrived);
                refill(lane);
            } else if ((stuck_bits & bit) || ++steps_[lane] >= control_.most_steps) {
                ++report_.failed;
                system_.store(lane, y_.data(), Outcome::failed);
                refill(lane);
            }
        }
    }

    System& system_;
    Stepper& stepper_;
    Observer& observe_;
    const StepControl& control_;
    const S dt_;
    const int n_;
    const bool adaptive_;
    std::vector<P> y_, y_new_, error_;
    P whole_;
    P h_{S(1)}, t_{S(0)}, left_{S(0)};   ///< t is added up beside what is left: a long run keeps the digits of its first steps
    Mask busy_ = Mask::none(), fresh_ = Mask::none();
    long steps_[P::width] = {};
    BatchReport report_;
};

template <class P, class System, class Stepper, class Observer = NoObserver>
BatchReport integrate_batch(System& system, Stepper& stepper, double dt, const StepControl& control, Observer observe = {}) {
    return BatchIntegration<P, System, Stepper, Observer>(system, stepper, dt, control, observe).run();
}

}  // namespace phlo::numerics
