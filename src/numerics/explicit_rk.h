// One step of an explicit Runge–Kutta method with an embedded error estimate, for a batch of cells: one a lane. For what is not stiff.
// The system needs size() and rates(t, y, f): see rosenbrock.h.
#pragma once
#include <vector>

namespace phlo::numerics {

/// Modified Euler (Heun), order 2; the error is the difference to Euler.
struct Rk2 {
    static constexpr int stages = 2, order = 2;
    static constexpr double a[stages][stages] = {{}, {1}};
    static constexpr double c[stages] = {0, 1};
    static constexpr double b[stages] = {0.5, 0.5};
    static constexpr double e[stages] = {-0.5, 0.5};
};

/// Bogacki and Shampine's order 3 with an embedded order 2 [bogacki1989]; the rates at the end of a step are its last stage.
struct Rk3 {
    static constexpr int stages = 4, order = 3;
    static constexpr double a[stages][stages] = {{}, {0.5}, {0, 0.75}, {2.0 / 9, 1.0 / 3, 4.0 / 9}};
    static constexpr double c[stages] = {0, 0.5, 0.75, 1};
    static constexpr double b[stages] = {2.0 / 9, 1.0 / 3, 4.0 / 9, 0};
    static constexpr double e[stages] = {2.0 / 9 - 7.0 / 24, 1.0 / 3 - 0.25, 4.0 / 9 - 1.0 / 3, -0.125};
};

template <class Method, class System, class P>
class ExplicitRk {
public:
    static constexpr int order = Method::order;

    explicit ExplicitRk(System& system) : system_(system), n_(system.size()), k_(std::size_t(Method::stages) * n_), stage_(n_) {}

    const P* begin(P t, const P* y) {
        system_.rates(t, y, k_.data());
        return k_.data();
    }

    /// As Rosenbrock::step.
    void step(P t, P h, const P* y, P* y_new, P* error) {
        using S = typename P::Scalar;
#pragma GCC unroll 8
        for (int i = 1; i < Method::stages; ++i) {
            combine(Method::a[i], i, h, y, stage_.data());
            system_.rates(t + P(S(Method::c[i])) * h, stage_.data(), k_.data() + std::size_t(i) * n_);
        }
        combine(Method::b, Method::stages, h, y, y_new);
        combine(Method::e, Method::stages, h, nullptr, error);
    }

private:
    [[gnu::always_inline]] inline void combine(const double* weights, int stages, P h, const P* y, P* result) const {
        using S = typename P::Scalar;
        for (int k = 0; k < n_; ++k) {
            P sum(S(0));
#pragma GCC unroll 8
            for (int j = 0; j < stages; ++j)
                if (weights[j] != 0) sum += P(S(weights[j])) * k_[std::size_t(j) * n_ + k];
            result[k] = y != nullptr ? y[k] + h * sum : h * sum;
        }
    }

    System& system_;
    int n_;
    std::vector<P> k_, stage_;
};

}  // namespace phlo::numerics
