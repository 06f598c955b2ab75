// Bodies that gas eats: what is left of each, on a lattice of its own, and how many moles that is. docs/models/erosion.md has the equations.
//
//   ErodingBodies eroding(flow, mechanism);
//   eroding.expose(flow, room, substances);                   // the surface that each cell has before it; then chemistry takes from it
//   eroding.recede(flow, room, substances, ledger, warnings); // shapes, moles and ledger follow; what comes loose falls or vanishes
//
// Moles are what chemistry took, to the last digit; the volume follows them within a step, because a level set's own error is made up for in the next.
#pragma once
#include <memory>
#include <vector>

#include "chem/mechanism/mechanism.h"
#include "flow/erosion.h"
#include "models/gas/chemistry.h"
#include "models/shot/grid_flow.h"

namespace phlo::models {

class ErodingBodies {
public:
    ErodingBodies() = default;
    /// The bodies' shapes become what the lattice knows of them.
    ErodingBodies(GridFlow& flow, const chem::Mechanism& mechanism);

    bool any() const { return !parts_.empty(); }
    double moles(int species) const;    ///< in all bodies of this solid
    double volume(int species) const;   ///< of them [m^3]
    void expose(const GridFlow& flow, const field::Grid& room, std::vector<Substance>& substances) const;
    void recede(GridFlow& flow, const field::Grid& room, const std::vector<Substance>& substances, Ledger& ledger, Warnings& warnings);

    /// `flow` and this must outlive the view.
    void add_state(GridFlow& flow, StateView& view);
    std::size_t bytes() const;

private:
    struct Part {
        std::size_t body = 0;      ///< in the shot
        std::size_t origin = 0;    ///< the body of the scene that it is a part of
        int species = 0;
        double molar_density = 1;  ///< [mol/m^3]
        double moles = 0;
        std::shared_ptr<geom::SampledSolid> rest;
        field::Grid softness;      ///< on the lattice of `rest`
    };
    void split(std::size_t part, GridFlow& flow, const std::string& species, Ledger& ledger, Warnings& warnings);
    std::vector<char> save(GridFlow& flow) const;
    void load(GridFlow& flow, std::span<const char> data);

    std::vector<Part> parts_;
    std::size_t given_ = 0;        ///< parts at the beginning; the others broke off
    flow::MarchScratch scratch_;
};

}  // namespace phlo::models
