// A mechanism compiled into the tables that the rate kernels walk: factors of each rate, net stoichiometry, the pattern of the Jacobian,
// and the totals that no reaction can change. Everything is derived from the stoichiometry.
//
//   const Network network(read_mechanism("mechanisms/chain.yaml"));
//   network.states();                       // species that some reaction changes; the others only take part
//   network.invariants();                   // rows w with w · amounts constant
#pragma once
#include <span>
#include <utility>
#include <vector>

#include "chem/expressions/expression.h"
#include "chem/mechanism/mechanism.h"

namespace phlo::chem {

/// One factor c^exponent of a rate; `slot` is where the rate's derivative by this factor's species goes.
struct Factor {
    int species = 0, slot = 0;
    bool consumed = false;  ///< the reaction uses it up: the rate must vanish with it, whatever the exponent
    double exponent = 1;
};

/// [M] = others · Σ c + Σ extra · c.
struct Collider {
    double others = 1;
    std::vector<Term> extra;  ///< efficiency less `others`
};

/// A control function with its derivatives.
struct CompiledFormula {
    Expression value, by_temperature, by_time;
    struct Slope {
        int species = 0, slot = 0;
        Expression value;
    };
    std::vector<Slope> by_species;
};

struct CompiledReaction {
    enum class Kind { constant, arrhenius, falloff, formula };
    Kind kind = Kind::arrhenius;
    Arrhenius high, low;  ///< the rate law; `low` of falloff
    std::optional<Troe> troe;
    int formula = -1;  ///< in Network::formulas
    int collider = -1;  ///< in Network::colliders
    bool multiplies_collider = false;  ///< three-body: the rate is proportional to [M]
    bool reversible = false;
    std::vector<Factor> forward, backward;
    double forward_order = 0, backward_order = 0;  ///< sums of the exponents
    std::vector<Term> net;  ///< products less reactants, by species; catalysts are not in it
    double net_moles = 0;  ///< sum of `net`
    struct Extra {
        int slot;
        double weight;
    };
    std::vector<Extra> collider_slots;  ///< where ∂q/∂[M] goes for species with an efficiency of their own
};

class Network {
public:
    explicit Network(Mechanism mechanism);

    const Mechanism& mechanism() const { return mechanism_; }
    int species() const { return int(mechanism_.species.size()); }
    int reactions() const { return int(reactions_.size()); }
    /// Species whose amounts can change, ascending, and where a species stands among them (−1: nowhere).
    std::span<const int> states() const { return states_; }
    int state_of(int species) const { return state_of_[species]; }

    std::span<const CompiledReaction> compiled() const { return reactions_; }
    std::span<const Collider> colliders() const { return colliders_; }
    std::span<const CompiledFormula> formulas() const { return formulas_; }
    int slots() const { return int(slot_owner_.size()); }

    /// Entry (row, column) of ∂(rate of a state)/∂(concentration of a state): Σ weight · derivative in slot.
    struct JacobianEntry {
        int row = 0, column = 0;
        std::vector<std::pair<int, double>> terms;  ///< slot, stoichiometric coefficient
    };
    std::span<const JacobianEntry> jacobian() const { return jacobian_; }
    /// Whether some rate depends on the sum of all concentrations, so that the Jacobian is full.
    bool depends_on_total() const;
    bool depends_on_time() const;

    /// A basis of the linear invariants over the states: rows w with Σ_s w_s ν_sr = 0 for every reaction r.
    std::span<const std::vector<double>> invariants() const { return invariants_; }

private:
    void compile_reaction(const Reaction& reaction);
    void compile_jacobian();

    Mechanism mechanism_;
    std::vector<int> states_, state_of_;
    std::vector<CompiledReaction> reactions_;
    std::vector<Collider> colliders_;
    std::vector<CompiledFormula> formulas_;
    std::vector<JacobianEntry> jacobian_;
    std::vector<std::vector<double>> invariants_;
    std::vector<std::pair<int, int>> slot_owner_;  ///< reaction, species
};

/// A basis of the vectors w with wᵀ column = 0 for every given column of length n; exact for small rational entries.
std::vector<std::vector<double>> left_null_space(int n, std::span<const std::vector<double>> columns);

}  // namespace phlo::chem
