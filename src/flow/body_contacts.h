// What bodies do to points that are carried past them: they stop them, push them along, and let them slide.
//
//   const BodyContacts contacts(domain, before, after);                // where the bodies were and are; for bodies at rest the same
//   Vec3f to = ...;                                                    // where the flow would carry a point that was at `from`
//   if (const auto contact = contacts.hold(from, to)) ...              // `to` is where it got to; what it met
//   bool on_this_side = contacts.free_way(center, point);
//
// A path is looked at from the body, as a straight line from where the point was to where it is, both in the body's own coordinates then
// and now. Walks along it are as long as the way to the body's surface: nothing is stepped over, neither a plate much thinner than a cell
// nor a body that moves many cells in a step. What is met takes the part of the path that goes into the body away; the rest goes on along
// the surface. A body that moves more than a cell in a step carries what it meets along as it lies.
//
// Points are in cell coordinates, the centre of cell (0, 0, 0) at (0, 0, 0). They keep a tenth of a cell from surfaces.
#pragma once
#include <optional>
#include <span>
#include <vector>

#include "field/domain.h"
#include "geom/placement.h"

namespace phlo::flow {

struct BodyContact {
    Vec3f normal;  ///< out of the body
    Vec3f velocity;  ///< of the body there [m/s]
};

class BodyContacts {
public:
    static constexpr double skin = 0.1;  ///< [cells]

    /// The same bodies in both; they must live as long as this does.
    BodyContacts(const field::Domain& domain, std::span<const geom::Placement> before, std::span<const geom::Placement> after);

    bool any() const { return !after_.empty(); }
    /// No point of a body moves farther [cells].
    double reach() const { return reach_; }

    /// Moves `to` to where a point that was at `from` gets to. Nothing if no body is in the way.
    std::optional<BodyContact> hold(const Vec3f& from, Vec3f& to) const;

    /// Neither `to` nor the way there from `from` is in a body at the end of the step.
    bool free_way(const Vec3f& from, const Vec3f& to) const;

private:
    struct Walk {
        double reached = 1;  ///< share of the way
        bool met = false;
    };
    Vec3d world(const Vec3f& p) const { return domain_.origin + (Vec3d(p) + Vec3d(0.5)) * domain_.h; }
    Walk walk(const geom::Shape& shape, const Vec3d& from, const Vec3d& to) const;
    Vec3d normal(const geom::Shape& shape, const Vec3d& p) const;
    std::optional<BodyContact> hold(std::size_t body, const Vec3f& from, Vec3f& to) const;

    field::Domain domain_;
    std::span<const geom::Placement> before_, after_;
    double reach_ = 0;
};

}  // namespace phlo::flow
