// The differential equations of a batch of cells, in the form that the integrators want (numerics/rosenbrock.h, batch_integrate.h).
//
// Unknowns are the amounts n_k of the species that can change and, if adiabatic, the temperature:
//   dn_k/dt = V ω_k,   ω_k = Σ_r ν_kr q_r,       V given, or V = R T Σn / p
//   dT/dt = −Σ_k e_k dn_k/dt / C,                e = h, C = Σ n cp at constant pressure; e = u, C = Σ n cv at constant volume
// With s_r = Σ_j c_j ∂q_r/∂c_j the derivatives at constant pressure are those at constant volume less (s_r − q_r)/Σc for every amount
// and less (s_r − q_r)/T for the temperature: RateKernel::linearise(expands).
#pragma once
#include <vector>

#include "chem/integration/conservation.h"
#include "chem/integration/kinetics.h"
#include "chem/rates/rates.h"
#include "numerics/batch_integrate.h"
#include "numerics/batch_lu.h"

namespace phlo::chem {

/// What all batches of one call share.
struct SystemPlan {
    explicit SystemPlan(const Network& network, const KineticsParams& params);

    const Network& network;
    const KineticsParams& params;
    int states, unknowns;
    bool full;  ///< the Jacobian has no zeros
    numerics::LuPattern lu;
    std::vector<int> row_slot;  ///< (row, column) in `lu`, row by row; −1: not in the pattern
};

template <class P>
class CellSystem {
public:
    using S = typename P::Scalar;
    using Mask = typename P::Mask;

    CellSystem(const SystemPlan& plan, const Cells<S>& cells, std::span<const int> list, std::vector<FailedCell>& failures)
        : plan_(plan),
          network_(plan.network),
          cells_(cells),
          list_(list),
          failures_(failures),
          kernel_(plan.network),
          totals_(plan.network),
          adiabatic_(plan.params.adiabatic),
          expands_(plan.params.hold == Hold::pressure),
          amounts_(std::size_t(network_.species()), P(S(0))),
          concentration_(amounts_.size(), P(S(0))),
          jacobian_(std::size_t(plan.lu.size())),
          work_(std::size_t(plan.unknowns)),
          slope_(std::size_t(plan.unknowns)),
          uniform_(std::size_t(plan.states)),
          has_time_(network_.depends_on_time()) {
        wanted_ = {.expands = expands_, .by_each = plan.full, .by_temperature = adiabatic_, .by_time = has_time_};
        make_tables();
    }

    int size() const { return plan_.unknowns; }
    P absolute(int k) const { return k < plan_.states ? absolute_ : P(S(0)); }
    P scale(int k) const { return k < plan_.states ? moles_ : P(S(0)); }
    const P* time_slope() const { return has_time_ ? slope_.data() : nullptr; }

    bool load(int lane, P* y) {
        if (next_ == list_.size()) return false;
        const int cell = list_[next_++];
        cell_[lane] = cell;
        S moles = 0;
        for (int s = 0; s < network_.species(); ++s) {
            const S n = cells_.amounts[s][cell];
            amounts_[s].set(lane, n);
            moles += n;
        }
        for (int k = 0; k < plan_.states; ++k) y[k].set(lane, cells_.amounts[network_.states()[k]][cell]);
        temperature_.set(lane, cells_.temperature[cell]);
        if (adiabatic_) y[plan_.states].set(lane, cells_.temperature[cell]);
        volume_.set(lane, cells_.volume != nullptr ? cells_.volume[cell] : S(cells_.same_volume));
        pressure_.set(lane, cells_.pressure != nullptr ? cells_.pressure[cell] : S(cells_.same_pressure));
        moles_.set(lane, moles);
        absolute_.set(lane, std::max(S(plan_.params.absolute) * moles, std::numeric_limits<S>::min()));
        totals_.remember(lane, y);
        stale_ = true;
        return true;
    }

    void store(int lane, const P* y, numerics::Outcome outcome) {
        const int cell = cell_[lane];
        if (outcome == numerics::Outcome::failed) {
            FailedCell failure{.cell = cell, .temperature = double(adiabatic_ ? y[plan_.states][lane] : temperature_[lane]), .amounts = {}};
            for (int s = 0; s < network_.species(); ++s)
                failure.amounts.push_back(double(network_.state_of(s) < 0 ? amounts_[s][lane] : y[network_.state_of(s)][lane]));
            failures_.push_back(std::move(failure));
            return;
        }
        for (int k = 0; k < plan_.states; ++k) cells_.amounts[network_.states()[k]][cell] = y[k][lane];
        if (adiabatic_) cells_.temperature[cell] = y[plan_.states][lane];
    }

    /// Begins again with the first cell, or with those of another list.
    void rewind() { next_ = 0; }
    void begin(std::span<const int> list) { list_ = list, next_ = 0; }

    /// Each cell's own time [s], by cell; null: that of the call.
    void set_seconds(const S* seconds) { seconds_ = seconds; }
    S duration(int lane, S dt) const { return seconds_ != nullptr ? seconds_[cell_[lane]] : dt; }

    Mask repair(P* y) { return totals_.restore(y); }

    void rates(P t, const P* y, P* f) {
        const P V = enter(y);
        kernel_.evaluate(t + P(S(plan_.params.start_time)), concentration_.data());
        derive(V, f);
    }

    void linearise(P t, const P* y, P* f) {
        const P V = enter(y);
        kernel_.linearise(t + P(S(plan_.params.start_time)), concentration_.data(), wanted_);
        derive(V, f);
        fill_amounts();
        if (adiabatic_) fill_temperature(V, f);
        if (has_time_) fill_time(V);
    }

    void factorise(P shift) {
        for (const int slot : plan_.lu.diagonal) jacobian_[slot] += shift;
        numerics::lu_factorise(plan_.lu, jacobian_.data(), work_.data());
    }

    void solve(P* x) { numerics::lu_solve(plan_.lu, jacobian_.data(), x, work_.data()); }

    /// Largest decay rate that the last linearise() met [1/s]: how stiff a lane is. The diagonal tells it without a factorisation.
    P stiffness() const {
        P most(S(0));
        for (const int slot : plan_.lu.diagonal) most = max(most, abs(jacobian_[slot]));
        return most;
    }

    /// ∂(rate of unknown i)/∂(unknown j) after linearise().
    P derivative(int i, int j) const { return slot(i, j) < 0 ? P(S(0)) : -jacobian_[slot(i, j)]; }

    const RateKernel<P>& kernel() const { return kernel_; }
    P volume() const { return current_volume_; }

private:
    /// Concentrations and rate constants for the state y; its volume.
    P enter(const P* y) {
        P moles(S(0));
        for (int k = 0; k < plan_.states; ++k) amounts_[network_.states()[k]] = y[k];
        for (const P& n : amounts_) moles += n;
        const P T = adiabatic_ ? max(y[plan_.states], P(S(1))) : temperature_;
        current_volume_ = expands_ ? P(S(gas_constant)) * T * moles / pressure_ : volume_;
        const P per_volume = P(S(1)) / current_volume_;
        for (std::size_t s = 0; s < amounts_.size(); ++s) concentration_[s] = amounts_[s] * per_volume;
        if (adiabatic_ || stale_) kernel_.set_temperature(T);
        stale_ = false;
        T_ = T;
        return current_volume_;
    }

    /// Σ_r ν_kr x_r for every state k.
    void add_up(const P* x, const P& factor, P* sum) const {
        for (int k = 0; k < plan_.states; ++k) {
            P s(S(0));
            for (int i = net_first_[k]; i < net_first_[k + 1]; ++i) s += P(net_[i].weight) * x[net_[i].index];
            sum[k] = s * factor;
        }
    }

    void derive(P V, P* f) {
        add_up(kernel_.q(), V, f);
        if (!adiabatic_) return;
        P capacity(S(0)), heat(S(0));
        for (std::size_t s = 0; s < amounts_.size(); ++s) capacity += amounts_[s] * heat_capacity(int(s));
        for (int k = 0; k < plan_.states; ++k) heat += f[k] * energy(network_.states()[k]);
        capacity_ = capacity;
        f[plan_.states] = -heat * T_ / capacity;
    }

    /// Over R: cp or cv.
    P heat_capacity(int s) const { return expands_ ? kernel_.thermo().cp(s) : kernel_.thermo().cp(s) - P(S(1)); }
    /// Over RT: enthalpy or internal energy.
    P energy(int s) const { return expands_ ? kernel_.thermo().enthalpy(s) : kernel_.thermo().enthalpy(s) - P(S(1)); }

    /// −∂(dn_k/dt)/∂n_j.
    void fill_amounts() {
        if (plan_.full) add_up(kernel_.by_each(), P(S(1)), uniform_.data());
        for (const Entry& entry : entries_) {
            P sum = plan_.full ? uniform_[entry.row] : P(S(0));
            for (int i = entry.first; i < entry.last; ++i) sum += P(terms_[i].weight) * kernel_.by_slot()[terms_[i].index];
            jacobian_[entry.slot] = -sum;
        }
    }

    /// Row and column of the temperature.
    void fill_temperature(P V, const P* f) {
        const int n = plan_.states;
        P* by_T = slope_.data();
        add_up(kernel_.by_temperature(), V, by_T);
        const P per_capacity = P(S(1)) / capacity_, heating = f[n];
        P own(S(0));
        for (int k = 0; k < n; ++k) {
            const int s = network_.states()[k];
            jacobian_[slot(k, n)] = -by_T[k];
            own += heat_capacity(s) * f[k] + energy(s) * T_ * by_T[k];
        }
        P capacity_by_T(S(0));
        for (std::size_t s = 0; s < amounts_.size(); ++s) capacity_by_T += amounts_[s] * kernel_.thermo().cp_by_T(int(s));
        jacobian_[slot(n, n)] = (own + heating * capacity_by_T) * per_capacity;
        for (int j = 0; j < n; ++j) {
            P sum = heating * heat_capacity(network_.states()[j]);
            for (int k = 0; k < n; ++k)
                if (const int a = slot(k, j); a >= 0) sum -= energy(network_.states()[k]) * T_ * jacobian_[a];
            jacobian_[slot(n, j)] = sum * per_capacity;
        }
    }

    void fill_time(P V) {
        add_up(kernel_.by_time(), V, slope_.data());
        if (!adiabatic_) return;
        P heat(S(0));
        for (int k = 0; k < plan_.states; ++k) heat += slope_[k] * energy(network_.states()[k]);
        slope_[plan_.states] = -heat * T_ / capacity_;
    }

    /// The network's sparse sums, flat and in the kernel's own precision.
    void make_tables() {
        std::vector<std::vector<Weighted>> rows(std::size_t(plan_.states));
        for (int r = 0; r < network_.reactions(); ++r)
            for (const Term& t : network_.compiled()[r].net) rows[network_.state_of(t.species)].push_back({r, S(t.coefficient)});
        for (const auto& row : rows) {
            net_first_.push_back(int(net_.size()));
            net_.insert(net_.end(), row.begin(), row.end());
        }
        net_first_.push_back(int(net_.size()));

        auto listed = network_.jacobian().begin();
        for (int i = 0; i < plan_.states; ++i)
            for (int j = 0; j < plan_.states; ++j) {
                Entry entry{i, slot(i, j), int(terms_.size()), int(terms_.size())};
                if (listed != network_.jacobian().end() && listed->row == i && listed->column == j) {
                    for (const auto& [from, coefficient] : listed->terms) terms_.push_back({from, S(coefficient)});
                    entry.last = int(terms_.size());
                    ++listed;
                }
                if (entry.slot >= 0) entries_.push_back(entry);
            }
    }

    int slot(int row, int column) const { return plan_.row_slot[std::size_t(row) * plan_.unknowns + column]; }

    struct Weighted {
        int index;
        S weight;
    };
    /// A place in the matrix and the terms of its sum.
    struct Entry {
        int row, slot, first, last;
    };

    const SystemPlan& plan_;
    const Network& network_;
    const Cells<S>& cells_;
    std::span<const int> list_;
    std::vector<FailedCell>& failures_;
    const S* seconds_ = nullptr;
    RateKernel<P> kernel_;
    Totals<P> totals_;
    bool adiabatic_, expands_, stale_ = true;
    std::size_t next_ = 0;
    int cell_[P::width] = {};
    std::vector<P> amounts_, concentration_, jacobian_, work_, slope_, uniform_;
    std::vector<int> net_first_;
    std::vector<Weighted> net_, terms_;
    std::vector<Entry> entries_;
    bool has_time_;
    Wanted wanted_;
    P temperature_{S(300)}, volume_{S(1)}, pressure_{S(101325)}, moles_{S(0)}, absolute_{S(1)}, current_volume_{S(1)}, capacity_{S(1)},
        T_{S(300)};
};

}  // namespace phlo::chem
