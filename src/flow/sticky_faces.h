// Faces of the velocity at bodies to which the fluid sticks (no-slip), for explicit viscosity.
//
//   const StickyFaces sticky(domain, solids);
//   sticky.hold(u);                                                // faces whose centre a sticky body covers take its velocity
//   diffuser.diffuse_velocity(u, nu * dt / (h * h), walls, solids, &sticky);
//
//        o  free face f           The surface lies at the share theta of the way from f to a face g in the body.
//        |  theta                 Beyond it the profile goes on straight: u(g) = u(f) + (w - u(f)) / theta, so that friction
//   -----+-----  surface, w       is (w - u(f)) / theta: of second order wherever the surface lies between faces.
//        |
//        x  stuck face g
#pragma once
#include <array>
#include <vector>

#include "field/domain.h"
#include "flow/solids.h"

namespace phlo::flow {

class StickyFaces {
public:
    StickyFaces() = default;
    StickyFaces(const field::Domain& domain, const Solids& solids);

    bool empty() const { return empty_; }
    void hold(field::MacGrid& u) const;

    /// A stuck face has no friction of its own: `stuck`. A free one has (velocity - u) times `more`, beside that of full distances.
    struct Pull {
        int i = 0, j = 0;
        float more = 0, velocity = 0;
        bool stuck = false;
    };
    /// Those of plane k of component `axis`, rows in rising order.
    const std::vector<Pull>& in_plane(int axis, int k) const { return planes_[std::size_t(axis)][std::size_t(k)]; }
    /// How many times faster than one without bodies some face can change.
    double exposed() const { return exposed_; }

private:
    std::array<std::vector<std::vector<Pull>>, 3> planes_;
    double exposed_ = 1;
    bool empty_ = true;
};

}  // namespace phlo::flow
