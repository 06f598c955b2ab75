// One step of a Rosenbrock method for stiff systems y' = f(t, y), for a batch of cells: one a lane.
//
//   (1/(hγ) − J) u_i = f(t + α_i h, y + Σ_j a_ij u_j) + Σ_j (c_ij / h) u_j + γ_i h ∂f/∂t            [hairer1996, eq. IV.7.25]
//   y(t + h) = y + Σ m_i u_i,      error = u_s: the method is stiffly accurate, its last stage is the difference to the
//                                  embedded solution of one order less.
//
// The system's part (a class with these members; P is a pack):
//   int size();                                    unknowns
//   void rates(P t, const P* y, P* f);             f(t, y)
//   void linearise(P t, const P* y, P* f);         the same, and J and ∂f/∂t are kept for…
//   void factorise(P shift);                       shift − J
//   void solve(P* x);                              x = (shift − J)⁻¹ x
//   const P* time_slope();                         ∂f/∂t; null if f does not depend on t
#pragma once
#include <vector>

namespace phlo::numerics {

/// Rodas [hairer1996, IV.10]: order 4, L-stable, 6 stages.
struct Rodas4 {
    static constexpr int stages = 6, order = 4;
    static constexpr double gamma = 0.25;
    static constexpr double a[stages][stages] = {{},
                                                 {1.544},
                                                 {0.9466785280815826, 0.2557011698983284},
                                                 {3.314825187068521, 2.896124015972201, 0.9986419139977817},
                                                 {1.221224509226641, 6.019134481288629, 12.53708332932087, -0.6878860361058950},
                                                 {1.221224509226641, 6.019134481288629, 12.53708332932087, -0.6878860361058950, 1}};
    static constexpr double c[stages][stages] = {
        {},
        {-5.6688},
        {-2.430093356833875, -0.2063599157091915},
        {-0.1073529058151375, -9.594562251023355, -20.47028614809616},
        {7.496443313967647, -10.24680431464352, -33.99990352819905, 11.70890893206160},
        {8.083246795921522, -7.981132988064893, -31.52159432874371, 16.31930543123136, -6.058818238834054}};
    static constexpr double m[stages] = {1.221224509226641, 6.019134481288629, 12.53708332932087, -0.6878860361058950, 1, 1};
    static constexpr double alpha[stages] = {0, 0.386, 0.21, 0.63, 1, 1};
    static constexpr double gamma_sum[stages] = {0.25, -0.1043, 0.1035, -0.0362, 0, 0};
};

template <class Method, class System, class P>
class Rosenbrock {
public:
    static constexpr int order = Method::order;

    explicit Rosenbrock(System& system) : system_(system), n_(system.size()), u_(std::size_t(Method::stages) * n_), stage_(n_), rate_(n_) {}

    /// Rates at the start of the step, for the choice of its length.
    const P* begin(P t, const P* y) {
        system_.linearise(t, y, rate_.data());
        return rate_.data();
    }

    /// One step of length h from (t, y), after begin(t, y). The difference to the embedded solution goes to `error`.
    void step(P t, P h, const P* y, P* y_new, P* error) {
        using S = typename P::Scalar;
        const P inverse = P(S(1)) / h;
        system_.factorise(inverse * P(S(1 / Method::gamma)));
#pragma GCC unroll 8
        for (int i = 0; i < Method::stages; ++i) {
            P* u = u_.data() + std::size_t(i) * n_;
            if (i > 0) {
                combine(Method::a[i], i, y, stage_.data());
                system_.rates(t + P(S(Method::alpha[i])) * h, stage_.data(), rate_.data());
            }
            for (int k = 0; k < n_; ++k) {
                P sum(S(0));
#pragma GCC unroll 8
                for (int j = 0; j < i; ++j)
                    if (Method::c[i][j] != 0) sum += P(S(Method::c[i][j])) * u_[std::size_t(j) * n_ + k];
                u[k] = rate_[k] + sum * inverse;
            }
            if (const P* slope = system_.time_slope(); slope != nullptr && Method::gamma_sum[i] != 0)
                for (int k = 0; k < n_; ++k) u[k] += P(S(Method::gamma_sum[i])) * h * slope[k];
            system_.solve(u);
        }
        combine(Method::m, Method::stages, y, y_new);
        const P* last = u_.data() + std::size_t(Method::stages - 1) * n_;
        for (int k = 0; k < n_; ++k) error[k] = last[k];
    }

private:
    [[gnu::always_inline]] inline void combine(const double* weights, int stages, const P* y, P* sum) const {
        for (int k = 0; k < n_; ++k) {
            P s = y[k];
#pragma GCC unroll 8
            for (int j = 0; j < stages; ++j)
                if (weights[j] != 0) s += P(typename P::Scalar(weights[j])) * u_[std::size_t(j) * n_ + k];
            sum[k] = s;
        }
    }

    System& system_;
    int n_;
    std::vector<P> u_, stage_, rate_;
};

}  // namespace phlo::numerics
