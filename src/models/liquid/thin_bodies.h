// Bodies thinner than the grid sees, a glass on a coarse grid, and the mesh of the liquid before them.
//
//   field::TriangleMesh mesh = marching_cubes(domain, phi, ThinBodies(domain, phi, solids.distance, placements));
//
//      liquid  |wall|   air             The level set is known at cell centres o only, and its zero lies somewhere between them, perhaps behind a wall
//         o----+-*--+--x----o           that is in between: at x. The point then goes back to the middle of the wall, *, where nobody sees it. A film
//      phi < 0            phi > 0       on the far side, which has come there by itself, has no liquid behind it within two cells and stays.
#pragma once
#include <vector>

#include "field/domain.h"
#include "field/grid.h"
#include "geom/placement.h"

namespace phlo::models {

class ThinBodies {
public:
    /// `distance` to the nearest body at cell centres, as flow::Solids has it [m]. All but `placements` must outlive it.
    ThinBodies(const field::Domain& domain, const field::Grid& phi, const field::Grid& distance, std::vector<geom::Placement> placements);

    /// The part of the way from the centre of a liquid cell to the surface that leads no farther than the middle of the body in between: geom::KeptWay.
    double operator()(const Vec3d& inside, const Vec3d& surface) const;

private:
    double exact_distance(const Vec3d& p) const;   ///< within a cell of a body [m]
    bool is_before_wall(Vec3d inside, const Vec3d& back) const;

    const field::Domain& domain_;
    const field::Grid& phi_;
    const field::Grid& distance_;
    std::vector<geom::Placement> placements_;
};

}  // namespace phlo::models
