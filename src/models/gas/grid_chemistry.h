// The grid-only method [ihm2004]: every species is a concentration in every cell, and cells react by themselves. Only cells in which some
// reaction has all it needs are visited, in batches that keep the integrator's lanes full.
#pragma once
#include <optional>
#include <vector>

#include "models/gas/chemistry.h"
#include "models/gas/chemistry_params.h"
#include "models/gas/needs.h"

namespace phlo::models {

class GridChemistry final : public Chemistry {
public:
    GridChemistry(const chem::Mechanism& mechanism, const ChemistryParams& params);

    std::vector<int> fields() const override;
    void move(ReactingGas&, double) override {}
    void react(ReactingGas& gas, double dt) override;
    std::vector<double> foresee(const ReactingGas& gas, std::span<const double> seconds) override;
    std::size_t bytes() const override;

private:
    /// Cells that react together: where they are, and their state as the integrator wants it.
    struct Batch {
        std::vector<std::ptrdiff_t> cells;           ///< offsets into the grids' storage
        std::vector<std::vector<float>> amounts;     ///< by species and counter [mol/m^3]
        std::vector<float> temperature;              ///< [K]
        void resize(std::size_t count, std::size_t species);
    };
    void find_cells(const ReactingGas& gas, std::span<const flow::CellBox> runs);
    void load(const ReactingGas& gas);
    void integrate(const ReactingGas& gas, double dt);
    void keep_enthalpy(const ReactingGas& gas);
    void apply_controls(ReactingGas& gas, double dt);
    void hand_back(ReactingGas& gas, std::vector<double>& reacted);
    void fill_pressure_gap(ReactingGas& gas) const;

    ChemistryParams params_;
    Controls controls_;
    Needs needs_;
    Batch batch_;
};

}  // namespace phlo::models
