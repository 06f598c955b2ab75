// What particles beside a liquid see of it: where it is, how it moves, what stands around it, and how long the step is.
//
//   LiquidAround around{.domain = domain, .phi = &phi, .u = &u, .solids = &solids, .contacts = &contacts, .walls = walls, .gravity = g, .dt = dt, .step = steps,
//                       .seed = seed};
//   float depth = -around.level(position);
//   Vec3f n = around.normal(position);
//
// The level set must be a distance within four cells of the surface, and the velocity must be known two cells beyond it (flow/extend.h).
#pragma once
#include <cstdint>

#include "field/domain.h"
#include "field/mac.h"
#include "flow/body_contacts.h"
#include "flow/solids.h"
#include "flow/walls.h"
#include "models/liquid/viscosity_law.h"
#include "particles/sample.h"

namespace phlo::models {

struct LiquidAround {
    field::Domain domain;
    const field::Grid* phi = nullptr;       ///< < 0 in the liquid [m]
    const field::MacGrid* u = nullptr;      ///< [m/s]
    const flow::Solids* solids = nullptr;   ///< null: none
    const flow::BodyContacts* contacts = nullptr;   ///< the same bodies, for what they hold and push; null: none
    flow::Walls walls = {};
    const ViscosityLaw* law = nullptr;      ///< of the liquid; null: it has no friction
    Vec3d gravity{0, 0, -9.81};             ///< [m/s^2]
    double dt = 0;                          ///< [s]
    std::uint32_t step = 0;                 ///< which step it is, for random numbers
    std::uint64_t seed = 0;

    Vec3f cells(const Vec3f& p) const { return particles::cells_from_world(domain, p); }
    /// The level set at a place in the world [m].
    float level(const Vec3f& p) const { return particles::sample(*phi, cells(p)); }
    Vec3f velocity(const Vec3f& p) const { return particles::sample(*u, cells(p)); }
    /// Unit, out of the liquid; straight up where the level set is flat.
    Vec3f normal(const Vec3f& p) const;
    bool has_bodies() const { return solids != nullptr && solids->present(); }
    /// To the nearest body, < 0 inside, three cells at most [m].
    float body_distance(const Vec3f& p) const { return has_bodies() ? particles::sample(solids->distance, cells(p)) : float(3 * domain.h); }
    Vec3f up() const;                       ///< unit, against gravity; zero without any
};

}  // namespace phlo::models
